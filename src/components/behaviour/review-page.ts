// The page of review: asks what is due, one question after the other, and shows how fresh each finished lesson still is.

import { progressChanged, readProgress, rememberAnswer } from "../../course/progress.ts";
import { type Card, cardsOf, dueCards, freshnessOf } from "../../course/review/cards.ts";
import { dayOf, dueDay } from "../../course/review/spacing.ts";
import { find, findAll } from "./dom.ts";
import { fetchQuestions } from "./questions-data.ts";
import { listenToQuiz, questionForm } from "./quiz-form.ts";
import { dueWords } from "./review-words.ts";
import { reviewedLessons } from "./reviewed-lessons.ts";

const page = find("[data-review-page]", HTMLElement);
const words = (name: string): string => page?.dataset[name] ?? "";
const today = dayOf(new Date());
const items = page ? findAll("[data-lesson]", HTMLElement, page) : [];
const lessons = reviewedLessons(items);
const cards = (): readonly Card[] => cardsOf(lessons, readProgress());

/** What is asked in this round; a question that was missed comes once more at its end. */
const round: Card[] = [...dueCards(cards(), today)];
const missed = new Set<string>();

async function askNext(takeFocus: boolean): Promise<void> {
  const place = page && find("[data-review-question]", HTMLElement, page);
  const pages = find("[data-pages]", HTMLElement)?.dataset["pages"] ?? "";
  const [card] = round;
  if (!place) return;
  if (card === undefined) {
    place.replaceChildren();
    if (takeFocus) find("[data-review-summary]", HTMLElement)?.focus();
    return;
  }
  try {
    const text = (await fetchQuestions(pages, card.lesson.part))[card.lesson.slug]?.[card.question];
    const form = text && questionForm(card, text, pages, today + card.question);
    if (form === undefined) throw new Error(`no question ${card.lesson.slug}/${card.question}`);
    listenToQuiz(form, (right) => count(form, card, right));
    find("[data-review-next]", HTMLButtonElement, form)?.addEventListener("click", () => void askNext(true));
    place.replaceChildren(form);
    if (takeFocus) find("input", HTMLInputElement, form)?.focus();
  } catch (error) {
    console.error(error);
    place.textContent = words("failed");
  }
}

/** The first answer counts; what was missed is asked again, without counting, until it is known. */
function count(form: HTMLFormElement, card: Card, right: boolean): void {
  const next = find("[data-review-next]", HTMLButtonElement, form);
  if (next === undefined || !next.hidden) return;
  next.hidden = false;
  const id = `${card.lesson.slug}/${card.question}`;
  round.shift();
  if (!right) {
    round.push(card);
    const again = document.createElement("span");
    again.className = "quiz-again";
    again.textContent = words("again");
    find(".quiz-said", HTMLElement, form)?.append(again);
  }
  if (missed.has(id)) show();
  else {
    if (!right) missed.add(id);
    rememberAnswer(card.lesson.slug, card.question, right, today);
  }
}

function show(): void {
  if (page === undefined) return;
  const all = cards();
  const total = freshnessOf(all, today);
  const summary = find("[data-review-summary]", HTMLElement, page);
  if (summary) summary.textContent = summaryOf(all);
  const scores = find("[data-review-scores]", HTMLElement, page);
  if (scores) scores.hidden = total === undefined;
  const sum = find("[data-review-total]", HTMLElement, page);
  if (sum && total !== undefined) sum.textContent = words("total").replace("PERCENT", percent(total));
  for (const item of items)
    showLesson(
      item,
      all.filter(({ lesson }) => lesson.slug === item.dataset["lesson"]),
    );
  const list = find("[data-review-list]", HTMLElement, page);
  const weakestFirst = items
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => Number(a.dataset["fresh"]) - Number(b.dataset["fresh"]));
  list?.append(...weakestFirst);
}

function summaryOf(all: readonly Card[]): string {
  if (all.length === 0) return words("empty");
  if (round.length > 0) return round.length === 1 ? words("dueOne") : words("dueMany").replace("NUMBER", String(round.length));
  const next = Math.min(...all.map(({ recall }) => dueDay(recall)));
  return words("nothingDue").replace("WHEN", dueWords(next - today, words));
}

function showLesson(item: HTMLElement, own: readonly Card[]): void {
  const fresh = freshnessOf(own, today);
  item.hidden = fresh === undefined;
  if (fresh === undefined) return;
  item.dataset["fresh"] = String(fresh);
  item.style.setProperty("--fresh", String(fresh));
  const score = find("[data-score]", HTMLElement, item);
  if (score) score.textContent = words("percent").replace("PERCENT", percent(fresh));
  const when = find("[data-when]", HTMLElement, item);
  const next = Math.min(...own.map(({ recall }) => dueDay(recall)));
  if (when) when.textContent = words("comesBack").replace("WHEN", dueWords(next - today, words));
}

function percent(share: number): string {
  return String(Math.round(share * 100));
}

document.addEventListener(progressChanged, show);
show();
void askNext(false);
