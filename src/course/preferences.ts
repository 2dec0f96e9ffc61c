// How the reader likes the page: theme, widths, folds. One stored value; unknown or broken parts fall back to the default.

import { readStored, writeStored } from "./storage.ts";

export interface LabPanels {
  readonly lab: string;
  readonly open: readonly string[];
  /** In front of the terminals, and beside them; "" for none. */
  readonly front: string;
  readonly beside: string;
}

export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  /** Share of the window's width that the workbench takes, in percent. */
  readonly labWidthPercent: number;
  readonly railHidden: boolean;
  readonly foldedZones: readonly string[];
  /** Height of picture and steps above the terminal, in pixels; 0: as much as the current step needs. */
  readonly topHeightPx: number;
  readonly terminalFontSizePx: number;
  readonly screenReader: boolean;
  readonly singleKeys: boolean;
  /** A panel stands beside the terminal instead of in front of it. */
  readonly panelBeside: boolean;
  /** Panels that have a tab, and where they stand, in the lab that was open last; another lab begins with none. */
  readonly labPanels: LabPanels;
}

export const defaultPreferences: Preferences = {
  theme: "system",
  labWidthPercent: 54,
  railHidden: false,
  foldedZones: [],
  topHeightPx: 0,
  terminalFontSizePx: 13,
  screenReader: false,
  singleKeys: true,
  panelBeside: false,
  labPanels: { lab: "", open: [], front: "", beside: "" },
};

export function readPreferences(): Preferences {
  const stored = readStored("preferences");
  const given: Partial<Record<keyof Preferences, unknown>> = typeof stored === "object" && stored !== null ? stored : {};
  const { theme } = given;
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    labWidthPercent: numberWithin(given.labWidthPercent, 25, 75, defaultPreferences.labWidthPercent),
    railHidden: given.railHidden === true,
    foldedZones: strings(given.foldedZones),
    topHeightPx: given.topHeightPx === 0 ? 0 : numberWithin(given.topHeightPx, 120, 900, 0),
    terminalFontSizePx: numberWithin(given.terminalFontSizePx, 10, 28, defaultPreferences.terminalFontSizePx),
    screenReader: given.screenReader === true,
    singleKeys: given.singleKeys !== false,
    panelBeside: given.panelBeside === true,
    labPanels: toLabPanels(given.labPanels),
  };
}

/** Name of the event that `document` fires after a change. */
export const preferencesChanged = "pilothouse:preferences";

export function changePreferences(change: Partial<Preferences>): void {
  writeStored("preferences", { ...readPreferences(), ...change });
  document.dispatchEvent(new CustomEvent(preferencesChanged));
}

function toLabPanels(value: unknown): LabPanels {
  const { lab, open, front, beside } = (typeof value === "object" && value !== null ? value : {}) as Partial<
    Record<keyof LabPanels, unknown>
  >;
  const name = (given: unknown): string => (typeof given === "string" ? given : "");
  return { lab: name(lab), open: strings(open), front: name(front), beside: name(beside) };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function numberWithin(value: unknown, least: number, most: number, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}
