import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changeLesson, exportProgress, importProgress, lessonProgress, readProgress } from "./progress.ts";

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
    changeLesson("a", () => ({ steps: ["one"], questions: [0], done: false }));
    const exported = exportProgress();
    changeLesson("a", () => ({ steps: ["two"], questions: [], done: true }));
    expect(importProgress(exported)).toBe(true);
    expect(lessonProgress("a")).toEqual({ steps: ["two", "one"], questions: [0], done: true });
  });

  it("stays as it is when a file holds something else", () => {
    changeLesson("a", () => ({ steps: ["one"], questions: [], done: false }));
    const before = readProgress();
    for (const text of ["", "[]", "{}", '{"version":2,"lessons":{}}', '{"version":1}']) expect(importProgress(text)).toBe(false);
    expect(readProgress()).toEqual(before);
  });
});
