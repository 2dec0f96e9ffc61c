import { describe, expect, it } from "vitest";
import { examOf, freshDraft, standOf, troubleIn } from "./exam-edits.ts";

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 8, 1, 8, 20);
const draft = { ...freshDraft(nowMs), title: " Décembre ", labs: ["labels"] };

describe("a new exam", () => {
  it("is at first from the next full hour on, for two hours", () => {
    expect(freshDraft(nowMs)).toMatchObject({ opensAt: Date.UTC(2026, 8, 1, 9), closesAt: Date.UTC(2026, 8, 1, 11), labs: [] });
    expect(troubleIn(draft, nowMs)).toBeUndefined();
    expect(examOf(draft)).toEqual({
      title: "Décembre",
      labs: ["labels"],
      opensAt: draft.opensAt,
      closesAt: draft.closesAt,
      minutes: 60,
    });
  });

  it.each([
    ["labsNone", { labs: [] }],
    ["timesMissing", { opensAt: null }],
    ["timesMissing", { closesAt: null }],
    ["wrong", { closesAt: nowMs + hourMs, opensAt: nowMs + hourMs }],
    ["past", { opensAt: nowMs - 2 * hourMs, closesAt: nowMs }],
  ])("says %s of %j", (trouble, over) => {
    expect(troubleIn({ ...draft, ...over }, nowMs)).toBe(trouble);
  });

  it("waits for a number of minutes", () => {
    expect(examOf({ ...draft, minutes: Number.NaN })).toBeUndefined();
    expect(examOf({ ...draft, minutes: 1.5 })).toBeUndefined();
  });
});

it("an exam is open from its beginning until its end", () => {
  const exam = { opensAt: nowMs, closesAt: nowMs + hourMs };
  expect([nowMs - 1, nowMs, nowMs + hourMs - 1, nowMs + hourMs].map((at) => standOf(exam, at))).toEqual([
    "before",
    "open",
    "open",
    "over",
  ]);
});
