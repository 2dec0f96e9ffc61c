// Which panels have a tab, which one stands in front of the terminals or beside them, and what each was opened for. Remembered for the lab
// that was open last: another lab begins with its terminal.

import { type ReadonlySignal, signal } from "@preact/signals";
import { changePreferences, readPreferences } from "../course/preferences.ts";

export interface OpenPanel {
  readonly id: string;
  readonly argument: string;
}

export interface PanelTabs {
  /** In the order of opening. */
  readonly open: ReadonlySignal<readonly OpenPanel[]>;
  /** The panel in front; "" while a terminal is. */
  readonly front: ReadonlySignal<string>;
  /** What stands beside: a panel, or a terminal by its id; "" for nothing. */
  readonly beside: ReadonlySignal<string>;
  /** Opens a panel or brings it to where the reader likes panels, with what it is to show; without an argument it keeps what it has. */
  show(id: string, argument?: string): void;
  showTerminals(): void;
  /** Puts a tab beside the others, or brings it back among them. */
  toggleBeside(key: string): void;
  close(id: string): void;
  /** A terminal has ended. */
  terminalClosed(id: string): void;
}

export interface PanelTabsOptions {
  readonly labId: string;
  /** Whether there is such a panel. */
  readonly isKnown: (id: string) => boolean;
  /** False where there is room for one thing at a time only. */
  readonly hasRoom?: () => boolean;
}

export function createPanelTabs({ labId, isKnown, hasRoom = () => true }: PanelTabsOptions): PanelTabs {
  const { labPanels: kept } = readPreferences();
  const open = signal<readonly OpenPanel[]>(
    kept.lab === labId ? kept.open.filter(isKnown).map((id) => ({ id, argument: "" })) : [],
  );
  const isOpen = (id: string): boolean => open.value.some((panel) => panel.id === id);
  const front = signal(isOpen(kept.front) ? kept.front : "");
  const beside = signal(isOpen(kept.beside) ? kept.beside : "");
  const remember = (): void => {
    // Terminals are not the same ones after a reload.
    const besidePanel = isOpen(beside.value) ? beside.value : "";
    changePreferences({
      labPanels: { lab: labId, open: open.value.map(({ id }) => id), front: front.value, beside: besidePanel },
    });
  };
  return {
    open,
    front,
    beside,
    show: (id, argument) => {
      if (!isKnown(id)) throw new Error(`there is no panel "${id}"`);
      const before = open.value.find((panel) => panel.id === id);
      if (before === undefined) open.value = [...open.value, { id, argument: argument ?? "" }];
      else if (argument !== undefined && argument !== before.argument)
        open.value = open.value.map((panel) => (panel.id === id ? { id, argument } : panel));
      if (hasRoom() && (beside.value === id || readPreferences().panelBeside)) {
        beside.value = id;
        if (front.value === id) front.value = "";
      } else front.value = id;
      remember();
    },
    showTerminals: () => {
      if (front.value === "") return;
      front.value = "";
      remember();
    },
    toggleBeside: (key) => {
      const comesBack = beside.value === key;
      beside.value = comesBack ? "" : key;
      if (isOpen(key)) {
        if (comesBack) front.value = key;
        else if (front.value === key) front.value = "";
        changePreferences({ panelBeside: !comesBack });
      }
      remember();
    },
    close: (id) => {
      const index = open.value.findIndex((panel) => panel.id === id);
      if (index < 0) return;
      open.value = open.value.filter((panel) => panel.id !== id);
      if (beside.value === id) beside.value = "";
      if (front.value === id) {
        const others = open.value.filter((panel) => panel.id !== beside.value);
        front.value = (others[Math.min(index, others.length - 1)] ?? others[0])?.id ?? "";
      }
      remember();
    },
    terminalClosed: (id) => {
      if (beside.value === id) beside.value = "";
    },
  };
}
