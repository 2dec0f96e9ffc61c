// DELETE of one object: grace periods, propagation by finalizers, preconditions (registry's Delete and BeforeDelete).

import { conflict, notFound } from "#cluster/api/errors.ts";
import type { KubeObject, ObjectMeta } from "#cluster/api/objects.ts";
import { formatTime, parseTime } from "#cluster/api/time.ts";
import type { DeleteOptions } from "#cluster/client/client.ts";
import { carryManagers } from "../field-management.ts";
import { type Machinery, presentedTo, storageKey, tableOf } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { subjectOf } from "./read.ts";

const orphan = "orphan";
const foreground = "foregroundDeletion";

export interface DeleteResult {
  readonly object: KubeObject;
  /** False when the object is still there with a deletionTimestamp. */
  readonly gone: boolean;
}

/** Throws NotFound, Conflict (preconditions), Forbidden (admission). */
export function deleteObject(machinery: Machinery, request: ResourceRequest, options: DeleteOptions): DeleteResult {
  const table = tableOf(machinery, request.definition);
  const key = storageKey(request.namespace, request.name);
  const current = table.get(key);
  if (current === undefined) throw notFound(subjectOf(request), request.name);
  machinery.store.encryption?.open(table, current);
  requirePreconditions(request, current, options);
  const warning = request.definition.propagationWarning;
  if (warning !== undefined && options.propagationPolicy === undefined && !request.warnings.includes(warning)) {
    request.warnings.push(warning);
  }
  machinery.admission.admit(request, "DELETE", presentedTo(request, current));

  const metadata = markedMetadata(machinery, request, current, options);
  const changed: KubeObject = metadata === current.metadata ? current : { ...current, metadata };
  const marked = changed === current ? current : (request.definition.prepareForDelete?.(changed) ?? changed);
  if (isHeld(request, marked)) {
    if (request.dryRun && marked !== current) carryManagers(marked, current);
    if (marked === current || request.dryRun) return { object: presentedTo(request, marked), gone: false };
    const stored = machinery.store.put(table, key, marked);
    carryManagers(stored, current);
    return { object: presentedTo(request, stored), gone: false };
  }
  if (request.dryRun) return { object: presentedTo(request, marked), gone: true };
  const removed = machinery.store.remove(table, key, marked);
  carryManagers(removed, current);
  machinery.allocators.released(request.definition, removed);
  return { object: presentedTo(request, removed), gone: true };
}

function requirePreconditions(request: ResourceRequest, current: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options;
  if (uid !== undefined && uid !== current.metadata.uid) {
    throw conflict(
      { group: request.definition.group, resource: request.definition.kind },
      request.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${current.metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== current.metadata.resourceVersion) {
    throw conflict(
      { group: request.definition.group, resource: request.definition.kind },
      request.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${current.metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/** Metadata with grace period and propagation finalizers, or the same metadata when the deletion is instant. */
function markedMetadata(machinery: Machinery, request: ResourceRequest, current: KubeObject, options: DeleteOptions): ObjectMeta {
  const finalizers = finalizersFor(request, current, options);
  const changed = finalizers !== (current.metadata.finalizers ?? noFinalizers);
  const graceful = gracefulMetadata(machinery, request, current, options);
  if (graceful !== undefined) return changed ? { ...graceful, finalizers } : graceful;
  if (finalizers.length === 0 && request.definition.holdsDeletion?.(current) !== true) return current.metadata;
  // Held by finalizers only: marked with no grace period left.
  const base: ObjectMeta =
    current.metadata.deletionTimestamp !== undefined && (current.metadata.deletionGracePeriodSeconds ?? 0) === 0
      ? current.metadata
      : markedNow(machinery, current.metadata, request.definition.holdsDeletion === undefined);
  return changed ? { ...base, finalizers } : base;
}

/** Kinds that hold their deletion by themselves have no grace period (the registries' own Delete). */
function markedNow(machinery: Machinery, metadata: ObjectMeta, isGraceful: boolean): ObjectMeta {
  const first = metadata.deletionTimestamp === undefined;
  return {
    ...metadata,
    ...(first && isGraceful && metadata.generation !== undefined ? { generation: Number(metadata.generation) + 1 } : {}),
    deletionTimestamp: formatTime(machinery.simulation.nowMs),
    ...(isGraceful ? { deletionGracePeriodSeconds: 0 } : {}),
  };
}

/** Undefined when the kind ends at once, or its time is up. */
function gracefulMetadata(
  machinery: Machinery,
  request: ResourceRequest,
  current: KubeObject,
  options: DeleteOptions,
): ObjectMeta | undefined {
  const { definition } = request;
  if (definition.gracePeriod === undefined) return undefined;
  const requested = options.gracePeriodSeconds === undefined ? undefined : atLeastOneIfNegative(options.gracePeriodSeconds);
  const { deletionTimestamp, deletionGracePeriodSeconds } = current.metadata;
  if (deletionTimestamp === undefined) {
    const seconds = definition.gracePeriod(current, requested);
    return {
      ...current.metadata,
      ...(current.metadata.generation === undefined ? {} : { generation: Number(current.metadata.generation) + 1 }),
      deletionTimestamp: formatTime(machinery.simulation.nowMs + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
    };
  }
  const left = Number(deletionGracePeriodSeconds ?? 0);
  if (left === 0) return undefined;
  if (requested === undefined || requested >= left) return current.metadata;
  // A later request may only shorten the period, counted from the first request.
  const dueMs = parseTime(deletionTimestamp) - left * 1000 + requested * 1000;
  const late = dueMs < machinery.simulation.nowMs;
  return {
    ...current.metadata,
    deletionTimestamp: formatTime(late ? machinery.simulation.nowMs : dueMs),
    deletionGracePeriodSeconds: late && requested > 0 ? 1 : requested,
  };
}

function atLeastOneIfNegative(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/** The finalizers after the propagation policy has had its say; the same array when nothing changes. */
function finalizersFor(request: ResourceRequest, current: KubeObject, options: DeleteOptions): readonly string[] {
  const existing = current.metadata.finalizers ?? noFinalizers;
  const policy = options.propagationPolicy;
  const wantsOrphan = policy === undefined ? existing.includes(orphan) : policy === "Orphan";
  const wantsForeground = policy === undefined ? existing.includes(foreground) : policy === "Foreground";
  const kept = existing.filter((finalizer) => finalizer !== orphan && finalizer !== foreground);
  const defaultOrphan = policy === undefined && !wantsForeground && request.definition.defaultPropagation === "Orphan";
  if (wantsOrphan || defaultOrphan) kept.push(orphan);
  if (wantsForeground) kept.push(foreground);
  const same = kept.length === existing.length && kept.every((finalizer) => existing.includes(finalizer));
  return same ? existing : kept;
}

const noFinalizers: readonly string[] = [];

function isHeld(request: ResourceRequest, object: KubeObject): boolean {
  const { finalizers, deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if ((finalizers?.length ?? 0) > 0) return true;
  if (deletionTimestamp !== undefined && (deletionGracePeriodSeconds ?? 0) > 0) return true;
  return request.definition.holdsDeletion?.(object) === true;
}
