import { describe, expect, it } from "vitest";
import type { Plan } from "../../wire.ts";
import { added, dated, isBackwards, moved, removed } from "./plan-edits.ts";
import { fieldTime, fieldValue } from "./times.ts";

const lessons = (plan: Plan): string => plan.map(({ lesson }) => lesson).join(" ");
const plan = added([], ["a", "b", "c"]);

describe("a plan", () => {
  it("takes each lesson once", () => {
    expect(plan[0]).toEqual({ lesson: "a", from: null, until: null });
    expect(lessons(added(plan, ["c", "d"]))).toBe("a b c d");
    expect(lessons(removed(plan, "b"))).toBe("a c");
  });

  it("is ordered place by place; at the ends nothing moves", () => {
    expect(lessons(moved(plan, "c", -1))).toBe("a c b");
    expect(lessons(moved(plan, "a", 1))).toBe("b a c");
    expect(lessons(moved(plan, "a", -1))).toBe("a b c");
    expect(lessons(moved(plan, "c", 1))).toBe("a b c");
  });

  it("has dates, and the end comes after the beginning", () => {
    const [first] = dated(dated(plan, "a", { from: 10 }), "a", { until: 10 });
    expect(first).toEqual({ lesson: "a", from: 10, until: 10 });
    expect(isBackwards({ lesson: "a", from: 10, until: 10 })).toBe(true);
    expect(isBackwards({ lesson: "a", from: 10, until: 11 })).toBe(false);
    expect(isBackwards({ lesson: "a", from: null, until: 1 })).toBe(false);
  });
});

it("a moment goes into a field and comes out of it the same, to the minute", () => {
  const timeMs = new Date(2026, 8, 1, 8, 5).getTime();
  expect(fieldValue(timeMs)).toBe("2026-09-01T08:05");
  expect(fieldTime(fieldValue(timeMs))).toBe(timeMs);
  expect([fieldValue(null), fieldTime("")]).toEqual(["", null]);
});
