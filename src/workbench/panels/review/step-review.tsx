// One step of the review: the learner's commands and the reference's side by side, what was missing, why it works.

import type { ReviewCommand, ReviewStep } from "#lab/session.ts";
import { breakCodeWell, escapeHtml, keepWhole, withInlineCode } from "../../../course/inline-code.ts";
import type { Desk } from "../../desk.ts";
import { Icon } from "../../icon.tsx";

interface StepReviewProps {
  readonly desk: Desk;
  readonly step: ReviewStep;
  readonly number: number;
}

export function StepReview({ desk, step, number }: StepReviewProps) {
  const { t } = desk;
  return (
    <li class="review-step" data-passed={step.passed}>
      <h4>
        <span class="step-mark" aria-hidden="true">
          {step.passed ? <Icon name="check" /> : number}
        </span>
        <span class="review-title">{step.title}</span>
        {!step.passed && (
          <span class="review-verdict">{t(step.reached ? "workbench.review.notPassed" : "workbench.review.notReached")}</span>
        )}
      </h4>
      {step.missing.length > 0 && (
        <div class="missing">
          <p class="kicker">{t("workbench.steps.missing")}</p>
          <ul>
            {step.missing.map(({ check, text }) => (
              <li key={check} dangerouslySetInnerHTML={{ __html: withInlineCode(text) }} />
            ))}
          </ul>
        </div>
      )}
      <div class="review-ways">
        <section>
          <p class="kicker">{t("workbench.review.mine")}</p>
          {step.commands.length === 0 ? (
            <p class="soft">{t("workbench.review.none")}</p>
          ) : (
            <pre translate={false}>
              {step.commands.map((command, index) => (
                <Command key={`${index} ${command.text}`} desk={desk} command={command} />
              ))}
            </pre>
          )}
        </section>
        <section>
          <p class="kicker">{t("workbench.review.reference")}</p>
          <pre translate={false} dangerouslySetInnerHTML={{ __html: keepWhole(escapeHtml(step.solution.trimEnd())) }} />
        </section>
      </div>
      <div class="why" dangerouslySetInnerHTML={{ __html: breakCodeWell(step.whyHtml) }} />
      {step.lesson !== undefined && (
        <p class="review-lesson">
          <span class="soft">{t("workbench.capstone.again")}</span> <a href={step.lesson.href}>{step.lesson.title}</a>
        </p>
      )}
    </li>
  );
}

function Command({ desk, command: { kind, text, code } }: { readonly desk: Desk; readonly command: ReviewCommand }) {
  if (kind === "file") return <span class="review-file">{`${desk.t("workbench.run.fileSaved", { path: text })}\n`}</span>;
  return (
    <>
      {text}
      {code !== 0 && <span class="review-code"> {desk.t("workbench.run.exitCode", { code })}</span>}
      {"\n"}
    </>
  );
}
