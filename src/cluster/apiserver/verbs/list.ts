// GET of a collection: now, at a revision of the past, whole or in pages.

import { ApiError, badRequest, expired, otherFailure } from "#cluster/api/errors.ts";
import type { KubeObject, ListMeta } from "#cluster/api/objects.ts";
import { decodeContinue, encodeContinue } from "../continue-token.ts";
import { type Machinery, presented, type ResourceRequest, storageKey, tableOf } from "../machinery.ts";
import { type Selection, type SelectionOptions, selectionOf } from "../selection.ts";

export interface ListRequestOptions extends SelectionOptions {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
}

export interface ListResult {
  readonly metadata: ListMeta;
  readonly items: readonly KubeObject[];
}

/** Throws 400 for bad options, 410 for a revision that was compacted, 504 for one that is still to come. */
export function listObjects(machinery: Machinery, request: ResourceRequest, options: ListRequestOptions): ListResult {
  const selection = selectionOf(request.definition, options);
  if (options.continue) return continued(machinery, request, options.continue, options.limit ?? 0, selection);
  const revision = revisionToList(machinery, options);
  const table = tableOf(machinery, request.definition);
  const all = revision === undefined ? table.list(selection.namespace) : table.listAt(selection.namespace, revision);
  return page(presentedAll(request, all), selection, options.limit ?? 0, revision ?? machinery.store.revision);
}

/** Undefined: the present. Only `Exact` reads the past; `NotOlderThan` and no match are served from the newest state. */
function revisionToList(machinery: Machinery, options: ListRequestOptions): number | undefined {
  const { resourceVersion = "", resourceVersionMatch = "" } = options;
  if (resourceVersion === "" || resourceVersion === "0") return undefined;
  const revision = parseRevision(resourceVersion);
  requireNotInFuture(machinery, revision);
  const limited = (options.limit ?? 0) > 0;
  if (resourceVersionMatch !== "Exact" && !(limited && resourceVersionMatch === "")) return undefined;
  requireNotCompacted(machinery, revision);
  return revision;
}

export function parseRevision(text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw badRequest(`Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

function requireNotCompacted(machinery: Machinery, revision: number): void {
  if (revision <= machinery.store.compactedRevision) {
    throw expired("The resourceVersion for the provided list is too old.");
  }
}

export function requireNotInFuture(machinery: Machinery, revision: number): void {
  if (revision <= machinery.store.revision) return;
  const message = `Too large resource version: ${revision}, current: ${machinery.store.revision}`;
  throw otherFailure(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

function continued(machinery: Machinery, request: ResourceRequest, token: string, limit: number, selection: Selection): ListResult {
  const { revision, startKey } = decodeContinue(token);
  const table = tableOf(machinery, request.definition);
  if (revision >= 0 && revision <= machinery.store.compactedRevision) throw expiredContinue(machinery, startKey);
  const at = revision < 0 ? machinery.store.revision : revision;
  const all = revision < 0 ? table.list(selection.namespace) : table.listAt(selection.namespace, revision);
  return page(
    presentedAll(request, all).filter((object) => keyOfObject(object) >= startKey),
    selection,
    limit,
    at,
  );
}

/** Too old to go on consistently: the Status carries a token that goes on inconsistently. */
function expiredContinue(machinery: Machinery, startKey: string): Error {
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  const metadata = { continue: encodeContinue(-1, startKey), resourceVersion: String(machinery.store.revision) };
  return new ApiError({ ...expired(message).status, metadata });
}

function presentedAll(request: ResourceRequest, objects: readonly KubeObject[]): readonly KubeObject[] {
  const { definition } = request;
  return definition.fromStorage === undefined ? objects : objects.map((object) => presented(definition, object));
}

function page(all: readonly KubeObject[], selection: Selection, limit: number, revision: number): ListResult {
  const items = selection.selectsAll ? all : all.filter((object) => selection.matches(object));
  if (limit <= 0 || items.length <= limit) return { metadata: { resourceVersion: String(revision) }, items };
  const next = items[limit] as KubeObject;
  // With selectors the server does not know how many more would match.
  const remaining = selection.selectsAll ? { remainingItemCount: items.length - limit } : {};
  return {
    metadata: { resourceVersion: String(revision), continue: encodeContinue(revision, keyOfObject(next)), ...remaining },
    items: items.slice(0, limit),
  };
}

function keyOfObject(object: KubeObject): string {
  return storageKey(object.metadata.namespace ?? "", object.metadata.name as string);
}
