// The lower zone: terminals and panels as tabs; each keeps its screen while another is shown.

import { useEffect, useRef } from "preact/hooks";
import type { Desk } from "./desk.ts";
import { IconButton } from "./icon-button.tsx";
import { LowerTabs } from "./lower-tabs.tsx";
import { MissingImages } from "./missing-images.tsx";
import { PanelMenu } from "./panel-menu.tsx";
import { PanelPlace } from "./panel-place.tsx";
import { panels } from "./panels.ts";
import { TerminalScreen } from "./terminal-screen.tsx";

export function TerminalZone({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t } = desk;
  const tabs = desk.tabs.value;
  const front = desk.frontPanel.value;
  return (
    <section
      class="zone terminal"
      aria-label={t("workbench.terminal.title")}
      hidden={!shown}
      data-split={desk.besideTab.value !== ""}
    >
      <div class="terminal-bar">
        <LowerTabs desk={desk} />
        <IconButton icon="plus" label={t("workbench.terminal.new")} onClick={() => openTerminal(desk)} />
        {front === "" && <span class="leave-hint">{t("workbench.terminal.leaveHint")}</span>}
        {panels.length > 0 && <PanelMenu desk={desk} />}
      </div>
      {front === "" && <MissingImages desk={desk} />}
      {tabs.length === 0 && front === "" && <NoTerminal desk={desk} />}
      {tabs.map((tab) => (
        <TerminalScreen key={tab.port.id} desk={desk} tab={tab} active={desk.placeOf(tab.port.id) !== undefined} shown={shown} />
      ))}
      {desk.panels.value.map((panel) => (
        <PanelPlace key={panel.id} desk={desk} panel={panel} active={desk.placeOf(panel.id) !== undefined} shown={shown} />
      ))}
    </section>
  );
}

function openTerminal(desk: Desk): void {
  desk.openTerminal();
  desk.focusTerminal();
}

/** The last shell has ended, maybe under the reader's hands: the keyboard falls on the button that opens another. */
function NoTerminal({ desk }: { readonly desk: Desk }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  return (
    <div class="zone-empty">
      <p>{desk.t("workbench.terminal.empty")}</p>
      <button class="button small" type="button" data-beside-terminal ref={button} onClick={() => openTerminal(desk)}>
        {desk.t("workbench.terminal.new")}
      </button>
    </div>
  );
}
