import { describe, expect, it } from "vitest";
import type { Node } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { startControlPlane } from "../testing/control-plane.ts";
import { daemonSetController } from "./daemonset-controller.ts";

const key = { namespace: "default", name: "agent" };

function start() {
  const plane = startControlPlane({ definitions: [daemonSetController], nodes: [] });
  const { client, simulation, server } = plane;
  new Scheduler({ simulation, clients: server, hostname: "cp" }).start();
  const addNode = (name: string, spec: Node["spec"] = {}): void => {
    const node = client.create(kinds.nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name } }, spec });
    const taints = spec?.taints ?? null;
    const bare = client.patch(kinds.nodes, { namespace: "", name }, "merge", { spec: { taints } } as never);
    const allocatable = { cpu: "2", memory: "4Gi", pods: "110" };
    client.updateStatus(kinds.nodes, { ...node, ...bare, status: { capacity: allocatable, allocatable } });
  };
  for (const name of ["node-1", "node-2"]) addNode(name);
  addNode("cp", { taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] });
  client.create(kinds.daemonSets, {
    metadata: key,
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "main", image: "agent:1" }] } },
    },
  });
  plane.settle();
  return { ...plane, addNode, pods: () => client.list(kinds.pods).items, set: () => client.get(kinds.daemonSets, key) };
}

describe("daemonset-controller", () => {
  it("[WRK-202] [WRK-204] [WRK-209] [WRK-221] runs one Pod on each node that fits", () => {
    const world = start();
    expect(
      world
        .pods()
        .map((pod) => pod.spec?.nodeName)
        .sort(),
    ).toEqual(["node-1", "node-2"]);
    expect(world.set().status).toEqual({
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      desiredNumberScheduled: 2,
      numberReady: 2,
      observedGeneration: 1,
      updatedNumberScheduled: 2,
      numberAvailable: 2,
    });
  });

  it("[WRK-203] follows nodes that come", () => {
    const world = start();
    world.addNode("node-3");
    world.settle();
    expect(
      world
        .pods()
        .map((pod) => pod.spec?.nodeName)
        .sort(),
    ).toEqual(["node-1", "node-2", "node-3"]);
  });

  it("[WRK-216] replaces Pods one node after the other", () => {
    const world = start();
    const template = { spec: { containers: [{ name: "main", image: "agent:2" }] } };
    world.client.patch(kinds.daemonSets, key, "merge", { spec: { template } });
    let fewest = 2;
    const limit = world.simulation.nowMs + 60_000;
    while (world.simulation.nowMs < limit && world.simulation.step()) {
      fewest = Math.min(fewest, world.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined).length);
    }
    expect(fewest).toBe(1);
    expect(world.pods().map((pod) => pod.spec?.containers[0]?.image)).toEqual(["agent:2", "agent:2"]);
  });
});
