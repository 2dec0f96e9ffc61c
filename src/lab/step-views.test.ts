import { expect, it } from "vitest";
import type { UnmetCheck } from "./lab-run.ts";
import { bundle } from "./session.test-kit.ts";
import { stepViewsOf } from "./step-views.ts";

const viewOf = (unmet: readonly UnmetCheck[], isExamOn = false) => {
  const state = { id: "a", passed: false, met: [], undone: [], openedMs: 0, passedMs: undefined, fault: undefined, unmet };
  const [view] = stepViewsOf({ bundle, states: [state], hints: new Map(), solutions: new Set(), isExamOn });
  return [view?.missing.map(({ text }) => text), view?.lastsMs];
};
const check = { check: "there", values: { count: "3" }, unknown: false };

it("what holds and only has to go on is not said to be missing: how long it has to is told once nothing else is missing", () => {
  const lasting = { ...check, lastsMs: 5000 };
  const missing = { ...check, lastsMs: undefined };
  expect(viewOf([missing])).toEqual([["3 sur 4"], undefined]);
  expect(viewOf([lasting, missing])).toEqual([["3 sur 4"], undefined]);
  expect(viewOf([lasting, { ...lasting, lastsMs: 20_000 }])).toEqual([[], 20_000]);
  expect(viewOf([lasting], true)).toEqual([[], undefined]);
});
