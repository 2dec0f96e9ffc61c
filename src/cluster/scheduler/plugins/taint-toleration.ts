import type { Taint, Toleration } from "#cluster/api/generated/types.ts";
import { normalizeByMaximum, type Plugin, rejection } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import { findUntolerated, isTolerated } from "../tolerations.ts";

const refused = rejection("TaintToleration", "node(s) had untolerated taint(s)", true);
const hardEffects = ["NoSchedule", "NoExecute"];

/** NoSchedule and NoExecute taints must be tolerated; each PreferNoSchedule taint that is not costs score. */
export const taintToleration: Plugin = {
  name: "TaintToleration",
  prepareFilter(pod) {
    const tolerations = pod.pod.spec?.tolerations;
    return {
      kind: "filter",
      filter: (node) =>
        node.taints.length > 0 && findUntolerated(node.taints, tolerations, hardEffects) !== undefined ? refused : undefined,
    };
  },
  prepareScore(pod) {
    const tolerations = (pod.pod.spec?.tolerations ?? []).filter(
      ({ effect = "" }) => effect === "" || effect === "PreferNoSchedule",
    );
    return {
      score: (node) => (node.taints.length === 0 ? 0 : countDisliked(node.taints, tolerations)),
      normalize: (scores) => normalizeByMaximum(scores, true),
    };
  },
  mayHelp(event, pod) {
    if (event.kind === "podUpdated") return lateHints.code.toleratesMore(event, pod);
    if (event.kind !== "nodeAdded" && event.kind !== "nodeUpdated") return false;
    const { tolerations } = pod.spec ?? {};
    if (findUntolerated(event.node.spec?.taints, tolerations, hardEffects) !== undefined) return false;
    return event.kind === "nodeAdded" || findUntolerated(event.previous.spec?.taints, tolerations, hardEffects) !== undefined;
  },
};

function countDisliked(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let count = 0;
  for (const taint of taints) if (taint.effect === "PreferNoSchedule" && !isTolerated(taint, tolerations)) count += 1;
  return count;
}
