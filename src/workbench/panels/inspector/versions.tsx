// The recorded states of an object, and what differs between any two of them.

import { useSignal } from "@preact/signals";
import type { ObjectView, VersionView } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { fineClockText } from "../../times.ts";
import { ComponentBadge } from "../component-badge.tsx";
import { changeWords } from "../timeline/entry-words.ts";
import { useAnswer } from "../use-answer.ts";
import { YamlDiff } from "../yaml-diff.tsx";

export function Versions({ desk, view }: { readonly desk: Desk; readonly view: ObjectView }) {
  const { t } = desk;
  const { versions } = view;
  /** Sequences of the two that are compared; 0: the newest two. */
  const older = useSignal(0);
  const newer = useSignal(0);
  const newest = versions.find(({ sequence }) => sequence === newer.value) ?? versions[0];
  const oldest = versions.find(({ sequence }) => sequence === older.value) ?? versions[1] ?? versions[0];
  if (newest === undefined || oldest === undefined) return <p class="panel-note">{t("workbench.panels.inspector.noVersions")}</p>;
  return (
    <>
      <div class="compare">
        <VersionChoice
          desk={desk}
          label={t("workbench.panels.inspector.older")}
          versions={versions}
          value={oldest}
          choose={older}
        />
        <VersionChoice
          desk={desk}
          label={t("workbench.panels.inspector.newer")}
          versions={versions}
          value={newest}
          choose={newer}
        />
      </div>
      <Difference desk={desk} view={view} older={oldest} newer={newest} />
      <ol class="row-list version-list">
        {versions.map((version, index) => (
          <li key={version.sequence} aria-current={version === newest}>
            <button
              type="button"
              onClick={() => {
                newer.value = version.sequence;
                older.value = (versions[index + 1] ?? version).sequence;
              }}
            >
              <time class="entry-time">{fineClockText(version.timeMs)}</time>
              <ComponentBadge component={version.component} />
              <span class="entry-act">{versionAct(version)}</span>
              <span class="entry-detail">{changeWords(version.changes, version.moreChanges)}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

function versionAct({ verb, subresource }: VersionView): string {
  return subresource === "" ? verb : `${verb} ${subresource}`;
}

interface VersionChoiceProps {
  readonly desk: Desk;
  readonly label: string;
  readonly versions: readonly VersionView[];
  readonly value: VersionView;
  readonly choose: { value: number };
}

function VersionChoice({ label, versions, value, choose }: VersionChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select value={value.sequence} onChange={({ currentTarget }) => (choose.value = Number(currentTarget.value))}>
        {versions.map((version) => (
          <option key={version.sequence} value={version.sequence}>
            {fineClockText(version.timeMs)} · {version.resourceVersion} · {versionAct(version)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DifferenceProps {
  readonly desk: Desk;
  readonly view: ObjectView;
  readonly older: VersionView;
  readonly newer: VersionView;
}

function Difference({ desk, view, older, newer }: DifferenceProps) {
  const before = useAnswer(desk, "yaml", { object: view.ref, version: older.sequence }, { live: false }).value;
  const after = useAnswer(desk, "yaml", { object: view.ref, version: newer.sequence }, { live: false }).value;
  if (before === undefined || after === undefined) return null;
  return <YamlDiff desk={desk} before={before} after={after} />;
}
