// The recorder's entries that pass a filter, kept up to date between questions: a page that looks on asks for the same
// filter four times a second.

import { asciiLowerCase } from "#sim/ascii.ts";
import { componentOfEntry, type EventFields, isEvent, objectOfEntry, type ResourceOfKind } from "./entry-views.ts";
import { isSameRef, refText } from "./object-ref.ts";
import type { EntryFilter } from "./questions.ts";
import { type HistoryEntry, isBeat, type Recorder } from "./recorder.ts";

export class FilteredEntries {
  readonly #recorder: Recorder;
  readonly #resourceOf: ResourceOfKind;
  #key = "";
  #passes: (entry: HistoryEntry) => boolean = () => true;
  #found: HistoryEntry[] = [];
  /** All up to here have been looked at. */
  #seen = 0;

  constructor(recorder: Recorder, resourceOf: ResourceOfKind) {
    this.#recorder = recorder;
    this.#resourceOf = resourceOf;
  }

  /** Oldest first. */
  find(filter: EntryFilter): readonly HistoryEntry[] {
    const key = JSON.stringify(filter);
    if (key !== this.#key) {
      this.#key = key;
      this.#passes = passes(filter, this.#resourceOf);
      this.#found = [];
      this.#seen = 0;
    }
    this.#dropForgotten();
    for (const entry of this.#unseen(filter.beats)) {
      this.#seen = entry.sequence;
      if (this.#passes(entry)) this.#found.push(entry);
    }
    return this.#found;
  }

  #dropForgotten(): void {
    const { entries, beats } = this.#recorder;
    const isKept = (entry: HistoryEntry): boolean => {
      const oldest = (isBeat(entry) ? beats : entries).at(0);
      return oldest !== undefined && entry.sequence >= oldest.sequence;
    };
    const first = this.#found[0];
    if (first !== undefined && !isKept(first)) this.#found = this.#found.filter(isKept);
  }

  /** Entries not looked at yet, of both rings in their order. */
  *#unseen(withBeats: boolean): IterableIterator<HistoryEntry> {
    const { entries, beats } = this.#recorder;
    const isNew = (entry: HistoryEntry): boolean => entry.sequence > this.#seen;
    let next = entries.findFirst(isNew);
    let nextBeat = withBeats ? beats.findFirst(isNew) : beats.length;
    for (;;) {
      const entry = entries.at(next);
      const beat = beats.at(nextBeat);
      if (entry !== undefined && (beat === undefined || entry.sequence < beat.sequence)) {
        next += 1;
        yield entry;
      } else if (beat !== undefined) {
        nextBeat += 1;
        yield beat;
      } else return;
    }
  }
}

export function passes(filter: EntryFilter, resourceOf: ResourceOfKind): (entry: HistoryEntry) => boolean {
  const components = new Set(filter.components);
  const text = asciiLowerCase(filter.text.trim());
  const { object } = filter;
  return (entry) => {
    if (components.size > 0 && !components.has(componentOfEntry(entry).name)) return false;
    if (object === undefined && text === "") return true;
    const about = objectOfEntry(entry, resourceOf);
    if (object !== undefined && !isSameRef(about, object)) return false;
    return text === "" || asciiLowerCase(refText(about)).includes(text) || asciiLowerCase(said(entry)).includes(text);
  };
}

function said(entry: HistoryEntry): string {
  if (entry.kind === "refusal") return entry.message;
  if (entry.kind === "decision") return `${entry.decision.nodeName} ${entry.decision.message}`;
  if (entry.kind === "runtime") return `${entry.act.container} ${entry.act.detail}`;
  const { object } = entry.write;
  if (!isEvent(entry)) return object.kind;
  const { reason = "", message = "", note = "" } = object as EventFields;
  return `${reason} ${message}${note}`;
}
