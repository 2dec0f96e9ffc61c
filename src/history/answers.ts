// Answers questions about a world's past and present objects: what the recorder kept, put into words by the other files of the room.

import { compareTexts } from "#sim/compare-texts.ts";
import type { StoredObjects } from "#world/happenings.ts";
import { componentOf } from "./components.ts";
import { decisionDetail, listDecisions } from "./decisions.ts";
import { componentOfEntry, entryView, type ResourceOfKind } from "./entry-views.ts";
import { FilteredEntries } from "./filtered-entries.ts";
import { followView } from "./follow.ts";
import { refOf } from "./object-keys.ts";
import { findObjects, objectView, writesOf } from "./object-views.ts";
import { yamlOf } from "./object-yaml.ts";
import type { Component, EntriesView, EntryDetail, HistoryAnswerers, HistoryAsked, ObjectRef, OverviewView } from "./questions.ts";
import type { Recorder } from "./recorder.ts";

/** More entries than this are never sent at once. */
const mostEntries = 500;

export function historyAnswerers(objects: StoredObjects, recorder: Recorder): HistoryAnswerers {
  return new HistoryAnswers(objects, recorder).answerers;
}

class HistoryAnswers {
  readonly answerers: HistoryAnswerers;
  readonly #objects: StoredObjects;
  readonly #recorder: Recorder;
  readonly #filtered: FilteredEntries;
  readonly #resourceOf: ResourceOfKind;

  constructor(objects: StoredObjects, recorder: Recorder) {
    this.#objects = objects;
    this.#recorder = recorder;
    this.#resourceOf = (apiVersion, kind) => objects.resourceOf(apiVersion, kind);
    this.#filtered = new FilteredEntries(recorder, this.#resourceOf);
    this.answerers = {
      overview: ({ parts }) => this.#overview(parts),
      entries: (window) => this.#entries(window),
      entry: ({ sequence }) => this.#entry(sequence),
      neighbour: ({ ofMs, later }) => this.#neighbour(ofMs, later),
      follow: (asked) => followView(objects, recorder, asked),
      object: (asked) => objectView(objects, recorder, asked),
      yaml: ({ object, version }) => this.#yaml(object, version),
      touched: () => this.#touched(),
      find: (search) => findObjects(objects, recorder, search),
      decisions: (list) => listDecisions(recorder, list),
      decision: ({ sequence }) => decisionDetail(recorder, sequence),
    };
  }

  #overview(parts: number): OverviewView {
    const { entries } = this.#recorder;
    const { nowMs } = this.#objects;
    const oldestMs = entries.at(0)?.timeMs ?? nowMs;
    const density = new Array<number>(parts).fill(0);
    const components = new Map<Component, number>();
    const partMs = Math.max(1, nowMs - oldestMs + 1) / parts;
    for (const entry of entries.from(0)) {
      const part = Math.floor((entry.timeMs - oldestMs) / partMs);
      density[part] = (density[part] ?? 0) + 1;
      const component = componentOfEntry(entry);
      components.set(component, (components.get(component) ?? 0) + 1);
    }
    return {
      oldestMs,
      nowMs,
      density,
      components: [...components].map(([component, count]) => ({ ...component, entries: count })).sort(byGroupAndName),
    };
  }

  #entries({ filter, first, count, around }: HistoryAsked<"entries">): EntriesView {
    const found = this.#filtered.find(filter);
    const wanted = Math.min(mostEntries, count);
    const place = around === undefined ? -1 : found.findIndex(({ sequence }) => sequence === around);
    const latest = Math.max(0, found.length - wanted);
    const unplaced = first < 0 ? latest : first;
    const start = place >= 0 ? place - Math.floor(wanted / 2) : unplaced;
    const from = Math.max(0, Math.min(start, latest));
    return {
      total: found.length,
      first: from,
      entries: found.slice(from, from + wanted).map((entry) => entryView(entry, this.#resourceOf)),
      found: place,
    };
  }

  #entry(sequence: number): EntryDetail | undefined {
    const found = this.#recorder.find(sequence);
    if (found === undefined) return undefined;
    const request = found.kind === "write" || found.kind === "refusal" ? found.request : undefined;
    const kind = found.kind === "write" ? this.#objects.kindOf(found.resource) : undefined;
    const states = found.kind === "write" && kind !== undefined ? found.write : undefined;
    return {
      entry: entryView(found, this.#resourceOf),
      request:
        request === undefined
          ? undefined
          : { user: request.user.name, groups: request.user.groups, userAgent: request.userAgent, code: request.code ?? 0 },
      before: states?.previous === undefined || kind === undefined ? "" : yamlOf(kind, states.previous),
      after: states === undefined || states.deleted || kind === undefined ? "" : yamlOf(kind, states.object),
    };
  }

  #touched(): ObjectRef | undefined {
    for (const entry of this.#recorder.entries.backwards()) {
      if (entry.kind === "write" && componentOf(entry.request).group === "client") return refOf(entry.resource, entry.write.key);
    }
    return undefined;
  }

  #neighbour(ofMs: number, later: boolean): number | undefined {
    const { entries } = this.#recorder;
    const at = later ? entries.findFirst(({ timeMs }) => timeMs > ofMs) : entries.findFirst(({ timeMs }) => timeMs >= ofMs) - 1;
    return entries.at(at)?.timeMs;
  }

  #yaml(object: HistoryAsked<"yaml">["object"], version: number): string {
    const kind = this.#objects.kindOf(object.resource);
    const write = writesOf(this.#recorder, object).find(({ sequence }) => sequence === version)?.write;
    return write === undefined || kind === undefined ? "" : yamlOf(kind, write.object);
  }
}

const groups: readonly Component["group"][] = ["client", "apiserver", "controller", "scheduler", "node", "addon"];

function byGroupAndName(a: Component, b: Component): number {
  return groups.indexOf(a.group) - groups.indexOf(b.group) || compareTexts(a.name, b.name);
}
