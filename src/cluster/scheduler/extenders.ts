// What the loop asks extenders: servers beside the scheduler that filter nodes, score them, choose among victims or bind. Their answers take
// virtual time; the calls themselves are `configuration/http-extender.ts`, which comes late.

import type { Rejection } from "./framework.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import type { Candidate } from "./preemption.ts";
import type { PluginScores } from "./trace.ts";

/** In place of a plugin's name, where an extender refused. */
export const extenderName = "Extender";

export type Filtered =
  | { readonly feasible: readonly NodeInfo[]; readonly refused: ReadonlyMap<string, Rejection> }
  | { readonly error: string };

export type BoundByExtender =
  | { readonly kind: "bound" }
  | { readonly kind: "failed"; readonly error: string }
  /** Those that would have done it failed, and may be ignored. */
  | { readonly kind: "ignored" };

/** All extenders of a configuration, those that may be ignored last. Each question is answered once. */
export interface ExtenderChain {
  readonly hasFilters: boolean;
  readonly hasPrioritizers: boolean;
  filter(pod: PodInfo, nodes: readonly NodeInfo[], done: (answer: Filtered) => void): void;
  /** Those that do not answer give nothing. */
  prioritize(pod: PodInfo, nodes: readonly NodeInfo[], done: (scores: readonly PluginScores[]) => void): void;
  preempt(
    pod: PodInfo,
    candidates: readonly Candidate[],
    answer: {
      nodeOf(name: string): NodeInfo | undefined;
      done(answer: { readonly candidates: readonly Candidate[] } | { readonly error: string }): void;
    },
  ): void;
  /** Whether one of them binds such a Pod. */
  binds(pod: PodInfo): boolean;
  bind(pod: PodInfo, nodeName: string, done: (answer: BoundByExtender) => void): void;
}
