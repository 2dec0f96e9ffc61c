// What pages say of labs before they are opened: names of sandboxes, numbers of steps.

import { type LabSources, labFromSources, labIds, labTextsFromSources } from "#lab/catalog.ts";
import type { Locale } from "../i18n/locales.ts";

const files: Readonly<Record<string, string>> = import.meta.glob("/labs/**/*", { query: "?raw", import: "default", eager: true });

/** All files below `labs/`, by path from the checkout's root. */
export const labSources: LabSources = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path.replace(/^\//, ""), text]),
);

export interface Sandbox {
  readonly id: string;
  readonly title: string;
  /** May hold `code`. */
  readonly goal: string;
}

const sandboxIds = ["sandbox", "sandbox-one", "sandbox-ten", "sandbox-bare", "sandbox-scheduler", "sandbox-controllers"];

/** Clusters to play with, the usual one first. */
export function sandboxes(locale: Locale): readonly Sandbox[] {
  return sandboxIds.map((id) => {
    const { title, goal } = labTextsFromSources(labSources, labFromSources(labSources, id), locale);
    return { id, title, goal };
  });
}

export function stepCount(labId: string): number {
  return labIds(labSources).includes(labId) ? labFromSources(labSources, labId).steps.length : 0;
}
