// A Pod's way from the request to Ready: one step below the other, with what each part of the cluster did.

import { useSignal } from "@preact/signals";
import { refText } from "#history/object-ref.ts";
import type { FollowStep, ObjectRef } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { fineClockText, sinceText } from "../../times.ts";
import { ComponentBadge } from "../component-badge.tsx";
import { useAnswer } from "../use-answer.ts";
import { stepWords } from "./follow-words.ts";

interface FollowViewProps {
  readonly desk: Desk;
  readonly object: ObjectRef;
  readonly live: boolean;
  readonly choose: (sequence: number) => void;
  readonly close: () => void;
}

export function FollowView({ desk, object, live, choose, close }: FollowViewProps) {
  const { t } = desk;
  const pod = useSignal<ObjectRef | undefined>(undefined);
  const answer = useAnswer(desk, "follow", { object, pod: pod.value }, { live });
  const view = answer.value;
  return (
    <section class="follow" aria-label={t("workbench.panels.timeline.follow")}>
      <div class="detail-head">
        <h3>{t("workbench.panels.timeline.following", { name: object.name })}</h3>
        <button class="button small" type="button" onClick={close}>
          {t("workbench.panels.back")}
        </button>
      </div>
      {view !== undefined && view.pods.length > 1 && (
        <label class="follow-pod">
          Pod{" "}
          <select
            value={view.pod === undefined ? "" : refText(view.pod)}
            onChange={({ currentTarget }) => (pod.value = view.pods.find((one) => refText(one) === currentTarget.value))}
          >
            {view.pods.map((one) => (
              <option key={refText(one)} value={refText(one)}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {view?.steps.length === 0 && <p class="panel-note">{t("workbench.panels.timeline.nothingToFollow")}</p>}
      <ol class="follow-steps">
        {view?.steps.map((step, index) => (
          <Step
            key={`${step.step}-${step.sequence}-${index}`}
            desk={desk}
            step={step}
            before={view.steps[index - 1]}
            choose={choose}
          />
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly desk: Desk;
  readonly step: FollowStep;
  readonly before: FollowStep | undefined;
  readonly choose: (sequence: number) => void;
}

function Step({ desk, step, before, choose }: StepProps) {
  const { title, sentence, quoted } = stepWords(step, desk.t);
  const bad = step.step === "warning" || step.step === "refusedPlace";
  return (
    <li class="follow-step" data-bad={bad} data-group={step.component.group}>
      <div class="follow-when">
        <time>{fineClockText(step.timeMs)}</time>
        {before !== undefined && <span>{sinceText(step.timeMs - before.timeMs, desk.locale)}</span>}
      </div>
      <div class="follow-what">
        <p class="follow-title">
          {step.sequence > 0 ? (
            <button class="link" type="button" onClick={() => choose(step.sequence)}>
              {title}
            </button>
          ) : (
            title
          )}{" "}
          <ComponentBadge component={step.component} />
        </p>
        <p>{sentence}</p>
        {quoted !== "" && (
          <p class="said" translate={false}>
            {quoted}
          </p>
        )}
      </div>
    </li>
  );
}
