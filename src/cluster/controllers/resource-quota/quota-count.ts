// What is used of a quota, and which changes give something back.

import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from "#cluster/api/generated/types.ts";
import type { KubeObject, ResourceType, Stored } from "#cluster/api/objects.ts";
import { type Countable, usageOf } from "#cluster/quota/evaluator.ts";
import { evaluatorOf } from "#cluster/quota/evaluators.ts";
import { isPodCharged, isTerminating } from "#cluster/quota/pods.ts";
import { addLists, masked, type ResourceList } from "#cluster/quota/resource-list.ts";

/** Whether a quota counts objects of the kind. */
export function counts(quota: ResourceQuota, { group, plural }: ResourceType<unknown>): boolean {
  return (evaluatorOf(group, plural)?.matchingResources(Object.keys(quota.status?.hard ?? {})) ?? []).length > 0;
}

/** Of the names that a quota limits: those that were used before, as they were, and those that are counted now. `objectsOf`: in the quota's namespace. */
export function usedOf(
  quota: Stored<ResourceQuota>,
  types: readonly ResourceType<unknown>[],
  objectsOf: (type: ResourceType<unknown>) => Iterable<unknown>,
  nowMs: number,
): ResourceList {
  const names = Object.keys(quota.spec?.hard ?? {});
  let used: ResourceList = {};
  for (const type of types) {
    const evaluator = evaluatorOf(type.group, type.plural);
    if (evaluator === undefined || evaluator.matchingResources(names).length === 0) continue;
    used = addLists(used, usageOf(evaluator, quota, objectsOf(type) as Iterable<Countable>, nowMs));
  }
  return masked({ ...quota.status?.used, ...used }, names);
}

/** Changes that give something back without a deletion. */
export function frees({ group, plural }: ResourceType<unknown>, object: KubeObject, previous: KubeObject, nowMs: number): boolean {
  if (group !== "") return false;
  switch (plural) {
    case "pods":
      return (
        (isPodCharged(previous as Pod, nowMs) && !isPodCharged(object as Pod, nowMs)) ||
        isTerminating(previous as Pod) !== isTerminating(object as Pod)
      );
    case "services":
      return (previous as Service).spec?.type !== (object as Service).spec?.type;
    case "persistentvolumeclaims":
      return sizeOf(previous as PersistentVolumeClaim) !== sizeOf(object as PersistentVolumeClaim);
    default:
      return false;
  }
}

function sizeOf({ spec, status }: PersistentVolumeClaim): string {
  return `${spec?.resources?.requests?.["storage"]} ${status?.allocatedResources?.["storage"]}`;
}

/** Those of the custom kinds that a quota with these names counts. */
export function customCounted(types: readonly ResourceType<unknown>[], names: readonly string[]): readonly ResourceType<unknown>[] {
  return types.filter(
    ({ namespaced, group, plural }) => namespaced && (evaluatorOf(group, plural)?.matchingResources(names) ?? []).length > 0,
  );
}
