// One question of an earlier part opens a lesson's quiz.

import { changeLesson, lessonProgress, readProgress, rememberAnswer } from "../../course/progress.ts";
import { type Card, drawLookBack, type ReviewedLesson } from "../../course/review/cards.ts";
import { dayOf } from "../../course/review/spacing.ts";
import { find } from "./dom.ts";
import { fetchQuestions, fetchReviewedLessons } from "./questions-data.ts";
import { listenToQuiz, questionForm } from "./quiz-form.ts";

/** Puts the question before the lesson's first one, where there is one to ask. */
export async function openWithLookBack(first: HTMLFormElement, lesson: string): Promise<void> {
  const pages = find("[data-pages]", HTMLElement)?.dataset["pages"] ?? "";
  const today = dayOf(new Date());
  const card = cardFor(lesson, await fetchReviewedLessons(pages), today);
  if (card === undefined) return;
  const text = (await fetchQuestions(pages, card.lesson.part))[card.lesson.slug]?.[card.question];
  const form = text && questionForm(card, text, pages, today);
  if (form === undefined) return;
  let isFirst = true;
  listenToQuiz(form, (right) => {
    if (isFirst) remember(lesson, card, right, today);
    isFirst = false;
  });
  first.before(form);
}

/** The one that was answered here today, so that the page read again is the same. */
function cardFor(lesson: string, lessons: readonly ReviewedLesson[], today: number): Card | undefined {
  const { lookBack } = lessonProgress(lesson);
  const asked = lookBack?.day === today ? lessons.find(({ slug }) => slug === lookBack.lesson) : undefined;
  if (asked === undefined || lookBack === undefined) return drawLookBack(lesson, lessons, readProgress(), today);
  return { lesson: asked, question: lookBack.question, recall: { box: 0, day: today } };
}

/** The first answer counts, and only once a day. What is not finished yet is asked, but not counted: it has no cards. */
function remember(lesson: string, card: Card, right: boolean, today: number): void {
  const lookBack = { day: today, lesson: card.lesson.slug, question: card.question };
  if (lessonProgress(lesson).lookBack?.day === today) return;
  changeLesson(lesson, (before) => ({ ...before, lookBack }));
  if (lessonProgress(card.lesson.slug).done) rememberAnswer(card.lesson.slug, card.question, right, today);
}
