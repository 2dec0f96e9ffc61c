// A decision as it is shown: what became of each node. Only who looks needs it.

import type { SchedulingDecision } from "./trace.ts";

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
  const given = decision.scores.map(({ plugin, weight, raw, normalized }) => ({ plugin, weight, raw, normalized }));
  const scored = decision.feasible.map(({ name: nodeName }, index): NodeVerdict => {
    const scores = given.map(({ plugin, weight, raw, normalized }) => ({
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
