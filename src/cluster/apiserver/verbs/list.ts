// GET of a collection: now, at a revision of the past, whole or in pages (apiserver's pkg/storage/cacher).

import { ApiError, badRequest, expired } from "#cluster/api/errors.ts";
import type { KubeObject, ListMeta } from "#cluster/api/objects.ts";
import type { Table } from "#cluster/storage/table.ts";
import { decodeContinue, encodeContinue } from "../continue-token.ts";
import { type Machinery, presentedAll, storageKey, tableOf } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { type Selection, type SelectionOptions, selectionOf } from "../selection.ts";
import { parseRevision, requireNotInFuture } from "./revisions.ts";

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
  if (options.continue) return continued(machinery, request, options, selection);
  const revision = revisionToList(machinery, options);
  const table = tableOf(machinery, request.definition);
  const all = revision === undefined ? present(table, request, selection) : table.listAt(selection.namespace, revision);
  machinery.store.encryption?.openAll(table, all);
  // Whoever takes any state takes all of it.
  const limit = options.resourceVersion === "0" ? 0 : (options.limit ?? 0);
  return page(presentedAll(request.definition, all, request.answers), selection, limit, revision ?? machinery.store.revision);
}

/** All that may be meant. Kubelets and proxies each list their own node: a name is looked up, nothing is gone through. */
function present(table: Table, { definition }: ResourceRequest, { namespace, interest }: Selection): KubeObject[] {
  const isOne = interest?.field === "metadata.name" && (!definition.namespaced || namespace !== "");
  if (!isOne) return table.list(namespace);
  const object = table.get(storageKey(namespace, interest.value));
  return object === undefined ? [] : [object];
}

/** Undefined: the present. Only `Exact` reads the past; `NotOlderThan` and no match are served from the newest state. */
function revisionToList(machinery: Machinery, options: ListRequestOptions): number | undefined {
  const { resourceVersion = "", resourceVersionMatch = "" } = options;
  if (resourceVersion === "" || resourceVersion === "0") return undefined;
  const revision = parseRevision(resourceVersion, (fault) =>
    badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${fault}`),
  );
  requireNotInFuture(machinery, revision);
  const limited = (options.limit ?? 0) > 0;
  if (resourceVersionMatch !== "Exact" && !(limited && resourceVersionMatch === "")) return undefined;
  if (revision <= machinery.store.compactedRevision) throw expired("The resourceVersion for the provided list is too old.");
  return revision;
}

function continued(machinery: Machinery, request: ResourceRequest, options: ListRequestOptions, selection: Selection): ListResult {
  const { revision, startKey } = decodeContinue(options.continue ?? "");
  const { resourceVersion = "" } = options;
  if (resourceVersion !== "" && resourceVersion !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  const table = tableOf(machinery, request.definition);
  if (revision >= 0 && revision <= machinery.store.compactedRevision) throw expiredContinue(startKey);
  if (revision > 0) requireNotInFuture(machinery, revision);
  const at = revision < 0 ? machinery.store.revision : revision;
  const all = revision < 0 ? table.list(selection.namespace) : table.listAt(selection.namespace, revision);
  machinery.store.encryption?.openAll(table, all);
  const left = presentedAll(request.definition, all, request.answers).filter((object) => keyBelow(object, selection) >= startKey);
  return page(left, selection, options.limit ?? 0, at);
}

/** Too old to go on consistently: the Status carries a token that goes on inconsistently. */
function expiredContinue(startKey: string): Error {
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  return new ApiError({ ...expired(message).status, metadata: { continue: encodeContinue(-1, startKey) } });
}

function page(all: readonly KubeObject[], selection: Selection, limit: number, revision: number): ListResult {
  const resourceVersion = String(revision);
  if (limit <= 0) {
    return { metadata: { resourceVersion }, items: selection.selectsAll ? all : all.filter((object) => selection.matches(object)) };
  }
  const items: KubeObject[] = [];
  for (const [index, object] of all.entries()) {
    if (selection.selectsAll || selection.matches(object)) items.push(object);
    if (items.length < limit) continue;
    if (index === all.length - 1) break;
    // Whether any of the others match is not known: with selectors a last page may be empty, and nobody says how many are left.
    const remaining = selection.selectsAll ? { remainingItemCount: all.length - limit } : {};
    const next = encodeContinue(revision, `${keyBelow(items.at(-1) as KubeObject, selection)}\u0000`);
    return { metadata: { resourceVersion, continue: next, ...remaining }, items };
  }
  return { metadata: { resourceVersion }, items };
}

/** The key of an object below the prefix of the collection that is listed. */
function keyBelow({ metadata }: KubeObject, selection: Selection): string {
  const name = metadata.name as string;
  return selection.namespace === "" ? storageKey(metadata.namespace ?? "", name) : name;
}
