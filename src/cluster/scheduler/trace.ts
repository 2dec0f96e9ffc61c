// Every decision, kept for people: which plugin refused which node and why, and how the others were scored. Of scores the
// raw ones are kept; what they were brought to, and a view, is only built when someone looks.

import { Listeners } from "#sim/listeners.ts";
import type { NodeScorer, Rejection } from "./framework.ts";
import type { NodeInfo } from "./node-info.ts";

export interface PluginScores {
  readonly plugin: string;
  readonly weight: number;
  /** Before and after normalising, in the order of `feasible`. */
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

/** Scores of a plugin of ours: what it brings raw ones to depends on nothing that changes. */
export class ScoresOfPlugin implements PluginScores {
  readonly plugin: string;
  readonly weight: number;
  readonly raw: readonly number[];
  readonly #scorer: NodeScorer;
  readonly #nodes: readonly NodeInfo[];

  constructor(plugin: string, weight: number, raw: readonly number[], scorer: NodeScorer, nodes: readonly NodeInfo[]) {
    this.plugin = plugin;
    this.weight = weight;
    this.raw = raw;
    this.#scorer = scorer;
    this.#nodes = nodes;
  }

  get normalized(): readonly number[] {
    if (this.#scorer.normalize === undefined) return this.raw;
    const scores = [...this.raw];
    this.#scorer.normalize(scores, this.#nodes);
    return scores;
  }
}

export interface SchedulingDecision {
  readonly timeMs: number;
  readonly podKey: string;
  readonly podUid: string;
  readonly attempt: number;
  readonly outcome: "scheduled" | "unschedulable" | "preempting" | "error";
  /** The chosen node, or the one nominated by preemption; "" otherwise. */
  readonly nodeName: string;
  /** The text of the FailedScheduling event; "" when scheduled. */
  readonly message: string;
  readonly totalNodes: number;
  /** Nodes that were refused; in large clusters not all nodes are looked at. */
  readonly refused: ReadonlyMap<string, Rejection>;
  /** As the cycle had them: few decisions are ever looked at. */
  readonly feasible: readonly { readonly name: string }[];
  readonly scores: readonly PluginScores[];
}

const keptDecisions = 1000;
/** Nodes in the kept decisions, all together: in large clusters fewer decisions are kept, so that most of them end young. */
const keptNodes = 10_000;

export class DecisionLog {
  /** Told of every decision as it is kept. */
  readonly onDecision = new Listeners<SchedulingDecision>();
  /** Oldest first, from `#first` on. */
  #kept: SchedulingDecision[] = [];
  #first = 0;
  #nodes = 0;
  #total = 0;

  /** All decisions since the start, also those that are not kept any more. */
  get total(): number {
    return this.#total;
  }

  add(decision: SchedulingDecision): void {
    this.#total += 1;
    this.onDecision.tell(decision);
    this.#kept.push(decision);
    this.#nodes += nodesOf(decision);
    while (this.#kept.length - this.#first > keptDecisions || this.#nodes > keptNodes) this.#dropOldest();
    if (this.#first * 2 < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }

  /** Newest first. */
  *newest(): IterableIterator<SchedulingDecision> {
    const { length } = this.#kept;
    for (let index = length - 1; index >= this.#first; index -= 1) yield this.#kept[index] as SchedulingDecision;
  }

  #dropOldest(): void {
    this.#nodes -= nodesOf(this.#kept[this.#first] as SchedulingDecision);
    this.#first += 1;
  }
}

function nodesOf(decision: SchedulingDecision): number {
  return decision.feasible.length + decision.refused.size;
}
