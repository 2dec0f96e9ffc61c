import type { Namespace } from "#cluster/api/generated/types.ts";
import { namespaces as type } from "#cluster/api/kinds.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { labelName } from "../name-rules.ts";

const finalizersPath = field("spec", "finalizers");
const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];
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
  validate: (namespace, errors) => {
    for (const finalizer of namespace.spec?.finalizers ?? []) validateFinalizer(finalizer, finalizersPath, errors);
  },
  validateUpdate: (namespace, old, errors) => {
    if (namespace.spec === old.spec) return;
    for (const [index, finalizer] of (namespace.spec?.finalizers ?? []).entries()) {
      validateFinalizer(finalizer, finalizersPath.index(index), errors);
    }
  },
  validateStatusUpdate: (namespace, _old, errors) => {
    const phase = namespace.status?.phase ?? "";
    const deleted = namespace.metadata.deletionTimestamp !== undefined;
    if (phase === (deleted ? "Terminating" : "Active")) return;
    const rule = deleted ? "'Terminating' if `deletionTimestamp` is not empty" : "'Active' if `deletionTimestamp` is empty";
    errors.invalid(field("status", "Phase"), phase, `may only be ${rule}`);
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

function validateFinalizer(finalizer: string, path: Path, errors: FieldErrors): void {
  for (const reason of qualifiedNameReasons(finalizer)) errors.invalid(path, finalizer, reason);
  if (!finalizer.includes("/") && !standardFinalizers.includes(finalizer)) {
    errors.invalid(path, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
  }
}
