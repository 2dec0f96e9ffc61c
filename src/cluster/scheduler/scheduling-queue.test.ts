import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { SchedulingQueue } from "./scheduling-queue.ts";

const pod = (name: string, priority = 0): Stored<Pod> => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { priority, containers: [] },
});

/** A queue in which `failing` is tried and refused as often as it is said, at time 0. */
function afterFailures(times: number, priority = 0) {
  const queue = new SchedulingQueue();
  queue.add(pod("failing", priority), false, 0);
  for (let round = 0; round < times; round += 1) {
    const entry = queue.pop(0);
    if (entry === undefined) throw new Error("nothing to try");
    queue.putBack(entry, new Set(["NodeResourcesFit"]), 0);
    queue.wake(entry, 0);
  }
  return queue;
}

describe("Pods that were refused", () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
    [5, 10_000],
    [6, 10_000],
  ])("[WRK-312] after %i failures are behind all others for %i ms", (failures, backoffMs) => {
    const early = afterFailures(failures, 1_000);
    early.add(pod("other"), false, 0);
    expect(early.pop(backoffMs - 1)?.uid).toBe("other");
    const late = afterFailures(failures, 1_000);
    late.add(pod("other"), false, 0);
    expect(late.pop(backoffMs)?.uid).toBe("failing");
  });

  it("[WRK-371] go before Pods of lower priority, unless they back off", () => {
    const queue = new SchedulingQueue();
    queue.add(pod("low", 1), false, 0);
    queue.add(pod("high", 9), false, 5);
    expect([queue.pop(10)?.uid, queue.pop(10)?.uid]).toEqual(["high", "low"]);
    const backing = afterFailures(1, 9);
    backing.add(pod("low", 1), false, 0);
    expect([backing.pop(500)?.uid, backing.pop(500)?.uid]).toEqual(["low", "failing"]);
  });
});
