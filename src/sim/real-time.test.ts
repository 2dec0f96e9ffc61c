import { describe, expect, it } from "vitest";
import { Journal } from "./journal.ts";
import { RealTimeDriver } from "./real-time.ts";
import { Simulation } from "./simulation.ts";

/** A wall clock by hand; `workMs` is what each look at it costs. */
function wall(workMs = 0) {
  let nowMs = 5000;
  let queue: { readonly atMs: number; readonly callback: () => void }[] = [];
  return {
    now: () => {
      nowMs += workMs;
      return nowMs;
    },
    schedule: (callback: () => void, delayMs: number): void => {
      queue.push({ atMs: nowMs + delayMs, callback });
    },
    /** Time in which nobody is called. */
    starve(durationMs: number): void {
      nowMs += durationMs;
    },
    pass(durationMs: number): void {
      const end = nowMs + durationMs;
      for (;;) {
        const next = queue.sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined || next.atMs > end) break;
        queue = queue.slice(1);
        nowMs = Math.max(nowMs, next.atMs);
        next.callback();
      }
      nowMs = Math.max(nowMs, end);
    },
  };
}

function world() {
  const simulation = new Simulation({ startMs: 0, seed: 7 });
  let ticks = 0;
  const tick = (): void => {
    ticks += 1;
    simulation.after(100, tick);
  };
  simulation.after(100, tick);
  return { simulation, ticks: () => ticks };
}

describe("the real-time driver", () => {
  it.each([
    [1, 10],
    [10, 100],
    [60, 600],
  ])("lets a world run at %i times the wall's speed", (speed, expected) => {
    const clock = wall();
    const { simulation, ticks } = world();
    const driver = new RealTimeDriver(simulation, clock);
    driver.setSpeed(speed);
    driver.setPaused(false);
    clock.pass(1020);
    expect(Math.abs(ticks() - expected)).toBeLessThanOrEqual(speed / 3 + 1);
  });

  it("stands still while paused, steps by instants and skips", () => {
    const clock = wall();
    const { simulation, ticks } = world();
    const driver = new RealTimeDriver(simulation, clock);
    clock.pass(10_000);
    expect([simulation.nowMs, ticks()]).toEqual([0, 0]);
    driver.step();
    driver.step();
    expect([simulation.nowMs, ticks()]).toEqual([200, 2]);
    driver.skip(60_000);
    clock.pass(100);
    expect([simulation.nowMs, ticks(), driver.skipping]).toEqual([60_200, 602, false]);
  });

  it("skips until something holds, and no further than its limit", () => {
    const clock = wall();
    const { simulation, ticks } = world();
    const driver = new RealTimeDriver(simulation, clock);
    driver.skipUntil(() => ticks() === 3, 60_000);
    clock.pass(100);
    expect([simulation.nowMs, ticks(), driver.skipping]).toEqual([300, 3, false]);
    driver.skipUntil(() => false, 1000);
    clock.pass(100);
    expect([simulation.nowMs, driver.skipping]).toEqual([1300, false]);
  });

  it("skips a time from now on when it gives up waiting for something", () => {
    const clock = wall();
    const { simulation } = world();
    const driver = new RealTimeDriver(simulation, clock);
    driver.skipUntil(() => false, 60_000);
    driver.skip(1000);
    clock.pass(100);
    expect([simulation.nowMs, driver.skipping]).toEqual([1000, false]);
  });

  it("gives the thread back after slices, however much there is to do", () => {
    const clock = wall(1);
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    const driver = new RealTimeDriver(simulation, clock);
    let slices = 0;
    driver.onSlice.add(() => {
      slices += 1;
    });
    for (let index = 0; index < 10_000; index += 1) simulation.after(1, () => {});
    driver.skip(10);
    clock.pass(2000);
    expect(slices).toBeGreaterThan(10_000 / 64 / 8 - 1);
    expect(simulation.nowMs).toBe(10);
  });

  it("makes up for what a busy machine lost, in slices", () => {
    const clock = wall();
    const { simulation } = world();
    const driver = new RealTimeDriver(simulation, clock);
    driver.setPaused(false);
    clock.starve(8_000);
    clock.pass(1000);
    expect(simulation.nowMs).toBeGreaterThan(8_900);
    expect(simulation.nowMs).toBeLessThanOrEqual(9_000);
  });

  it("does not catch up with the hours that a tab slept", () => {
    const clock = wall();
    const { simulation } = world();
    const driver = new RealTimeDriver(simulation, clock);
    driver.setPaused(false);
    clock.starve(3 * 3_600_000);
    clock.pass(1000);
    expect(simulation.nowMs).toBeLessThanOrEqual(11_020);
    expect(simulation.nowMs).toBeGreaterThan(10_000);
  });

  it("catches up with all of it for a world whose clients look at the wall's clock", () => {
    const clock = wall();
    const { simulation } = world();
    const driver = new RealTimeDriver(simulation, clock, { maximumDebtMs: Number.POSITIVE_INFINITY });
    driver.setPaused(false);
    clock.starve(9 * 60_000);
    clock.pass(1000);
    expect(simulation.nowMs).toBeGreaterThan(9 * 60_000 + 900);
    expect(simulation.nowMs).toBeLessThanOrEqual(9 * 60_000 + 1000);
  });

  it.each([1, 60])("never runs ahead of the wall, however it was starved, at %i times its speed", (speed) => {
    const clock = wall();
    const { simulation } = world();
    const driver = new RealTimeDriver(simulation, clock);
    driver.setSpeed(speed);
    driver.setPaused(false);
    let wallMs = 0;
    for (const [starvedMs, passedMs] of [
      [500, 20],
      [30_000, 5],
      [1, 2000],
      [12_000, 40],
    ] as const) {
      clock.starve(starvedMs);
      clock.pass(passedMs);
      wallMs += starvedMs + passedMs;
      expect(simulation.nowMs).toBeLessThanOrEqual(wallMs * speed);
    }
  });
});

describe("the journal", () => {
  it("rebuilds a world from its seed and its inputs", () => {
    const build = () => {
      const simulation = new Simulation({ startMs: 0, seed: 3 });
      const log: string[] = [];
      const chatter = (): void => {
        log.push(`${simulation.nowMs} ${simulation.random.below(1000)}`);
        simulation.after(simulation.random.below(50) + 1, chatter);
      };
      chatter();
      const journal = new Journal<{ readonly key: string }>(simulation, ({ key }) => {
        log.push(`${simulation.nowMs} key ${key} ${simulation.random.below(1000)}`);
      });
      return { simulation, log, journal };
    };
    const first = build();
    for (const [waitMs, key] of [
      [120, "a"],
      [0, "b"],
      [333, "c"],
    ] as const) {
      first.simulation.advance(waitMs);
      first.journal.record({ key });
    }
    first.simulation.advance(1000);
    const second = build();
    let rest = second.journal.replay(first.journal.entries, first.simulation.nowMs, () => false);
    while (!rest.done) rest = second.journal.replay(rest.rest, first.simulation.nowMs);
    expect(second.log).toEqual(first.log);
    expect(second.journal.entries).toEqual(first.journal.entries);
    expect(second.simulation.nowMs).toBe(first.simulation.nowMs);
  });
});
