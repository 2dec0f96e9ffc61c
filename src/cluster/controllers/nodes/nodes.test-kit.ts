// A world of nodes for tests of the controllers that look after them.

import type { Taint, Toleration } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { formatMicroTime, formatTime } from "#cluster/api/time.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { nodeIpamController } from "./node-ipam.ts";
import { nodeLifecycleController } from "./node-lifecycle-controller.ts";
import { nodeTtlController } from "./node-ttl-controller.ts";
import { podGarbageCollector } from "./pod-garbage-collector.ts";
import { taintEvictionController } from "./taint-eviction-controller.ts";
import { type EvictionRates, usualEvictionRates } from "./zone-rates.ts";

type Labels = { readonly [key: string]: string };

/** Nodes whose kubelets report by Lease alone until they are `silent`; with labels by the node's name. */
export function startNodes(
  names: readonly string[],
  labelsOf: (name: string) => Labels = () => ({}),
  rates: Partial<EvictionRates> = {},
) {
  const definitions = [
    nodeIpamController("10.244.0.0/16"),
    nodeLifecycleController(50_000, { ...usualEvictionRates, ...rates }),
    nodeTtlController,
    taintEvictionController,
    podGarbageCollector(12_500),
  ];
  const logged: string[] = [];
  const log = (place: string, message: string): void => void logged.push(`${place}] ${message}`);
  const plane = startControlPlane({ definitions, nodes: [], log });
  const { client, simulation } = plane;
  const silent = new Set<string>();
  for (const name of names) {
    const node = client.create(kinds.nodes, { metadata: { name, labels: labelsOf(name) }, spec: {} });
    const conditions = [{ type: "Ready", status: "True", lastHeartbeatTime: formatTime(simulation.nowMs) }];
    client.updateStatus(kinds.nodes, { ...node, status: { conditions } });
    client.create(kinds.leases, { metadata: { namespace: "kube-node-lease", name }, spec: {} });
  }
  const renew = (): void => {
    simulation.after(10_000, renew, { background: true });
    for (const name of names) {
      if (silent.has(name)) continue;
      const renewTime = formatMicroTime(simulation.nowMs);
      client.patch(kinds.leases, { namespace: "kube-node-lease", name }, "merge", { spec: { renewTime } });
    }
  };
  renew();
  simulation.advance(20_000);
  return {
    ...plane,
    silent,
    /** What the node lifecycle controller logged. */
    logged: () => logged.filter((line) => line.includes('logger="node-lifecycle-controller"')),
    node: (name: string) => client.get(kinds.nodes, { namespace: "", name }),
    taints: (name: string) =>
      (client.get(kinds.nodes, { namespace: "", name }).spec?.taints ?? [])
        .map(({ key, effect }: Taint) => `${key}:${effect}`)
        .sort(),
    /** What the kubelet posts: a condition's status, now. */
    post: (name: string, type: string, status: string) => {
      const node = client.get(kinds.nodes, { namespace: "", name });
      const lastHeartbeatTime = formatTime(simulation.nowMs);
      const others = (node.status?.conditions ?? []).filter((condition) => condition.type !== type);
      const conditions = [...others, { type, status, lastHeartbeatTime, lastTransitionTime: lastHeartbeatTime }];
      client.updateStatus(kinds.nodes, { ...node, status: { ...node.status, conditions } });
    },
    run: (ms: number) => simulation.advance(ms),
    addPod: (name: string, nodeName: string, tolerations: readonly Toleration[]) =>
      client.create(kinds.pods, {
        metadata: { namespace: "default", name },
        spec: { nodeName, tolerations, containers: [{ name: "main", image: "nginx" }] },
      }),
    pods: () => client.list(kinds.pods).items.map((pod) => pod.metadata.name),
  };
}

export const tolerate = (tolerationSeconds?: number): readonly Toleration[] =>
  ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  }));
