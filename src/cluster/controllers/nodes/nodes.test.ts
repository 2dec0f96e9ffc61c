import { describe, expect, it } from "vitest";
import type { Taint, Toleration } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { formatMicroTime, formatTime } from "#cluster/api/time.ts";
import { startControlPlane } from "../testing/control-plane.ts";
import { nodeIpamController } from "./node-ipam.ts";
import { nodeLifecycleController } from "./node-lifecycle-controller.ts";
import { podGarbageCollector } from "./pod-garbage-collector.ts";
import { taintEvictionController } from "./taint-eviction-controller.ts";

/** Nodes whose kubelets report by Lease until `silence`. */
function start(names: readonly string[]) {
  const definitions = [
    nodeIpamController("10.244.0.0/16"),
    nodeLifecycleController,
    taintEvictionController,
    podGarbageCollector(12_500),
  ];
  const plane = startControlPlane({ definitions, nodes: [] });
  const { client, simulation } = plane;
  const silent = new Set<string>();
  for (const name of names) {
    const node = client.create(kinds.nodes, { metadata: { name }, spec: {} });
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
    node: (name: string) => client.get(kinds.nodes, { namespace: "", name }),
    taints: (name: string) =>
      (client.get(kinds.nodes, { namespace: "", name }).spec?.taints ?? [])
        .map(({ key, effect }: Taint) => `${key}:${effect}`)
        .sort(),
    run: (ms: number) => simulation.advance(ms),
    addPod: (name: string, nodeName: string, tolerations: readonly Toleration[]) =>
      client.create(kinds.pods, {
        metadata: { namespace: "default", name },
        spec: { nodeName, tolerations, containers: [{ name: "main", image: "nginx" }] },
      }),
    pods: () => client.list(kinds.pods).items.map((pod) => pod.metadata.name),
  };
}

const tolerate = (tolerationSeconds?: number): readonly Toleration[] =>
  ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  }));

describe("node controllers", () => {
  it("[WRK-397] gives each node a /24 of the cluster's range", () => {
    const world = start(["node-1", "node-2"]);
    expect(["node-1", "node-2"].map((name) => world.node(name).spec?.podCIDRs)).toEqual([["10.244.0.0/24"], ["10.244.1.0/24"]]);
  });

  it("[WRK-399] registers nodes, and removes the not-ready taint of ready ones", () => {
    const world = start(["node-1"]);
    expect(world.taints("node-1")).toEqual([]);
    expect(world.eventsOf("Node")).toEqual(["RegisteredNode Node node-1 event: Registered Node node-1 in Controller"]);
  });

  it("[WRK-415] [WRK-417] [WRK-419] [WRK-420] [WRK-425] marks a silent node after 50 s and evicts its Pods 300 s later", () => {
    const world = start(["node-1", "node-2", "node-3"]);
    world.addPod("web", "node-1", tolerate(300));
    world.addPod("daemon", "node-1", tolerate());
    world.run(5_000);
    world.silent.add("node-1");
    world.run(40_000);
    expect(world.node("node-1").status?.conditions?.[0]?.status).toBe("True");
    world.run(25_000);
    expect(world.node("node-1").status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      "Ready Unknown NodeStatusUnknown",
      "MemoryPressure Unknown NodeStatusNeverUpdated",
      "DiskPressure Unknown NodeStatusNeverUpdated",
      "PIDPressure Unknown NodeStatusNeverUpdated",
    ]);
    expect(world.taints("node-1")).toEqual([
      "node.kubernetes.io/unreachable:NoExecute",
      "node.kubernetes.io/unreachable:NoSchedule",
    ]);
    expect(world.eventsOf("Node")).toContain("NodeNotReady Node node-1 status is now: NodeNotReady");
    expect(world.eventsOf("Pod")).toContain("NodeNotReady Node is not ready");
    world.run(280_000);
    expect(world.pods()).toEqual(["daemon", "web"]);
    world.run(30_000);
    expect(world.pods()).toEqual(["daemon"]);
    expect(world.eventsOf("Pod")).toContain("TaintManagerEviction Marking for deletion Pod default/web");
  });

  it("[WRK-422] [WRK-427] a node that comes back loses its taints, and evictions are called off", () => {
    const world = start(["node-1", "node-2", "node-3"]);
    world.addPod("web", "node-1", tolerate(300));
    world.run(5_000);
    world.silent.add("node-1");
    world.run(100_000);
    world.silent.delete("node-1");
    const node = world.node("node-1");
    const conditions = (node.status?.conditions ?? []).map((condition) => ({
      ...condition,
      status: condition.type === "Ready" ? "True" : "False",
    }));
    world.client.updateStatus(kinds.nodes, { ...node, status: { ...node.status, conditions } });
    world.run(15_000);
    expect(world.taints("node-1")).toEqual([]);
    expect(world.eventsOf("Pod")).toContain("TaintManagerEviction Cancelling deletion of Pod default/web");
    world.run(400_000);
    expect(world.pods()).toEqual(["web"]);
  });

  it("[WRK-403] a cordoned node has the taint of the same meaning", () => {
    const world = start(["node-1"]);
    world.client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", { spec: { unschedulable: true } });
    world.run(100);
    expect(world.taints("node-1")).toEqual(["node.kubernetes.io/unschedulable:NoSchedule"]);
  });

  it("[WRK-428] [WRK-429] a NoExecute taint evicts at once what does not tolerate it", () => {
    const world = start(["node-1"]);
    world.addPod("web", "node-1", tolerate(300));
    world.run(5_000);
    world.client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", {
      spec: { taints: [{ key: "a", effect: "NoExecute" }] },
    });
    world.run(1_000);
    expect(world.pods()).toEqual([]);
  });

  it("[WRK-302] [WRK-304] Pods of a node that is gone are removed after the quarantine", () => {
    const world = start(["node-1"]);
    world.addPod("web", "node-1", tolerate());
    world.run(1_000);
    world.client.delete(kinds.nodes, { namespace: "", name: "node-1" });
    world.run(39_000);
    expect(world.pods()).toEqual(["web"]);
    world.run(25_000);
    expect(world.pods()).toEqual([]);
  });
});
