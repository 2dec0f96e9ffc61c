// What a lesson page does beyond the frame: blocks, questions, lab, the mark "completed".

import { lessonProgress, markDone, progressChanged, rememberLast } from "../../course/progress.ts";
import { dayOf } from "../../course/review/spacing.ts";
import "./blocks.ts";
import { find, onClick } from "./dom.ts";
import "./figures.ts";
import "./lab-panel.ts";
import "./quiz.ts";
import "./terms.ts";
import "./track.ts";

const main = find("[data-lesson-page]", HTMLElement);
const lesson = main?.dataset["lessonPage"] ?? "";
const button = find("[data-mark-done]", HTMLButtonElement);

function showDone(): void {
  const { done } = lessonProgress(lesson);
  const label = button?.querySelector("span");
  button?.setAttribute("aria-pressed", String(done));
  if (button && label) label.textContent = (done ? button.dataset["on"] : button.dataset["off"]) ?? "";
}

onClick("[data-mark-done]", () => markDone(lesson, !lessonProgress(lesson).done, dayOf(new Date())));
document.addEventListener(progressChanged, showDone);
rememberLast(main?.dataset["place"] ?? "");
showDone();
