// One step: its mark and title, and below them its task and help, or how it has just passed.

import type { StepView } from "#lab/session.ts";
import { breakCodeWell } from "../../course/inline-code.ts";
import type { Desk } from "../desk.ts";
import { Icon } from "../icon.tsx";
import type { PassMoments } from "./pass-moment.ts";
import { Missing, OurFault, Ticks, Waiting } from "./step-checks.tsx";
import { Help } from "./step-help.tsx";
import { Why } from "./step-why.tsx";

interface StepProps {
  readonly desk: Desk;
  readonly step: StepView;
  readonly number: number;
  readonly moments: PassMoments;
}

export function Step({ desk, step, number, moments }: StepProps) {
  const { t } = desk;
  const moment = moments.moment.value;
  const leftState = step.current ? "current" : "open";
  const state = step.status === "passed" ? "passed" : leftState;
  const isFresh = moment?.step === step.id;
  const isTicking = moment?.over === false;
  const isOpen = isFresh || (step.current && !isTicking);
  return (
    <li
      class="step"
      data-state={state}
      data-fresh={isFresh}
      data-ticking={isFresh && isTicking}
      aria-current={step.current ? "step" : undefined}
    >
      {/* A new key when the step's turn comes or goes: it opens and closes by itself, and stays as the reader left it between. */}
      <details
        key={`${state} ${isOpen}`}
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (isFresh && !currentTarget.open) moments.settle();
        }}
      >
        <summary>
          <span class="step-mark" aria-hidden="true">
            {step.status === "passed" ? <Icon name="check" /> : number}
          </span>
          <span class="step-title">{step.title}</span>
          {desk.session.capstone.value && <span class="step-points">{t("workbench.capstone.points", { count: step.most })}</span>}
          <span class="visually-hidden">{t(`workbench.steps.${state}`)}</span>
        </summary>
        <div class="step-body">
          {isFresh ? (
            <>
              {isTicking && <Ticks desk={desk} checks={moments.seen(step.id)} ticked={moment.ticked} />}
              {!isTicking && <Why desk={desk} step={step} />}
            </>
          ) : (
            <>
              <div class="step-task" dangerouslySetInnerHTML={{ __html: breakCodeWell(step.taskHtml) }} />
              {step.open && <Ticks desk={desk} checks={moments.seen(step.id).filter(({ met }) => met)} ticked={undefined} />}
              {step.fault !== undefined && <OurFault desk={desk} detail={step.fault} />}
              {step.missing.length > 0 && step.open && <Missing desk={desk} step={step} />}
              {step.lastsMs !== undefined && step.open && step.fault === undefined && (
                <Waiting desk={desk} lastsMs={step.lastsMs} />
              )}
              <Help desk={desk} step={step} />
              {step.solution === undefined && <Why desk={desk} step={step} />}
            </>
          )}
        </div>
      </details>
    </li>
  );
}
