// Keeps journals in the browser, one a lab. Storage may be denied, full or hold garbage: a lab then starts afresh, and
// the session says that its progress will not survive a reload.

import { type LabJournalEntry, type SavedLab, savedFormat } from "./protocol.ts";

/** The part of `Storage` that is used; injected so that tests need no browser. */
export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const prefix = "pilothouse.lab.";

export function loadSavedLab(storage: KeyValueStorage | undefined, labId: string): SavedLab | undefined {
  try {
    const text = storage?.getItem(prefix + labId);
    if (text === null || text === undefined) return undefined;
    const saved: unknown = JSON.parse(text);
    return isSavedLab(saved) ? saved : undefined;
  } catch {
    return undefined;
  }
}

/** False when it could not be kept. */
export function storeSavedLab(storage: KeyValueStorage | undefined, labId: string, saved: SavedLab): boolean {
  try {
    storage?.setItem(prefix + labId, JSON.stringify(saved));
    return storage !== undefined;
  } catch {
    return false;
  }
}

export function forgetSavedLab(storage: KeyValueStorage | undefined, labId: string): void {
  try {
    storage?.removeItem(prefix + labId);
  } catch {
    // Denied storage holds nothing to forget.
  }
}

function isSavedLab(value: unknown): value is SavedLab {
  if (typeof value !== "object" || value === null) return false;
  const saved = value as Partial<SavedLab>;
  return (
    saved.format === savedFormat &&
    Number.isSafeInteger(saved.seed) &&
    Number.isSafeInteger(saved.startMs) &&
    Number.isSafeInteger(saved.nowMs) &&
    typeof saved.hints === "object" &&
    Array.isArray(saved.solutions) &&
    Array.isArray(saved.entries) &&
    saved.entries.every(
      (entry: Partial<LabJournalEntry>) => Number.isSafeInteger(entry.timeMs) && typeof entry.input?.kind === "string",
    )
  );
}
