// ResourceQuota: a write that would use more than a quota of its namespace allows is refused; what it uses is charged to the
// quota's status at once (apiserver's admission/plugin/resourcequota). The quota controller takes charges back.

import type { ResourceQuota } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
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
  sameLists,
  withoutZeros,
} from "#cluster/quota/resource-list.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Simulation } from "#sim/simulation.ts";
import { noteWrite } from "../../field-management.ts";
import { storageKey } from "../../machinery.ts";
import { type AdmissionAttributes, type AdmissionPlugin, notAdmitted } from "../chain.ts";
import type { AdmissionWorld } from "../dynamic/matching.ts";

type Quota = ResourceQuota & KubeObject;

const nothing: ResourceList = {};

export function resourceQuotaAdmission(
  { store, registry }: Pick<AdmissionWorld, "store" | "registry">,
  simulation: Simulation,
): AdmissionPlugin {
  const table = store.table("resourcequotas");
  return {
    name: "ResourceQuota",
    operations: ["CREATE", "UPDATE"],
    handles: ({ group, plural, namespaced }, operation, subresource) =>
      namespaced && evaluatorOf(group, plural)?.handles(operation, subresource) === true,
    validate(attributes) {
      const { namespace, definition } = attributes;
      if (table.size === 0 || namespace === "") return;
      const quotas = table.list(namespace) as Quota[];
      if (quotas.length === 0) return;
      const evaluator = evaluatorOf(definition.group, definition.plural);
      if (evaluator === undefined) return;
      const { object, old, subresource } = attributes;
      if (old !== undefined && evaluator.changesUsage?.(object, old, subresource) === false) return;
      const charges = chargesOf(attributes, evaluator, quotas, simulation.nowMs);
      if (!attributes.dryRun) for (const [quota, used] of charges) charge(quota, used, attributes);
    },
  };

  function charge(quota: Quota, used: ResourceList, attributes: AdmissionAttributes): void {
    if (sameLists(quota.status?.used ?? nothing, used)) return;
    const changed: KubeObject = { ...quota, status: { ...quota.status, used } };
    const stored = store.put(table, storageKey(quota.metadata.namespace ?? "", quota.metadata.name ?? ""), changed);
    const definition = registry.find("", "v1", "resourcequotas") as ResourceDefinition;
    const writer = { ...attributes, definition, subresource: "status", fieldManager: "kube-apiserver" };
    noteWrite({ simulation }, writer, quota, changed, stored);
  }
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
