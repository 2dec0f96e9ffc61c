// Rules: metrics-server v0.8.0, pkg/storage/{pod,node,types}.go.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MetricStorage, usageText } from "./metric-storage.ts";
import type { Batch, Point } from "./points.ts";

function point(timeSeconds: number, cpuMillis: number, memoryBytes = 1_048_576, startSeconds = 0): Point {
  return { startMs: startSeconds * 1000, timeMs: timeSeconds * 1000, cpuNanoSeconds: cpuMillis * 1e6, memoryBytes };
}

function batch(containers: { readonly [name: string]: Point }, node?: Point): Batch {
  return {
    nodes: node === undefined ? new Map() : new Map([["node-1", node]]),
    pods: new Map([["default/web", new Map(Object.entries(containers))]]),
  };
}

function storageOf(...batches: readonly Batch[]): MetricStorage {
  const storage = new MetricStorage(15_000);
  for (const each of batches) storage.store(each);
  return storage;
}

function shown(storage: MetricStorage): unknown {
  const pod = storage.pod("default", "web");
  if (pod === undefined) return undefined;
  const { timeMs, windowMs, containers } = pod;
  return [timeMs / 1000, windowMs / 1000, ...containers.map(({ name, usage }) => [name, usageText(usage).cpu])];
}

describe("the last two points of a container", () => {
  it.each<readonly [string, readonly Batch[], unknown]>([
    ["one is not enough", [batch({ c: point(100, 50) })], undefined],
    ["two give the rate between them", [batch({ c: point(100, 50) }), batch({ c: point(115, 3050) })], [115, 15, ["c", "200m"]]],
    [
      "of three the last two count",
      [batch({ c: point(100, 0) }), batch({ c: point(115, 3000) }), batch({ c: point(130, 3001) })],
      [130, 15, ["c", "66666n"]],
    ],
    [
      "the same one twice changes nothing",
      [batch({ c: point(100, 0) }), batch({ c: point(115, 3000) }), batch({ c: point(115, 3000) })],
      [115, 15, ["c", "200m"]],
    ],
    ["a young container is measured from its start", [batch({ c: point(112, 600, 4096, 100) })], [112, 12, ["c", "50m"]]],
    ["one younger than 10 s is not", [batch({ c: point(109, 600, 4096, 100) })], undefined],
    [
      "after a restart there is no earlier one",
      [batch({ c: point(100, 900) }), batch({ c: point(121, 10, 4096, 120) })],
      undefined,
    ],
    [
      "a new container hides the pod",
      [batch({ c: point(100, 50) }), batch({ c: point(115, 65), d: point(115, 10, 4096, 114) })],
      undefined,
    ],
    [
      "time and window are those of the earliest container",
      [batch({ c: point(100, 0), d: point(99, 0) }), batch({ c: point(115, 150), d: point(113, 140) })],
      [113, 14, ["c", "10m"], ["d", "10m"]],
    ],
    [
      "a count that went down is left out",
      [batch({ c: point(100, 50), d: point(100, 90) }), batch({ c: point(115, 65), d: point(115, 10) })],
      [115, 15, ["c", "1m"]],
    ],
    ["a pod that is gone is forgotten", [batch({ c: point(100, 0) }), batch({ c: point(115, 1) }), batch({})], undefined],
  ])("%s", (_what, batches, expected) => {
    expect(shown(storageOf(...batches))).toEqual(expected);
  });

  it("makes the server ready: of a node too", () => {
    const first = batch({}, point(100, 10));
    expect([storageOf(), storageOf(first), storageOf(first, batch({}, point(115, 30)))].map(({ isReady }) => isReady)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("gives a node's use", () => {
    const { usage, windowMs } = storageOf(batch({}, point(100, 10)), batch({}, point(115, 1510, 417_882_112))).node("node-1") ?? {};
    expect([usage === undefined ? undefined : usageText(usage), windowMs]).toEqual([{ cpu: "100m", memory: "408088Ki" }, 15_000]);
  });

  it("never gives less than nothing, nor more than was used", () => {
    const steps = fc.array(fc.record({ seconds: fc.integer({ min: 0, max: 40 }), millis: fc.integer({ min: 0, max: 4000 }) }), {
      minLength: 2,
    });
    fc.assert(
      fc.property(steps, (taken) => {
        const storage = new MetricStorage(15_000);
        let [time, used] = [100, 1];
        for (const { seconds, millis } of taken) {
          time += seconds;
          used += seconds === 0 ? 0 : millis;
          storage.store(batch({ c: point(time, used) }));
          const pod = storage.pod("default", "web");
          const amount = Number(pod?.containers[0]?.usage.cpu.amount ?? 0n);
          expect(amount).toBeGreaterThanOrEqual(0);
          expect((amount * (pod?.windowMs ?? 0)) / 1e3).toBeLessThanOrEqual(used * 1e6);
        }
      }),
    );
  });
});
