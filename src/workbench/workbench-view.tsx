// The lab screen: a bar of zones, the zones, the status line.

import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { changePreferences } from "../course/preferences.ts";
import type { Desk } from "./desk.ts";
import { ClusterZone } from "./picture/cluster-zone.tsx";
import { ClassExamLine, SessionNotice, ShownRunLine } from "./session-notice.tsx";
import { Splitter } from "./splitter.tsx";
import { StatusLine } from "./status-line.tsx";
import { ExamLine } from "./steps/exam.tsx";
import { StepsZone } from "./steps/steps-zone.tsx";
import { TerminalZone } from "./terminal-zone.tsx";
import { listenForTimeKeys } from "./time-keys.ts";
import { Toolbar } from "./toolbar.tsx";

/** Narrower than this, one zone is shown at a time. */
const compactBelowPx = 560;
/** From here on the steps have a column of their own beside picture and terminal. */
const spaciousFromPx = 940;

export function WorkbenchView({ desk }: { readonly desk: Desk }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => watchWidth(place.current, desk), [desk]);
  useEffect(() => listenForTimeKeys(desk), [desk]);
  useSignalEffect(() => {
    const { dataset } = document.documentElement;
    dataset["labFull"] = String(desk.fullScreen.value);
    // The lesson's text is not beside an exam.
    dataset["exam"] = String(desk.session.exam.on.value && !desk.session.exam.closed.value);
  });
  useEffect(
    () => () => {
      const { dataset } = document.documentElement;
      delete dataset["labFull"];
      delete dataset["exam"];
    },
    [],
  );
  const shown = { picture: desk.isShown("picture"), terminal: desk.isShown("terminal"), steps: desk.isShown("steps") };
  const { topHeightPx } = desk.preferences.value;
  const heights = { "--top-height": `${topHeightPx}px`, "--step-room": `${desk.stepRoomPx.value}px` };
  const top = shown.picture || shown.steps;
  return (
    <div
      class="workbench"
      ref={place}
      data-inline={desk.leaveLab === undefined}
      data-compact={desk.compact.value}
      data-top={top}
      data-terminal={shown.terminal}
    >
      <ShownRunLine desk={desk} />
      <ClassExamLine desk={desk} />
      <Toolbar desk={desk} />
      <SessionNotice desk={desk} />
      {!shown.steps && <ExamLine desk={desk} />}
      <div class="zones" data-top-height={topHeightPx === 0 ? "auto" : "set"} style={heights}>
        <ClusterZone desk={desk} shown={shown.picture} />
        <StepsZone desk={desk} shown={shown.steps} />
        {top && shown.terminal && !desk.compact.value && (
          <Splitter
            label={desk.t("workbench.picture.title")}
            value={topHeightPx}
            onChange={(px) => changePreferences({ topHeightPx: px })}
          />
        )}
        <TerminalZone desk={desk} shown={shown.terminal} />
      </div>
      <StatusLine desk={desk} />
      <p class="visually-hidden" role="status">
        {desk.announcement}
      </p>
    </div>
  );
}

function watchWidth(place: HTMLElement | null, desk: Desk): () => void {
  if (place === null) return () => {};
  const observer = new ResizeObserver(() => {
    desk.compact.value = place.clientWidth > 0 && place.clientWidth < compactBelowPx;
    place.dataset["spacious"] = String(place.clientWidth >= spaciousFromPx);
  });
  observer.observe(place);
  return () => observer.disconnect();
}
