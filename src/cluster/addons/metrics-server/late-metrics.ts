// The metrics themselves: only people and autoscalers ask for them.

import { Late } from "#sim/late.ts";
import type * as code from "./metric-code.ts";

export const lateMetrics = new Late<typeof code>("metrics");
