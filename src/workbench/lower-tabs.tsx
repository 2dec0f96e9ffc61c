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
  readonly place: "main" | "beside" | undefined;
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
  const selected = tabs.find((tab) => tab.place === "main");
  const beside = tabs.find((tab) => tab.place === "beside");
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
    <>
      <div class="terminal-tabs">
        <div role="tablist" aria-label={t("workbench.panels.tabs")} aria-multiselectable={beside !== undefined}>
          {tabs.map((tab, index) => (
            <button
              key={tab.key}
              role="tab"
              type="button"
              id={`tab-${tab.key}`}
              aria-selected={tab.place !== undefined}
              data-place={tab.place}
              aria-controls={tab.controls}
              title={tab.title}
              tabIndex={tab.place === undefined ? -1 : 0}
              onClick={tab.enter}
              onKeyDown={(event) => onKey(event, tab, index)}
            >
              {tab.icon !== undefined && <Icon name={tab.icon} />}
              <span class="tab-title">{tab.title}</span>
            </button>
          ))}
        </div>
        {selected?.closable && <TabButtons desk={desk} tab={selected} />}
      </div>
      {beside !== undefined && (
        <span class="beside-buttons">
          <TabButtons desk={desk} tab={beside} />
        </span>
      )}
    </>
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
    place: desk.placeOf(port.id),
    closable: terminals.length > 1,
    enter: () => {
      desk.showTerminal(port.id);
      if (desk.besideTab.value === port.id) desk.focusBeside();
      else desk.focusTerminal();
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
        place: desk.placeOf(id),
        closable: true,
        enter: show,
        show,
        close: () => desk.closePanel(id),
      },
    ];
  });
}

/** What can be done with a tab: put it beside the terminal or back, close it. */
function TabButtons({ desk, tab }: { readonly desk: Desk; readonly tab: LowerTab }) {
  const { t } = desk;
  const isBeside = tab.place === "beside";
  return (
    <>
      {!desk.compact.value && (
        <IconButton
          icon="beside"
          label={t(isBeside ? "workbench.panels.inFront" : "workbench.panels.beside", { title: tab.title })}
          aria-pressed={isBeside}
          onClick={() => desk.toggleBeside(tab.key)}
        />
      )}
      <IconButton
        icon="close"
        label={t("workbench.terminal.close", { title: tab.title })}
        onClick={() => {
          tab.close();
          desk.focus();
        }}
      />
    </>
  );
}
