// Shows kept progress on rail and chart: a mark per lesson, a count per part, the button that continues.

import { readProgress } from "../../course/progress.ts";
import { find, findAll } from "./dom.ts";

export function markProgress(): void {
  const progress = readProgress();
  for (const item of findAll("[data-lesson]", HTMLElement)) {
    const kept = progress.lessons[item.dataset["lesson"] ?? ""];
    const isStarted = kept !== undefined && kept.steps.length + kept.questions.length > 0;
    let state = isStarted ? "started" : "open";
    if (kept?.done) state = "done";
    item.dataset["state"] = state;
    const words = find("[data-state-words]", HTMLElement, item);
    if (words) words.textContent = words.dataset[state] ?? "";
  }
  for (const part of findAll("[data-part]", HTMLElement)) {
    const lessons = findAll("[data-lesson]", HTMLElement, part);
    const done = lessons.filter((lesson) => lesson.dataset["state"] === "done").length;
    part.style.setProperty("--done", String(lessons.length === 0 ? 0 : done / lessons.length));
  }
  const resume = find("[data-resume]", HTMLAnchorElement);
  const target = resume && progress.last !== undefined ? resume.dataset["pattern"]?.replace("PLACE", progress.last) : undefined;
  if (resume && target !== undefined) {
    resume.href = target;
    resume.hidden = false;
  }
}
