// Go's names in error texts. Only what clients' programs send can be of a wrong type, so they come with those.

import { Late } from "#sim/late.ts";
import type * as code from "./go-names.ts";

export const lateGoNames = new Late<typeof code>("go-names");
