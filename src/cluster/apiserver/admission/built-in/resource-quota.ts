// ResourceQuota: a write that would use more than a quota of its namespace allows is refused; what it uses is charged to the
// quota's status at once (apiserver's admission/plugin/resourcequota). The quota controller takes charges back.

import type { KubeObject } from "#cluster/api/objects.ts";
import { type ResourceList, sameLists } from "#cluster/quota/resource-list.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Simulation } from "#sim/simulation.ts";
import { noteWrite } from "../../field-management.ts";
import { storageKey } from "../../machinery.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";
import type { AdmissionWorld } from "../dynamic/matching.ts";
import { lateDynamicPlugins } from "../dynamic-plugins.ts";
import type { Quota } from "./quota-charges.ts";

const nothing: ResourceList = {};

export function resourceQuotaAdmission(
  { store, registry }: Pick<AdmissionWorld, "store" | "registry">,
  simulation: Simulation,
): AdmissionPlugin {
  const table = store.table("resourcequotas");
  return {
    name: "ResourceQuota",
    operations: ["CREATE", "UPDATE"],
    handles: ({ namespaced }) => namespaced,
    isIdle: () => table.size === 0,
    validate(attributes) {
      const { namespace } = attributes;
      const quotas = namespace === "" ? [] : (table.list(namespace) as Quota[]);
      if (quotas.length === 0) return;
      const charges = lateDynamicPlugins.code.quotaCharges(attributes, quotas, simulation.nowMs);
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
