import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startNodes as start, tolerate } from "./nodes.test-kit.ts";

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

  it("tells of no Pods of a node that says itself that it is not ready", () => {
    const world = start(["node-1", "node-2"]);
    world.addPod("web", "node-1", tolerate());
    world.post("node-1", "Ready", "False");
    world.run(20_000);
    expect(world.eventsOf("Node").filter((event) => event.startsWith("NodeNotReady"))).toEqual([]);
    expect(world.eventsOf("Pod").filter((event) => event.startsWith("NodeNotReady"))).toEqual([]);
  });

  it("taints in the order of a node's conditions", () => {
    const world = start(["node-1", "node-2"]);
    world.post("node-1", "PIDPressure", "True");
    world.post("node-1", "NetworkUnavailable", "True");
    world.run(1_000);
    expect(world.node("node-1").spec?.taints?.map(({ key }) => key)).toEqual([
      "node.kubernetes.io/pid-pressure",
      "node.kubernetes.io/network-unavailable",
    ]);
  });

  it("tells nothing of a node that comes again under its name between two looks", () => {
    const world = start(["node-1"]);
    world.client.delete(kinds.nodes, { namespace: "", name: "node-1" });
    world.client.create(kinds.nodes, { metadata: { name: "node-1" }, spec: {} });
    world.run(10_000);
    expect(world.eventsOf("Node")).toHaveLength(1);
    // Nor does it taint what has not said yet how it is.
    expect(world.taints("node-1").filter((taint) => taint.endsWith("NoExecute"))).toEqual([]);
  });

  it("[WRK-414] looks at silent nodes every five seconds", () => {
    const world = start(["node-1", "node-2", "node-3", "node-4"]);
    const since = new Map<string, number>();
    /** Tenths of seconds until a node is known to be silent, from the last word of its kubelet. */
    for (const [index, name] of ["node-1", "node-2", "node-3"].entries()) {
      world.run(1_700 * index);
      world.silent.add(name);
    }
    for (let step = 0; step < 700; step += 1) {
      world.run(100);
      for (const name of world.silent) {
        const isKnown = world.node(name).status?.conditions?.[0]?.status === "Unknown";
        if (isKnown && !since.has(name)) since.set(name, world.simulation.nowMs);
      }
    }
    expect(since.size).toBe(3);
    const [first = 0] = since.values();
    expect([...since.values()].map((ms) => (ms - first) % 5_000)).toEqual([0, 0, 0]);
    for (const name of world.silent) {
      const { spec } = world.client.get(kinds.leases, { namespace: "kube-node-lease", name });
      const afterMs = (since.get(name) ?? 0) - Date.parse(spec?.renewTime ?? "");
      expect(afterMs).toBeGreaterThan(50_000);
      expect(afterMs).toBeLessThanOrEqual(55_100);
    }
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

  it("[API-231] a node that renews its Lease is healthy, however old its status", () => {
    const world = start(["node-1", "node-2", "node-3"]);
    world.run(3_600_000);
    expect(["node-1", "node-2", "node-3"].map((name) => world.taints(name))).toEqual([[], [], []]);
    expect(world.eventsOf("Node").filter((text) => text.startsWith("NodeNotReady"))).toEqual([]);
  });

  it("[POD-298] [API-237] a node that says it is not ready is tainted as such, and the two keys swap with the reason", () => {
    const world = start(["node-1", "node-2", "node-3"]);
    world.post("node-1", "Ready", "False");
    world.run(10_000);
    const notReady = ["node.kubernetes.io/not-ready:NoExecute", "node.kubernetes.io/not-ready:NoSchedule"];
    expect(world.taints("node-1")).toEqual(notReady);
    world.silent.add("node-1");
    world.run(70_000);
    const unreachable = ["node.kubernetes.io/unreachable:NoExecute", "node.kubernetes.io/unreachable:NoSchedule"];
    expect(world.taints("node-1")).toEqual(unreachable);
    world.silent.delete("node-1");
    world.post("node-1", "Ready", "False");
    world.run(10_000);
    expect(world.taints("node-1")).toEqual(notReady);
    world.post("node-1", "Ready", "True");
    world.run(10_000);
    expect(world.taints("node-1")).toEqual([]);
  });

  it.each([
    ["MemoryPressure", "memory-pressure"],
    ["DiskPressure", "disk-pressure"],
    ["PIDPressure", "pid-pressure"],
    ["NetworkUnavailable", "network-unavailable"],
  ])("[API-238] [POD-508] %s taints with NoSchedule while it lasts", (type, key) => {
    const world = start(["node-1", "node-2"]);
    world.post("node-1", type, "True");
    world.run(100);
    expect(world.taints("node-1")).toEqual([`node.kubernetes.io/${key}:NoSchedule`]);
    world.post("node-1", type, "False");
    world.run(100);
    expect(world.taints("node-1")).toEqual([]);
  });

  it("[API-238] such taints set by hand go at once, others stay", () => {
    const world = start(["node-1", "node-2"]);
    const keys = ["disk-pressure", "memory-pressure", "network-unavailable", "pid-pressure", "unschedulable"];
    const taints = [...keys.map((key) => `node.kubernetes.io/${key}`), "mine"].map((key) => ({ key, effect: "NoSchedule" }));
    world.client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", { spec: { taints } });
    world.run(100);
    expect(world.taints("node-1")).toEqual(["mine:NoSchedule"]);
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

  it.each([
    ["is away", "stop"],
    ["cannot reach etcd", "etcd"],
  ])("go on when there is something to write and the server %s", (_title, how) => {
    // One of the outages meets the round in which the node is found silent, one that in which the orphan is due.
    for (const afterMs of [20_000, 26_000, 32_000, 38_000, 44_000, 50_000, 56_000]) {
      const world = start(["node-1", "node-2", "node-3"]);
      world.addPod("orphan", "node-9", tolerate());
      world.run(5_000);
      world.silent.add("node-1");
      world.run(afterMs);
      if (how === "stop") world.server.stop();
      else world.server.etcd.isReachable = false;
      for (const name of ["node-2", "node-3"]) world.silent.add(name);
      world.run(6_000);
      world.server.etcd.isReachable = true;
      world.server.start();
      for (const name of ["node-2", "node-3"]) world.silent.delete(name);
      world.run(90_000);
      expect([world.manager.isLeader, world.pods(), world.taints("node-1").length, world.taints("node-2")]).toEqual([
        true,
        [],
        2,
        [],
      ]);
    }
  });

  it("[API-248] an eviction that is planned stays as it is when a taint comes that is borne for a shorter time", () => {
    const world = start(["node-1"]);
    const bears = (key: string, tolerationSeconds: number) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds });
    world.addPod("web", "node-1", [bears("a", 100), bears("b", 10)]);
    const taint = (...keys: readonly string[]) =>
      world.client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", {
        spec: { taints: keys.map((key) => ({ key, effect: "NoExecute" })) },
      });
    const isMarked = () => world.client.list(kinds.pods).items.some(({ metadata }) => metadata.deletionTimestamp !== undefined);
    taint("a");
    world.run(50_000);
    taint("a", "b");
    world.run(40_000);
    expect([world.pods(), isMarked()]).toEqual([["web"], false]);
    world.run(20_000);
    expect(world.pods().length === 0 || isMarked()).toBe(true);
  });

  it.each([
    ["is lost", ["tolerant"]],
    ["is ready", ["daemon ends", "tolerant", "web ends"]],
  ])("a node out of service that %s loses what does not tolerate that, by force where no kubelet answers", (state, left) => {
    const world = start(["node-1", "node-2", "node-3"]);
    // No kubelet says that a Pod has ended.
    world.kubelet.stopAfterMs = 86_400_000;
    world.addPod("web", "node-1", tolerate(300));
    world.addPod("daemon", "node-1", tolerate());
    world.addPod("tolerant", "node-1", [{ operator: "Exists" }]);
    world.run(5_000);
    if (state === "is lost") world.silent.add("node-1");
    world.run(70_000);
    const taint = { key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect: "NoExecute" };
    const node = world.node("node-1");
    world.client.update(kinds.nodes, { ...node, spec: { ...node.spec, taints: [...(node.spec?.taints ?? []), taint] } });
    // At the collector's next pass, long before the 300 s are over.
    world.run(21_000);
    const shown = world.client
      .list(kinds.pods)
      .items.map(({ metadata: { name, deletionTimestamp } }) => (deletionTimestamp === undefined ? name : `${name} ends`));
    expect(shown).toEqual(left);
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
