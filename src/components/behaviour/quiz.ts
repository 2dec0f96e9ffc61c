// Questions of a lesson: check the chosen answer, say why, remember the right ones. Wrong answers may be tried again.

import { changeLesson } from "../../course/progress.ts";
import { find, findAll } from "./dom.ts";

const lesson = find("[data-lesson-page]", HTMLElement)?.dataset["lessonPage"] ?? "";

for (const [number, form] of findAll("[data-quiz]", HTMLFormElement).entries()) {
  const said = find(".quiz-said", HTMLElement, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (said) check(form, said, number);
  });
  form.addEventListener("change", () => clear(form, said));
}

function check(form: HTMLFormElement, said: HTMLElement, number: number): void {
  const chosen = find("input:checked", HTMLInputElement, form);
  clear(form, said);
  if (chosen === undefined) {
    said.textContent = said.dataset["choose"] ?? "";
    return;
  }
  const right = chosen.dataset["answer"] === "right";
  const answer = chosen.closest("label");
  const verdict = document.createElement("strong");
  verdict.textContent = (right ? said.dataset["right"] : said.dataset["wrong"]) ?? "";
  const why = answer?.querySelector("template");
  said.append(verdict, " ", ...(why ? [why.content.cloneNode(true)] : []));
  said.dataset["verdict"] = right ? "right" : "wrong";
  if (answer) answer.dataset["verdict"] = right ? "right" : "wrong";
  if (right) changeLesson(lesson, (before) => ({ ...before, questions: [...new Set([...before.questions, number])] }));
}

function clear(form: HTMLFormElement, said: HTMLElement | undefined): void {
  if (said) {
    said.textContent = "";
    delete said.dataset["verdict"];
  }
  for (const answer of findAll("label", HTMLElement, form)) delete answer.dataset["verdict"];
}
