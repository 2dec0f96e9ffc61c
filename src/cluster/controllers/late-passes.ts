// What controllers do with workloads that no cluster begins with: it comes with clients' programs, which bring the first of them.

import { Late } from "#sim/late.ts";
import type * as code from "./pass-code.ts";

export const latePasses = new Late<typeof code>("what controllers do with Jobs, CronJobs, StatefulSets and autoscalers");
