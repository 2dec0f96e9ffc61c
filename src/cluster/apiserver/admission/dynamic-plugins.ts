// The plugins that objects of the API program: policies and webhooks. A cluster has none before a client's program brings one, nor a
// LimitRange or a ResourceQuota, nor a namespace that asks for a Pod Security Standard, so what they do and say comes with those.

import type { Store } from "#cluster/storage/store.ts";
import { Late, once } from "#sim/late.ts";
import type { AdmissionPlugin } from "./chain.ts";
import type { WebhookWorld } from "./dynamic/webhooks.ts";
import type * as code from "./dynamic-plugin-code.ts";

export const lateDynamicPlugins = new Late<typeof code>("dynamic-plugins");

/** In the API server's order. */
export function dynamicPlugins(world: WebhookWorld): readonly AdmissionPlugin[] {
  const { store } = world;
  const mutatingPolicy = once(() => lateDynamicPlugins.code.mutatingPolicy(world));
  const mutatingWebhook = once(() => lateDynamicPlugins.code.mutatingWebhook(world));
  const validatingPolicy = once(() => lateDynamicPlugins.code.validatingPolicy(world));
  const validatingWebhook = once(() => lateDynamicPlugins.code.validatingWebhook(world));
  return [
    {
      name: "MutatingAdmissionPolicy",
      operations: ["CREATE", "UPDATE"],
      isIdle: lacksAny(store, "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"),
      mutate: (attributes) => mutatingPolicy().mutate(attributes),
    },
    {
      name: "MutatingAdmissionWebhook",
      operations: ["CREATE", "UPDATE", "DELETE"],
      isIdle: lacksAny(store, "mutatingwebhookconfigurations"),
      mutate: (attributes) => mutatingWebhook().mutate(attributes),
      validate: (attributes) => mutatingWebhook().validate(attributes),
    },
    {
      name: "ValidatingAdmissionPolicy",
      operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
      isIdle: lacksAny(store, "validatingadmissionpolicies", "validatingadmissionpolicybindings"),
      validate: (attributes) => validatingPolicy().validate(attributes),
    },
    {
      name: "ValidatingAdmissionWebhook",
      operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
      isIdle: lacksAny(store, "validatingwebhookconfigurations"),
      validate: (attributes) => validatingWebhook().validate(attributes),
    },
  ];
}

/** Whether one of the kinds has no object. */
function lacksAny(store: Store, ...plurals: readonly string[]): () => boolean {
  const tables = plurals.map((plural) => store.table(`${plural}.admissionregistration.k8s.io`));
  return () => tables.some(({ size }) => size === 0);
}
