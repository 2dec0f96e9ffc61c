// The texts that tell why a Pod fits nowhere, byte for byte as upstream's FitError writes them.

import { compareTexts } from "#sim/compare-texts.ts";
import type { Rejection } from "./framework.ts";

export const noNodesMessage = "no nodes available to schedule pods";

/** `1 Insufficient cpu, 2 node(s) were unschedulable`: each reason with its number of nodes, sorted as text. */
export function countReasons(rejections: Iterable<Rejection>): string {
  const counts = new Map<string, number>();
  for (const { reasons } of rejections) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return texts.sort(compareTexts).join(", ");
}

/** `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu.` and what preemption says. */
export function fitErrorMessage(totalNodes: number, reasons: string, postFilterMessage = ""): string {
  const base = `0/${totalNodes} nodes are available`;
  const explained = reasons === "" ? `${base}:` : `${base}: ${reasons}.`;
  return postFilterMessage === "" ? explained : `${explained} ${postFilterMessage}`;
}

/** What PostFilter says of a Pod that no node was looked at for: DynamicResources has not been prepared and does not find its own state. */
export const notFoundByPostFilter = "not found";
