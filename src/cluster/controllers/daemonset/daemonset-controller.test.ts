import { describe, expect, it } from "vitest";
import type { Node } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { daemonSetController } from "./daemonset-controller.ts";

const key = { namespace: "default", name: "agent" };

function start() {
  const plane = startControlPlane({ definitions: [daemonSetController], nodes: [] });
  const { client, simulation, server } = plane;
  new Scheduler({ simulation, clients: server, hostname: "cp" }).start();
  const addNode = (name: string, spec: Node["spec"] = {}): void => {
    const node = client.create(kinds.nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name } }, spec });
    const taints = spec?.taints ?? null;
    const bare = client.patch(kinds.nodes, { namespace: "", name }, "merge", { spec: { taints } } as JsonValue);
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

  it("does not count again for a taint that its Pods bear", () => {
    const world = start();
    const before = world.client.get(kinds.daemonSets, key).metadata.resourceVersion;
    const taints = [{ key: "team", effect: "NoSchedule" }];
    world.client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", { spec: { taints } });
    world.settle();
    expect(world.client.get(kinds.daemonSets, key).metadata.resourceVersion).toBe(before);
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

  it("[WRK-205] [WRK-206] gives its Pods tolerations, and leaves its template as it is", () => {
    const world = start();
    const automatic = ["disk-pressure NoSchedule", "memory-pressure NoSchedule", "not-ready NoExecute", "pid-pressure NoSchedule"];
    const expected = [...automatic, "unreachable NoExecute", "unschedulable NoSchedule"];
    for (const pod of world.pods()) {
      const found = (pod.spec?.tolerations ?? []).map(
        ({ key: name = "", effect }) => `${name.replace("node.kubernetes.io/", "")} ${effect}`,
      );
      expect(found.sort()).toEqual(expected);
      expect(new Set(pod.spec?.tolerations?.map(({ operator }) => operator))).toEqual(new Set(["Exists"]));
    }
    expect(world.set().spec?.template.spec?.tolerations).toBeUndefined();
    expect(world.set().metadata.generation).toBe(1);
  });

  it("[WRK-214] [WRK-215] labels its Pods with template and revision, and tells of each", () => {
    const world = start();
    for (const { metadata } of world.pods()) {
      expect(metadata.labels).toEqual({
        app: "agent",
        "controller-revision-hash": expect.stringMatching(/^[bcdfghjklmnpqrstvwxz2456789]+$/),
        "pod-template-generation": "1",
      });
    }
    const [gone] = world.pods();
    world.client.patch(kinds.nodes, { namespace: "", name: gone?.spec?.nodeName ?? "" }, "merge", {
      spec: { taints: [{ key: "dedicated", effect: "NoExecute" }] },
    });
    world.settle();
    expect(world.eventsOf("DaemonSet").map((text) => text.replace(/agent-\w+/, "X"))).toEqual([
      "SuccessfulCreate Created pod: X",
      "SuccessfulCreate Created pod: X",
      "SuccessfulDelete Deleted pod: X",
    ]);
  });

  it("[WRK-207] starts Pods on a node that takes no others", () => {
    const world = start();
    world.addNode("node-3", { unschedulable: true });
    world.settle();
    expect(world.pods().length).toBe(3);
  });

  it("[WRK-212] keeps the older of two of its Pods on a node", () => {
    const world = start();
    const [first] = world.pods();
    const owner = world.set();
    world.simulation.advance(5_000);
    world.client.create(kinds.pods, {
      metadata: {
        namespace: "default",
        name: "surplus",
        labels: first?.metadata.labels ?? {},
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            name: "agent",
            uid: owner.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { nodeName: first?.spec?.nodeName ?? "", containers: [{ name: "main", image: "agent:1" }] },
    });
    world.settle();
    expect(world.pods().map(({ metadata }) => metadata.name)).not.toContain("surplus");
    expect(world.pods().length).toBe(2);
  });

  it("[WRK-213] takes over an orphan that stands where it wants one", () => {
    const world = start();
    world.client.delete(kinds.daemonSets, key, { propagationPolicy: "Orphan" });
    world.settle();
    const pod = {
      metadata: { namespace: "default", name: "orphan", labels: { app: "spare" } },
      spec: { nodeName: "node-1", containers: [{ name: "main", image: "x" }] },
    };
    world.client.create(kinds.pods, pod);
    world.client.create(kinds.daemonSets, {
      metadata: { namespace: "default", name: "spare" },
      spec: {
        updateStrategy: { type: "OnDelete" },
        selector: { matchLabels: { app: "spare" } },
        template: { metadata: { labels: { app: "spare" } }, spec: { containers: [{ name: "main", image: "agent:1" }] } },
      },
    });
    world.settle();
    const spare = world.pods().filter(({ metadata }) => metadata.labels?.["app"] === "spare");
    expect(spare.length).toBe(2);
    expect(spare.find(({ metadata }) => metadata.name === "orphan")?.metadata.ownerReferences?.[0]?.name).toBe("spare");
  });

  it("lets a Pod go whose labels no longer match, and puts another in its place", () => {
    const world = start();
    const name = world.pods()[0]?.metadata.name ?? "";
    world.client.patch(kinds.pods, { namespace: "default", name }, "merge", { metadata: { labels: { app: "other" } } });
    world.settle();
    const owners = world.pods().map(({ metadata }) => [metadata.labels?.["app"], metadata.ownerReferences?.[0]?.name]);
    expect(owners.sort()).toEqual([
      ["agent", "agent"],
      ["agent", "agent"],
      ["other", undefined],
    ]);
  });

  it("puts another in the place of a Pod that is taken from it", () => {
    const world = start();
    const name = world.pods()[0]?.metadata.name ?? "";
    const metadata = { labels: { app: "other" }, ownerReferences: null };
    world.client.patch(kinds.pods, { namespace: "default", name }, "merge", { metadata });
    world.settle();
    expect(
      world
        .pods()
        .map(({ metadata: { labels } }) => labels?.["app"])
        .sort(),
    ).toEqual(["agent", "agent", "other"]);
  });

  it("says why a Pod cannot be made, counts its status all the same, and deletes what has to go", () => {
    const world = start();
    const hard = { pods: "2" };
    const quota = world.client.create(kinds.resourceQuotas, { metadata: { namespace: "default", name: "q" }, spec: { hard } });
    world.client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard, used: hard } });
    world.addNode("node-3");
    const taints = [{ key: "dedicated", effect: "NoExecute" }];
    world.client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", { spec: { taints } });
    world.simulation.advance(3_000);
    const refusal = 'Error creating: pods "X" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2';
    const told = new Set(
      world.eventsOf("DaemonSet").map((text) => text.replace("(combined from similar events): ", "").replace(/agent-\w+/, "X")),
    );
    expect(told).toEqual(
      new Set(["SuccessfulCreate Created pod: X", `FailedCreate ${refusal}`, "SuccessfulDelete Deleted pod: X"]),
    );
    expect(world.pods().map(({ spec }) => spec?.nodeName)).toEqual(["node-2"]);
    expect(world.set().status).toMatchObject({ desiredNumberScheduled: 2, currentNumberScheduled: 1 });
  });

  it("takes over a revision of its labels that nobody owns", () => {
    const world = start();
    const revisions = () => world.client.list(kinds.controllerRevisions).items;
    const name = revisions()[0]?.metadata.name ?? "";
    const orphaned = { metadata: { ownerReferences: null } };
    world.client.patch(kinds.controllerRevisions, { namespace: "default", name }, "merge", orphaned);
    world.client.patch(kinds.daemonSets, key, "merge", { spec: { minReadySeconds: 1 } });
    world.settle();
    expect(revisions().map(({ revision, metadata }) => [metadata.name, revision, metadata.ownerReferences?.[0]?.uid])).toEqual([
      [name, 1, world.set().metadata.uid],
    ]);
  });

  it("[WRK-217] [WRK-218] OnDelete gives the new template to Pods that come after a deletion only", () => {
    const world = start();
    const template = { spec: { containers: [{ name: "main", image: "agent:2" }] } };
    world.client.patch(kinds.daemonSets, key, "merge", {
      spec: { updateStrategy: { type: "OnDelete", rollingUpdate: null }, template },
    });
    world.settle();
    const images = () =>
      world
        .pods()
        .map((pod) => pod.spec?.containers[0]?.image)
        .sort();
    expect(images()).toEqual(["agent:1", "agent:1"]);
    world.client.delete(kinds.pods, { namespace: "default", name: world.pods()[0]?.metadata.name ?? "" });
    world.settle();
    expect(images()).toEqual(["agent:1", "agent:2"]);
    expect(world.set().status?.updatedNumberScheduled).toBe(1);
  });

  it("[WRK-211] makes a failed Pod again, later each time", () => {
    const world = start();
    const fail = (): string => {
      const pod = world.pods().find(({ spec }) => spec?.nodeName === "node-1");
      if (pod !== undefined) world.client.updateStatus(kinds.pods, { ...pod, status: { ...pod.status, phase: "Failed" } });
      return pod?.metadata.name ?? "";
    };
    const name = fail();
    world.settle();
    expect(world.eventsOf("DaemonSet")).toContain(
      `FailedDaemonPod Found failed daemon pod default/${name} on node node-1, will try to kill it`,
    );
    expect(world.pods().filter(({ status }) => status?.phase === "Running").length).toBe(2);
    expect(world.pods().map(({ metadata }) => metadata.name)).not.toContain(name);
    const waits = [1, 2, 3].map(() => {
      const failed = fail();
      const beforeMs = world.simulation.nowMs;
      const isGone = (): boolean => world.pods().every(({ metadata }) => metadata.name !== failed);
      world.simulation.runUntil(isGone, { limitMs: 60_000 });
      const waitedMs = world.simulation.nowMs - beforeMs;
      world.simulation.runUntil(() => world.pods().filter(({ status }) => status?.phase === "Running").length === 2, {
        limitMs: 60_000,
      });
      return Math.round(waitedMs / 1000);
    });
    // 1 s, 2 s and 4 s from the failure before, as far as the next Pod was not up later than that.
    expect(waits).toEqual([0, 1, 3]);
  });

  it("[WRK-210] counts a Pod that finds no room as there, not as ready", () => {
    const world = start();
    const containers = [{ name: "main", image: "agent:1", resources: { requests: { cpu: "3" } } }];
    world.client.create(kinds.daemonSets, {
      metadata: { namespace: "default", name: "large" },
      spec: {
        selector: { matchLabels: { app: "large" } },
        template: { metadata: { labels: { app: "large" } }, spec: { containers } },
      },
    });
    world.settle();
    expect(world.client.get(kinds.daemonSets, { namespace: "default", name: "large" }).status).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      numberReady: 0,
      numberUnavailable: 2,
    });
    const waiting = world.pods().filter(({ metadata }) => metadata.labels?.["app"] === "large");
    expect(waiting.map((pod) => pod.status?.conditions?.find(({ type }) => type === "PodScheduled")?.reason)).toEqual([
      "Unschedulable",
      "Unschedulable",
    ]);
  });
});
