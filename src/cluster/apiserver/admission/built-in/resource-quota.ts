// ResourceQuota: a write that would use more than a quota of its namespace allows is refused; what it uses is charged to the
// quota's status at once (apiserver's admission/plugin/resourcequota). The quota controller takes charges back.

import { resourceQuotas } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { type ResourceList, sameLists } from "#cluster/quota/resource-list.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AdmissionPlugin } from "../chain.ts";
import { lateDynamicPlugins } from "../dynamic-plugins.ts";
import type { Quota } from "./quota-charges.ts";

const nothing: ResourceList = {};

/** `client`: the API server's own, for charges are requests like any other. */
export function resourceQuotaAdmission(store: Store, client: () => Client, simulation: Simulation): AdmissionPlugin {
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
      if (attributes.dryRun) return;
      for (const [quota, used] of charges)
        if (!sameLists(quota.status?.used ?? nothing, used))
          client().updateStatus(resourceQuotas, { ...quota, status: { ...quota.status, used } });
    },
  };
}
