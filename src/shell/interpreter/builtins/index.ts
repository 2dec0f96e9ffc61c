// All builtins by name. Those that no start-up file of a fresh terminal needs come with the tools.

import { Late } from "#sim/late.ts";
import type { Builtin } from "./builtin.ts";
import { controlBuiltins } from "./control.ts";
import { directoryBuiltins } from "./directories.ts";
import type * as code from "./late-code.ts";
import { lookupBuiltins } from "./lookup.ts";
import { outputBuiltins } from "./output.ts";

export const lateBuiltins = new Late<typeof code>("builtins of the shell");

/** As `lateCode` in `late-code.ts` has them. */
export const lateNames = [
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "wait",
  "kill",
  "jobs",
  "fg",
  "bg",
  "disown",
  "set",
  "shopt",
  "umask",
  "ulimit",
  "times",
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "unset",
] as const;

function lateBuiltin(name: string): Builtin {
  return (shell, args, typed) => (lateBuiltins.code.lateCode.get(name) as Builtin)(shell, args, typed);
}

export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({
    ...controlBuiltins,
    ...directoryBuiltins,
    ...lookupBuiltins,
    ...outputBuiltins,
    ...Object.fromEntries(lateNames.map((name) => [name, lateBuiltin(name)])),
  }),
);

/** Builtins whose arguments are read as assignments. */
export const declarationCommands: ReadonlySet<string> = new Set(["export", "readonly", "declare", "typeset", "local"]);
