// The builtins that come with the tools.

import type { Builtin } from "./builtin.ts";
import { inputBuiltins } from "./input.ts";
import { jobBuiltins } from "./jobs.ts";
import { optionBuiltins } from "./options.ts";
import { variableBuiltins } from "./variables.ts";

export const lateCode: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({ ...inputBuiltins, ...jobBuiltins, ...optionBuiltins, ...variableBuiltins }),
);
