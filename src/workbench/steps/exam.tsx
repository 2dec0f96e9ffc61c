// An exam on the screen: the question before it, the clock while it runs, the result after it.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ExamView } from "#lab/exam.ts";
import type { Desk } from "../desk.ts";
import { clockText } from "./clock-text.ts";
import { StepCount } from "./step-count.tsx";

const longestMinutes = 600;

/** Asks how long; `done` closes the question. */
export function ExamQuestion({ desk, done }: { readonly desk: Desk; readonly done: () => void }) {
  const { t, session } = desk;
  const rules = session.exam.rules.value;
  const minutes = useSignal(rules?.minutes ?? 1);
  if (rules === undefined) return null;
  return (
    <form
      onKeyDown={(event) => event.key === "Escape" && done()}
      onSubmit={(event) => {
        event.preventDefault();
        done();
        session.exam.start({ ...rules, minutes: minutes.value });
        desk.focusTerminal();
      }}
    >
      <div class="bench-ask" role="alertdialog" aria-label={t("workbench.exam.open")} aria-describedby="exam-ask-text">
        <p id="exam-ask-text">
          {t(session.capstone.value ? "workbench.capstone.ask" : "workbench.exam.ask", { pass: rules.pass })}
        </p>
        <div class="exam-start">
          <label class="exam-minutes">
            {t("workbench.exam.minutes")}{" "}
            <input
              type="number"
              min={1}
              max={longestMinutes}
              required
              value={minutes.value}
              ref={(input) => input?.focus()}
              onInput={(event) => (minutes.value = event.currentTarget.valueAsNumber)}
            />
          </label>
          <button class="button small primary" type="submit">
            {t("workbench.exam.start")}
          </button>
          <button class="button small" type="button" onClick={done}>
            {t("workbench.status.resetNo")}
          </button>
        </div>
      </div>
    </form>
  );
}

/** Above the steps, or above all zones while these are folded; nothing while the lab is no exam. */
export function ExamLine({ desk }: { readonly desk: Desk }) {
  const exam = desk.session.exam.view.value;
  if (exam === undefined) return null;
  return exam.result === undefined ? <ExamClock desk={desk} exam={exam} /> : <ExamOutcome desk={desk} exam={exam} />;
}

function ExamClock({ desk, exam }: { readonly desk: Desk; readonly exam: ExamView }) {
  const nowMs = useSignal(desk.session.exam.nowMs());
  useEffect(() => {
    const timer = setInterval(() => {
      nowMs.value = desk.session.exam.nowMs();
      desk.session.exam.look();
    }, 1000);
    return () => clearInterval(timer);
  }, [desk, nowMs]);
  return (
    <p class="exam-line" role="timer">
      <span>{desk.t("workbench.exam.left")}</span> <strong>{clockText(exam.endsMs - nowMs.value)}</strong>
      <StepCount desk={desk} />
    </p>
  );
}

/** How it came out; nothing before it is over. */
export function ExamOutcome({ desk, exam }: { readonly desk: Desk; readonly exam: ExamView }) {
  const { result, pass } = exam;
  if (result === undefined) return null;
  const { passedSteps: count, steps: total, points, most, percent, good } = result;
  const about = desk.session.capstone.value ? "capstone" : "exam";
  return (
    <p class="exam-line" data-good={good} role="status">
      {desk.t(`workbench.${about}.${good ? "good" : "bad"}`, { count, total, points, most, percent, pass })}
    </p>
  );
}
