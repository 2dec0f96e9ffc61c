import { normalizeByMaximum, type Plugin, rejection, skip } from "../framework.ts";
import { matchesTerm, namedNodes, requiredNodeMatcher } from "../node-selector.ts";

const refused = rejection("NodeAffinity", "node(s) didn't match Pod's node affinity/selector", true);
const contradicted = rejection("NodeAffinity", "pod affinity terms conflict", true);

/** nodeSelector and required node affinity decide; preferred terms add their weights to the score. */
export const nodeAffinity: Plugin = {
  name: "NodeAffinity",
  prepareFilter(pod) {
    const matches = pod.requiredNodes;
    if (matches === undefined) return skip;
    const only = namedNodes(pod.pod.spec ?? { containers: [] });
    if (only !== undefined && only.size === 0) return { kind: "reject", rejection: contradicted };
    return {
      kind: "filter",
      filter: (node) => (node.node !== undefined && matches(node.node) ? undefined : refused),
      ...(only === undefined ? {} : { only }),
    };
  },
  prepareScore(pod) {
    const preferred = pod.pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (preferred.length === 0) return undefined;
    return {
      score(info) {
        const { node } = info;
        if (node === undefined) return 0;
        return preferred.reduce((sum, { preference, weight }) => sum + (matchesTerm(preference, node) ? weight : 0), 0);
      },
      normalize: (scores) => normalizeByMaximum(scores, false),
    };
  },
  mayHelp(event, pod) {
    if (event.kind !== "nodeAdded" && event.kind !== "nodeUpdated") return false;
    const matches = requiredNodeMatcher(pod.spec ?? { containers: [] });
    if (matches === undefined) return true;
    return matches(event.node) && (event.kind === "nodeAdded" || !matches(event.previous));
  },
};
