import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startNodes } from "./nodes.test-kit.ts";
import { TaintRate, taintsPerSecond, zoneState } from "./zone-rates.ts";

const zoneLabel = "topology.kubernetes.io/zone";
const lost = "node.kubernetes.io/unreachable:NoExecute";
type World = ReturnType<typeof startNodes>;

const named = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);

/** The zone of `a-1` is `a`. */
const byPrefix = (name: string) => ({ [zoneLabel]: name.slice(0, name.lastIndexOf("-")) });

const tainted = (world: World): readonly string[] =>
  world.client
    .list(kinds.nodes)
    .items.map(({ metadata }) => metadata.name)
    .filter((name) => world.taints(name).includes(lost));

/** When, in seconds after they fell silent, each of the nodes was tainted; looked at every second. */
function taintTimes(world: World, names: readonly string[], limitSeconds = 200): { readonly [name: string]: number } {
  for (const name of names) world.silent.add(name);
  const times: { [name: string]: number } = {};
  for (let second = 1; second <= limitSeconds; second += 1) {
    world.run(1_000);
    for (const name of tainted(world)) times[name] ??= second;
  }
  return times;
}

/** Seconds between one taint and the next. */
function gaps(times: { readonly [name: string]: number }): readonly number[] {
  const sorted = Object.values(times).sort((a, b) => a - b);
  return sorted.slice(1).map((time, index) => time - (sorted[index] ?? 0));
}

describe("nodes that are lost together", () => {
  it("[API-249] [API-250] [WRK-440] [WRK-441] are tainted one every 10 s where no labels tell zones apart, the first at once", () => {
    const times = taintTimes(startNodes(named("node", 6)), ["node-1", "node-2", "node-3"]);
    expect(Object.keys(times)).toHaveLength(3);
    expect(Math.min(...Object.values(times))).toBeLessThanOrEqual(66);
    expect(gaps(times)).toEqual([10, 10]);
  });

  it.each([
    ["zones", (name: string) => ({ [zoneLabel]: name.slice(0, 1) })],
    ["regions", (name: string) => ({ "topology.kubernetes.io/region": name.slice(0, 1), [zoneLabel]: "same" })],
    ["zones by the label of old", (name: string) => ({ "failure-domain.beta.kubernetes.io/zone": name.slice(0, 1) })],
  ])("[API-250] [WRK-441] are tainted side by side in different %s", (_what, labels) => {
    const world = startNodes([...named("a", 3), ...named("b", 3)], labels);
    const times = taintTimes(world, ["a-1", "a-2", "b-1", "b-2"]);
    expect([times["a-1"], times["a-2"]]).toEqual([times["b-1"], times["b-2"]]);
    expect(gaps({ first: times["a-1"] ?? 0, second: times["a-2"] ?? 0 })).toEqual([10]);
  });
});

