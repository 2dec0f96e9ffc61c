// The scheduler's decisions as the page shows them.

import { splitKey } from "#cluster/api/objects.ts";
import { verdicts } from "#cluster/scheduler/verdicts.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { refText } from "./object-ref.ts";
import type { DecisionDetail, DecisionView, HistoryAsked } from "./questions.ts";
import type { DecisionEntry, Recorder } from "./recorder.ts";

/** Newest first. */
export function listDecisions(recorder: Recorder, { text, limit }: HistoryAsked<"decisions">): readonly DecisionView[] {
  const wanted = asciiLowerCase(text.trim());
  const found: DecisionView[] = [];
  for (const entry of recorder.entries.backwards()) {
    if (entry.kind !== "decision") continue;
    const view = decisionView(entry);
    if (wanted === "" || asciiLowerCase(`${refText(view.pod)} ${view.nodeName}`).includes(wanted)) found.push(view);
    if (found.length === limit) break;
  }
  return found;
}

export function decisionDetail(recorder: Recorder, sequence: number): DecisionDetail | undefined {
  const entry = recorder.find(sequence);
  if (entry?.kind !== "decision") return undefined;
  const { decision } = entry;
  return {
    ...decisionView(entry),
    plugins: decision.scores.map(({ plugin, weight }) => ({ plugin, weight })),
    nodes: [...verdicts(decision)].sort((a, b) => b.total - a.total || Number(a.refusedBy !== "") - Number(b.refusedBy !== "")),
  };
}

function decisionView({ sequence, timeMs, decision }: DecisionEntry): DecisionView {
  const { podKey, attempt, outcome, nodeName, message, totalNodes } = decision;
  return { sequence, timeMs, pod: { resource: "pods", ...splitKey(podKey) }, attempt, outcome, nodeName, message, totalNodes };
}
