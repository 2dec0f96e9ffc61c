// An object that is being deleted goes when nothing holds it any more: no finalizers, no grace period.

import type { KubeObject } from "#cluster/api/objects.ts";
import { noteWrite } from "../field-management.ts";
import { type Machinery, presentedTo, storageKey, storedForm, tableOf } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";

/** Whether an update leaves nothing to wait for (registry's ShouldDeleteDuringUpdate). */
export function isUnheld(object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  return (finalizers === undefined || finalizers.length === 0) && (deletionGracePeriodSeconds ?? 0) === 0;
}

/** Removes the object when the update took away the last thing that held it; undefined when it stays. `desired` is what was asked for. */
export function finishIfUnheld(
  machinery: Machinery,
  request: ResourceRequest,
  object: KubeObject,
  old: KubeObject,
  desired: KubeObject,
): KubeObject | undefined {
  if (!isUnheld(object)) return undefined;
  if (request.definition.holdsDeletion?.(object) === true) return undefined;
  if (request.dryRun) return object;
  const key = storageKey(old.metadata.namespace ?? "", old.metadata.name as string);
  const removed = machinery.store.remove(tableOf(machinery, request.definition), key, storedForm(request, object));
  noteWrite(machinery, request, old, desired, removed);
  machinery.allocators.released(request.definition, removed);
  return presentedTo(request, removed);
}
