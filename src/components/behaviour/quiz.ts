// Questions of a lesson: right answers are remembered, wrong ones may be tried again. A question of an earlier part comes before them.

import { changeLesson, readProgress } from "../../course/progress.ts";
import { find, findAll } from "./dom.ts";
import { listenToQuiz } from "./quiz-form.ts";

const lesson = find("[data-lesson-page]", HTMLElement)?.dataset["lessonPage"] ?? "";
const forms = findAll("[data-quiz]", HTMLFormElement);

/** The look back is ready before the reader comes to the questions. */
const aheadPx = 1_500;

for (const [number, form] of forms.entries())
  listenToQuiz(form, (right) => {
    if (right) changeLesson(lesson, (before) => ({ ...before, questions: [...new Set([...before.questions, number])] }));
  });

const [first] = forms;
if (first && mayLookBack()) {
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      import("./look-back.ts").then(({ openWithLookBack }) => openWithLookBack(first, lesson)).catch(console.error);
    },
    { rootMargin: `${aheadPx}px` },
  );
  near.observe(first);
}

/** Nothing is loaded for those who begin, nor in a lesson that is finished. */
function mayLookBack(): boolean {
  const { lessons } = readProgress();
  return (
    !lessons[lesson]?.done &&
    Object.entries(lessons).some(([slug, kept]) => slug !== lesson && (kept.done || kept.questions.length + kept.steps.length > 0))
  );
}
