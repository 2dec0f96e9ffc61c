// Processes that obey: what the pool does with runs that break them, that take too long, and that wait.

import { afterEach, describe, expect, it } from "vitest";
import { savedFormat } from "#lab/protocol.ts";
import { ReplayPool, type ReplayPoolOptions } from "./replay-pool.ts";
import type { Replay } from "./replay-result.ts";

const startMs = Date.UTC(2026, 0, 15, 9);
const program = new URL("./obedient-replayer.test-kit.ts", import.meta.url);
const long = 300_000;
const pools: ReplayPool[] = [];

function openPool(options: Partial<ReplayPoolOptions> = {}): ReplayPool {
  const pool = new ReplayPool({ processes: 1, wallLimitMs: long, memoryMib: 64, labs: ".", program, ...options });
  pools.push(pool);
  return pool;
}

const saved = (seed = 1, nowMs = startMs) => ({
  format: savedFormat,
  seed,
  startMs,
  nowMs,
  entries: [],
  hints: {},
  solutions: [],
  world: "0123abcd",
});
/** The reason, or what was replayed by a process that had replayed so many before. */
const wordsOf = (replay: Replay): string =>
  replay.ok ? replay.steps.map(({ id, passedMs }) => `${id}, ${passedMs} before`).join() : replay.reason;

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

describe("the pool of processes", () => {
  it("replays run after run in the same process", async () => {
    const pool = openPool();
    const replays = await Promise.all(["one", "two", "three"].map((lab) => pool.replay("ana", lab, saved())));
    expect(replays.map(wordsOf)).toEqual(["one 1, 0 before", "two 1, 1 before", "three 1, 2 before"]);
    expect(pool.waiting).toBe(0);
  });

  it.each([
    ["throws", "failed", /a mistake/],
    ["ends the process", "failed", /exit code 3/],
    ["takes memory", "tooMuchMemory", /more than 64 MiB/],
  ])("survives a run that %s, and goes on with the next", async (lab, reason, detail) => {
    const pool = openPool();
    const [broken, next] = await Promise.all([pool.replay("ana", lab, saved()), pool.replay("ben", "one", saved())]);
    expect(broken).toEqual({ ok: false, reason, detail: expect.stringMatching(detail) });
    expect(wordsOf(next)).toBe("one 1, 0 before");
  });

  it("ends a run that takes too long, and goes on with the next", async () => {
    const pool = openPool({ wallLimitMs: 20 });
    const replays = await Promise.all(["ana", "ben"].map((owner) => pool.replay(owner, "never ends", saved())));
    expect(replays.map(wordsOf)).toEqual(["tookTooLong", "tookTooLong"]);
  });

  it("says at once what cannot be replayed, and puts nothing in the queue for it", async () => {
    const pool = openPool();
    expect(wordsOf(await pool.replay("ana", "one", { ...saved(), seed: -1 }))).toBe("unreadable");
    expect(pool.waiting).toBe(0);
  });

  it("lets learners take turns, and replays only the newest of what is handed in of one run", async () => {
    const pool = openPool();
    const order: string[] = [];
    const hand = (owner: string, lab: string, nowMs: number): Promise<Replay> => {
      const replay = pool.replay(owner, lab, saved(1, nowMs));
      void replay.then(() => order.push(`${owner} ${lab}`));
      return replay;
    };
    const first = hand("ana", "zero", startMs);
    const ofAna = [1, 2, 3].map((second) => hand("ana", "one", startMs + second));
    const others = [hand("ana", "two", startMs), hand("ben", "one", startMs)];
    expect(pool.waiting).toBe(3);
    const replays = await Promise.all(ofAna);
    await Promise.all([first, ...others]);
    expect(replays.map((replay) => replay.ok && replay.steps[0]?.openedMs)).toEqual(Array(3).fill(startMs + 3));
    expect(order).toEqual(["ana zero", "ben one", "ana one", "ana one", "ana one", "ana two"]);
  });

  it("replays runs of several learners beside each other, one that never ends in the way of none", async () => {
    const pool = openPool({ processes: 2 });
    const stuck = pool.replay("ana", "never ends", saved());
    const replays = await Promise.all(["ben", "eva", "uma"].map((owner) => pool.replay(owner, "one", saved())));
    expect(replays.map(wordsOf)).toEqual(["one 1, 0 before", "one 1, 1 before", "one 1, 2 before"]);
    await pool.close();
    expect(wordsOf(await stuck)).toBe("busy");
  });

  it("has room for so many, and none once it is closed", async () => {
    const pool = openPool({ waitingOfOwner: 1 });
    const replays = ["never ends", "two", "three"].map((lab) => pool.replay("ana", lab, saved()));
    expect(wordsOf((await replays[2]) as Replay)).toBe("busy");
    await pool.close();
    expect((await Promise.all(replays)).map(wordsOf)).toEqual(["busy", "busy", "busy"]);
    expect(wordsOf(await pool.replay("ben", "one", saved()))).toBe("busy");
  });
});
