// Questions of finished lessons as cards of a box: which are due, how fresh a lesson is, which one opens a new lesson's quiz.

import type { LessonProgress, Progress } from "../progress.ts";
import { dueDay, freshness, isDue, type Recall } from "./spacing.ts";

/** A written lesson, in the course's order. */
export interface ReviewedLesson {
  readonly slug: string;
  readonly part: string;
  /** In the page's language. */
  readonly title: string;
  /** How many questions it has. */
  readonly questions: number;
}

export interface Card {
  readonly lesson: ReviewedLesson;
  /** From 0, in the lesson's order. */
  readonly question: number;
  readonly recall: Recall;
}

/** All questions of finished lessons. What was finished before days were kept is due at once. */
export function cardsOf(lessons: readonly ReviewedLesson[], progress: Progress): readonly Card[] {
  return lessons.flatMap((lesson) => {
    const kept = progress.lessons[lesson.slug];
    return kept?.done === true ? cardsOfLesson(lesson, kept) : [];
  });
}

/** What is due, the longest overdue first. */
export function dueCards(cards: readonly Card[], today: number): readonly Card[] {
  return cards.filter(({ recall }) => isDue(recall, today)).sort((a, b) => dueDay(a.recall) - dueDay(b.recall));
}

/** Mean freshness of cards, from 0 to 1; undefined when there are none. */
export function freshnessOf(cards: readonly Card[], today: number): number | undefined {
  if (cards.length === 0) return undefined;
  return cards.reduce((sum, { recall }) => sum + freshness(recall, today), 0) / cards.length;
}

/** The question that opens a lesson's quiz: of a finished lesson of an earlier part, else of a lesson of the part before that is begun; what
 * is due first. The same all day long, and another one in another lesson. */
export function drawLookBack(
  slug: string,
  lessons: readonly ReviewedLesson[],
  progress: Progress,
  today: number,
): Card | undefined {
  const order = [...new Set(lessons.map(({ part }) => part))];
  const own = lessons.find((lesson) => lesson.slug === slug);
  if (own === undefined) return undefined;
  const earlier = lessons.filter(({ part }) => order.indexOf(part) < order.indexOf(own.part));
  const finished = cardsOf(earlier, progress);
  const due = dueCards(finished, today);
  if (finished.length > 0) return draw(due.length > 0 ? due : finished, `${today}/${slug}`);
  const before = order[order.indexOf(own.part) - 1];
  const begun = earlier.filter((lesson) => lesson.part === before && isBegun(progress.lessons[lesson.slug]));
  return draw(
    begun.flatMap((lesson) => cardsOfLesson(lesson, progress.lessons[lesson.slug])),
    `${today}/${slug}`,
  );
}

function cardsOfLesson(lesson: ReviewedLesson, kept: LessonProgress | undefined): readonly Card[] {
  return Array.from({ length: lesson.questions }, (_, question) => ({
    lesson,
    question,
    recall: kept?.recalls[question] ?? { box: 0, day: kept?.doneDay ?? 0 },
  }));
}

/** Something in it was answered or done: it was read, not only looked at. */
function isBegun(kept: LessonProgress | undefined): boolean {
  return kept !== undefined && kept.steps.length + kept.questions.length > 0;
}

function draw(cards: readonly Card[], seed: string): Card | undefined {
  return cards[hash(seed) % Math.max(1, cards.length)];
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}
