// When a question comes back: Leitner's boxes. A right answer moves it to the next box, a wrong one back to the first; each box waits longer.

/** Days that a question rests in each box. */
export const restDays = [1, 3, 7, 16, 35] as const;

/** What is remembered of one question. */
export interface Recall {
  /** From 0: which of `restDays` it rests. */
  readonly box: number;
  /** Day of the last answer, or the day its lesson was finished. */
  readonly day: number;
}

const dayMs = 86_400_000;

/** Days since 1 January 1970 on the reader's calendar. */
export function dayOf(date: Date): number {
  return Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / dayMs);
}

export function dueDay({ box, day }: Recall): number {
  return day + restOf(box);
}

export function isDue(recall: Recall, today: number): boolean {
  return dueDay(recall) <= today;
}

/** A right answer before its day proves nothing new and changes nothing. */
export function answered(recall: Recall, right: boolean, today: number): Recall {
  if (!right) return { box: 0, day: today };
  return isDue(recall, today) ? { box: Math.min(recall.box + 1, restDays.length - 1), day: today } : recall;
}

/** How likely the answer is still known, from 0 to 1: nine in ten on the day it comes back, less with every further rest of that length. */
export function freshness({ box, day }: Recall, today: number): number {
  return 0.9 ** (Math.max(0, today - day) / restOf(box));
}

function restOf(box: number): number {
  return restDays[Math.max(0, Math.min(box, restDays.length - 1))] ?? restDays[0];
}
