import { describe, expect, it } from "vitest";
import { answered, dayOf, dueDay, freshness, isDue, type Recall, restDays } from "./spacing.ts";

describe("a question that comes back", () => {
  it("rests 1, 3, 7, 16 and 35 days as it is answered rightly, and 35 from then on", () => {
    let recall: Recall = { box: 0, day: 100 };
    const rests: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      rests.push(dueDay(recall) - recall.day);
      recall = answered(recall, true, dueDay(recall));
    }
    expect(rests).toEqual([1, 3, 7, 16, 35, 35, 35]);
  });

  it("begins again after a wrong answer, from whichever box", () => {
    for (const box of restDays.keys()) expect(answered({ box, day: 100 }, false, 120)).toEqual({ box: 0, day: 120 });
  });

  it("is due on its day and later, not before", () => {
    expect([109, 110, 111].map((day) => isDue({ box: 2, day: 103 }, day))).toEqual([false, true, true]);
  });

  it("stays where it is when it is answered rightly before its day", () => {
    expect(answered({ box: 2, day: 103 }, true, 105)).toEqual({ box: 2, day: 103 });
  });

  it("is fresh at first, nine in ten on its day, and fades more slowly the longer it has rested", () => {
    expect(freshness({ box: 1, day: 100 }, 100)).toBe(1);
    for (const box of restDays.keys()) expect(freshness({ box, day: 100 }, dueDay({ box, day: 100 }))).toBeCloseTo(0.9);
    expect(freshness({ box: 0, day: 100 }, 110)).toBeLessThan(freshness({ box: 3, day: 100 }, 110));
  });

  it("counts days on the reader's calendar", () => {
    expect(dayOf(new Date(2026, 0, 2, 0, 1)) - dayOf(new Date(2026, 0, 1, 23, 59))).toBe(1);
    expect(dayOf(new Date(2026, 0, 2, 0, 1))).toBe(dayOf(new Date(2026, 0, 2, 23, 59)));
  });
});
