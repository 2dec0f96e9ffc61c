// Every decision, kept for people: which plugin refused which node and why, and how the others were scored. Scores are
// kept in the arrays that the cycle worked with; a view is only built when someone looks.

import type { Rejection } from "./framework.ts";

export interface PluginScores {
  readonly plugin: string;
  readonly weight: number;
  /** Before and after normalising, in the order of `feasible`. */
  readonly raw: Float64Array;
  readonly normalized: Float64Array;
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
  readonly feasible: readonly string[];
  readonly scores: readonly PluginScores[];
}

/** One node of a decision, for display. */
export interface NodeVerdict {
  readonly nodeName: string;
  readonly refusedBy: string;
  readonly reasons: readonly string[];
  readonly scores: readonly {
    readonly plugin: string;
    readonly weight: number;
    readonly raw: number;
    readonly normalized: number;
  }[];
  readonly total: number;
}

export function verdicts(decision: SchedulingDecision): readonly NodeVerdict[] {
  const refused = [...decision.refused].map(
    ([nodeName, { plugin, reasons }]): NodeVerdict => ({ nodeName, refusedBy: plugin, reasons, scores: [], total: 0 }),
  );
  const scored = decision.feasible.map((nodeName, index): NodeVerdict => {
    const scores = decision.scores.map(({ plugin, weight, raw, normalized }) => ({
      plugin,
      weight,
      raw: raw[index] ?? 0,
      normalized: normalized[index] ?? 0,
    }));
    return {
      nodeName,
      refusedBy: "",
      reasons: [],
      scores,
      total: scores.reduce((sum, { normalized, weight }) => sum + normalized * weight, 0),
    };
  });
  return [...scored, ...refused];
}

const keptDecisions = 1000;

export class DecisionLog {
  readonly #ring: SchedulingDecision[] = [];
  #next = 0;
  #total = 0;

  /** All decisions since the start, also those that are not kept any more. */
  get total(): number {
    return this.#total;
  }

  add(decision: SchedulingDecision): void {
    this.#ring[this.#next] = decision;
    this.#next = (this.#next + 1) % keptDecisions;
    this.#total += 1;
  }

  /** Newest first. */
  *newest(): IterableIterator<SchedulingDecision> {
    for (let back = 1; back <= this.#ring.length; back += 1) {
      const decision = this.#ring[(this.#next - back + keptDecisions * 2) % keptDecisions];
      if (decision !== undefined) yield decision;
    }
  }
}
