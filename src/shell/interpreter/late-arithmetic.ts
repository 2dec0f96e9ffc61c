// Nothing is calculated or compared before a line is run: arithmetic and `[[ ]]` come with the commands.

import { Late } from "#sim/late.ts";
import type * as code from "./arithmetic.ts";
import type * as conditional from "./conditional.ts";

export const lateArithmetic = new Late<typeof code>("the shell's arithmetic");
export const lateConditional = new Late<Pick<typeof conditional, "evaluateConditional">>("the shell's conditions");
