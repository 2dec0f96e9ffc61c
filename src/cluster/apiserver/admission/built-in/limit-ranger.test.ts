import { describe, expect, it } from "vitest";
import type { LimitRangeItem, PodSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { refusalOf, startServer } from "../../test-server.test-kit.ts";

const namespace = "default";

function start(...limits: readonly LimitRangeItem[]) {
  const { server, client } = startServer();
  client.create(kinds.limitRanges, { metadata: { namespace, name: "bounds" }, spec: { limits } });
  const create = (spec: Partial<PodSpec>) =>
    client.create(kinds.pods, {
      metadata: { namespace, name: "web" },
      spec: { containers: [{ name: "c", image: "nginx" }], ...spec },
    });
  return { server, client, create };
}

function container(requests: object, limits: object = {}, name = "c") {
  return { name, image: "nginx", resources: { requests, limits } } as PodSpec["containers"][number];
}

describe("LimitRanger", () => {
  it("fills in defaults and notes which, container by container", () => {
    const { create } = start({ type: "Container", default: { cpu: "500m", memory: "256Mi" }, defaultRequest: { cpu: "100m" } });
    const pod = create({
      containers: [
        { name: "plain", image: "nginx" },
        { name: "own", image: "nginx", resources: { limits: { cpu: "1" } } },
      ],
      initContainers: [{ name: "first", image: "busybox" }],
    });
    expect(pod.metadata.annotations).toEqual({
      "kubernetes.io/limit-ranger":
        "LimitRanger plugin set: cpu, memory request for container plain; cpu, memory limit for container plain; memory request for container own; memory limit for container own; cpu, memory request for init container first; cpu, memory limit for init container first",
    });
    const defaults = { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "256Mi" } };
    expect(pod.spec?.containers.map(({ resources }) => resources)).toEqual([
      defaults,
      { limits: { cpu: "1", memory: "256Mi" }, requests: { cpu: "1", memory: "256Mi" } },
    ]);
    expect(pod.spec?.initContainers?.[0]?.resources).toEqual(defaults);
  });

  it("leaves a Pod alone that lacks nothing", () => {
    const { create } = start({ type: "Container", max: { cpu: "1" } });
    const pod = create({ containers: [container({ cpu: "200m" }, { cpu: "400m" })] });
    expect([pod.metadata.annotations, pod.spec?.containers[0]?.resources]).toEqual([
      undefined,
      { requests: { cpu: "200m" }, limits: { cpu: "400m" } },
    ]);
  });

  it.each<[string, LimitRangeItem, Partial<PodSpec>, string]>([
    [
      "a request below the minimum",
      { type: "Container", min: { cpu: "200m" } },
      { containers: [container({ cpu: "100m" })] },
      "minimum cpu usage per Container is 200m, but request is 100m",
    ],
    [
      "a limit above the maximum",
      { type: "Container", max: { cpu: "800m" } },
      { containers: [container({ cpu: "500m" }, { cpu: "1500m" })] },
      "maximum cpu usage per Container is 800m, but limit is 1500m",
    ],
    [
      "several at once, as a list",
      { type: "Container", min: { memory: "500Mi" }, max: { cpu: "1" } },
      { containers: [container({ memory: "100Mi", cpu: "1" }, { memory: "200Mi", cpu: "2" })] },
      "[minimum memory usage per Container is 500Mi, but request is 100Mi, maximum cpu usage per Container is 1, but limit is 2]",
    ],
    [
      "a ratio that is too large",
      { type: "Container", maxLimitRequestRatio: { cpu: "2" } },
      { containers: [container({ cpu: "100m" }, { cpu: "250m" })] },
      "cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000",
    ],
    [
      "a ratio without a request",
      { type: "Container", maxLimitRequestRatio: { cpu: "2" } },
      {},
      "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
    ],
    [
      "a Pod whose containers together are above the maximum",
      { type: "Pod", max: { cpu: "1" } },
      { containers: [container({}, { cpu: "600m" }), container({}, { cpu: "600m" }, "d")] },
      "maximum cpu usage per Pod is 1, but limit is 1200m",
    ],
    [
      "a Pod without a limit where there is a maximum",
      { type: "Pod", max: { memory: "1Gi" } },
      {},
      "maximum memory usage per Pod is 1Gi.  No limit is specified",
    ],
    [
      "a Pod whose init container is above the maximum",
      { type: "Pod", max: { cpu: "1" } },
      { containers: [container({}, { cpu: "100m" })], initContainers: [container({}, { cpu: "2" }, "i")] },
      "maximum cpu usage per Pod is 1, but limit is 2",
    ],
  ])("refuses %s", (_title, item, spec, cause) => {
    const { create } = start(item);
    expect(refusalOf(() => create(spec))).toBe(`pods "web" is forbidden: ${cause}`);
  });

  it.each([
    ["500Mi", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi"],
    ["3Gi", "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"],
  ])("refuses a claim for %s", (storage, cause) => {
    const { client } = start({ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } });
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } };
    expect(refusalOf(() => client.create(kinds.persistentVolumeClaims, { metadata: { namespace, name: "data" }, spec }))).toBe(
      `persistentvolumeclaims "data" is forbidden: ${cause}`,
    );
  });

  it("looks at Pods that are resized", () => {
    const { server, create } = start({ type: "Container", max: { cpu: "1" } });
    const old = create({ containers: [container({ cpu: "200m" }, { cpu: "400m" })] }) as KubeObject;
    const resized: KubeObject = { ...old, spec: { containers: [container({ cpu: "2" }, { cpu: "2" })] } };
    const definition = server.registry.find("", "v1", "pods") as ResourceDefinition;
    const user = { name: "admin", groups: [] };
    const request = { definition, namespace, name: "web", user, userAgent: "", dryRun: false, fieldManager: "", warnings: [] };
    const resize = (subresource: string) => () =>
      server.pipeline.machinery.admission.validate({ ...request, subresource }, "UPDATE", resized, old);
    expect(refusalOf(resize("resize"))).toBe('pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 2');
    expect(refusalOf(resize("status"))).toBe("not refused");
  });

  it("does not look at Pods that exist, nor at other namespaces", () => {
    const { client } = startServer();
    const pod = client.create(kinds.pods, {
      metadata: { namespace, name: "web" },
      spec: { containers: [container({ cpu: "100m" })] },
    });
    client.create(kinds.limitRanges, {
      metadata: { namespace, name: "b" },
      spec: { limits: [{ type: "Container", min: { cpu: "1" } }] },
    });
    expect(refusalOf(() => client.update(kinds.pods, { ...pod, metadata: { ...pod.metadata, labels: { a: "b" } } }))).toBe(
      "not refused",
    );
    const elsewhere = { metadata: { namespace: "kube-public", name: "web" }, spec: { containers: [container({ cpu: "100m" })] } };
    expect(refusalOf(() => client.create(kinds.pods, elsewhere))).toBe("not refused");
  });
});