describe("the state of a zone", () => {
  it.each([
    [0, 0, "Normal"],
    [1, 0, "Normal"],
    [0, 1, "FullDisruption"],
    [0, 60, "FullDisruption"],
    [1, 2, "Normal"],
    [2, 3, "PartialDisruption"],
    [3, 3, "Normal"],
    [9, 11, "PartialDisruption"],
    [10, 12, "Normal"],
  ])("[API-251] [WRK-443] with %i ready and %i not ready is %s", (ready, notReady, state) => {
    expect(zoneState(ready, notReady)).toBe(state);
  });

  it("[API-252] [WRK-444] sets how many nodes a second are tainted", () => {
    expect([
      taintsPerSecond("Normal", 10),
      taintsPerSecond("PartialDisruption", 50),
      taintsPerSecond("PartialDisruption", 51),
      taintsPerSecond("FullDisruption", 10),
    ]).toEqual([0.1, 0, 0.01, 0.1]);
  });

  it("[API-252] no node of a small zone is tainted while more than half of them are lost", () => {
    const world = startNodes([...named("a", 5), ...named("b", 2)], byPrefix);
    expect(taintTimes(world, ["a-1", "a-2", "a-3"])).toEqual({});
    world.silent.delete("a-3");
    world.post("a-3", "Ready", "True");
    world.run(30_000);
    expect(tainted(world)).toEqual(["a-1", "a-2"]);
  });

  it("[API-252] [WRK-445] a zone that is lost as a whole is tainted at the normal rate", () => {
    const world = startNodes([...named("a", 3), ...named("b", 2)], byPrefix);
    const times = taintTimes(world, named("a", 3));
    expect(Object.keys(times).sort()).toEqual(named("a", 3));
    expect(gaps(times)).toEqual([10, 10]);
  });

  it("[API-252] [WRK-445] a node that waited for its zone's state waits a whole turn once the zone goes on", () => {
    const world = startNodes([...named("a", 5), ...named("b", 2)], byPrefix);
    expect(taintTimes(world, ["a-1", "a-2", "a-3"], 100)).toEqual({});
    const full = taintTimes(world, ["a-4", "a-5"], 150);
    const lostAt = 55;
    expect(Object.values(full).sort((one, other) => one - other)).toEqual([10, 20, 30, 40, 50].map((after) => lostAt + after));
  });

  it("[API-253] [WRK-446] [WRK-447] when nobody is ready any more nothing is tainted, and what was is freed; once somebody is back the others follow, a turn later", () => {
    const world = startNodes([...named("a", 2), ...named("b", 2)], byPrefix);
    expect(Object.keys(taintTimes(world, ["a-1"], 100))).toEqual(["a-1"]);
    expect(taintTimes(world, ["a-2", "b-1", "b-2"], 60)).toHaveProperty("a-1");
    world.run(10_000);
    expect(tainted(world)).toEqual([]);
    world.run(600_000);
    expect(tainted(world)).toEqual([]);
    world.silent.delete("b-2");
    world.post("b-2", "Ready", "True");
    const times = taintTimes(world, [], 60);
    expect(world.taints("b-2")).toEqual([]);
    const first = times["a-1"] ?? 0;
    expect(first).toBeGreaterThanOrEqual(10);
    expect(times).toEqual({ "a-1": first, "b-1": first, "a-2": first + 10 });
  });

  it("[WRK-449] the Pods of a node that is tainted already go, whatever becomes of the rate", () => {
    const world = startNodes([...named("a", 5), ...named("b", 2)], byPrefix);
    world.addPod("web", "a-1", [
      { key: "node.kubernetes.io/unreachable", effect: "NoExecute", operator: "Exists", tolerationSeconds: 300 },
    ]);
    taintTimes(world, ["a-1"], 100);
    expect(tainted(world)).toEqual(["a-1"]);
    taintTimes(world, ["a-2", "a-3"], 100);
    expect(tainted(world)).toEqual(["a-1"]);
    world.run(200_000);
    expect(
      world.client
        .list(kinds.pods, { namespace: "default" })
        .items.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    ).toEqual([]);
  });

  it("[WRK-448] NoSchedule comes to all of them at once", () => {
    const world = startNodes([...named("a", 5), ...named("b", 2)], byPrefix);
    const lostNodes = ["a-1", "a-2", "a-3", "a-4"];
    taintTimes(world, lostNodes, 70);
    expect(lostNodes.map((name) => world.taints(name))).toEqual(lostNodes.map(() => ["node.kubernetes.io/unreachable:NoSchedule"]));
  });

  it("[API-254] [WRK-442] [WRK-450] leaves out nodes with the label exclude-disruption", () => {
    const labels = (name: string) => (name === "c-1" ? { "node.kubernetes.io/exclude-disruption": "" } : {});
    const world = startNodes(["a-1", "b-1", "c-1"], labels);
    expect(taintTimes(world, ["a-1", "b-1"])).toEqual({});
    // Without the label the ready node counts: two of three are lost, and are tainted.
    expect(Object.keys(taintTimes(startNodes(["a-1", "b-1", "c-1"]), ["a-1", "b-1"]))).toEqual(["a-1", "b-1"]);
  });
});

