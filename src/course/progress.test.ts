import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { importProgress, shareProgress } from "./joined-progress.ts";
import { changeLesson, exportProgress, lessonProgress, markDone, readProgress, rememberAnswer } from "./progress.ts";

describe("progress", () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    });
    vi.stubGlobal("document", { dispatchEvent: () => true });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is exported and taken up elsewhere; what was passed in either place counts", () => {
    changeLesson("a", (before) => ({ ...before, steps: ["one"], questions: [0] }));
    const exported = exportProgress();
    changeLesson("a", () => ({ steps: ["two"], questions: [], done: true, doneDay: 7, recalls: {} }));
    expect(importProgress(exported)).toBe(true);
    expect(lessonProgress("a")).toEqual({
      steps: ["two", "one"],
      questions: [0],
      done: true,
      doneDay: 7,
      recalls: {},
    });
  });

  it("carries what review remembers: of a question answered in both places the later answer counts", () => {
    markDone("a", true, 100);
    rememberAnswer("a", 0, true, 101);
    rememberAnswer("a", 1, true, 101);
    const exported = exportProgress();
    rememberAnswer("a", 1, false, 105);
    expect(importProgress(exported)).toBe(true);
    expect(lessonProgress("a").recalls).toEqual({ 0: { box: 1, day: 101 }, 1: { box: 0, day: 105 } });
    localStorage.setItem("pilothouse.progress", "{}");
    expect(importProgress(exported)).toBe(true);
    expect(lessonProgress("a")).toMatchObject({ doneDay: 100, recalls: { 0: { box: 1, day: 101 }, 1: { box: 1, day: 101 } } });
  });

  it("stays as it is when a file holds something else", () => {
    changeLesson("a", (before) => ({ ...before, steps: ["one"] }));
    const before = readProgress();
    for (const text of ["", "[]", "{}", '{"version":2,"lessons":{}}', '{"version":1}']) expect(importProgress(text)).toBe(false);
    expect(readProgress()).toEqual(before);
  });

  it("is shared with another place: all that either passed, and of a finished lesson the word of who changed it since", () => {
    changeLesson("a", (before) => ({ ...before, steps: ["one"] }));
    markDone("b", true, 100);
    markDone("c", false, 100);
    const given = { steps: ["two"], questions: [], recalls: {} };
    const [done, open] = [
      { ...given, done: true, doneDay: 99 },
      { ...given, done: false, doneDay: undefined },
    ];
    // Nothing was agreed on: finished in either place is finished.
    shareProgress({ lessons: { a: done, b: open }, last: "p/a" }, {});
    expect(lessonProgress("a")).toMatchObject({ steps: ["one", "two"], done: true, doneDay: 99 });
    expect(lessonProgress("b")).toMatchObject({ done: true, doneDay: 100 });
    expect(readProgress().last).toBe("p/a");
    // Both had it finished, and there it was taken back; here `c` was taken back, which there is still finished.
    shareProgress({ lessons: { b: open, c: done }, last: undefined }, { b: true, c: true });
    expect(lessonProgress("b")).toMatchObject({ done: false, doneDay: undefined });
    expect(lessonProgress("c").done).toBe(false);
    expect(readProgress().last).toBe("p/a");
  });

  it("takes a wrong answer over a right one of the same day", () => {
    markDone("a", true, 100);
    rememberAnswer("a", 0, true, 101);
    const lessons = { a: { ...lessonProgress("a"), recalls: { 0: { box: 0, day: 101 } } } };
    shareProgress({ lessons, last: undefined }, {});
    expect(lessonProgress("a").recalls).toEqual({ 0: { box: 0, day: 101 } });
  });
});
