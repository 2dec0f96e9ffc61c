// The plugins that there are, in the API server's order (pkg/kubeapiserver/options/plugins.go), and which of them are on.
// Those of the default set that are missing here are named in README.

import type { Store } from "#cluster/storage/store.ts";
import type { Simulation } from "#sim/simulation.ts";
import { AdmissionChain, type AdmissionPlugin } from "./chain.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { podSecurity } from "./pod-security.ts";
import { priorityAdmission } from "./priority.ts";
import { resourceQuotaAdmission } from "./resource-quota.ts";
import { serviceAccountAdmission } from "./service-account.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";

export interface AdmissionOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  /** As in `--disable-admission-plugins`. */
  readonly disabled: readonly string[];
}

export function defaultAdmission({ simulation, store, disabled }: AdmissionOptions): AdmissionChain {
  const plugins: readonly AdmissionPlugin[] = [
    namespaceLifecycle(store),
    limitRanger(store),
    serviceAccountAdmission(store, simulation.random),
    taintNodesByCondition,
    podSecurity(store),
    priorityAdmission(store),
    defaultTolerationSeconds,
    resourceQuotaAdmission(store, simulation),
  ];
  return new AdmissionChain(plugins.filter((plugin) => !disabled.includes(plugin.name)));
}
