// All that `late-preemption.ts` stands for.

export { evictionMessage } from "./eviction/message.ts";
export { rankPods } from "./eviction/ranking.ts";
export { endOrphan } from "./orphans.ts";
export { podsToPreempt } from "./preemption.ts";
