// The words of a simple command, and how `set -x` shows them.

import { type CommandArgument, parse, type Word } from "unbash";
import type { Sys } from "#sim/program.ts";
import { traceQuote } from "../text/quote.ts";
import { ExpansionError } from "./control.ts";
import { expandAsQuoted } from "./expand.ts";
import type { Shell } from "./shell.ts";

/** An argument that looks like an assignment is an ordinary word, except to declaration commands. */
export function asWord(argument: CommandArgument): Word {
  if (argument.type === "Word") return argument;
  const command = parse(`: ''${argument.text}`).commands[0]?.command;
  const word = command?.type === "Command" ? command.args[0] : undefined;
  if (word?.type !== "Word") throw new ExpansionError(`syntax error near unexpected token \`('`);
  return word;
}

export function* trace(shell: Shell, words: readonly string[]): Sys<void> {
  if (!shell.has("xtrace")) return;
  shell.options.delete("xtrace");
  const prefix = yield* expandAsQuoted(shell, shell.variables.get("PS4") ?? "+ ");
  shell.options.add("xtrace");
  yield* shell.writeError(`${prefix}${words.map(traceQuote).join(" ")}\n`);
}
