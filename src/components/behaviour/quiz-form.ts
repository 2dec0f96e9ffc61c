// The form of one question, on the page from the beginning or filled in later: says of a chosen answer whether it is right, and why.

import type { Card } from "../../course/review/cards.ts";
import type { QuestionText } from "../../course/review/questions.ts";
import { find, findAll } from "./dom.ts";

/** @param answered is told of every answer that is checked. */
export function listenToQuiz(form: HTMLFormElement, answered: (right: boolean) => void): void {
  const said = find(".quiz-said", HTMLElement, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (said === undefined) return;
    const right = check(form, said);
    if (right !== undefined) answered(right);
  });
  form.addEventListener("change", () => clear(form, said));
}

/** @returns undefined when no answer is chosen. */
function check(form: HTMLFormElement, said: HTMLElement): boolean | undefined {
  const chosen = find("input:checked", HTMLInputElement, form);
  clear(form, said);
  if (chosen === undefined) {
    said.textContent = said.dataset["choose"] ?? "";
    return undefined;
  }
  const right = chosen.dataset["answer"] === "right";
  const answer = chosen.closest("label");
  const verdict = document.createElement("strong");
  verdict.textContent = (right ? said.dataset["right"] : said.dataset["wrong"]) ?? "";
  const why = answer?.querySelector("template");
  said.append(verdict, " ", ...(why ? [why.content.cloneNode(true)] : []));
  said.dataset["verdict"] = right ? "right" : "wrong";
  if (answer) answer.dataset["verdict"] = right ? "right" : "wrong";
  return right;
}

function clear(form: HTMLFormElement, said: HTMLElement | undefined): void {
  if (said) {
    said.textContent = "";
    delete said.dataset["verdict"];
  }
  for (const answer of findAll("label", HTMLElement, form)) delete answer.dataset["verdict"];
}

/** A question of another page, in the form that the page keeps for it (QuestionForm.astro).
 * @param turn by how many places the answers are turned, so that no place is learnt instead of the answer. */
export function questionForm(card: Card, text: QuestionText, pages: string, turn: number): HTMLFormElement | undefined {
  const template = find("[data-question-form]", HTMLTemplateElement);
  const form = template?.content.firstElementChild?.cloneNode(true);
  if (!(form instanceof HTMLFormElement)) return undefined;
  const id = `question-${card.lesson.slug}-${card.question}`;
  const group = find("[role=radiogroup]", HTMLElement, form);
  const question = find("[data-question]", HTMLElement, form);
  const lesson = find("[data-question-lesson]", HTMLAnchorElement, form);
  if (group === undefined || question === undefined || lesson === undefined) return undefined;
  lesson.textContent = card.lesson.title;
  lesson.href = `${pages}${card.lesson.part}/${card.lesson.slug}/`;
  question.id = id;
  question.innerHTML = text.question;
  group.setAttribute("aria-labelledby", id);
  const { answers } = text;
  for (let at = 0; at < answers.length; at += 1) {
    const answer = answers[(at + turn) % answers.length];
    if (answer) group.append(answerLabel(id, answer));
  }
  return form;
}

function answerLabel(name: string, { text, right, why }: QuestionText["answers"][number]): HTMLLabelElement {
  const label = document.createElement("label");
  label.className = "quiz-answer";
  const input = document.createElement("input");
  input.type = "radio";
  input.name = name;
  input.dataset["answer"] = right ? "right" : "wrong";
  const words = document.createElement("span");
  words.className = "quiz-answer-text";
  words.innerHTML = text;
  const reason = document.createElement("template");
  reason.innerHTML = why;
  label.append(input, words, reason);
  return label;
}
