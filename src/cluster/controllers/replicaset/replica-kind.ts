// What ReplicaSets and ReplicationControllers have in common, and what they differ in.

import type { ReplicaSet, ReplicaSetSpec } from "#cluster/api/generated/types.ts";
import type { LabelMatcher } from "#cluster/api/labels.ts";
import type { ResourceType, Stored } from "#cluster/api/objects.ts";

/** A set of equal Pods of either kind. */
export type Replicated = Omit<ReplicaSet, "spec"> & { readonly spec?: Omit<ReplicaSetSpec, "selector"> };

export interface ReplicaKind {
  /** As in `--controllers`. */
  readonly controllerName: string;
  readonly resource: ResourceType<Replicated>;
  matcherOf(set: Stored<Replicated>): LabelMatcher;
  /** Whether its status has terminatingReplicas. */
  readonly countsTerminating: boolean;
}
