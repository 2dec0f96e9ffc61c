// What of kube-proxy comes late, in one place.

export { readConfiguration } from "./configuration.ts";
export { startLines, syncedLines } from "./log.ts";
export { listenAddresses, nodePortRules } from "./node-port-addresses.ts";
