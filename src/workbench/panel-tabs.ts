// Which panels have a tab, which one is in front of the terminals, and what each was opened for. Tabs are remembered.

import { type ReadonlySignal, signal } from "@preact/signals";
import { changePreferences, readPreferences } from "../course/preferences.ts";
import { panelById } from "./panels.ts";

export interface OpenPanel {
  readonly id: string;
  readonly argument: string;
}

export interface PanelTabs {
  /** In the order of opening. */
  readonly open: ReadonlySignal<readonly OpenPanel[]>;
  /** The panel in front; "" while a terminal is. */
  readonly front: ReadonlySignal<string>;
  /** Opens a panel or brings it to the front, with what it is to show; without an argument it keeps what it has. */
  show(id: string, argument?: string): void;
  showTerminals(): void;
  close(id: string): void;
}

export function createPanelTabs(known: (id: string) => boolean = (id) => panelById(id) !== undefined): PanelTabs {
  const kept = readPreferences();
  const open = signal<readonly OpenPanel[]>(kept.panels.filter(known).map((id) => ({ id, argument: "" })));
  const front = signal(open.value.some(({ id }) => id === kept.frontPanel) ? kept.frontPanel : "");
  const remember = (): void => changePreferences({ panels: open.value.map(({ id }) => id), frontPanel: front.value });
  return {
    open,
    front,
    show: (id, argument) => {
      if (!known(id)) throw new Error(`there is no panel "${id}"`);
      const before = open.value.find((panel) => panel.id === id);
      if (before === undefined) open.value = [...open.value, { id, argument: argument ?? "" }];
      else if (argument !== undefined && argument !== before.argument)
        open.value = open.value.map((panel) => (panel.id === id ? { id, argument } : panel));
      front.value = id;
      remember();
    },
    showTerminals: () => {
      if (front.value === "") return;
      front.value = "";
      remember();
    },
    close: (id) => {
      const index = open.value.findIndex((panel) => panel.id === id);
      if (index < 0) return;
      open.value = open.value.filter((panel) => panel.id !== id);
      if (front.value === id) front.value = (open.value[index] ?? open.value[index - 1])?.id ?? "";
      remember();
    },
  };
}
