// What is used only where datagrams are, or somebody asks for metrics.

import { Late } from "#sim/late.ts";
import type * as code from "./conntrack-code.ts";

export const lateConntrack = new Late<typeof code>("conntrack");
