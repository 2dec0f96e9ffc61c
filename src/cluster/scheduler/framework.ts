// The extension points of the scheduling framework. What upstream keeps in a cycle state between PreFilter and Filter, or
// PreScore and Score, is a closure here: `prepareFilter` is PreFilter and returns the Filter, `prepareScore` likewise.

import type { Node, PersistentVolumeClaim, Pod, StorageClass } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { SchedulerCache } from "./cache.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";

export const maxNodeScore = 100;

/** Why a node, or a Pod as a whole, is refused. `unresolvable`: no removal of Pods would help. */
export interface Rejection {
  readonly plugin: string;
  readonly reasons: readonly string[];
  readonly unresolvable: boolean;
}

export type NodeFilter = (node: NodeInfo) => Rejection | undefined;

export type FilterPreparation =
  /** Nothing to check for this Pod: Filter is not called. */
  | { readonly kind: "skip" }
  /** No node can take it. */
  | { readonly kind: "reject"; readonly rejection: Rejection }
  /** `only`: other nodes need not be looked at. */
  | { readonly kind: "filter"; readonly filter: NodeFilter; readonly only?: ReadonlySet<string> };

export interface NodeScorer {
  score(node: NodeInfo): number;
  /** Brings scores to 0..100 in place, by nothing that changes after the scorer was made: it is asked again by who looks. */
  normalize?(scores: number[], nodes: readonly NodeInfo[]): void;
}

/** What happened in the cluster, as far as it may help Pods that did not fit. */
export type ClusterEvent =
  | { readonly kind: "nodeAdded"; readonly node: Stored<Node> }
  | { readonly kind: "nodeUpdated"; readonly node: Stored<Node>; readonly previous: Stored<Node> }
  | { readonly kind: "nodeRemoved"; readonly node: Stored<Node> }
  | { readonly kind: "podAssigned"; readonly pod: Stored<Pod> }
  /** One that has a node, or the Pod that waits: then no other is told. Labels, requests or tolerations differ. */
  | { readonly kind: "podUpdated"; readonly pod: Stored<Pod>; readonly previous: Stored<Pod> }
  | { readonly kind: "podRemoved"; readonly pod: Stored<Pod> }
  | { readonly kind: "claimChanged"; readonly claim: Stored<PersistentVolumeClaim>; readonly isNew: boolean }
  | { readonly kind: "volumeChanged" }
  | { readonly kind: "classChanged"; readonly class: StorageClass; readonly previous: StorageClass | undefined }
  | { readonly kind: "csiNodeChanged"; readonly isNew: boolean }
  | { readonly kind: "attachmentRemoved" };

/** What a plugin has to do before a Pod is bound: PreBind, with what it holds back for the Pod meanwhile (Reserve). */
export interface PreBinding {
  /** Writes; throws what the API refuses. */
  begin(): void;
  /** Throws PreBindingError when it cannot come to a good end. */
  isDone(): boolean;
  /** Lets go of what was held back. */
  end(): void;
}

/** The Pod must be scheduled anew. */
export class PreBindingError extends Error {}

/** A cycle that ends in an error rather than in a refusal: the Pod is tried again, and an event says why (reason SchedulerError). */
export class SchedulingError extends Error {}

export interface Plugin {
  readonly name: string;
  /** PreEnqueue: a Pod that is refused here is not tried at all. */
  preEnqueue?(pod: Stored<Pod>): Rejection | undefined;
  prepareFilter?(pod: PodInfo, cache: SchedulerCache): FilterPreparation;
  /** `feasible`: the nodes that passed. Undefined skips the plugin for this Pod. */
  prepareScore?(pod: PodInfo, cache: SchedulerCache, feasible: readonly NodeInfo[]): NodeScorer | undefined;
  /** Undefined: nothing to do for this Pod on this node. */
  preBind?(pod: PodInfo, node: NodeInfo): PreBinding | undefined;
  /** QueueingHint: whether a Pod that this plugin refused may fit now. Absent: never. */
  mayHelp?(event: ClusterEvent, pod: Stored<Pod>, cache: SchedulerCache): boolean;
}

export const skip: FilterPreparation = { kind: "skip" };

export function rejection(plugin: string, reason: string, unresolvable = false): Rejection {
  return { plugin, reasons: [reason], unresolvable };
}

/** Highest becomes 100; with `reverse`, highest becomes 0 (upstream's DefaultNormalizeScore). */
export function normalizeByMaximum(scores: number[], reverse: boolean): void {
  let max = 0;
  for (let index = 0; index < scores.length; index += 1) max = Math.max(max, scores[index] as number);
  if (max === 0) {
    if (reverse) scores.fill(maxNodeScore);
    return;
  }
  for (let index = 0; index < scores.length; index += 1) {
    const scaled = Math.floor((maxNodeScore * (scores[index] as number)) / max);
    scores[index] = reverse ? maxNodeScore - scaled : scaled;
  }
}
