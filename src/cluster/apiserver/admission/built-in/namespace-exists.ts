// NamespaceExists: nothing is written in a namespace that does not exist (plugin/pkg/admission/namespace/exists).

import { notFound } from "#cluster/api/errors.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { AdmissionPlugin } from "../chain.ts";

export function namespaceExists(store: Store): AdmissionPlugin {
  const namespaces = store.table("namespaces");
  return {
    name: "NamespaceExists",
    operations: ["CREATE", "UPDATE", "DELETE"],
    validate({ definition, namespace }) {
      if (!definition.namespaced || namespaces.get(namespace) !== undefined) return;
      throw notFound({ group: "", resource: "namespaces" }, namespace);
    },
  };
}
