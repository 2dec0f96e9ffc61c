import { describe, expect, it } from "vitest";
import type { Node, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft, JsonValue } from "#cluster/api/objects.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import { Simulation } from "#sim/simulation.ts";
import { Scheduler } from "./scheduler.ts";
import { verdicts } from "./trace.ts";

const startMs = 1_767_225_600_000;

function start() {
  const simulation = new Simulation({ startMs, seed: 1 });
  const server = new ApiServer({ simulation });
  server.start();
  const client = server.clientFor({ name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] }, "kubectl");
  client.create(kinds.serviceAccounts, { metadata: { namespace: "default", name: "default" } });
  client.create(kinds.priorityClasses, { metadata: { name: "high" }, value: 1000 });
  const scheduler = new Scheduler({ simulation, clients: server, hostname: "control-plane" });
  return {
    simulation,
    client,
    scheduler,
    addNode: (name: string, spec: Node["spec"] = {}, labels: { [key: string]: string } = {}, cpu = "2") => {
      const made = client.create(kinds.nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } }, spec });
      const withoutTaints = client.patch(kinds.nodes, { namespace: "", name }, "merge", {
        spec: { taints: spec?.taints ?? null },
      } as JsonValue);
      const status = { capacity: { cpu, memory: "4Gi", pods: "110" }, allocatable: { cpu, memory: "4Gi", pods: "110" } };
      return client.updateStatus(kinds.nodes, { ...made, ...withoutTaints, status });
    },
    addPod: (name: string, spec: Partial<NonNullable<Pod["spec"]>> = {}, labels: { [key: string]: string } = {}) =>
      client.create(kinds.pods, podDraft(name, spec, labels)),
    pod: (name: string) => client.get(kinds.pods, { namespace: "default", name }),
    run: (ms = 100) => simulation.advance(ms),
    events: (name: string) =>
      client
        .list(kinds.events)
        .items.filter((event) => event.involvedObject.name === name)
        .map((event) => `${event.type} ${event.reason} ${event.message}`),
  };
}

function podDraft(name: string, spec: Partial<NonNullable<Pod["spec"]>>, labels: { [key: string]: string }): Draft<Pod> {
  return {
    metadata: { namespace: "default", name, labels },
    spec: { schedulerName: "default-scheduler", containers: [{ name: "main", image: "nginx" }], ...spec },
  };
}

const cpu = (amount: string): Partial<NonNullable<Pod["spec"]>> => ({
  containers: [{ name: "main", image: "nginx", resources: { requests: { cpu: amount } } }],
});

