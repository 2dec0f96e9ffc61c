import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  changeLesson,
  exportProgress,
  importProgress,
  lessonProgress,
  markDone,
  readProgress,
  rememberAnswer,
} from "./progress.ts";

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
});
