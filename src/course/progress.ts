// How far the reader has come, per lesson and step; kept in this browser only, exported and forgotten on request.

import { readStored, writeStored } from "./storage.ts";

export interface LessonProgress {
  /** Ids of the lab's steps that were passed. */
  readonly steps: readonly string[];
  /** Numbers of the questions answered rightly, from 0 in the lesson's order. */
  readonly questions: readonly number[];
  readonly done: boolean;
}

export interface Progress {
  readonly version: 1;
  readonly lessons: Readonly<Record<string, LessonProgress>>;
  /** "<part>/<lesson>" read last, for "continue". */
  readonly last: string | undefined;
}

const none: LessonProgress = { steps: [], questions: [], done: false };

/** Name of the event that `document` fires after a change. */
export const progressChanged = "pilothouse:progress";

export function readProgress(): Progress {
  const stored = readStored("progress");
  if (!isRecord(stored)) return { version: 1, lessons: {}, last: undefined };
  const lessons = isRecord(stored["lessons"]) ? stored["lessons"] : {};
  return {
    version: 1,
    lessons: Object.fromEntries(Object.entries(lessons).map(([slug, value]) => [slug, toLessonProgress(value)])),
    last: typeof stored["last"] === "string" ? stored["last"] : undefined,
  };
}

export function lessonProgress(lesson: string): LessonProgress {
  return readProgress().lessons[lesson] ?? none;
}

export function changeLesson(lesson: string, change: (before: LessonProgress) => LessonProgress): void {
  const progress = readProgress();
  save({ ...progress, lessons: { ...progress.lessons, [lesson]: change(progress.lessons[lesson] ?? none) } });
}

export function rememberLast(partAndLesson: string): void {
  const progress = readProgress();
  if (progress.last !== partAndLesson) save({ ...progress, last: partAndLesson });
}

/** The progress as a text to take away. */
export function exportProgress(): string {
  return JSON.stringify(readProgress(), undefined, 2);
}

function save(progress: Progress): void {
  writeStored("progress", progress);
  document.dispatchEvent(new CustomEvent(progressChanged));
}

function toLessonProgress(value: unknown): LessonProgress {
  if (!isRecord(value)) return none;
  const { steps, questions, done } = value;
  return {
    steps: Array.isArray(steps) ? steps.filter((step) => typeof step === "string") : [],
    questions: Array.isArray(questions) ? questions.filter((question) => typeof question === "number") : [],
    done: done === true,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
