// The lessons that a page lists, as review knows them.

import type { ReviewedLesson } from "../../course/review/cards.ts";

/** @param items elements with a lesson's slug, part, title and number of questions. */
export function reviewedLessons(items: readonly HTMLElement[]): readonly ReviewedLesson[] {
  return items.map(({ dataset }) => ({
    slug: dataset["lesson"] ?? "",
    part: dataset["inPart"] ?? "",
    title: dataset["title"] ?? "",
    questions: Number(dataset["questionCount"] ?? 0),
  }));
}
