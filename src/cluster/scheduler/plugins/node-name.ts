import { type Plugin, rejection, skip } from "../framework.ts";

const refused = rejection("NodeName", "node(s) didn't match the requested node name", true);

/** A Pod that names its node goes there or nowhere. (Such Pods do not reach the queue; kept for completeness of messages.) */
export const nodeName: Plugin = {
  name: "NodeName",
  prepareFilter(pod) {
    const wanted = pod.pod.spec?.nodeName ?? "";
    if (wanted === "") return skip;
    return { kind: "filter", filter: (node) => (node.name === wanted ? undefined : refused) };
  },
  mayHelp: (event) => event.kind === "nodeAdded",
};
