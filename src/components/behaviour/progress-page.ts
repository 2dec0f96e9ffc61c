// The page of progress: counts per lesson, the sum, import from another browser.

import { importProgress } from "../../course/joined-progress.ts";
import { progressChanged, readProgress } from "../../course/progress.ts";
import { cardsOf, dueCards } from "../../course/review/cards.ts";
import { dayOf } from "../../course/review/spacing.ts";
import { find, findAll } from "./dom.ts";
import { reviewedLessons } from "./reviewed-lessons.ts";

const page = find("[data-progress-page]", HTMLElement);

function show(): void {
  if (page === undefined) return;
  const { lessons } = readProgress();
  const items = findAll("[data-lesson]", HTMLElement, page);
  for (const item of items) {
    const kept = lessons[item.dataset["lesson"] ?? ""];
    const counts = find("[data-counts]", HTMLElement, item);
    if (counts)
      counts.textContent = [
        fraction(page.dataset["steps"], kept?.steps.length, item.dataset["stepCount"]),
        fraction(page.dataset["questions"], kept?.questions.length, item.dataset["questionCount"]),
      ]
        .filter((text) => text !== "")
        .join(" · ");
  }
  showDue(page, items);
  const done = items.filter((item) => lessons[item.dataset["lesson"] ?? ""]?.done).length;
  const summary = find("[data-progress-summary]", HTMLElement, page);
  const begun = Object.keys(lessons).length > 0;
  if (summary) summary.textContent = begun ? filled(page.dataset["summary"], done, items.length) : (page.dataset["nothing"] ?? "");
  const begin = find("[data-begin]", HTMLElement, page);
  if (begin) begin.hidden = readProgress().last !== undefined;
}

/** How many questions wait in review; empty when none does. */
function showDue(on: HTMLElement, items: readonly HTMLElement[]): void {
  const due = dueCards(cardsOf(reviewedLessons(items), readProgress()), dayOf(new Date())).length;
  const said = find("[data-review-due]", HTMLElement, on);
  if (said)
    said.textContent =
      due === 0 ? "" : ((due === 1 ? on.dataset["dueOne"] : on.dataset["dueMany"]) ?? "").replace("NUMBER", String(due));
}

/** "3/6 steps"; empty for a lesson that has none of them. */
function fraction(pattern: string | undefined, done: number | undefined, total: string | undefined): string {
  const count = Number(total ?? 0);
  return count === 0 ? "" : filled(pattern, Math.min(done ?? 0, count), count);
}

function filled(pattern: string | undefined, done: number, total: number): string {
  return (pattern ?? "").replace("DONE", String(done)).replace("TOTAL", String(total));
}

const field = find("[data-import]", HTMLInputElement);
field?.addEventListener("change", () => {
  const said = find("[data-import-said]", HTMLElement);
  void field.files?.[0]?.text().then((text) => {
    const done = importProgress(text);
    if (said) said.textContent = said.dataset[done ? "done" : "failed"] ?? "";
    field.value = "";
  });
});

document.addEventListener(progressChanged, show);
show();
