import { describe, expect, it } from "vitest";
import { examView, isSavedExam } from "./exam.ts";

describe("an exam that an earlier visit left", () => {
  it("gives its percent also when it was kept without points: then all steps count the same", () => {
    const saved: unknown = JSON.parse('{"startedMs":1000,"minutes":20,"pass":66,"passedSteps":3}');
    if (!isSavedExam(saved)) throw new Error("not taken for an exam");
    expect(examView(saved, { steps: 4, points: 34 })).toEqual({
      minutes: 20,
      pass: 66,
      endsMs: 1000 + 20 * 60_000,
      result: { passedSteps: 3, steps: 4, points: 25.5, most: 34, percent: 75, good: true },
    });
    expect(examView({ ...saved, points: 20 }, { steps: 4, points: 34 }).result).toMatchObject({ percent: 59, good: false });
  });

  it("has no result before it is over", () => {
    expect(examView({ startedMs: 0, minutes: 20, pass: 66 }, { steps: 4, points: 40 }).result).toBeUndefined();
  });
});
