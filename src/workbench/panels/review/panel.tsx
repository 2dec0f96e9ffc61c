// The review of a lab that is over: step by step what was done beside the reference solution and why it works, and where the cluster came
// out differently.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ReviewStep } from "#lab/session.ts";
import type { Desk } from "../../desk.ts";
import { ExamOutcome } from "../../steps/exam.tsx";
import { NextLesson } from "../../steps/lab-end.tsx";
import type { PanelProps } from "../panel-props.ts";
import "../panels.css";
import { ClusterDifferences } from "./cluster-differences.tsx";
import "./review.css";
import { StepReview } from "./step-review.tsx";

export function Panel({ desk, shown }: PanelProps) {
  const { t, session } = desk;
  const steps = useSignal<readonly ReviewStep[]>([]);
  const isOpen = session.review.open.value;
  // Again when another step passes: a lab that was an exam may be finished after it.
  const passed = session.steps.value.filter(({ status }) => status === "passed").length;
  useEffect(() => {
    if (!shown || !isOpen) return;
    session.review.steps().then(
      (found) => (steps.value = found),
      // The lab has stopped; its notice says so.
      () => {},
    );
  }, [session, shown, isOpen, passed, steps]);
  const isClosed = session.state.value.kind === "ready" && !isOpen;
  useEffect(() => {
    // The lab has begun anew.
    if (isClosed) desk.closePanel("review");
  }, [desk, isClosed]);
  if (!isOpen) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <div class="review" tabIndex={0}>
      <div class="review-head">
        <Result desk={desk} />
        <NextLesson desk={desk} />
      </div>
      <h3>{t(session.capstone.value ? "workbench.capstone.review" : "workbench.review.steps")}</h3>
      <ol class="review-steps">
        {steps.value.map((step, index) => (
          <StepReview key={step.id} desk={desk} step={step} number={index + 1} />
        ))}
      </ol>
      <h3>{t("workbench.review.cluster")}</h3>
      <ClusterDifferences desk={desk} shown={shown} />
    </div>
  );
}

function Result({ desk }: { readonly desk: Desk }) {
  const exam = desk.session.exam.view.value;
  if (exam?.result !== undefined) return <ExamOutcome desk={desk} exam={exam} />;
  const { points, most } = desk.session.help.score.value;
  return <p class="review-score">{desk.t("workbench.run.score", { points, most })}</p>;
}
