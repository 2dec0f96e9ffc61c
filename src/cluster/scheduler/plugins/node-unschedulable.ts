import { type Plugin, rejection, skip } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import { isTolerated } from "../tolerations.ts";

const refused = rejection("NodeUnschedulable", "node(s) were unschedulable", true);
const taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Cordoned nodes take only Pods that tolerate the taint of the same meaning. */
export const nodeUnschedulable: Plugin = {
  name: "NodeUnschedulable",
  prepareFilter(pod) {
    if (isTolerated(taint, pod.pod.spec?.tolerations)) return skip;
    return { kind: "filter", filter: (node) => (node.unschedulable ? refused : undefined) };
  },
  mayHelp(event, pod) {
    if (event.kind === "podUpdated") return lateHints.code.toleratesMore(event, pod) && isTolerated(taint, pod.spec?.tolerations);
    if (event.kind === "nodeAdded") return event.node.spec?.unschedulable !== true;
    return event.kind === "nodeUpdated" && event.previous.spec?.unschedulable === true && event.node.spec?.unschedulable !== true;
  },
};
