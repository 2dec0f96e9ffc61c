// All builtins by name.

import type { Builtin } from "./builtin.ts";
import { controlBuiltins } from "./control.ts";
import { directoryBuiltins } from "./directories.ts";
import { inputBuiltins } from "./input.ts";
import { jobBuiltins } from "./jobs.ts";
import { lookupBuiltins } from "./lookup.ts";
import { optionBuiltins } from "./options.ts";
import { outputBuiltins } from "./output.ts";
import { variableBuiltins } from "./variables.ts";

export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({
    ...controlBuiltins,
    ...directoryBuiltins,
    ...lookupBuiltins,
    ...outputBuiltins,
    ...inputBuiltins,
    ...jobBuiltins,
    ...optionBuiltins,
    ...variableBuiltins,
  }),
);

/** Builtins whose arguments are read as assignments. */
export const declarationCommands: ReadonlySet<string> = new Set(["export", "readonly", "declare", "typeset", "local"]);