describe("the scheduler", () => {
  it("[WRK-316] [WRK-317] binds a Pod and says so", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("one");
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
    expect(world.pod("one").status?.conditions?.find(({ type }) => type === "PodScheduled")?.status).toBe("True");
    expect(world.events("one")).toEqual(["Normal Scheduled Successfully assigned default/one to node-1"]);
  });

  it("[WRK-319] [WRK-320] says why a Pod fits nowhere, in event and condition", () => {
    const world = start();
    world.addNode("cp", { taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] });
    for (const name of ["node-1", "node-2", "node-3"]) world.addNode(name);
    world.scheduler.start();
    world.addPod("big", cpu("64"));
    world.run();
    const message =
      "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.";
    expect(world.events("big")).toEqual([`Warning FailedScheduling ${message}`]);
    expect(world.pod("big").status?.conditions?.find(({ type }) => type === "PodScheduled")).toMatchObject({
      status: "False",
      reason: "Unschedulable",
      message,
    });
    const [decision] = world.scheduler.decisions.newest();
    expect(decision && verdicts(decision).map(({ nodeName, refusedBy }) => `${nodeName} ${refusedBy}`)).toEqual([
      "cp TaintToleration",
      "node-1 NodeResourcesFit",
      "node-2 NodeResourcesFit",
      "node-3 NodeResourcesFit",
    ]);
  });

  it("[WRK-321] says so when there are no nodes at all", () => {
    const world = start();
    world.scheduler.start();
    world.addPod("one");
    world.run();
    expect(world.events("one")).toEqual(["Warning FailedScheduling no nodes available to schedule pods"]);
  });

  it("[WRK-009] leaves Pods without events while it is stopped, and catches up", () => {
    const world = start();
    world.addNode("node-1");
    world.addPod("one");
    world.run(60_000);
    expect(world.pod("one").spec?.nodeName).toBeUndefined();
    expect(world.events("one")).toEqual([]);
    world.scheduler.start();
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
  });

  it("[WRK-309] [WRK-310] takes Pods by priority; one that does not fit blocks nobody", () => {
    const world = start();
    world.addNode("node-1", {}, {}, "1");
    world.addPod("low", cpu("1"));
    world.addPod("big", { ...cpu("8"), priorityClassName: "high" });
    world.scheduler.start();
    world.run();
    const order = [...world.scheduler.decisions.newest()].reverse().map(({ podKey, outcome }) => `${podKey} ${outcome}`);
    expect(order).toEqual(["default/big unschedulable", "default/low scheduled"]);
  });

  it("[WRK-311] tries a Pod again when a node appears that it fits", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("big", cpu("3"));
    world.run(60_000);
    expect(world.scheduler.decisions.total).toBe(1);
    world.addNode("node-2", {}, {}, "4");
    world.run();
    expect(world.pod("big").spec?.nodeName).toBe("node-2");
  });

  it("[WRK-318] counts what it has placed at once", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    for (const name of ["a", "b", "c"]) world.addPod(name, cpu("1"));
    world.run();
    expect(["a", "b", "c"].map((name) => world.pod(name).spec?.nodeName)).toEqual(["node-1", "node-1", undefined]);
  });

  it("[WRK-327] leaves Pods of other schedulers alone", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("mine", { schedulerName: "mine" });
    world.run(10_000);
    expect(world.events("mine")).toEqual([]);
    expect(world.scheduler.pendingPods).toBe(0);
  });

  it.each([
    ["[WRK-328]", { unschedulable: true }, {}, "1 node(s) were unschedulable"],
    ["[WRK-330]", { taints: [{ key: "a", value: "b", effect: "NoSchedule" }] }, {}, "1 node(s) had untolerated taint(s)"],
    ["[WRK-332]", {}, { nodeSelector: { disk: "ssd" } }, "1 node(s) didn't match Pod's node affinity/selector"],
    ["[WRK-336]", {}, cpu("2100m"), "1 Insufficient cpu"],
  ])("%s refuses a node with upstream's words", (_id, nodeSpec, podSpec, reason) => {
    const world = start();
    world.addNode("node-1", nodeSpec);
    world.scheduler.start();
    world.addPod("one", podSpec);
    world.run();
    expect(world.events("one")[0]).toContain(`0/1 nodes are available: ${reason}. `);
  });

  it("[WRK-335] gives a host port of a node away once", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    const spec = { containers: [{ name: "main", image: "nginx", ports: [{ containerPort: 80, hostPort: 80 }] }] };
    world.addPod("one", spec);
    world.addPod("two", spec);
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
    expect(world.events("two")[0]).toContain("1 node(s) didn't have free ports for the requested pod ports");
  });

  it("[WRK-345] keeps within maxSkew over zones", () => {
    const world = start();
    const zone = "topology.kubernetes.io/zone";
    world.addNode("node-1", {}, { [zone]: "a" });
    world.addNode("node-2", { unschedulable: true }, { [zone]: "b" });
    world.scheduler.start();
    const labelSelector = { matchLabels: { app: "web" } };
    const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "DoNotSchedule", labelSelector }];
    for (const name of ["one", "two"]) world.addPod(name, { topologySpreadConstraints }, { app: "web" });
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
    expect(world.events("two")[0]).toContain(
      "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable. ",
    );
  });

  it("[POD-427] does not count Pods that have ended", () => {
    const world = start();
    world.addNode("node-1", {}, { zone: "a" });
    world.addNode("node-2", { unschedulable: true }, { zone: "b" });
    world.scheduler.start();
    const labelSelector = { matchLabels: { app: "web" } };
    const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector }];
    world.addPod("one", { topologySpreadConstraints }, { app: "web" });
    world.run();
    world.client.updateStatus(kinds.pods, { ...world.pod("one"), status: { phase: "Succeeded" } });
    world.addPod("two", { topologySpreadConstraints }, { app: "web" });
    world.run();
    expect(world.pod("two").spec?.nodeName).toBe("node-1");
  });

  it("[POD-435] spreads by default what a Service or an owner holds together: 3 over nodes, 5 over zones, as a wish", () => {
    const world = start();
    const zone = "topology.kubernetes.io/zone";
    world.addNode("node-1", {}, { [zone]: "a" });
    world.addNode("node-2", {}, { [zone]: "b" });
    world.client.create(kinds.services, {
      metadata: { namespace: "default", name: "web" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    world.scheduler.start();
    const raw = (name: string, spec: Parameters<typeof world.addPod>[1], app: string): number | undefined => {
      world.addPod(name, spec, { app });
      world.run();
      const [newest] = world.scheduler.decisions.newest();
      return newest && verdicts(newest)[0]?.scores.find(({ plugin }) => plugin === "PodTopologySpread")?.raw;
    };
    const labelSelector = { matchLabels: { app: "none" } };
    const wish = { maxSkew: 8, topologyKey: zone, whenUnsatisfiable: "ScheduleAnyway", labelSelector };
    // Nothing is counted yet: what is left of a score is (3 - 1) + (5 - 1).
    expect(raw("held", {}, "web")).toBe(6);
    expect(raw("loose", {}, "other")).toBeUndefined();
    expect(raw("own", { topologySpreadConstraints: [wish] }, "web")).toBe(7);
    expect(
      raw("owned-only", { topologySpreadConstraints: [{ ...wish, whenUnsatisfiable: "DoNotSchedule" }] }, "web"),
    ).toBeUndefined();
  });

  it("[WRK-347] [WRK-348] keeps Pods with anti-affinity apart, and lets the first of a self-affine group start", () => {
    const world = start();
    world.addNode("node-1");
    world.addNode("node-2");
    world.scheduler.start();
    const term = { labelSelector: { matchLabels: { app: "db" } }, topologyKey: "kubernetes.io/hostname" };
    const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    for (const name of ["one", "two", "three"]) world.addPod(name, apart, { app: "db" });
    world.run();
    expect(new Set([world.pod("one").spec?.nodeName, world.pod("two").spec?.nodeName])).toEqual(new Set(["node-1", "node-2"]));
    expect(world.events("three")[0]).toContain("2 node(s) didn't match pod anti-affinity rules");
    const near = { ...term, labelSelector: { matchLabels: { app: "cache" } } };
    world.addPod(
      "first",
      { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near] } } },
      { app: "cache" },
    );
    world.run();
    expect(world.pod("first").spec?.nodeName).toBeDefined();
  });

  it("[WRK-349] [WRK-350] [WRK-358] spreads over equal nodes, and keeps every score", () => {
    const world = start();
    world.addNode("node-1");
    world.addNode("node-2");
    world.scheduler.start();
    for (const name of ["a", "b", "c", "d"]) {
      world.addPod(name, cpu("100m"));
      world.run();
    }
    const placed = ["a", "b", "c", "d"].map((name) => world.pod(name).spec?.nodeName).sort();
    expect(placed).toEqual(["node-1", "node-1", "node-2", "node-2"]);
    const first = [...world.scheduler.decisions.newest()].at(-1);
    // 100m of 2 CPU and the default 200 MiB of 4 GiB: (95 + 95) / 2.
    expect(first && verdicts(first)[0]?.scores.find(({ plugin }) => plugin === "NodeResourcesFit")).toEqual({
      plugin: "NodeResourcesFit",
      weight: 1,
      raw: 95,
      normalized: 95,
    });
    const weights = Object.fromEntries(first?.scores.map(({ plugin, weight }) => [plugin, weight]) ?? []);
    expect(weights).toEqual({ TaintToleration: 3, NodeResourcesFit: 1, NodeResourcesBalancedAllocation: 1 });
  });

  it("[WRK-372] [WRK-373] [WRK-375] [WRK-376] [WRK-377] removes Pods of lower priority for one of higher", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("low", cpu("2"));
    world.run();
    const high = world.addPod("high", { ...cpu("1"), priorityClassName: "high" });
    world.run();
    expect(world.pod("high").status?.nominatedNodeName).toBe("node-1");
    expect(world.pod("low").metadata.deletionTimestamp).toBeDefined();
    expect(world.pod("low").status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "PreemptionByScheduler",
      message: "default-scheduler: preempting to accommodate a higher priority pod",
    });
    expect(world.events("low")).toContain(`Normal Preempted Preempted by pod ${high.metadata.uid} on node node-1`);
    expect(world.events("high")).toEqual(["Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu."]);
    world.client.delete(kinds.pods, { namespace: "default", name: "low" }, { gracePeriodSeconds: 0 });
    world.run();
    expect(world.pod("high").spec?.nodeName).toBe("node-1");
  });

  it("[WRK-383] never preempts Pods of equal priority", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("one", cpu("2"));
    world.run();
    world.addPod("two", cpu("1"));
    world.run();
    expect(world.events("two")[0]).toMatch(
      /preemption: 0\/1 nodes are available: 1 No preemption victims found for incoming pod\.$/,
    );
    expect(world.pod("one").metadata.deletionTimestamp).toBeUndefined();
  });
});
