// Most schedulers run without a configuration file: what reads one, and what acts by it, comes late.

import { Late } from "#sim/late.ts";
import type * as code from "./configuration/configuration-code.ts";

export const lateConfiguration = new Late<typeof code>("configuration");
