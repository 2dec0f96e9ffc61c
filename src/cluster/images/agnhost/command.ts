// What a subcommand of agnhost is.

import type { Process, Sys } from "#sim/program.ts";
import { type Defaults, type Flags, readFlags, UsageError, usageOf } from "./flags.ts";

/** The verbosity of klog (`-v`) comes with the flags. */
export interface Line<All extends Defaults> {
  readonly flags: Flags<All>;
  readonly words: readonly string[];
  readonly verbosity: number;
}

interface Declaration<All extends Defaults> {
  readonly flags: All;
  readonly letters?: { readonly [letter: string]: string };
  /** How many words it takes, all of them being needed; "any" takes what there is. Usually none. */
  readonly words?: number | "any";
  /** What the usage calls them, ` [host:port]`. */
  readonly operands?: string;
  run(self: Process, line: Line<All>): Sys<number>;
}

export interface Command {
  /** A text instead of a run: the usage that was asked for. Throws UsageError. */
  read(name: string, line: readonly string[]): string | ((self: Process) => Sys<number>);
  usage(name: string): string;
}

export function command<const All extends Defaults>(declaration: Declaration<All>): Command {
  const { flags: defaults, letters = {}, words: wanted = 0, operands = "" } = declaration;
  const usage = (name: string): string => usageOf(name, operands, defaults);
  return {
    usage,
    read(name, line) {
      const { flags, words, help, verbosity } = readFlags(defaults, letters, line);
      if (help) return usage(name);
      if (wanted === 0 && words.length > 0) throw new UsageError(`accepts at most 0 arg(s), received ${words.length}`);
      if (typeof wanted === "number" && words.length !== wanted)
        throw new UsageError(`accepts ${wanted} arg(s), received ${words.length}`);
      return (self) => declaration.run(self, { flags, words, verbosity });
    },
  };
}
