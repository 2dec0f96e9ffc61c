// What the scheduler decided: for each Pod which nodes were refused, by what, and how the others were scored.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DecisionView } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { clockText } from "../../times.ts";
import type { PanelProps } from "../panel-props.ts";
import { useAnswer } from "../use-answer.ts";
import { Decision } from "./decision.tsx";
import "../panels.css";
import "./scheduler.css";

const mostListed = 300;

export function Panel({ desk, shown, argument }: PanelProps) {
  const { t } = desk;
  const text = useSignal("");
  const chosen = useSignal(0);
  useEffect(() => {
    if (argument !== "") text.value = argument;
  }, [argument, text]);
  const decisions = useAnswer(desk, "decisions", { text: text.value, limit: mostListed }, { live: shown }).value;
  const sequence = chosen.value === 0 ? (decisions?.[0]?.sequence ?? 0) : chosen.value;
  return (
    <div class="decisions" data-side={chosen.value !== 0}>
      <div class="panel-bar">
        <input
          class="panel-search"
          type="search"
          placeholder={t("workbench.panels.scheduler.search")}
          aria-label={t("workbench.panels.scheduler.search")}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </div>
      {decisions?.length === 0 && <p class="panel-note">{t("workbench.panels.scheduler.nothing")}</p>}
      <div class="decisions-body">
        <ul class="row-list decision-list" aria-label={t("workbench.panels.scheduler.list")}>
          {decisions?.map((decision) => (
            <Listed
              key={decision.sequence}
              desk={desk}
              decision={decision}
              chosen={decision.sequence === sequence}
              choose={() => (chosen.value = decision.sequence)}
            />
          ))}
        </ul>
        {sequence !== 0 && <Decision desk={desk} sequence={sequence} close={() => (chosen.value = 0)} />}
      </div>
    </div>
  );
}

interface ListedProps {
  readonly desk: Desk;
  readonly decision: DecisionView;
  readonly chosen: boolean;
  readonly choose: () => void;
}

function Listed({ desk, decision, chosen, choose }: ListedProps) {
  const { t } = desk;
  return (
    <li>
      <button type="button" aria-pressed={chosen} data-outcome={decision.outcome} onClick={choose}>
        <time class="entry-time">{clockText(decision.timeMs)}</time>
        <strong translate={false}>{decision.pod.name}</strong>
        <span class="outcome">
          <Mark outcome={decision.outcome} /> {t(`workbench.panels.scheduler.outcomes.${decision.outcome}`)}
          {decision.nodeName !== "" && <span translate={false}> → {decision.nodeName}</span>}
        </span>
      </button>
    </li>
  );
}

const marks: Readonly<Record<DecisionView["outcome"], string>> = {
  scheduled: "M3 8.5l3.5 3.5L13 4.5",
  unschedulable: "M4 4l8 8M12 4l-8 8",
  preempting: "M3 5h8l-3-3M13 11H5l3 3",
  error: "M8 3v6M8 12v1",
};

function Mark({ outcome }: { readonly outcome: DecisionView["outcome"] }) {
  return (
    <svg class="mark" width="13" height="13" viewBox="0 0 16 16" aria-hidden="true">
      <path d={marks[outcome]} />
    </svg>
  );
}
