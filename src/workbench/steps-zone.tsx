// The lab's steps: the current one open with its task, what is missing, hints on request, a solution on demand.

import { useEffect, useRef } from "preact/hooks";
import type { StepView } from "#lab/session.ts";
import { breakCodeWell, escapeHtml, keepWhole, withInlineCode } from "../course/inline-code.ts";
import type { Desk } from "./desk.ts";
import { ExamLine } from "./exam.tsx";
import { Icon } from "./icon.tsx";

export function StepsZone({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t } = desk;
  const steps = desk.session.steps.value;
  const done = steps.length > 0 && steps.every((step) => step.status === "passed");
  const place = useRef<HTMLElement>(null);
  const current = steps.find((step) => step.current)?.id;
  useEffect(() => {
    if (place.current !== null) showCurrentStep(place.current);
  }, [current, shown]);
  return (
    <section class="zone steps" ref={place} aria-label={t("workbench.steps.title")} hidden={!shown}>
      <ExamLine desk={desk} />
      {done && <p class="steps-done">{t("workbench.steps.allDone")}</p>}
      <ol>
        {steps.map((step, index) => (
          <Step key={step.id} desk={desk} step={step} number={index + 1} />
        ))}
      </ol>
      <Score desk={desk} />
    </section>
  );
}

/** The step whose turn it is begins at the top, under the exam's clock; with none left, what is said about the end. */
function showCurrentStep(zone: HTMLElement): void {
  const step = zone.querySelector(".step[aria-current]");
  const clock = zone.querySelector<HTMLElement>(".exam-line")?.offsetHeight ?? 0;
  const above = step === null ? 0 : step.getBoundingClientRect().top - zone.getBoundingClientRect().top + zone.scrollTop;
  zone.scrollTop = above - clock;
}

/** From the first pass on; an exam has its result instead. */
function Score({ desk }: { readonly desk: Desk }) {
  const { score, exam, steps } = desk.session;
  if (exam.value !== undefined || !steps.value.some((step) => step.status === "passed")) return null;
  const { points, most } = score.value;
  return <p class="steps-score">{desk.t("workbench.run.score", { points, most })}</p>;
}

function Step({ desk, step, number }: { readonly desk: Desk; readonly step: StepView; readonly number: number }) {
  const { t } = desk;
  const state = step.status === "passed" ? "passed" : step.current ? "current" : "open";
  return (
    <li class="step" data-state={state} aria-current={step.current ? "step" : undefined}>
      {/* A new key when the step's turn comes or goes: it opens and closes by itself, and stays as the reader left it between. */}
      <details key={state} open={step.current}>
        <summary>
          <span class="step-mark" aria-hidden="true">
            {step.status === "passed" ? <Icon name="check" /> : number}
          </span>
          <span class="step-title">{step.title}</span>
          <span class="visually-hidden">{t(`workbench.steps.${state}`)}</span>
        </summary>
        <div class="step-body">
          <div class="step-task" dangerouslySetInnerHTML={{ __html: breakCodeWell(step.taskHtml) }} />
          {step.missing.length > 0 && step.current && <Missing desk={desk} step={step} />}
          <Help desk={desk} step={step} />
        </div>
      </details>
    </li>
  );
}

function Missing({ desk, step }: { readonly desk: Desk; readonly step: StepView }) {
  return (
    <div class="missing">
      <p class="kicker">{desk.t("workbench.steps.missing")}</p>
      <ul>
        {step.missing.map((item) => (
          <li key={item} dangerouslySetInnerHTML={{ __html: withInlineCode(item) }} />
        ))}
      </ul>
    </div>
  );
}

function Help({ desk, step }: { readonly desk: Desk; readonly step: StepView }) {
  const { session, t } = desk;
  const isExamOn = session.examOn.value;
  return (
    <>
      {step.hintsShown.length > 0 && (
        <div class="hints" role="status">
          <p class="kicker">{t("workbench.steps.hints")}</p>
          <ol>
            {step.hintsShown.map((hint) => (
              <li key={hint} dangerouslySetInnerHTML={{ __html: breakCodeWell(hint) }} />
            ))}
          </ol>
        </div>
      )}
      {step.solution !== undefined && (
        <div class="solution">
          <p class="kicker">{t("workbench.steps.solutionTitle")}</p>
          <pre dangerouslySetInnerHTML={{ __html: keepWhole(escapeHtml(step.solution.commands.trimEnd())) }} />
          <div dangerouslySetInnerHTML={{ __html: breakCodeWell(step.solution.explanationHtml) }} />
        </div>
      )}
      {step.status === "open" && (
        <div class="step-tools">
          {step.hintsLeft > 0 && (
            <button class="button small" type="button" onClick={() => session.showHint(step.id)}>
              {t("workbench.steps.hint")} <span class="soft">({t("workbench.steps.hintsLeft", { count: step.hintsLeft })})</span>
              <span class="visually-hidden">, </span>
              <span class="soft cost">{t("workbench.run.cost", { count: step.hintCost })}</span>
            </button>
          )}
          {step.solution === undefined && !isExamOn && (
            <button class="button small quiet" type="button" onClick={() => session.showSolution(step.id)}>
              {t("workbench.steps.solution")}
            </button>
          )}
          {step.current && !isExamOn && (
            <button
              class="button small quiet"
              type="button"
              onClick={() => {
                session.journal.resetStep();
                desk.focusTerminal();
              }}
            >
              {t("workbench.run.resetStep")}
            </button>
          )}
        </div>
      )}
    </>
  );
}
