// Why a step has come out: the first sentence at once, the rest on demand.

import type { StepView } from "#lab/session.ts";
import { breakCodeWell } from "../../course/inline-code.ts";
import type { Desk } from "../desk.ts";

export function Why({ desk, step }: { readonly desk: Desk; readonly step: StepView }) {
  const { t } = desk;
  if (step.why === undefined) return null;
  const { firstHtml, restHtml } = step.why;
  return (
    <div class="why">
      <p class="kicker">{t("workbench.steps.why")}</p>
      <p dangerouslySetInnerHTML={{ __html: breakCodeWell(firstHtml) }} />
      {restHtml !== "" && (
        <details>
          <summary>{t("workbench.steps.whyMore")}</summary>
          <div dangerouslySetInnerHTML={{ __html: breakCodeWell(restHtml) }} />
        </details>
      )}
    </div>
  );
}
