// Conditions of a CustomResourceDefinition (apiextensions-apiserver, pkg/apihelpers).

import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from "#cluster/api/generated/types.ts";
import { formatTime } from "#cluster/api/time.ts";

export type CrdCondition = CustomResourceDefinitionCondition;
type WithStatus = Pick<CustomResourceDefinition, "status">;

/** Takes the cleanup of custom resources to be done before the definition goes. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

export function conditionOf(crd: WithStatus, type: string): CrdCondition | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type);
}

export function isTrue(crd: WithStatus, type: string): boolean {
  return conditionOf(crd, type)?.status === "True";
}

/** The conditions with one of them replaced or added; its time is that of the last change of its status. */
export function withCondition(
  conditions: readonly CrdCondition[],
  condition: Omit<CrdCondition, "lastTransitionTime">,
  nowMs: number,
): readonly CrdCondition[] {
  const old = conditions.find(({ type }) => type === condition.type);
  const same = old !== undefined && old.status === condition.status;
  const lastTransitionTime = same ? (old.lastTransitionTime ?? formatTime(nowMs)) : formatTime(nowMs);
  const next: CrdCondition = { ...condition, lastTransitionTime };
  return old === undefined ? [...conditions, next] : conditions.map((one) => (one === old ? next : one));
}
