// How a page says when something comes back.

/** @param days from today; what is overdue is due today.
 * @param words the page's own, by name. */
export function dueWords(days: number, words: (name: string) => string): string {
  if (days <= 0) return words("today");
  return days === 1 ? words("tomorrow") : words("inDays").replace("DAYS", String(days));
}
