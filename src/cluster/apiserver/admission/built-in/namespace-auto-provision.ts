// NamespaceAutoProvision: a namespace that does not exist is made for the first object in it (plugin/pkg/admission/namespace/autoprovision).

import { ApiError } from "#cluster/api/errors.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { AdmissionPlugin } from "../chain.ts";

/** `client` is the API server's own. */
export function namespaceAutoProvision(store: Store, client: () => Client): AdmissionPlugin {
  const namespaces = store.table("namespaces");
  return {
    name: "NamespaceAutoProvision",
    operations: ["CREATE"],
    mutate({ definition, namespace, object, dryRun }) {
      if (!definition.namespaced || dryRun || namespaces.get(namespace) !== undefined) return object;
      try {
        client().create(kinds.namespaces, { metadata: { name: namespace } });
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
      }
      return object;
    },
  };
}
