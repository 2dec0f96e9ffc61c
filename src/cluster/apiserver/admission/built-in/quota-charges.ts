// The charges of ResourceQuota: what a write would use of the quotas of its namespace, and its refusal where one does not allow it.

import type { ResourceQuota } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { concernsObject, type Evaluator } from "#cluster/quota/evaluator.ts";
import { evaluatorOf } from "#cluster/quota/evaluators.ts";
import {
  addLists,
  exceededNames,
  increase,
  listText,
  masked,
  negativeNames,
  type ResourceList,
  withoutZeros,
} from "#cluster/quota/resource-list.ts";
import { type AdmissionAttributes, notAdmitted } from "../chain.ts";

export type Quota = Stored<ResourceQuota>;

const nothing: ResourceList = {};

/** The new usage of each quota that a write changes. Throws Forbidden. */
export function quotaCharges(
  attributes: AdmissionAttributes,
  quotas: readonly Quota[],
  nowMs: number,
): ReadonlyMap<Quota, ResourceList> {
  const { definition, operation, object, old, subresource } = attributes;
  const evaluator = evaluatorOf(definition.group, definition.plural);
  if (evaluator?.handles(operation, subresource) !== true) return new Map();
  if (old !== undefined && evaluator.changesUsage?.(object, old, subresource) === false) return new Map();
  return chargesOf(attributes, evaluator, quotas, nowMs);
}

/** The new usage of each quota that the write is charged to. Throws Forbidden when one does not allow it. */
function chargesOf(
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  quotas: readonly Quota[],
  nowMs: number,
): ReadonlyMap<Quota, ResourceList> {
  const { object, old, operation } = attributes;
  const concerned = quotas.filter((quota) => concernsObject(evaluator, quota, object));
  for (const quota of concerned) requireComplete(attributes, evaluator, quota);
  const charges = new Map<Quota, ResourceList>();
  if (concerned.length === 0) return charges;
  const usage = evaluator.usage(object, nowMs);
  const negative = negativeNames(usage);
  if (negative.length > 0) throw notAdmitted(attributes, `quota usage is negative for resource(s): ${negative.join(",")}`);
  for (const quota of concerned) {
    const before = operation === "UPDATE" && old !== undefined && concernsObject(evaluator, quota, old) ? old : undefined;
    const added = withoutZeros(before === undefined ? usage : increase(usage, evaluator.usage(before, nowMs)));
    const used = newUsage(attributes, quota, added);
    if (used !== undefined) charges.set(quota, used);
  }
  return charges;
}

/** The object must say what the quota limits, and the quota must know what is used. */
function requireComplete(attributes: AdmissionAttributes, evaluator: Evaluator, quota: Quota): void {
  const { hard = nothing, used = nothing } = quota.status ?? {};
  const { name } = quota.metadata;
  const restricted = evaluator.matchingResources(Object.keys(hard));
  const missing = evaluator.missing?.(restricted, attributes.object);
  if (missing !== undefined) throw notAdmitted(attributes, `failed quota: ${name}: ${missing}`);
  if (restricted.some((resource) => used[resource] === undefined)) {
    throw notAdmitted(attributes, `status unknown for quota: ${name}, resources: ${restricted.join(",")}`);
  }
}

function newUsage(attributes: AdmissionAttributes, quota: Quota, added: ResourceList): ResourceList | undefined {
  const { hard = nothing, used = nothing } = quota.status ?? {};
  const requested = masked(added, Object.keys(hard));
  if (Object.keys(added).length === 0) return undefined;
  const total = addLists(used, requested);
  if (attributes.subresource !== "status") {
    const exceeded = exceededNames(masked(total, Object.keys(requested)), hard);
    if (exceeded.length > 0) {
      const texts = [requested, used, hard].map((list) => listText(masked(list, exceeded)));
      const cause = `exceeded quota: ${quota.metadata.name}, requested: ${texts[0]}, used: ${texts[1]}, limited: ${texts[2]}`;
      throw notAdmitted(attributes, cause);
    }
  }
  return total;
}
