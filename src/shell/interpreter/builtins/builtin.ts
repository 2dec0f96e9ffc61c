// What a builtin is, and how it reads its options.

import type { Sys } from "#sim/program.ts";
import type { Shell } from "../shell.ts";

/** Runs in the shell's process; returns the status. */
export type Builtin = (shell: Shell, args: readonly string[], name: string) => Sys<number>;

export interface BuiltinOptions {
  readonly letters: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
  /** A refused option, as bash names it. */
  readonly refused: string | undefined;
}

/** Reads single-letter options; a letter followed by ":" in `spec` takes an argument. Stops at the first operand. */
export function readBuiltinOptions(args: readonly string[], spec: string): BuiltinOptions {
  const letters = new Map<string, string>();
  let position = 0;
  for (; position < args.length; position += 1) {
    const argument = args[position] as string;
    if (argument === "--") return { letters, operands: args.slice(position + 1), refused: undefined };
    if (!argument.startsWith("-") || argument === "-") break;
    for (let i = 1; i < argument.length; i += 1) {
      const letter = argument[i] as string;
      const at = letter === ":" ? -1 : spec.indexOf(letter);
      if (at < 0) return { letters, operands: args.slice(position), refused: `-${letter}` };
      if (spec[at + 1] !== ":") letters.set(letter, "");
      else {
        letters.set(letter, i + 1 < argument.length ? argument.slice(i + 1) : (args[++position] ?? ""));
        break;
      }
    }
  }
  return { letters, operands: args.slice(position), refused: undefined };
}

export function* refuseOption(shell: Shell, name: string, option: string, usage: string): Sys<number> {
  yield* shell.complain(shell.bash ? `${name}: ${option}: invalid option` : `${name}: illegal option ${option}`);
  if (shell.bash) yield* shell.writeError(`${name}: usage: ${usage}\n`);
  return 2;
}
