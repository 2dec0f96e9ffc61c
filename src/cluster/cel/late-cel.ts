// What compiles expressions for those who are there before it. Nothing that a cluster begins with has any expression, so all that is here
// comes with clients' programs; the rest is reached only from code that comes with them too.

import { Late } from "#sim/late.ts";
import type * as environment from "./environment.ts";

export const lateCel = new Late<Pick<typeof environment, "kubernetesEnvironment">>("cel");
