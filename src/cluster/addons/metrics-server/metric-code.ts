// All that `late-metrics.ts` stands for.

export { serveGroups } from "./groups.ts";
export { refusal, serveMetrics } from "./metrics.ts";
