// One entry in full: who asked for it, what it changed.

import type { EntryDetail as Detail } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { fineClockText } from "../../times.ts";
import { ComponentBadge } from "../component-badge.tsx";
import { useAnswer } from "../use-answer.ts";
import { Yaml, YamlDiff } from "../yaml-diff.tsx";
import { entryWords } from "./entry-words.ts";

interface EntryDetailProps {
  readonly desk: Desk;
  readonly sequence: number;
  readonly follow: (detail: Detail) => void;
  readonly only: (detail: Detail) => void;
  readonly close: () => void;
}

export function EntryDetail({ desk, sequence, follow, only, close }: EntryDetailProps) {
  const { t } = desk;
  const answer = useAnswer(desk, "entry", { sequence }, { live: false });
  const detail = answer.value?.entry.sequence === sequence ? answer.value : undefined;
  if (detail === undefined) return <div class="detail" />;
  const { entry, request } = detail;
  const words = entryWords(entry, t);
  return (
    <section class="detail" aria-label={t("workbench.panels.timeline.detail")}>
      <div class="detail-head">
        <h3>
          {words.act} <span class="detail-object">{words.object}</span>
        </h3>
        <button class="button small" type="button" onClick={close}>
          {t("workbench.panels.back")}
        </button>
      </div>
      <div class="detail-tools">
        {entry.object.resource !== "" && (
          <>
            <button class="button small" type="button" onClick={() => desk.inspect(entry.object)}>
              {t("workbench.panels.inspect")}
            </button>
            <button class="button small" type="button" onClick={() => follow(detail)}>
              {t("workbench.panels.timeline.follow")}
            </button>
            <button class="button small" type="button" onClick={() => only(detail)}>
              {t("workbench.panels.timeline.only")}
            </button>
          </>
        )}
        <button class="button small" type="button" onClick={() => desk.past.show(entry.timeMs)}>
          {t("workbench.panels.past.show")}
        </button>
      </div>
      <dl class="facts">
        <Fact name={t("workbench.panels.timeline.time")} value={`${fineClockText(entry.timeMs)} UTC`} />
        <div>
          <dt>{t("workbench.panels.timeline.component")}</dt>
          <dd>
            <ComponentBadge component={entry.component} />
          </dd>
        </div>
        {entry.object.namespace !== "" && <Fact name={t("workbench.picture.columns.namespace")} value={entry.object.namespace} />}
        {request !== undefined && (
          <>
            <Fact name={t("workbench.panels.timeline.user")} value={request.user} />
            <Fact name={t("workbench.panels.timeline.groups")} value={request.groups.join(", ")} />
            <Fact name={t("workbench.panels.timeline.agent")} value={request.userAgent} />
            <Fact name={t("workbench.panels.timeline.code")} value={String(request.code)} />
          </>
        )}
      </dl>
      {entry.kind !== "write" && words.detail !== "" && <p class="said">{words.detail}</p>}
      {entry.kind === "write" && <States desk={desk} detail={detail} />}
    </section>
  );
}

/** A creation or deletion shows the object as it came or went; a change what is different. */
function States({ desk, detail: { before, after } }: { readonly desk: Desk; readonly detail: Detail }) {
  if (before === "" || after === "") return <Yaml text={after === "" ? before : after} />;
  return <YamlDiff desk={desk} before={before} after={after} />;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd translate={false}>{value}</dd>
    </div>
  );
}
