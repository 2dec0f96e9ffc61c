// NamespaceLifecycle: nothing is created in a namespace that does not exist or is going; the three namespaces that the
// system stands on cannot be deleted (plugin/pkg/admission/namespace/lifecycle).

import { ApiError, forbidden, notFound } from "#cluster/api/errors.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionAttributes, type AdmissionPlugin, notAdmitted } from "../chain.ts";

const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

export function namespaceLifecycle(store: Store): AdmissionPlugin {
  const namespaces = store.table("namespaces");
  return {
    name: "NamespaceLifecycle",
    operations: ["CREATE", "DELETE"],
    mutate(attributes) {
      if (attributes.operation === "CREATE" && attributes.definition.namespaced) requireActive(attributes);
      return attributes.object;
    },
    validate({ operation, definition, name }) {
      if (operation !== "DELETE" || definition.plural !== "namespaces" || definition.group !== "") return;
      if (immortal.has(name)) throw forbidden({ group: "", resource: "namespaces" }, name, "this namespace may not be deleted");
    },
  };

  function requireActive(attributes: AdmissionAttributes): void {
    const namespace = namespaces.get(attributes.namespace);
    if (namespace === undefined) throw notFound({ group: "", resource: "namespaces" }, attributes.namespace);
    const { deletionTimestamp } = namespace.metadata;
    if (deletionTimestamp === undefined) return;
    const cause = `unable to create new content in namespace ${attributes.namespace} because it is being terminated`;
    const error = notAdmitted(attributes, cause);
    const terminating = {
      reason: "NamespaceTerminating",
      message: `namespace ${attributes.namespace} is being terminated`,
      field: "metadata.namespace",
    };
    throw new ApiError({ ...error.status, details: { ...error.status.details, causes: [terminating] } });
  }
}
