import { describe, expect, it } from "vitest";
import type { SavedLab } from "#lab/protocol.ts";
import type { OwnExam } from "../../wire.ts";
import { freshRun, runToGoOn } from "./exam-run.ts";

const exam: OwnExam = {
  id: "e1",
  title: "Décembre",
  labs: ["pods"],
  opensAt: 0,
  closesAt: 9_000_000,
  minutes: 60,
  at: 5_000_700,
  sitting: { begunAt: 5_000_700, endsAt: 8_600_700, seeds: { pods: 77 } },
  results: [],
};
const fresh = freshRun(exam, "pods") as SavedLab;
const typed = (...texts: readonly string[]): SavedLab => ({
  ...fresh,
  entries: texts.map((text, index) => ({
    timeMs: fresh.startMs + index,
    input: { kind: "terminal-input", terminal: "1", text },
  })),
});
/** After that only a terminal opened by itself. */
const idle = (...texts: readonly string[]): SavedLab => {
  const opened = { timeMs: fresh.startMs + 9, input: { kind: "terminal-open", terminal: "2", columns: 80, rows: 24 } } as const;
  return { ...fresh, entries: [...typed(...texts).entries, opened] };
};

describe("a learner's run of an exam's lab", () => {
  it("begins alike in every browser: from the drawn seed, when the learner began", () => {
    expect(fresh).toEqual({
      format: 1,
      seed: 77,
      startMs: 5_000_000,
      nowMs: 5_000_000,
      entries: [],
      hints: {},
      solutions: [],
    });
    expect(freshRun(exam, "labels")).toBeUndefined();
    expect(freshRun({ ...exam, sitting: null }, "pods")).toBeUndefined();
  });

  it.each<[string, SavedLab | undefined, SavedLab | undefined, boolean, SavedLab]>([
    ["begins where there is none", undefined, undefined, false, fresh],
    ["goes on in this browser where the server has none", typed("a"), undefined, true, typed("a")],
    ["goes on in another browser as the server has it", undefined, typed("a"), false, typed("a")],
    ["goes on with what was typed without a connection", typed("a", "b", "c"), typed("a"), false, typed("a", "b", "c")],
    ["goes on with what was done elsewhere meanwhile", typed("a"), typed("a", "b"), true, typed("a", "b")],
    ["keeps what was never sent, where both went their own ways", typed("a", "x"), typed("a", "b", "c"), true, typed("a", "x")],
    ["is the server's, where both went their own ways and all was sent", typed("a", "x"), typed("a", "b"), false, typed("a", "b")],
    ["is what was done here, where the other browser only opened a terminal", typed("a", "b"), idle("a"), true, typed("a", "b")],
    ["is what was done elsewhere, where this browser only opened a terminal", idle("a"), typed("a", "b"), true, typed("a", "b")],
    ["is no run from another seed", { ...typed("a"), seed: 8 }, undefined, false, fresh],
    ["is no run from another start", undefined, { ...typed("a"), startMs: 5_000_001 }, false, fresh],
  ])("%s", (_title, own, held, isUnsent, goesOn) => {
    expect(runToGoOn({ fresh, own, held, isUnsent })).toEqual(goesOn);
  });
});
