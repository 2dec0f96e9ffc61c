// Costs of the API's primitives on a typical Pod. Run alone: `node tests/bench/api.ts`.

import { applyPatch } from "#cluster/api/apply/apply-patch.ts";
import { shapeOfType } from "#cluster/api/apply/shape.ts";
import { trackUpdate } from "#cluster/api/apply/track-update.ts";
import { decodeObject } from "#cluster/api/decode.ts";
import { emptyObjectOf } from "#cluster/api/emptiness.ts";
import { parseJson } from "#cluster/api/json-text.ts";
import { compileLabelSelector } from "#cluster/api/labels.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { applyStrategicMergePatch } from "#cluster/api/patch/strategic-apply.ts";
import { createThreeWayStrategicPatch } from "#cluster/api/patch/strategic-diff.ts";
import { addQuantities, parseQuantity } from "#cluster/api/quantity.ts";
import { parseYaml } from "#cluster/api/yaml-text.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const container = (name: string): JsonValue => ({
  name,
  image: "registry.k8s.io/web:1.2.3",
  args: ["--port", "8080"],
  env: [
    { name: "LOG_LEVEL", value: "info" },
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  ],
  ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
  resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
  readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 5 },
  volumeMounts: [{ name: "config", mountPath: "/etc/config" }],
});

const pod: JsonValue = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web-1", namespace: "default", uid: "u", labels: { app: "web", tier: "front" }, annotations: { a: "b" } },
  spec: {
    containers: [container("web"), container("sidecar")],
    volumes: [{ name: "config", configMap: { name: "web" } }],
    restartPolicy: "Always",
    nodeName: "node-1",
    tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }],
  },
};

const status = {
  phase: "Running",
  podIP: "10.244.1.7",
  podIPs: [{ ip: "10.244.1.7" }],
  conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  })),
};

function microseconds(name: string, runs: number, action: () => unknown): Figure {
  for (let run = 0; run < runs / 2; run += 1) action();
  const started = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) action();
  const used = process.cpuUsage(started);
  return { name, value: Math.round(((used.user + used.system) / runs) * 100) / 100, unit: "µs" };
}

/** One figure an operation, CPU time. */
export function benchApi(): readonly Figure[] {
  const text = JSON.stringify(pod);
  const shape = shapeOfType("Pod");
  const decoded = decodeObject("Pod", pod).value as KubeObject;
  const base = { shape, apiVersion: "v1", nowMs: 0 };
  const stored = trackUpdate({ ...base, before: emptyObjectOf("Pod", "written"), after: decoded, manager: "kubectl" });
  const running = trackUpdate({
    ...base,
    before: stored,
    after: { ...stored, status: { ...status, phase: "Pending" } },
    manager: "kubelet",
    subresource: "status",
  });
  const ready = { ...running, status };
  const { status: _, ...config } = pod as { readonly [key: string]: JsonValue };
  const patch = { metadata: { labels: { tier: "back" } }, spec: { containers: [{ name: "web", image: "x" }] } };
  const yaml = writeYaml(pod);
  const matches = compileLabelSelector("app=web,tier in (front,back),!legacy");
  const [a, b] = [parseQuantity("100m"), parseQuantity("1500m")];
  return [
    microseconds("decode a pod that needs filling in", 20_000, () => decodeObject("Pod", pod)),
    microseconds("decode a pod that is right already", 20_000, () => decodeObject("Pod", decoded as JsonValue)),
    microseconds("parse a pod's JSON with duplicate keys noticed", 5000, () => parseJson(text)),
    microseconds("trackUpdate of a pod's status", 20_000, () =>
      trackUpdate({ ...base, before: running, after: ready, manager: "kubelet", subresource: "status" }),
    ),
    microseconds("trackUpdate of a pod's creation", 5000, () =>
      trackUpdate({ ...base, before: emptyObjectOf("Pod", "written"), after: decoded, manager: "kubectl" }),
    ),
    microseconds("server-side apply that changes nothing", 2000, () =>
      applyPatch({ ...base, live: stored, config: config as KubeObject, manager: "me", force: true }),
    ),
    microseconds("strategic merge patch of a pod", 20_000, () => applyStrategicMergePatch("Pod", decoded as typeof config, patch)),
    microseconds("three-way patch of a pod", 5000, () =>
      createThreeWayStrategicPatch("Pod", config, config, decoded as typeof config),
    ),
    microseconds("write a pod as YAML", 2000, () => writeYaml(pod)),
    microseconds("read a pod's YAML", 500, () => parseYaml(yaml)),
    microseconds("match labels", 1_000_000, () => matches({ app: "web", tier: "front" })),
    microseconds("add two quantities", 1_000_000, () => addQuantities(a, b)),
  ];
}

if (import.meta.main) for (const { name, value, unit } of benchApi()) console.log(`${name}: ${value} ${unit}`);
