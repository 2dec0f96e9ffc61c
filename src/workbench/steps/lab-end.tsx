// When the lab is over: that it is, the points, the way to its review and to the next lesson.

import type { Desk } from "../desk.ts";

export function LabEnd({ desk }: { readonly desk: Desk }) {
  const { t, session } = desk;
  if (!session.review.open.value) return null;
  const done = session.steps.value.every((step) => step.status === "passed");
  const { points, most } = session.help.score.value;
  return (
    <div class="lab-end">
      {done && <p class="steps-done">{t(session.capstone.value ? "workbench.capstone.allDone" : "workbench.steps.allDone")}</p>}
      {session.exam.view.value === undefined && <p class="steps-score">{t("workbench.run.score", { points, most })}</p>}
      <div class="lab-end-ways">
        <button
          class="button small primary"
          type="button"
          onClick={() => {
            desk.openPanel("review");
            requestAnimationFrame(desk.focus);
          }}
        >
          {t("workbench.review.open")}
        </button>
        <NextLesson desk={desk} />
      </div>
    </div>
  );
}

export function NextLesson({ desk }: { readonly desk: Desk }) {
  const next = desk.nextLesson;
  if (next === undefined) return null;
  return (
    <a class="next-lesson" href={next.href}>
      <span class="soft">{desk.t("lesson.next")}</span> {next.title}
    </a>
  );
}
