// The plugins that are on, in the API server's order. Those of the default set that are missing here are named in README.

import type { Store } from "#cluster/storage/store.ts";
import type { Random } from "#sim/random.ts";
import { AdmissionChain, type AdmissionPlugin } from "./chain.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { nodeRestriction } from "./node-restriction.ts";
import { priorityAdmission } from "./priority.ts";
import { serviceAccountAdmission } from "./service-account.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";

/** `disabled` as in `--disable-admission-plugins`. */
export function defaultAdmission(store: Store, random: Random, disabled: readonly string[]): AdmissionChain {
  const plugins: readonly AdmissionPlugin[] = [
    namespaceLifecycle(store),
    serviceAccountAdmission(store, random),
    nodeRestriction(store),
    taintNodesByCondition,
    priorityAdmission(store),
    defaultTolerationSeconds,
  ];
  return new AdmissionChain(plugins.filter((plugin) => !disabled.includes(plugin.name)));
}
