// The library that compiles and runs expressions. Nothing that a cluster begins with has any, so it comes with clients' programs; what
// else is here is reached only from code that comes with them too.

import type * as library from "@marcbachmann/cel-js";
import { Late } from "#sim/late.ts";

export const lateCel = new Late<Pick<typeof library, "Environment">>("what compiles expressions");
