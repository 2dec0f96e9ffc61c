// How the reader likes the page: theme, widths, folds. One stored value; unknown or broken parts fall back to the default.

import { readStored, writeStored } from "./storage.ts";

export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  /** Share of the window's width that the workbench takes, in percent. */
  readonly labWidthPercent: number;
  readonly railHidden: boolean;
  readonly foldedZones: readonly string[];
  /** Height of the cluster picture in pixels. */
  readonly pictureHeightPx: number;
  readonly terminalFontSizePx: number;
  readonly screenReader: boolean;
  readonly singleKeys: boolean;
  /** Panels of the workbench that have a tab, and the one in front of the terminals ("" for none). */
  readonly panels: readonly string[];
  readonly frontPanel: string;
}

export const defaultPreferences: Preferences = {
  theme: "system",
  labWidthPercent: 54,
  railHidden: false,
  foldedZones: [],
  pictureHeightPx: 310,
  terminalFontSizePx: 13,
  screenReader: false,
  singleKeys: true,
  panels: [],
  frontPanel: "",
};

export function readPreferences(): Preferences {
  const stored = readStored("preferences");
  const given: Partial<Record<keyof Preferences, unknown>> = typeof stored === "object" && stored !== null ? stored : {};
  const { theme, frontPanel } = given;
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    labWidthPercent: numberWithin(given.labWidthPercent, 25, 75, defaultPreferences.labWidthPercent),
    railHidden: given.railHidden === true,
    foldedZones: strings(given.foldedZones),
    pictureHeightPx: numberWithin(given.pictureHeightPx, 120, 700, defaultPreferences.pictureHeightPx),
    terminalFontSizePx: numberWithin(given.terminalFontSizePx, 10, 28, defaultPreferences.terminalFontSizePx),
    screenReader: given.screenReader === true,
    singleKeys: given.singleKeys !== false,
    panels: strings(given.panels),
    frontPanel: typeof frontPanel === "string" ? frontPanel : "",
  };
}

/** Name of the event that `document` fires after a change. */
export const preferencesChanged = "pilothouse:preferences";

export function changePreferences(change: Partial<Preferences>): void {
  writeStored("preferences", { ...readPreferences(), ...change });
  document.dispatchEvent(new CustomEvent(preferencesChanged));
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function numberWithin(value: unknown, least: number, most: number, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}
