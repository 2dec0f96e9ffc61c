import { type Plugin, rejection, skip } from "../framework.ts";
import { lateHints } from "../late-hints.ts";

const refused = rejection("NodePorts", "node(s) didn't have free ports for the requested pod ports");

/** A host port can be had once per address and protocol. */
export const nodePorts: Plugin = {
  name: "NodePorts",
  prepareFilter(pod) {
    const { ports } = pod;
    if (ports.length === 0) return skip;
    return { kind: "filter", filter: (node) => (ports.some((port) => node.isPortTaken(port)) ? refused : undefined) };
  },
  mayHelp: (event, pod) => lateHints.code.portsMayHelp(event, pod),
};
