// All that `late-etcd.ts` stands for.

export { loadRestored } from "./data-directory.ts";
export { answer } from "./gateway.ts";
export { compactionLines, endLines, failureLine, idleFlagLine, startLines } from "./log.ts";
