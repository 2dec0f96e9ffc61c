// Any object of the cluster: its state, its events, whom it belongs to, its recorded versions and what differs between them.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { parseRef, refText } from "#history/object-ref.ts";
import type { ObjectRef } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { clockText } from "../../times.ts";
import type { PanelProps } from "../panel-props.ts";
import { useAnswer } from "../use-answer.ts";
import { ObjectSearch } from "./object-search.tsx";
import { ObjectSheet } from "./object-sheet.tsx";
import "../panels.css";
import "./inspector.css";

export function Panel({ desk, shown, argument }: PanelProps) {
  const { t } = desk;
  const object = parseRef(argument);
  const searching = useSignal(false);
  useEffect(() => {
    if (shown && argument === "") showTouched(desk);
  }, [desk, shown, argument]);
  const chosen = useRef(argument);
  useEffect(() => {
    // An object that is chosen elsewhere ends a search; the panel's coming up does not.
    if (chosen.current === argument) return;
    chosen.current = argument;
    searching.value = false;
  });
  return (
    <div class="inspector">
      <ObjectSearch desk={desk} shown={shown} searching={searching} />
      {object !== undefined ? (
        <Inspected key={refText(object)} desk={desk} object={object} shown={shown && !searching.value} hidden={searching.value} />
      ) : (
        !searching.value && <p class="panel-note">{t("workbench.panels.inspector.empty")}</p>
      )}
    </div>
  );
}

/** Opened for nothing in particular: on what the learner has changed last. */
function showTouched(desk: Desk): void {
  desk.session.ask("touched", {}).then(
    (object) => {
      // The reader may have chosen something meanwhile.
      const isWaiting = desk.panels.peek().some(({ id, argument }) => id === "inspector" && argument === "");
      if (object !== undefined && isWaiting && desk.placeOf("inspector") !== undefined)
        desk.openPanel("inspector", refText(object));
    },
    // The lab has stopped, or has not begun: there is nothing to show.
    () => {},
  );
}

interface InspectedProps {
  readonly desk: Desk;
  readonly object: ObjectRef;
  readonly shown: boolean;
  readonly hidden: boolean;
}

function Inspected({ desk, object, shown, hidden }: InspectedProps) {
  const { t } = desk;
  const atMs = desk.past.atMs.value;
  const answer = useAnswer(desk, "object", { object, atMs }, { live: shown && atMs === undefined });
  if (hidden) return null;
  const view = answer.value;
  if (view === undefined) return null;
  if (view === null) return <p class="panel-note">{t("workbench.panels.inspector.unknown")}</p>;
  return (
    <>
      {atMs !== undefined && <p class="as-was">{t("workbench.panels.inspector.asWas", { time: `${clockText(atMs)} UTC` })}</p>}
      <ObjectSheet desk={desk} view={view} />
    </>
  );
}
