// All that `late-etcd.ts` stands for.

export { loadRestored } from "./data-directory.ts";
export { answer } from "./gateway.ts";
export { beginLines, compactionLines, endLines, startLines } from "./log.ts";
