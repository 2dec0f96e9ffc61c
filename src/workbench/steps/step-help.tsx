// Help with a step: hints one by one, a solution, beginning it again.

import type { StepView } from "#lab/session.ts";
import { breakCodeWell, escapeHtml, keepWhole } from "../../course/inline-code.ts";
import type { Desk } from "../desk.ts";

export function Help({ desk, step }: { readonly desk: Desk; readonly step: StepView }) {
  const { t } = desk;
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
      {step.status === "open" && <Tools desk={desk} step={step} />}
    </>
  );
}

function Tools({ desk, step }: { readonly desk: Desk; readonly step: StepView }) {
  const { session, t } = desk;
  const isAlone = session.exam.on.value || session.capstone.value;
  return (
    <div class="step-tools">
      {step.hintsLeft > 0 && (
        <button class="button small" type="button" onClick={() => session.help.showHint(step.id)}>
          {t("workbench.steps.hint")} <span class="soft">({t("workbench.steps.hintsLeft", { count: step.hintsLeft })})</span>
          <span class="visually-hidden">, </span>
          <span class="soft cost">{t("workbench.run.cost", { count: step.hintCost })}</span>
        </button>
      )}
      {step.solution === undefined && !isAlone && (
        <button class="button small quiet" type="button" onClick={() => session.help.showSolution(step.id)}>
          {t("workbench.steps.solution")}
        </button>
      )}
      {step.current && !isAlone && (
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
  );
}
