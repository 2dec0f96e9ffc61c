// The plugins that are on, in the API server's order. Those of the default set that are missing here are named in README.

import type { Random } from "#sim/random.ts";
import { AdmissionChain, type AdmissionPlugin } from "./chain.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { mutatingPolicy } from "./mutating-policy.ts";
import { mutatingWebhook } from "./mutating-webhook.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { priorityAdmission } from "./priority.ts";
import { serviceAccountAdmission } from "./service-account.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";
import { validatingPolicy } from "./validating-policy.ts";
import { validatingWebhook } from "./validating-webhook.ts";
import type { WebhookWorld } from "./webhooks.ts";

/** `disabled` as in `--disable-admission-plugins`. */
export function defaultAdmission(world: WebhookWorld, random: Random, disabled: readonly string[]): AdmissionChain {
  const { store } = world;
  const plugins: readonly AdmissionPlugin[] = [
    namespaceLifecycle(store),
    serviceAccountAdmission(store, random),
    taintNodesByCondition,
    priorityAdmission(store),
    defaultTolerationSeconds,
    mutatingPolicy(world),
    mutatingWebhook(world),
    validatingPolicy(world),
    validatingWebhook(world),
  ];
  return new AdmissionChain(plugins.filter((plugin) => !disabled.includes(plugin.name)));
}
