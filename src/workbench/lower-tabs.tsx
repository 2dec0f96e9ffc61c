// The tabs of the lower zone: terminals first, then panels, one list for the arrow keys.

import { useEffect } from "preact/hooks";
import type { Desk } from "./desk.ts";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import type { IconName } from "./icons.ts";
import { panelById } from "./panels.ts";

interface LowerTab {
  readonly key: string;
  readonly title: string;
  readonly icon: IconName | undefined;
  readonly controls: string;
  readonly selected: boolean;
  /** The last terminal stays. */
  readonly closable: boolean;
  /** By pointer or Enter: the keyboard goes on into what the tab shows. */
  enter(): void;
  show(): void;
  close(): void;
}

export function LowerTabs({ desk }: { readonly desk: Desk }) {
  const { t } = desk;
  const tabs = [...terminalTabs(desk), ...panelTabs(desk)];
  const selected = tabs.find((tab) => tab.selected);
  const selectedKey = selected?.key;
  useEffect(() => {
    const tab = document.getElementById(`tab-${selectedKey}`);
    if (tab !== null) showInStrip(tab);
  }, [selectedKey]);
  const move = (to: number): void => {
    const next = tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    next.show();
    document.getElementById(`tab-${next.key}`)?.focus();
  };
  const onKey = (event: KeyboardEvent, tab: LowerTab, index: number): void => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    }
    if (event.key === "Delete" && tab.closable) {
      tab.close();
      desk.focus();
    }
  };
  return (
    <div class="terminal-tabs">
      <div role="tablist" aria-label={t("workbench.panels.tabs")}>
        {tabs.map((tab, index) => (
          <button
            key={tab.key}
            role="tab"
            type="button"
            id={`tab-${tab.key}`}
            aria-selected={tab.selected}
            aria-controls={tab.controls}
            title={tab.title}
            tabIndex={tab.selected ? 0 : -1}
            onClick={tab.enter}
            onKeyDown={(event) => onKey(event, tab, index)}
          >
            {tab.icon !== undefined && <Icon name={tab.icon} />}
            <span class="tab-title">{tab.title}</span>
          </button>
        ))}
      </div>
      {selected?.closable && <CloseButton desk={desk} tab={selected} />}
    </div>
  );
}

/** Moves the strip alone: `scrollIntoView` would take the page along to a workbench that opens by itself further down. */
function showInStrip(tab: HTMLElement): void {
  const strip = tab.closest(".terminal-tabs");
  if (strip === null) return;
  const [{ left, right }, edges] = [tab.getBoundingClientRect(), strip.getBoundingClientRect()];
  // Behind the last tab stands the button that closes it.
  const closing = tab.nextElementSibling === null ? (strip.querySelector<HTMLElement>(".icon-button")?.offsetWidth ?? 0) : 0;
  strip.scrollLeft += Math.min(0, left - edges.left) + Math.max(0, right + closing - edges.right);
}

function terminalTabs(desk: Desk): readonly LowerTab[] {
  const terminals = desk.tabs.value;
  return terminals.map(({ port, number }) => ({
    key: port.id,
    title: desk.t("workbench.terminal.number", { number }),
    icon: undefined,
    controls: `screen-${port.id}`,
    selected: desk.frontPanel.value === "" && port.id === desk.activeTab.value,
    closable: terminals.length > 1,
    enter: () => {
      desk.showTerminal(port.id);
      desk.focusTerminal();
    },
    show: () => desk.showTerminal(port.id),
    close: () => desk.closeTerminal(port.id),
  }));
}

function panelTabs(desk: Desk): readonly LowerTab[] {
  return desk.panels.value.flatMap(({ id }) => {
    const definition = panelById(id);
    if (definition === undefined) return [];
    const show = (): void => desk.openPanel(id);
    return [
      {
        key: id,
        title: desk.t(definition.titleKey),
        icon: definition.icon,
        controls: `panel-${id}`,
        selected: desk.frontPanel.value === id,
        closable: true,
        enter: show,
        show,
        close: () => desk.closePanel(id),
      },
    ];
  });
}

function CloseButton({ desk, tab }: { readonly desk: Desk; readonly tab: LowerTab }) {
  const label = desk.t("workbench.terminal.close", { title: tab.title });
  return (
    <IconButton
      icon="close"
      label={label}
      onClick={() => {
        tab.close();
        desk.focus();
      }}
    />
  );
}
