// Which lessons answer a query, and in which order: a title that is what was typed, then lessons that explain the word, then titles,
// headings, summaries and texts that hold it.

import { fold, keyOf, unitsOf } from "./fold.ts";
import type { LessonHead, SearchHeads, WordHead } from "./index-format.ts";
import type { Query, QueryPart } from "./query.ts";

/** A lesson ready to be searched. */
export interface SearchedLesson {
  readonly head: LessonHead;
  readonly titleKey: string;
  readonly title: string;
  readonly summary: string;
  readonly headings: readonly string[];
  /** Folded, as PartTexts has them; empty until they are loaded. */
  readonly texts: readonly string[];
}

export interface Ranked {
  readonly lesson: SearchedLesson;
  readonly score: number;
  /** How many of the query's parts the lesson holds. */
  readonly held: number;
}

/** A title that was typed whole stands before everything, an explained word before all that merely holds it. */
const weights = { wholeTitle: 10_000, explains: 3_000, phraseInTitle: 1_000, allInTitle: 600 } as const;
const phrase = { heading: 150, summary: 80, text: 40 } as const;
const part = { title: 100, explains: 60, heading: 40, summary: 25, text: 5, mostText: 20 } as const;

export function prepareLessons(heads: SearchHeads): readonly SearchedLesson[] {
  return heads.lessons.map((head) => ({
    head,
    titleKey: keyOf(unitsOf(head.title)),
    title: fold(head.title),
    summary: fold(head.summary),
    headings: head.sections.map(([, title]) => fold(title)),
    texts: [],
  }));
}

/** The lessons that hold any part of the query, best first; those that are as good stay in the course's order. */
export function rank(query: Query, lessons: readonly SearchedLesson[]): readonly Ranked[] {
  const counts = lessons.map((lesson, index) => query.parts.map((one) => scorePart(one, lesson, index)));
  const rarity = query.parts.map((_, index) => {
    const holding = counts.filter((scores) => (scores[index] ?? 0) > 0).length;
    return 0.2 + Math.log((lessons.length + 1) / (holding + 1)) / Math.log(lessons.length + 1);
  });
  return lessons
    .map((lesson, index) => {
      const scores = counts[index] ?? [];
      const held = scores.filter((score) => score > 0).length;
      const sum = scores.reduce((total, score, at) => total + score * (rarity[at] ?? 1), 0);
      return { lesson, held, score: held === 0 ? 0 : sum + wholeScore(query, lesson) + explains(query, index) };
    })
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held || b.score - a.score);
}

/** How often a pattern stands in a folded text. */
export function countIn(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

function scorePart({ pattern, words }: QueryPart, { title, headings, summary, texts }: SearchedLesson, index: number): number {
  const times = texts.reduce((sum, text) => sum + countIn(pattern, text), 0);
  return (
    (explainsOneOf(words, index) ? part.explains : 0) +
    (countIn(pattern, title) > 0 ? part.title : 0) +
    (headings.some((heading) => countIn(pattern, heading) > 0) ? part.heading : 0) +
    (countIn(pattern, summary) > 0 ? part.summary : 0) +
    (times === 0 ? 0 : Math.min(part.mostText, part.text * Math.log2(1 + times)))
  );
}

function wholeScore(query: Query, { titleKey, title, headings, summary, texts }: SearchedLesson): number {
  if (titleKey === query.key) return weights.wholeTitle;
  if (countIn(query.phrase, title) > 0) return weights.phraseInTitle + (100 * query.key.length) / titleKey.length;
  if (query.parts.every(({ pattern }) => countIn(pattern, title) > 0)) return weights.allInTitle;
  if (query.parts.length === 1) return 0;
  const holds = (text: string): boolean => countIn(query.phrase, text) > 0;
  if (headings.some(holds)) return phrase.heading;
  if (holds(summary)) return phrase.summary;
  return texts.some(holds) ? phrase.text : 0;
}

/** When a word of the terminology is all that was asked for. */
function explains(query: Query, lesson: number): number {
  const [only, ...others] = query.parts;
  return only !== undefined && others.length === 0 && explainsOneOf(only.words, lesson) ? weights.explains : 0;
}

function explainsOneOf(words: readonly WordHead[], lesson: number): boolean {
  return words.some(({ lessons }) => lessons.includes(lesson));
}
