// Keeps journals in the browser, one a lab. Storage may be denied, full or hold garbage: a lab then starts afresh, and
// the session says that its progress will not survive a reload.

import { isWorldInput } from "#world/input.ts";
import { isSavedExam } from "./exam.ts";
import { type LabJournalEntry, type SavedLab, savedFormat } from "./protocol.ts";
import type { LostReason } from "./session.ts";

/** The part of `Storage` that is used; injected so that tests need no browser. */
export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const prefix = "pilothouse.lab.";

/** What a look into the storage gave. */
export interface LoadedLab {
  readonly saved: SavedLab | undefined;
  /** Why nothing is taken up although something was kept. */
  readonly lost: LostReason | undefined;
}

export function loadSavedLab(storage: KeyValueStorage | undefined, labId: string): LoadedLab {
  const text = readText(storage, labId);
  if (text === undefined) return { saved: undefined, lost: undefined };
  const value = parse(text);
  if (isSavedLab(value)) return { saved: value, lost: undefined };
  return { saved: undefined, lost: hasOtherFormat(value) ? "outdated" : "unreadable" };
}

function readText(storage: KeyValueStorage | undefined, labId: string): string | undefined {
  try {
    return storage?.getItem(prefix + labId) ?? undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Kept by a simulator whose worlds replay differently. */
export function hasOtherFormat(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    Number.isInteger(value.format) &&
    value.format !== savedFormat
  );
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

export function isSavedLab(value: unknown): value is SavedLab {
  if (typeof value !== "object" || value === null) return false;
  const saved = value as Partial<SavedLab>;
  return (
    saved.format === savedFormat &&
    Number.isSafeInteger(saved.seed) &&
    Number.isSafeInteger(saved.startMs) &&
    Number.isSafeInteger(saved.nowMs) &&
    typeof saved.hints === "object" &&
    saved.hints !== null &&
    Array.isArray(saved.solutions) &&
    (saved.world === undefined || typeof saved.world === "string") &&
    (saved.exam === undefined || isSavedExam(saved.exam)) &&
    Array.isArray(saved.entries) &&
    saved.entries.every(
      (entry: Partial<LabJournalEntry> | null) => Number.isSafeInteger(entry?.timeMs) && isWorldInput(entry?.input),
    )
  );
}
