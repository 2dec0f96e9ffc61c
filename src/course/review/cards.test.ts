import { describe, expect, it } from "vitest";
import type { LessonProgress, Progress } from "../progress.ts";
import { cardsOf, drawLookBack, dueCards, freshnessOf, type ReviewedLesson } from "./cards.ts";

const lessons: readonly ReviewedLesson[] = [
  { slug: "a1", part: "a", title: "a1", questions: 3 },
  { slug: "a2", part: "a", title: "a2", questions: 2 },
  { slug: "b1", part: "b", title: "b1", questions: 3 },
  { slug: "c1", part: "c", title: "c1", questions: 3 },
  { slug: "c2", part: "c", title: "c2", questions: 3 },
];
const today = 1_000;

function progress(kept: Readonly<Record<string, Partial<LessonProgress>>>): Progress {
  const none: LessonProgress = { steps: [], questions: [], done: false, doneDay: undefined, recalls: {} };
  return {
    version: 1,
    last: undefined,
    lessons: Object.fromEntries(Object.entries(kept).map(([slug, own]) => [slug, { ...none, ...own }])),
  };
}

describe("the cards of review", () => {
  it("are the questions of finished lessons, a day after they were finished", () => {
    const kept = progress({ a1: { done: true, doneDay: today }, a2: { questions: [0] } });
    expect(cardsOf(lessons, kept)).toHaveLength(3);
    expect(dueCards(cardsOf(lessons, kept), today)).toHaveLength(0);
    expect(dueCards(cardsOf(lessons, kept), today + 1)).toHaveLength(3);
  });

  it("are due at once when a lesson was finished before days were kept", () => {
    expect(dueCards(cardsOf(lessons, progress({ a1: { done: true } })), today)).toHaveLength(3);
  });

  it("come back the longest overdue first", () => {
    const recalls = { 0: { box: 1, day: today - 3 }, 1: { box: 0, day: today - 9 }, 2: { box: 4, day: today - 9 } };
    const due = dueCards(cardsOf(lessons, progress({ a1: { done: true, recalls } })), today);
    expect(due.map(({ question }) => question)).toEqual([1, 0]);
  });

  it("fade together: the score of a lesson is the mean of its questions", () => {
    const recalls = { 0: { box: 0, day: today }, 1: { box: 0, day: today - 1 } };
    expect(freshnessOf(cardsOf(lessons, progress({ a2: { done: true, recalls } })), today)).toBeCloseTo(0.95);
    expect(freshnessOf([], today)).toBeUndefined();
  });
});

describe("the look back that opens a lesson's quiz", () => {
  const done = { done: true, doneDay: today - 20 };
  const place = (kept: Progress, slug: string, day = today): string | undefined => {
    const card = drawLookBack(slug, lessons, kept, day);
    return card && `${card.lesson.slug}/${card.question}`;
  };

  it("is of a finished lesson of an earlier part, never of the lesson's own", () => {
    const kept = progress({ a1: done, c1: done });
    for (let day = today; day < today + 60; day += 1) expect(place(kept, "c2", day)).toMatch(/^a1/);
    expect(place(progress({ a1: done }), "a2")).toBeUndefined();
  });

  it("is the same all day, and not always the same", () => {
    const kept = progress({ a1: done, a2: done, b1: done });
    expect(place(kept, "c1")).toBe(place(kept, "c1"));
    expect(new Set(Array.from({ length: 40 }, (_, day) => place(kept, "c1", today + day))).size).toBeGreaterThan(4);
  });

  it("prefers what is due", () => {
    const fresh = { box: 4, day: today };
    const kept = progress({ a1: { ...done, recalls: { 0: fresh, 2: fresh } }, a2: { ...done, recalls: { 0: fresh, 1: fresh } } });
    for (const slug of ["b1", "c1", "c2"]) expect(place(kept, slug)).toBe("a1/1");
  });

  it("is of a lesson of the part before that is begun when none is finished, else nothing", () => {
    expect(place(progress({ b1: { questions: [1] } }), "c1")).toMatch(/^b1/);
    expect(place(progress({ a1: { questions: [1] } }), "c1")).toBeUndefined();
    expect(place(progress({ b1: {} }), "c1")).toBeUndefined();
    expect(place(progress({}), "c1")).toBeUndefined();
  });
});
