// The status of sets that only count their pods: ReplicaSets and ReplicationControllers; Deployments share a rule of it.

import type { ReplicaSetStatus } from "#cluster/api/generated/types.ts";
import { type FieldErrors, field, type Path } from "./field-errors.ts";
import { validateCounts, validateParts } from "./workload-validation.ts";

const status = field("status");
const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const;

export function validateReplicaStatus(counts: ReplicaSetStatus | undefined, errors: FieldErrors): void {
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