describe("the pace of a zone", () => {
  const takes = (rate: TaintRate, fromMs: number, toMs: number): readonly number[] => {
    const times: number[] = [];
    for (let nowMs = fromMs; nowMs <= toMs; nowMs += 1000) if (rate.take(nowMs)) times.push(nowMs);
    return times;
  };

  it("[WRK-440] is one at once, and then one a turn", () => {
    expect(takes(new TaintRate(0.1), 0, 25_000)).toEqual([0, 10_000, 20_000]);
    expect(takes(new TaintRate(0), 0, 25_000)).toEqual([0]);
  });

  it("is kept waiting by another rate where it was waiting", () => {
    const rate = new TaintRate(0.1);
    rate.swap(0.5, 0);
    expect(takes(rate, 0, 3_000)).toEqual([0, 2_000]);
    rate.swap(0.25, 3_000);
    expect(takes(rate, 3_000, 12_000)).toEqual([7_000, 11_000]);
    rate.swap(0, 12_000);
    expect(takes(rate, 12_000, 100_000)).toEqual([]);
    rate.swap(0.1, 100_000);
    expect(takes(rate, 100_000, 115_000)).toEqual([110_000]);
  });

  it("does not come back to one a second, as upstream's does not", () => {
    const rate = new TaintRate(1);
    rate.swap(0, 0);
    rate.swap(1, 10_000);
    expect(takes(rate, 10_000, 60_000)).toEqual([]);
  });

  it("goes by the flags", () => {
    const fast = startNodes([...named("a", 4), ...named("b", 3)], byPrefix, { normal: 0.5 });
    expect(gaps(taintTimes(fast, ["a-1", "a-2"], 100))).toEqual([2]);
    const strict = startNodes([...named("a", 7), ...named("b", 3)], byPrefix, { unhealthyShare: 0.4 });
    expect(taintTimes(strict, ["a-1", "a-2", "a-3"], 100)).toEqual({});
    const slow = { largeZoneNodes: 3, secondary: 0.05 };
    const large = startNodes([...named("a", 5), ...named("b", 3)], byPrefix, slow);
    expect(gaps(taintTimes(large, ["a-1", "a-2", "a-3"], 150))).toEqual([20, 20]);
  });
});

describe("what is told of zones", () => {
  it("is in the log of the controller manager", () => {
    const world = startNodes([...named("a", 5), "b-1"], byPrefix);
    taintTimes(world, ["a-1", "a-2", "a-3"], 70);
    taintTimes(world, ["a-4", "a-5"], 70);
    taintTimes(world, ["b-1"], 70);
    world.silent.delete("b-1");
    world.post("b-1", "Ready", "True");
    world.run(10_000);
    const line = (number: number, words: string, values: string) =>
      `node_lifecycle_controller.go:${number}] ${JSON.stringify(words)} logger="node-lifecycle-controller"${values}`;
    const state = (zone: string, to: string) =>
      line(1067, "Controller detected that zone is now in new state", ` zone=":\\x00:${zone}" newState="${to}"`);
    expect(world.logged()).toEqual([
      line(1221, "Initializing eviction metric for zone", ' zone=":\\x00:a"'),
      line(1221, "Initializing eviction metric for zone", ' zone=":\\x00:b"'),
      ...[...named("a", 5), "b-1"].map((name) =>
        line(873, "Missing timestamp for Node. Assuming now as a timestamp", ` node="${name}"`),
      ),
      state("a", "Normal"),
      state("b", "Normal"),
      state("a", "PartialDisruption"),
      state("a", "FullDisruption"),
      line(1025, "Controller detected that all Nodes are not-Ready. Entering master disruption mode", ""),
      line(1044, "Controller detected that some Nodes are Ready. Exiting master disruption mode", ""),
    ]);
  });

  it("is counted by zone, also after all its nodes are gone", () => {
    const world = startNodes(["a-1", "a-2", "a-3", "none"], (name) => (name === "none" ? {} : byPrefix(name)));
    expect(Object.keys(taintTimes(world, ["a-1", "a-2"], 80))).toHaveLength(2);
    const none = { zone: "", evictions: 0, ready: 1, notReady: 0 };
    expect(world.manager.zones).toEqual([{ zone: ":\0:a", evictions: 2, ready: 1, notReady: 2 }, none]);
    for (const name of named("a", 3)) world.client.delete(kinds.nodes, { namespace: "", name });
    world.run(10_000);
    expect(world.manager.zones).toEqual([{ zone: ":\0:a", evictions: 2, ready: 0, notReady: 0 }, none]);
  });
});
