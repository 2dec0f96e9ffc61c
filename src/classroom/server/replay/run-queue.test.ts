import { describe, expect, it } from "vitest";
import { type Replay, refuse } from "./replay-result.ts";
import { RunQueue } from "./run-queue.ts";
import type { SubmittedRun } from "./submitted-run.ts";

const run = (untilMs = 0, seed = 1): SubmittedRun => ({
  seed,
  startMs: 0,
  untilMs,
  entries: [],
  world: "",
  hints: [],
  solutions: [],
});

function startQueue(limits = { ofOwner: 3, ofAll: 5 }) {
  const queue = new RunQueue(limits);
  const told: string[] = [];
  return {
    queue,
    told,
    put: (owner: string, labId: string, what = run()): boolean =>
      queue.put({
        owner,
        labId,
        run: what,
        tell: (replay: Replay) => told.push(`${owner} ${labId} ${replay.ok || replay.detail}`),
      }),
    /** Takes one run after the other, each ended before the next. */
    drain(): readonly string[] {
      const taken: string[] = [];
      for (let next = queue.take(); next !== undefined; next = queue.take()) {
        taken.push(`${next.owner} ${next.labId}`);
        queue.end(next.owner);
      }
      return taken;
    },
  };
}

describe("the queue of runs", () => {
  it("lets owners take turns, however many runs one of them has handed in", () => {
    const { put, drain } = startQueue();
    for (const lab of ["1", "2", "3"]) put("ana", lab);
    put("ben", "1");
    put("eva", "1");
    expect(drain()).toEqual(["ana 1", "ben 1", "eva 1", "ana 2", "ana 3"]);
  });

  it("gives one run of an owner at a time, and others' meanwhile", () => {
    const { queue, put } = startQueue();
    for (const lab of ["1", "2"]) put("ana", lab);
    expect(queue.take()?.labId).toBe("1");
    expect(queue.take()).toBeUndefined();
    put("ben", "7");
    expect(queue.take()?.owner).toBe("ben");
    queue.end("ana");
    expect(queue.take()?.labId).toBe("2");
    expect(queue.length).toBe(0);
  });

  it("keeps the newest of what is handed in of one run, at its place, and tells both of what comes of it", () => {
    const { queue, put, told } = startQueue();
    put("ana", "1", run(10));
    put("ana", "2", run(10));
    put("ana", "1", run(20));
    expect(queue.length).toBe(2);
    const next = queue.take();
    expect([next?.labId, next?.run.untilMs]).toEqual(["1", 20]);
    next?.tell(refuse("failed", "so"));
    expect(told).toEqual(["ana 1 so", "ana 1 so"]);
  });

  it("keeps a lab's other run beside it: what was passed before it was begun afresh counts", () => {
    const { put, drain } = startQueue();
    put("ana", "1", run(20, 1));
    put("ana", "1", run(10, 2));
    expect(drain()).toEqual(["ana 1", "ana 1"]);
  });

  it("has room for so many of one owner, and for so many of all", () => {
    const { queue, put } = startQueue();
    expect(["1", "2", "3", "4"].map((lab) => put("ana", lab))).toEqual([true, true, true, false]);
    // In the place of one that waits there is room.
    expect(put("ana", "3", run(99))).toBe(true);
    expect(["ben", "eva", "uma"].map((owner) => put(owner, "1"))).toEqual([true, true, false]);
    expect(queue.empty().length).toBe(5);
    expect(queue.length).toBe(0);
    expect(put("uma", "1")).toBe(true);
  });
});
