// What controllers do with objects that no cluster begins with, and with namespaces and ranges that go: it comes with clients' programs, which
// bring the first of them.

import { Late } from "#sim/late.ts";
import type * as code from "./pass-code.ts";

export const latePasses = new Late<typeof code>(
  "what controllers do with Jobs, CronJobs, StatefulSets, autoscalers, claims, disruption budgets, quotas, certificate requests, Endpoints of many, unlike or lost Pods, near ones, those of zones or those made by hand, namespaces and ranges that go and surges of DaemonSets",
);
