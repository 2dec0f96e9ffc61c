// Fetches questions of lessons: the list of lessons, and a part's questions when one of them is asked.

import type { ReviewedLesson } from "../../course/review/cards.ts";
import type { PartQuestions } from "../../course/review/questions.ts";

/** @param pages where the language's pages are: "/fr/". */
export function fetchReviewedLessons(pages: string): Promise<readonly ReviewedLesson[]> {
  return fetchJson(`${pages}questions/lessons.json`);
}

const parts = new Map<string, Promise<PartQuestions>>();

export function fetchQuestions(pages: string, part: string): Promise<PartQuestions> {
  const address = `${pages}questions/${part}.json`;
  const known = parts.get(address);
  if (known !== undefined) return known;
  const coming = fetchJson<PartQuestions>(address);
  coming.catch(() => parts.delete(address));
  parts.set(address, coming);
  return coming;
}

async function fetchJson<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}
