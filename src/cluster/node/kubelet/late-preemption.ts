// Pods end before their time for a critical one when a node is full, for want of something, or because no source has them any more. Only
// programs bring that about: how it is done and what is said of it comes with those.

import { Late } from "#sim/late.ts";
import type * as code from "./preemption-code.ts";

export const latePreemption = new Late<typeof code>("preemption");
