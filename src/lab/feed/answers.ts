// Answers the page's questions about a world. A download of its own: it comes with the first question.

import type { Docs } from "#cluster/api/openapi/dialect.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import type { World } from "#world/world.ts";
import type { ViewOptions } from "../cluster-view.ts";
import { comparedObjects } from "../compared-objects.ts";
import type { PictureWish } from "../definition.ts";
import { type DeskAnswerers, deskAnswerers } from "../desk.ts";
import { definitionOf, refOf, tableOfKind, yamlOf } from "./catalog.ts";
import { componentOf } from "./components.ts";
import { decisionDetail, listDecisions } from "./decisions.ts";
import { componentOfEntry, entryView, type ResourceOfKind } from "./entry-views.ts";
import { FilteredFeed } from "./filter.ts";
import { followView } from "./follow.ts";
import { missingImages } from "./missing-images.ts";
import { findObjects, objectView, writesOf } from "./objects.ts";
import { pastView } from "./past.ts";
import type { Answer, Asked, Component, EntriesView, EntryDetail, ObjectRef, OverviewView, QuestionName } from "./questions.ts";
import type { Recorder } from "./recorder.ts";

/** More entries than this are never sent at once. */
const mostEntries = 500;

export interface AnswersOptions {
  /** The API's documentation, as far as it is loaded. */
  readonly docs?: () => Docs;
  /** What the lab has in its picture. */
  readonly wishes?: readonly PictureWish[];
  /** All that the lab itself names. */
  readonly labText?: string;
}

export class Answers {
  readonly #server: ApiServer;
  readonly #recorder: Recorder;
  readonly #feed: FilteredFeed;
  readonly #resourceOf: ResourceOfKind;
  readonly #desk: DeskAnswerers;
  readonly #labText: string;
  readonly #view: ViewOptions;

  constructor(world: World, recorder: Recorder, { docs = () => ({}), wishes = [], labText = "" }: AnswersOptions = {}) {
    this.#labText = labText;
    this.#view = { wishes, customTypes: () => (world.apiAvailable ? world.client.customTypes() : []) };
    this.#desk = deskAnswerers(world.workstation, docs);
    this.#server = world.cluster.apiServer;
    this.#recorder = recorder;
    const tables = new Map<string, string>();
    // Entries are many, kinds few.
    this.#resourceOf = (apiVersion, kind) => {
      const key = `${apiVersion}/${kind}`;
      const known = tables.get(key);
      if (known !== undefined) return known;
      const table = tableOfKind(this.#server, apiVersion, kind);
      tables.set(key, table);
      return table;
    };
    this.#feed = new FilteredFeed(recorder, this.#resourceOf);
  }

  answer<Name extends QuestionName>(name: Name, asked: Asked<Name>): Answer<Name> {
    const answerers: { readonly [N in QuestionName]: (asked: Asked<N>) => Answer<N> } = {
      ...this.#desk,
      overview: ({ parts }) => this.#overview(parts),
      entries: (window) => this.#entries(window),
      entry: ({ sequence }) => this.#entry(sequence),
      neighbour: ({ ofMs, later }) => this.#neighbour(ofMs, later),
      missingImages: () =>
        missingImages(this.#server.store.tables.get("pods")?.list("") ?? [], (image) => this.#labText.includes(image)),
      past: ({ atMs }) => pastView(this.#server.store, this.#recorder, atMs, this.#view),
      follow: ({ object, pod }) => followView(this.#recorder, object, pod),
      object: (object) => objectView(this.#server, this.#recorder, object),
      yaml: ({ object, version }) => this.#yaml(object, version),
      touched: () => this.#touched(),
      compared: () => comparedObjects(this.#server),
      find: (search) => findObjects(this.#server, this.#recorder, search),
      decisions: (list) => listDecisions(this.#recorder, list),
      decision: ({ sequence }) => decisionDetail(this.#recorder, sequence),
    };
    return answerers[name](asked);
  }

  #overview(parts: number): OverviewView {
    const { entries } = this.#recorder;
    const { nowMs } = this.#server.simulation;
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

  #entries({ filter, first, count, around }: Asked<"entries">): EntriesView {
    const found = this.#feed.find(filter);
    const wanted = Math.min(mostEntries, count);
    const place = around === undefined ? -1 : found.findIndex(({ sequence }) => sequence === around);
    const latest = Math.max(0, found.length - wanted);
    const start = place >= 0 ? place - Math.floor(wanted / 2) : first < 0 ? latest : first;
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
    const definition = found.kind === "write" ? definitionOf(this.#server, found.resource) : undefined;
    const states = found.kind === "write" && definition !== undefined ? found.write : undefined;
    return {
      entry: entryView(found, this.#resourceOf),
      request:
        request === undefined
          ? undefined
          : { user: request.user.name, groups: request.user.groups, userAgent: request.userAgent, code: request.code ?? 0 },
      before: states?.previous === undefined || definition === undefined ? "" : yamlOf(definition, states.previous),
      after: states === undefined || states.deleted || definition === undefined ? "" : yamlOf(definition, states.object),
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

  #yaml(object: Asked<"yaml">["object"], version: number): string {
    const definition = definitionOf(this.#server, object.resource);
    const write = writesOf(this.#recorder, object).find(({ sequence }) => sequence === version)?.write;
    return write === undefined || definition === undefined ? "" : yamlOf(definition, write.object);
  }
}

const groups: readonly Component["group"][] = ["client", "apiserver", "controller", "scheduler", "node", "addon"];

function byGroupAndName(a: Component, b: Component): number {
  return groups.indexOf(a.group) - groups.indexOf(b.group) || (a.name < b.name ? -1 : 1);
}
