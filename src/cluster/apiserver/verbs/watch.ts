// WATCH: the changes of a collection after a revision, as seen through a selection: an object that comes to match is
// ADDED, one that no longer does is DELETED.

import { expired, otherFailure } from "#cluster/api/errors.ts";
import type { KubeObject, Status } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { StoreEvent } from "#cluster/storage/events.ts";
import { lateDynamicPlugins } from "../admission/dynamic-plugins.ts";
import type { ConvertedEvents } from "../custom-resources/converted-events.ts";
import { carryManagers } from "../field-management.ts";
import { type Machinery, presented, presentedAll, tableOf } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { type Selection, type SelectionOptions, selectionOf } from "../selection.ts";
import { parseRevision } from "./revisions.ts";

export interface WatchRequestOptions extends SelectionOptions {
  readonly resourceVersion?: string;
  readonly allowBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
}

export type ApiWatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly status: Status };

export interface ApiWatch {
  /** The newest revision that the client has been told of: what a bookmark says. */
  readonly resourceVersion: string;
  stop(): void;
}

/** Bad selectors and versions throw at once; everything else comes as events. `onEvent` gets no event after an ERROR. */
export function watchObjects(
  machinery: Machinery,
  request: ResourceRequest,
  options: WatchRequestOptions,
  onEvent: (event: ApiWatchEvent) => void,
): ApiWatch {
  const selection = selectionOf(request.definition, options);
  return new ObjectWatch(machinery, request, options, selection, onEvent);
}

class ObjectWatch implements ApiWatch {
  readonly #machinery: Machinery;
  readonly #definition: ResourceDefinition;
  readonly #selection: Selection;
  readonly #onEvent: (event: ApiWatchEvent) => void;
  readonly #subscription: { stop(): void };
  /** What is not newer is known to the client; a version of the future is waited for. */
  #since = 0;
  #stopped = false;
  #initial: readonly ApiWatchEvent[];
  /** Of a kind that a webhook converts. */
  #converted: ConvertedEvents | undefined;

  constructor(
    machinery: Machinery,
    request: ResourceRequest,
    options: WatchRequestOptions,
    selection: Selection,
    onEvent: (event: ApiWatchEvent) => void,
  ) {
    this.#machinery = machinery;
    this.#definition = request.definition;
    this.#selection = selection;
    this.#onEvent = onEvent;
    this.#initial = this.#initialEvents(request, options);
    const table = tableOf(machinery, request.definition);
    const { interest } = selection;
    const indexed = interest !== undefined && machinery.store.watches.isIndexed(table, interest.field);
    this.#subscription = machinery.store.watches.subscribe({
      table,
      interest: indexed ? interest : undefined,
      onStart: () => this.#start(),
      onEvent: (event) => this.#deliver(event),
    });
  }

  get resourceVersion(): string {
    return String(this.#machinery.store.revision);
  }

  stop(): void {
    this.#stopped = true;
    this.#subscription.stop();
  }

  #start(): void {
    const events = this.#initial;
    this.#initial = [];
    for (const event of events) {
      if (this.#stopped) return;
      this.#send(event);
    }
  }

  #initialEvents(request: ResourceRequest, options: WatchRequestOptions): readonly ApiWatchEvent[] {
    const { resourceVersion = "" } = options;
    const table = tableOf(this.#machinery, request.definition);
    const wantsState = resourceVersion === "" || resourceVersion === "0";
    if (options.sendInitialEvents === true || (wantsState && options.sendInitialEvents === undefined)) {
      const stored = table.list(this.#selection.namespace);
      this.#machinery.store.encryption?.openAll(table, stored);
      const objects = presentedAll(this.#definition, stored, request.answers).filter((object) => this.#selection.matches(object));
      const added = objects.map((object): ApiWatchEvent => ({ type: "ADDED", object }));
      if (options.sendInitialEvents !== true || options.allowBookmarks !== true) return added;
      return [...added, { type: "BOOKMARK", resourceVersion: String(this.#machinery.store.revision), initialEventsEnd: true }];
    }
    if (wantsState) return [];
    const revision = parseRevision(resourceVersion, (fault) => invalidVersion(resourceVersion, fault));
    this.#since = revision;
    const { compactedRevision } = this.#machinery.store;
    if (revision < compactedRevision) {
      const { status } = expired(`too old resource version: ${revision} (${compactedRevision})`);
      return [{ type: "ERROR", status }];
    }
    const events = table.eventsAfter(revision);
    if (this.#definition.converter !== undefined) lateDynamicPlugins.code.convertEvents(this.#definition, events, request.answers);
    return events.flatMap((event) => this.#translate(event) ?? []);
  }

  #deliver(event: StoreEvent): void {
    if (event.revision <= this.#since) return;
    if (this.#definition.converter === undefined) this.#tell(event);
    else {
      this.#converted ??= new lateDynamicPlugins.code.ConvertedEvents(this.#definition, {
        tell: (converted) => this.#tell(converted),
        fail: (status) => this.#send({ type: "ERROR", status }),
      });
      this.#converted.push(event);
    }
  }

  #tell(event: StoreEvent): void {
    const translated = this.#translate(event);
    if (translated !== undefined) this.#send(translated);
  }

  #send(event: ApiWatchEvent): void {
    if (this.#stopped) return;
    if (event.type === "ERROR") this.stop();
    this.#onEvent(event);
  }

  /** What a write means to someone who sees only the selection; undefined: nothing. */
  #translate(event: StoreEvent): ApiWatchEvent | undefined {
    const { deleted } = event;
    const object = presented(this.#definition, event.object);
    const previous = event.previous === undefined ? undefined : presented(this.#definition, event.previous);
    const before = previous !== undefined && this.#selection.matches(previous);
    const after = !deleted && this.#selection.matches(object);
    if (after) return { type: before ? "MODIFIED" : "ADDED", object };
    if (!before) return undefined;
    // An object that left the selection is shown in its last matching state, with the version of the change.
    return { type: "DELETED", object: deleted ? object : withVersionOf(previous, event) };
  }
}

/** A plain failure: nobody turns what the watch cache says of a version into a Status (storage/cacher's Watch). */
function invalidVersion(text: string, fault: string): Error {
  return otherFailure(500, "", `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${fault}`);
}

function withVersionOf(object: KubeObject, event: StoreEvent): KubeObject {
  const shown = { ...object, metadata: { ...object.metadata, resourceVersion: String(event.revision) } };
  carryManagers(shown, object);
  return shown;
}
