// Control groups of version 1: few machines have them.

import { Late } from "../late.ts";
import type * as code from "./legacy-cgroups.ts";

export const lateLegacyCgroups = new Late<typeof code>("legacy-cgroups");
