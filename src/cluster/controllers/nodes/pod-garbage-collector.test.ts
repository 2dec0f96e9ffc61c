import { describe, expect, it } from "vitest";
import type { Taint } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { podGarbageCollector } from "./pod-garbage-collector.ts";

const containers = [{ name: "main", image: "nginx" }];

function start(threshold = 12_500) {
  const { client, simulation, kubelet } = startControlPlane({ definitions: [podGarbageCollector(threshold)], nodes: [] });
  // What is being deleted stays: no kubelet ends it.
  kubelet.stopAfterMs = 86_400_000;
  simulation.advance(1_000);
  return {
    client,
    run: (ms: number) => simulation.advance(ms),
    addNode: (name: string, ready: string, taints: readonly Taint[] = []) => {
      const node = client.create(kinds.nodes, { metadata: { name }, spec: { taints: [...taints] } });
      client.updateStatus(kinds.nodes, { ...node, status: { conditions: [{ type: "Ready", status: ready }] } });
    },
    addPod: (name: string, nodeName: string | undefined, finalizers: readonly string[] = []) =>
      client.create(kinds.pods, {
        metadata: { namespace: "default", name, finalizers },
        spec: { containers, ...(nodeName === undefined ? {} : { nodeName }) },
      }),
    end: (name: string, status: { readonly phase: string; readonly reason?: string }) => {
      const pod = client.get(kinds.pods, { namespace: "default", name });
      client.updateStatus(kinds.pods, { ...pod, status: { ...pod.status, ...status } });
    },
    remove: (name: string) => client.delete(kinds.pods, { namespace: "default", name }),
    pod: (name: string) => client.get(kinds.pods, { namespace: "default", name }),
    pods: () => client.list(kinds.pods).items.map(({ metadata }) => metadata.name),
  };
}

describe("the Pod garbage collector", () => {
  it("[POD-291] [POD-292] [API-179] [WRK-303] [WRK-307] every 20 s takes what has ended above the threshold: evicted ones first, then the oldest, then by name", () => {
    const world = start(2);
    world.addNode("node-1", "True");
    for (const name of ["old", "middle", "evicted"]) {
      world.addPod(name, "node-1");
      world.run(2_000);
    }
    for (const name of ["zoe", "amy", "bob", "runs"]) world.addPod(name, "node-1");
    world.run(2_000);
    for (const name of ["old", "middle", "zoe", "amy", "bob"]) world.end(name, { phase: "Succeeded" });
    world.end("evicted", { phase: "Failed", reason: "Evicted" });
    world.run(10_000);
    expect(world.pods()).toHaveLength(7);
    world.run(2_000);
    expect(world.pods()).toEqual(["bob", "runs", "zoe"]);
  });

  it("[POD-292] [API-179] [WRK-303] takes an evicted one before an older one", () => {
    const world = start(1);
    world.addNode("node-1", "True");
    world.addPod("old", "node-1");
    world.run(2_000);
    world.addPod("evicted", "node-1");
    world.run(2_000);
    world.end("old", { phase: "Failed" });
    world.end("evicted", { phase: "Failed", reason: "Evicted" });
    world.run(20_000);
    expect(world.pods()).toEqual(["old"]);
  });

  it("[POD-292] [API-179] [WRK-303] takes nothing with a threshold of 0", () => {
    const world = start(0);
    world.addNode("node-1", "True");
    for (const name of ["a", "b", "c"]) {
      world.addPod(name, "node-1");
      world.run(2_000);
      world.end(name, { phase: "Succeeded" });
    }
    world.run(600_000);
    expect(world.pods()).toEqual(["a", "b", "c"]);
  });

  it("[POD-294] [API-181] [WRK-305] takes what is being deleted and was never placed, after marking it Failed", () => {
    const world = start();
    world.addPod("waits", undefined);
    world.addPod("goes", undefined, ["example.com/hold"]);
    world.remove("goes");
    world.run(20_000);
    expect(world.pods()).toEqual(["goes", "waits"]);
    // The finalizer keeps it: what the collector did can be seen.
    expect([world.pod("goes").status?.phase, world.pod("goes").metadata.deletionGracePeriodSeconds]).toEqual(["Failed", 0]);
    world.client.patch(kinds.pods, { namespace: "default", name: "goes" }, "merge", { metadata: { finalizers: null } });
    world.run(1_000);
    expect(world.pods()).toEqual(["waits"]);
  });

  it("[POD-169] [POD-170] [POD-293] [POD-168] marks what was on a missing node before it goes, with the generation that it saw", () => {
    const world = start();
    world.addPod("lost", "node-9", ["example.com/hold"]);
    world.run(60_000);
    const { phase, conditions = [] } = world.pod("lost").status ?? {};
    expect([phase, conditions.find(({ type }) => type === "DisruptionTarget")]).toMatchObject([
      "Failed",
      { observedGeneration: 1, status: "True", reason: "DeletionByPodGC", message: "PodGC: node no longer exists" },
    ]);
  });

  const outOfService = (effect: string): readonly Taint[] => [
    { key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect },
  ];

  it.each([
    ["[API-182] takes", "Unknown", outOfService("NoExecute"), true],
    ["[API-182] takes", "False", outOfService("NoSchedule"), true],
    ["[API-182] takes", "False", outOfService("PreferNoSchedule"), true],
    ["[POD-296] leaves on a ready node", "True", outOfService("NoExecute"), false],
    ["leaves on a node without the taint", "Unknown", [], false],
  ])("%s what is being deleted (%s, out of service)", (_title, ready, taints, taken) => {
    const world = start();
    world.addNode("node-1", ready, taints);
    world.addPod("ends", "node-1");
    world.addPod("runs", "node-1");
    world.remove("ends");
    world.run(20_000);
    expect(world.pods()).toEqual(taken ? ["runs"] : ["ends", "runs"]);
  });

  it("[POD-295] [WRK-306] marks what it takes from a node out of service as Failed, without a condition", () => {
    const world = start();
    world.addNode("node-1", "Unknown", outOfService("NoExecute"));
    world.addPod("ends", "node-1", ["example.com/hold"]);
    world.remove("ends");
    world.run(20_000);
    const { metadata, status } = world.pod("ends");
    expect([metadata.deletionGracePeriodSeconds, status?.phase, status?.conditions]).toEqual([0, "Failed", undefined]);
  });
});
