// All that `late-metrics.ts` stands for.

export { readFlags } from "./flags.ts";
export { serveGroups } from "./groups.ts";
export { refusal, serveMetrics } from "./metrics.ts";
