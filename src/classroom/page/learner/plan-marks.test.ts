import { expect, test } from "vitest";
import { firstOpen, turnOf } from "./plan-marks.ts";

test("a planned lesson is open from one time until another, or without end", () => {
  const turns = (from: number | null, until: number | null) =>
    [9, 10, 19, 20].map((at) => turnOf({ lesson: "pods", from, until }, at));
  expect(turns(10, 20)).toEqual(["later", "now", "now", "over"]);
  expect(turns(null, 20)).toEqual(["now", "now", "now", "over"]);
  expect(turns(10, null)).toEqual(["later", "now", "now", "now"]);
  expect(turns(null, null)).toEqual(["now", "now", "now", "now"]);
});

test("a class begins with the first lesson of its plan that is open", () => {
  const plan = [
    { lesson: "over", from: null, until: 5 },
    { lesson: "later", from: 20, until: null },
    { lesson: "first", from: 5, until: null },
    { lesson: "second", from: null, until: null },
  ];
  expect(firstOpen(plan, 10)).toBe("first");
  expect(firstOpen([], 10)).toBeUndefined();
});
