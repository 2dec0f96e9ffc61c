// What definitions of kinds may say, and how the objects of such kinds are read and judged. A cluster has no definitions until a client's program
// brings one, so it comes with those.

import { Late } from "#sim/late.ts";
import type * as code from "./custom-resource-code.ts";

export const lateCustomResources = new Late<typeof code>("custom-resources");
