// Kinds that have a number of Pods: their scale; and what those that do nothing but count, ReplicaSets and
// ReplicationControllers, have in common besides.

import type { PodTemplateSpec, ReplicaSetStatus } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { ageCell, nameCell } from "./columns.ts";
import type { SubresourceEntry, TableCell, TableContext } from "./definition.ts";
import { type FieldErrors, field, type Path } from "./field-errors.ts";
import { specAndStatus } from "./strategy.ts";
import { containerCells } from "./workload-cells.ts";
import { validateCounts, validateParts } from "./workload-validation.ts";
import { namedWorkloadWarnings } from "./workload-warnings.ts";

interface Replicated extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly template?: PodTemplateSpec };
  readonly status?: ReplicaSetStatus;
}

const status = field("status");
const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const;

const verbs = ["get", "patch", "update"];

/** Of kinds with `spec.replicas`, which the subresource `scale` reads and writes as a Scale. */
export function scaledAs(kind: string) {
  const subresources: readonly SubresourceEntry[] = [
    { name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs },
    { name: "status", kind, verbs },
  ];
  return {
    subresources,
    scale: { specReplicas: "spec.replicas", statusReplicas: "status.replicas", selector: "spec.selector" },
  };
}

/** What the declarations of both kinds of counted sets say. */
export const replicaBasics = {
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  prepareForCreate: <O extends KubeObject>(object: O): O => ({ ...object, status: { replicas: 0 } }),
  selectableFields: { "status.replicas": ({ status }: Replicated): string => String(status?.replicas ?? 0) },
  validateStatusUpdate: (object: Replicated, _old: Replicated, errors: FieldErrors): void =>
    validateReplicaStatus(object.status, errors),
  warnings: namedWorkloadWarnings,
};

/** All cells but the selector's. */
export function replicaCells(object: Replicated, context: TableContext): readonly TableCell[] {
  return [
    nameCell(object),
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    object.status?.readyReplicas ?? 0,
    ageCell(object, context),
    ...containerCells(object.spec?.template),
  ];
}

function validateReplicaStatus(counts: ReplicaSetStatus | undefined, errors: FieldErrors): void {
  validateCounts(counts, ["replicas", ...parts, "observedGeneration"], status, errors);
  validateParts(counts, parts, status, errors);
  validateAvailable(counts, status, errors);
}

/** What is available is ready. */
export function validateAvailable(
  counts: { readonly availableReplicas?: number; readonly readyReplicas?: number } | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  const { availableReplicas = 0, readyReplicas = 0 } = counts ?? {};
  if (availableReplicas <= readyReplicas) return;
  errors.invalid(path.child("availableReplicas"), availableReplicas, "cannot be greater than readyReplicas");
}
