import type { Namespace } from "#cluster/api/generated/types.ts";
import { namespaces as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { labelName } from "../name-rules.ts";

const namespaceNameLabel = "kubernetes.io/metadata.name";

export const namespaces = defineResource<Namespace>(type, {
  shortNames: ["ns"],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  nameRule: labelName,
  subresources: [
    { name: "finalize", kind: "Namespace", verbs: ["update"] },
    { name: "status", kind: "Namespace", verbs: ["get", "patch", "update"] },
  ],
  /** Every write puts the label with the namespace's own name back. */
  defaults: withNameLabel,
  prepareForCreate: (namespace) => {
    const finalizers = namespace.spec?.finalizers ?? [];
    return {
      ...withNameLabel(namespace),
      spec: { finalizers: finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"] },
      status: { phase: "Active" },
    };
  },
  prepareForUpdate: (namespace, old) => ({ ...namespace, spec: old.spec ?? {}, status: old.status ?? {} }),
  prepareForStatusUpdate: (namespace, old) => ({ ...namespace, spec: old.spec ?? {} }),
  subresourceStrategies: {
    finalize: (namespace, old) => ({ ...old, spec: namespace.spec ?? {} }),
  },
  prepareForDelete: (namespace) => ({ ...namespace, status: { ...namespace.status, phase: "Terminating" } }),
  holdsDeletion: (namespace) => (namespace.spec?.finalizers?.length ?? 0) > 0,
  selectableFields: {
    "status.phase": (namespace) => namespace.status?.phase ?? "",
  },
  columns: [nameColumn, column("Status", "The status of the namespace"), ageColumn],
  row: (namespace, context) => [nameCell(namespace), namespace.status?.phase ?? "", ageCell(namespace, context)],
});

/** A generated name is known only when the namespace is made, so creation asks again. */
function withNameLabel<N extends Typed<Namespace>>(namespace: N): N {
  const { name, labels } = namespace.metadata;
  if (!name || labels?.[namespaceNameLabel] === name) return namespace;
  return { ...namespace, metadata: { ...namespace.metadata, labels: { ...labels, [namespaceNameLabel]: name } } };
}
