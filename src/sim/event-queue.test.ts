import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Simulation } from "./simulation.ts";

describe("the event queue", () => {
  it("fires by time, then in the order of scheduling, and never what was cancelled", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ delayMs: fc.nat(50), cancelled: fc.boolean() }), { maxLength: 3000 }), (plans) => {
        const simulation = new Simulation({ startMs: 0, seed: 1 });
        const fired: [number, number][] = [];
        const timers = plans.map((plan, index) => simulation.after(plan.delayMs, () => fired.push([simulation.nowMs, index])));
        plans.forEach((plan, index) => {
          if (plan.cancelled) simulation.cancel(timers[index]);
        });
        simulation.advance(100);
        const expected = plans
          .map((plan, index) => [plan.delayMs, index, plan.cancelled] as const)
          .filter(([, , cancelled]) => !cancelled)
          .map(([delayMs, index]): [number, number] => [delayMs, index])
          .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(fired).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it("is idle when only background timers are left", () => {
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    const beat = (): void => void simulation.after(10, beat, { background: true });
    beat();
    simulation.after(35, () => {});
    expect([simulation.runUntilIdle({ limitMs: 1000 }), simulation.nowMs]).toEqual([true, 35]);
  });
});
