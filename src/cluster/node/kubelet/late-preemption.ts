// A node ends pods for a critical one when it is full, which only programs bring about: how it chooses comes with those.

import { Late } from "#sim/late.ts";
import type * as code from "./preemption.ts";

export const latePreemption = new Late<typeof code>("preemption");
