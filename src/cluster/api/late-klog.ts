// klog's form of a line: those of a fresh cluster are put together when somebody reads them.

import { Late } from "#sim/late.ts";
import type { klogLine } from "./klog.ts";

export const lateKlog = new Late<typeof klogLine>("klog");
