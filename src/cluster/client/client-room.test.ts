import { describe, expect, it } from "vitest";
import { Simulation } from "#sim/simulation.ts";
import { EventCorrelator, type Occurrence } from "./event-correlation.ts";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

const startMs = 1_767_225_600_000;

describe("the work queue", () => {
  function start(options: WorkQueueOptions = {}) {
    const simulation = new Simulation({ startMs, seed: 1 });
    const worked: string[] = [];
    const queue = new WorkQueue(simulation, (key) => worked.push(`${key} ${simulation.nowMs - startMs}`), options);
    return { simulation, queue, worked };
  }

  it("[WRK-001] works on a key once, however often it was added, and at once", () => {
    const { simulation, queue, worked } = start();
    for (const key of ["a", "b", "a"]) queue.add(key);
    simulation.advance(1_000);
    expect(worked).toEqual(["a 1", "b 1"]);
  });

  it("lets a pass take its time: what comes meanwhile is seen together", () => {
    const { simulation, queue, worked } = start();
    queue.add("a");
    for (let ms = 2; ms < 20; ms += 1) simulation.at(startMs + ms, () => queue.add("a"));
    simulation.advance(100);
    expect(worked).toEqual(["a 1", "a 11", "a 21"]);
  });

  it("[WRK-005] works on as many keys at once as there are workers", () => {
    const { simulation, queue, worked } = start({ workers: 2, passMs: (key) => (key === "a" ? 30 : 10) });
    for (const key of ["a", "b", "c", "d"]) queue.add(key);
    simulation.advance(15);
    queue.add("b");
    simulation.advance(100);
    expect(worked).toEqual(["a 1", "b 1", "c 11", "d 21", "b 31"]);
    const idle = start({ workers: 0 });
    idle.queue.add("a");
    idle.simulation.advance(1_000);
    expect([idle.worked, idle.queue.length]).toEqual([[], 1]);
  });

  it("[WRK-004] backs off 5 ms doubling to 1000 s", () => {
    const { simulation, queue } = start();
    const delays: number[] = [];
    let lastMs = simulation.nowMs;
    const failing = new WorkQueue(simulation, (key) => {
      delays.push(simulation.nowMs - lastMs);
      lastMs = simulation.nowMs;
      failing.addRateLimited(key);
    });
    failing.add("a");
    simulation.advance(10_000_000);
    expect(delays.slice(0, 6)).toEqual([1, 5, 10, 20, 40, 80]);
    expect(Math.max(...delays)).toBe(1_000_000);
    queue.stop();
  });
});

describe("event correlation", () => {
  const occurrence = (message: string): Occurrence => ({
    apiVersion: "v1",
    kind: "Pod",
    namespace: "default",
    name: "web",
    uid: "1",
    fieldPath: "",
    component: "kubelet",
    host: "node-1",
    type: "Warning",
    reason: "BackOff",
    message,
  });

  it("[WRK-013] counts equal events", () => {
    const correlator = new EventCorrelator();
    const first = correlator.correlate(occurrence("a"), 0);
    if (first.action === "create") correlator.noteWritten(first.key, "web.1", 1);
    const counts = [1, 2, 3].map((minute) => correlator.correlate(occurrence("a"), minute * 60_000));
    expect(counts.map((result) => (result.action === "count" ? result.count : result.action))).toEqual([2, 3, 4]);
  });

  it("[WRK-014] combines the tenth similar event and those after it", () => {
    const correlator = new EventCorrelator();
    const results = Array.from({ length: 11 }, (_, index) => correlator.correlate(occurrence(`message ${index}`), index * 1000));
    const messages = results.map((result) => (result.action === "skip" ? "skip" : result.message));
    expect(messages.slice(8)).toEqual([
      "message 8",
      "(combined from similar events): message 9",
      "(combined from similar events): message 10",
    ]);
  });

  it("lets 25 events about an object pass, then one in 5 minutes", () => {
    const correlator = new EventCorrelator();
    const actions = Array.from({ length: 30 }, (_, index) => correlator.correlate(occurrence(`message ${index}`), 0).action);
    expect(actions.filter((action) => action !== "skip").length).toBe(25);
    expect(correlator.correlate(occurrence("later"), 300_000).action).not.toBe("skip");
  });
});
