// How far the reader has come, per lesson and step; kept in this browser only, exported and forgotten on request.

import { answered, type Recall } from "./review/spacing.ts";
import { readStored, writeStored } from "./storage.ts";

export interface LessonProgress {
  /** Ids of the lab's steps that were passed. */
  readonly steps: readonly string[];
  /** Numbers of the questions answered rightly, from 0 in the lesson's order. */
  readonly questions: readonly number[];
  readonly done: boolean;
  /** When it was finished, as days are counted in review/spacing.ts; undefined when that was not kept. */
  readonly doneDay: number | undefined;
  /** What review remembers of its questions, by their numbers. */
  readonly recalls: Readonly<Record<number, Recall>>;
  /** The question that last opened this lesson's quiz, once it was answered. */
  readonly lookBack?: LookBack;
}

/** A question of another lesson, and the day on which it was asked. */
export interface LookBack {
  readonly day: number;
  readonly lesson: string;
  readonly question: number;
}

export interface Progress {
  readonly version: 1;
  readonly lessons: Readonly<Record<string, LessonProgress>>;
  /** "<part>/<lesson>" read last, for "continue". */
  readonly last: string | undefined;
}

export const noProgress: LessonProgress = { steps: [], questions: [], done: false, doneDay: undefined, recalls: {} };

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
  return readProgress().lessons[lesson] ?? noProgress;
}

export function changeLesson(lesson: string, change: (before: LessonProgress) => LessonProgress): void {
  const progress = readProgress();
  saveProgress({ ...progress, lessons: { ...progress.lessons, [lesson]: change(progress.lessons[lesson] ?? noProgress) } });
}

/** The reader says that a lesson is finished, or that it is not. */
export function markDone(lesson: string, done: boolean, today: number): void {
  changeLesson(lesson, (before) => ({ ...before, done, doneDay: done ? today : undefined }));
}

/** What an answer in review, or to a look back, says of a question. */
export function rememberAnswer(lesson: string, question: number, right: boolean, today: number): void {
  changeLesson(lesson, (before) => {
    const recall = before.recalls[question] ?? { box: 0, day: before.doneDay ?? 0 };
    return { ...before, recalls: { ...before.recalls, [question]: answered(recall, right, today) } };
  });
}

export function rememberLast(partAndLesson: string): void {
  const progress = readProgress();
  if (progress.last !== partAndLesson) saveProgress({ ...progress, last: partAndLesson });
}

/** The progress as a text to take away. */
export function exportProgress(): string {
  return JSON.stringify(readProgress(), undefined, 2);
}

/** For whoever joins in progress of another place. */
export function saveProgress(progress: Progress): void {
  writeStored("progress", progress);
  document.dispatchEvent(new CustomEvent(progressChanged));
}

export function toLessonProgress(value: unknown): LessonProgress {
  if (!isRecord(value)) return noProgress;
  const { steps, questions, done, doneDay, recalls, lookBack } = value;
  return {
    steps: Array.isArray(steps) ? steps.filter((step) => typeof step === "string") : [],
    questions: Array.isArray(questions) ? questions.filter((question) => typeof question === "number") : [],
    done: done === true,
    doneDay: typeof doneDay === "number" ? doneDay : undefined,
    recalls: toRecalls(recalls),
    ...(isLookBack(lookBack) ? { lookBack } : {}),
  };
}

function toRecalls(value: unknown): LessonProgress["recalls"] {
  return Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([question, recall]) =>
      isRecord(recall) && typeof recall["box"] === "number" && typeof recall["day"] === "number"
        ? [[question, { box: recall["box"], day: recall["day"] }]]
        : [],
    ),
  );
}

function isLookBack(value: unknown): value is LookBack {
  return (
    isRecord(value) &&
    typeof value["day"] === "number" &&
    typeof value["lesson"] === "string" &&
    typeof value["question"] === "number"
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
