import { describe, expect, it } from "vitest";
import { machine } from "#sim/kernel.test-kit.ts";
import { ProcessorTime } from "./processor-time.ts";

interface Work {
  /** Milliseconds after the start. */
  readonly atMs: number;
  readonly units: number;
}

/** When each was done, in milliseconds after the start, and what the group was charged. */
function play(works: readonly Work[], { millicores = 4000, processors = 4 } = {}) {
  const { simulation, kernel, start } = machine();
  const whole = kernel.createControlGroup({ cpuMillicores: millicores });
  const controlGroup = kernel.createControlGroup({ cpuMillicores: millicores }, { parent: whole });
  const done: (number | undefined)[] = [];
  const beganMs = simulation.nowMs;
  start(
    function* (self) {
      const time = new ProcessorTime(self, processors);
      const began = self.nowMs;
      for (const [index, { atMs, units }] of works.entries()) {
        yield* self.sleep(began + atMs - self.nowMs);
        time.take(units, () => {
          done[index] = self.nowMs - beganMs;
        });
      }
      return yield* self.pause();
    },
    { controlGroup },
  );
  simulation.advance(60_000);
  return { done, cpuMs: Math.round(controlGroup.cpuMs) };
}

describe("processor time of a server", () => {
  it("counts light answers, and does them at once", () => {
    const works = Array.from({ length: 1000 }, (_, index) => ({ atMs: index * 10, units: 50 }));
    const { done, cpuMs } = play(works);
    expect(done).toEqual(works.map(({ atMs }) => atMs));
    expect(cpuMs).toBe(50);
  });

  it("lets heavy ones wait for their work, side by side on the processors", () => {
    const heavy = { atMs: 0, units: 100_000 };
    expect(play([heavy])).toEqual({ done: [100], cpuMs: 100 });
    expect(play([heavy, heavy, heavy])).toEqual({ done: [100, 100, 100], cpuMs: 300 });
    expect(play([heavy, heavy], { processors: 1 })).toEqual({ done: [200, 200], cpuMs: 200 });
  });

  it("holds to the limit of the container, and begins to count with the work", () => {
    const works = [0, 1000, 5000].map((atMs) => ({ atMs, units: 100_000 }));
    expect(play(works, { millicores: 500 })).toEqual({ done: [200, 1200, 5200], cpuMs: 300 });
  });

  it("lets light ones wait behind what has piled up", () => {
    const works = Array.from({ length: 200 }, () => ({ atMs: 0, units: 100 }));
    const { done, cpuMs } = play(works, { processors: 1 });
    // The first ten pass, then a millisecond's worth is owed.
    expect(done.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 0));
    expect(Math.max(...done.map((ms) => ms ?? 0))).toBeGreaterThanOrEqual(19);
    // What a wait was longer than the work is counted beforehand.
    expect([20, 21]).toContain(cpuMs);
  });
});
