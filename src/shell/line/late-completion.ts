// What the Tab key does: it looks at commands, so it comes with them.

import { Late } from "#sim/late.ts";
import type * as code from "./completion.ts";

export const lateCompletion = new Late<typeof code>("completion");
