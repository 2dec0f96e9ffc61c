// What a step asks for, as far as it has been said: what is missing, and what was missing and is done.

import type { StepView } from "#lab/session.ts";
import { withInlineCode } from "../../course/inline-code.ts";
import type { Desk } from "../desk.ts";
import { Detail } from "../detail.tsx";
import { Icon } from "../icon.tsx";
import type { SeenCheck } from "./pass-moment.ts";

export function Missing({ desk, step }: { readonly desk: Desk; readonly step: StepView }) {
  return (
    <div class="missing">
      <p class="kicker">{desk.t("workbench.steps.missing")}</p>
      <ul>
        {step.missing.map(({ check, text }) => (
          <li key={check} dangerouslySetInnerHTML={{ __html: withInlineCode(text) }} />
        ))}
      </ul>
    </div>
  );
}

/** Nothing but time is missing. */
export function Waiting({ desk, lastsMs }: { readonly desk: Desk; readonly lastsMs: number }) {
  return (
    <div class="missing">
      <p>{desk.t("workbench.steps.waiting", { seconds: lastsMs / 1000 })}</p>
    </div>
  );
}

/** It is not the learner who has to do something. */
export function OurFault({ desk, detail }: { readonly desk: Desk; readonly detail: string }) {
  return (
    <div class="missing" role="alert">
      <p>{desk.t("workbench.steps.fault")}</p>
      <Detail desk={desk} text={detail} />
    </div>
  );
}

interface TicksProps {
  readonly desk: Desk;
  readonly checks: readonly SeenCheck[];
  /** How many have their mark by now; undefined: all. */
  readonly ticked: number | undefined;
}

/** Sentences that said what was missing, struck out. */
export function Ticks({ desk, checks, ticked = checks.length }: TicksProps) {
  if (checks.length === 0) return null;
  return (
    <ul class="ticks">
      {checks.map(({ check, text }, index) => (
        <li key={check} data-done={index < ticked}>
          <span class="tick" aria-hidden="true">
            {index < ticked && <Icon name="check" />}
          </span>
          {index < ticked && <span class="visually-hidden">{desk.t("workbench.steps.done")} </span>}
          <s title={text} dangerouslySetInnerHTML={{ __html: withInlineCode(text) }} />
        </li>
      ))}
    </ul>
  );
}
