// Terminals in tabs; each keeps its screen while another is shown.

import { useEffect, useRef } from "preact/hooks";
import { attachScreen, type Screen } from "../terminal/screen.ts";
import type { Desk, TerminalTab } from "./desk.ts";
import { Icon } from "./icon.tsx";

export function TerminalZone({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t } = desk;
  const tabs = desk.tabs.value;
  return (
    <section class="zone terminal" aria-label={t("workbench.terminal.title")} hidden={!shown}>
      <div class="terminal-bar">
        <TabList desk={desk} />
        <button
          class="icon-button"
          type="button"
          aria-label={t("workbench.terminal.new")}
          title={t("workbench.terminal.new")}
          onClick={() => {
            desk.openTerminal();
            desk.focusTerminal();
          }}
        >
          <Icon name="plus" />
        </button>
        <span class="leave-hint">{t("workbench.terminal.leaveHint")}</span>
      </div>
      {tabs.length === 0 && <p class="zone-empty">{t("workbench.terminal.empty")}</p>}
      {tabs.map((tab) => (
        <TerminalScreen key={tab.port.id} desk={desk} tab={tab} active={tab.port.id === desk.activeTab.value} shown={shown} />
      ))}
    </section>
  );
}

function TabList({ desk }: { readonly desk: Desk }) {
  const { t } = desk;
  const tabs = desk.tabs.value;
  const move = (from: number, by: number): void => {
    const next = tabs[(from + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    desk.showTerminal(next.port.id);
    document.getElementById(`tab-${next.port.id}`)?.focus();
  };
  return (
    <div class="terminal-tabs">
      <div role="tablist" aria-label={t("workbench.terminal.tabs")}>
        {tabs.map((tab, index) => (
          <button
            key={tab.port.id}
            role="tab"
            type="button"
            id={`tab-${tab.port.id}`}
            aria-selected={tab.port.id === desk.activeTab.value}
            aria-controls={`screen-${tab.port.id}`}
            tabIndex={tab.port.id === desk.activeTab.value ? 0 : -1}
            onClick={() => {
              desk.showTerminal(tab.port.id);
              desk.focusTerminal();
            }}
            onKeyDown={(event) => {
              if (event.key === "ArrowRight") move(index, 1);
              if (event.key === "ArrowLeft") move(index, -1);
              if (event.key === "Delete" && tabs.length > 1) {
                desk.closeTerminal(tab.port.id);
                desk.focusTerminal();
              }
            }}
          >
            {t("workbench.terminal.number", { number: tab.number })}
          </button>
        ))}
      </div>
      {tabs.length > 1 && <CloseButton desk={desk} tab={tabs.find((tab) => tab.port.id === desk.activeTab.value)} />}
    </div>
  );
}

function CloseButton({ desk, tab }: { readonly desk: Desk; readonly tab: TerminalTab | undefined }) {
  if (tab === undefined) return null;
  const label = desk.t("workbench.terminal.close", { title: desk.t("workbench.terminal.number", { number: tab.number }) });
  return (
    <button
      class="icon-button small"
      type="button"
      aria-label={label}
      title={label}
      onClick={() => {
        desk.closeTerminal(tab.port.id);
        desk.focusTerminal();
      }}
    >
      <Icon name="close" />
    </button>
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
