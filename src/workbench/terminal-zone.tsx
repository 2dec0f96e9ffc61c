// The lower zone: terminals and panels as tabs; each keeps its screen while another is shown.

import { useEffect, useRef } from "preact/hooks";
import { attachScreen, type Screen } from "../terminal/screen.ts";
import type { Desk, TerminalTab } from "./desk.ts";
import { IconButton } from "./icon-button.tsx";
import { LowerTabs } from "./lower-tabs.tsx";
import { PanelMenu } from "./panel-menu.tsx";
import { PanelPlace } from "./panel-place.tsx";
import { panels } from "./panels.ts";

export function TerminalZone({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t } = desk;
  const tabs = desk.tabs.value;
  const front = desk.frontPanel.value;
  return (
    <section class="zone terminal" aria-label={t("workbench.terminal.title")} hidden={!shown}>
      <div class="terminal-bar">
        <LowerTabs desk={desk} />
        <IconButton
          icon="plus"
          label={t("workbench.terminal.new")}
          onClick={() => {
            desk.openTerminal();
            desk.focusTerminal();
          }}
        />
        {front === "" && <span class="leave-hint">{t("workbench.terminal.leaveHint")}</span>}
        {panels.length > 0 && <PanelMenu desk={desk} />}
      </div>
      {tabs.length === 0 && front === "" && <p class="zone-empty">{t("workbench.terminal.empty")}</p>}
      {tabs.map((tab) => (
        <TerminalScreen
          key={tab.port.id}
          desk={desk}
          tab={tab}
          active={front === "" && tab.port.id === desk.activeTab.value}
          shown={shown}
        />
      ))}
      {desk.panels.value.map((panel) => (
        <PanelPlace key={panel.id} desk={desk} panel={panel} active={panel.id === front} shown={shown} />
      ))}
    </section>
  );
}

interface TerminalScreenProps {
  readonly desk: Desk;
  readonly tab: TerminalTab;
  /** Its tab is the chosen one. */
  readonly active: boolean;
  /** The zone is not folded. */
  readonly shown: boolean;
}

function TerminalScreen({ desk, tab, active, shown }: TerminalScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | undefined>(undefined);
  const { terminalFontSizePx, screenReader } = desk.preferences.value;
  const id = tab.port.id;
  useEffect(() => {
    if (place.current === null) return;
    const attached = attachScreen(
      place.current,
      tab.port,
      { fontSizePx: terminalFontSizePx, screenReader },
      {
        leave: () => {
          document.getElementById(`tab-${id}`)?.focus();
          desk.announce(desk.t("workbench.terminal.left"));
        },
        clipboardDenied: () => desk.announce(desk.t("workbench.terminal.clipboardDenied")),
      },
    );
    screen.current = attached;
    desk.setTerminalFocus(id, attached.focus);
    return () => {
      desk.setTerminalFocus(id, undefined);
      attached.detach();
    };
    // The screen lives as long as its tab; later changes of size and mode go through `change`.
  }, [desk, tab]);
  useEffect(() => {
    if (active && shown) desk.terminalShown(id);
  }, [desk, id, active, shown]);
  useEffect(() => screen.current?.change({ fontSizePx: terminalFontSizePx, screenReader }), [terminalFontSizePx, screenReader]);
  return (
    <div class="screen" role="tabpanel" id={`screen-${id}`} aria-labelledby={`tab-${id}`} hidden={!active}>
      <div class="screen-place" ref={place} />
    </div>
  );
}
