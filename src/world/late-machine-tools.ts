// Programs that know the cluster's machines: `ssh` on the workstation, and what every node has beside the standard commands; and what only they set in
// motion. They come with the other commands.

import { Late } from "#sim/late.ts";
import type * as code from "./machine-tool-code.ts";

export const lateMachineTools = new Late<typeof code>("machine-tools");
