import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startNodes } from "./nodes.test-kit.ts";
import { taintsPerSecond, zoneState } from "./zone-rates.ts";

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
      taintsPerSecond("Normal", 10, false),
      taintsPerSecond("PartialDisruption", 50, false),
      taintsPerSecond("PartialDisruption", 51, false),
      taintsPerSecond("FullDisruption", 10, false),
      taintsPerSecond("FullDisruption", 10, true),
    ]).toEqual([0.1, 0, 0.01, 0.1, 0]);
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

  it("[API-253] [WRK-446] [WRK-447] when nobody is ready any more nothing is tainted, and what was is freed; whoever comes back gives all a new start", () => {
    const world = startNodes([...named("a", 2), ...named("b", 2)], byPrefix);
    expect(Object.keys(taintTimes(world, ["a-1"], 100))).toEqual(["a-1"]);
    expect(taintTimes(world, ["a-2", "b-1", "b-2"], 60)).toHaveProperty("a-1");
    world.run(10_000);
    expect(tainted(world)).toEqual([]);
    world.run(600_000);
    expect(tainted(world)).toEqual([]);
    world.silent.delete("b-2");
    world.post("b-2", "Ready", "True");
    world.run(60_000);
    expect(world.taints("b-2")).toEqual([]);
    expect(tainted(world)).toEqual(["a-1", "a-2", "b-1"]);
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
