// The kubectl program: finds the command, reads its flags, runs it, and words what went wrong.

import { klogLine } from "#cluster/api/klog.ts";
import { isOwnError, SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { FlagError, parseFlags } from "./cli/flags.ts";
import { printHelp } from "./cli/print-help.ts";
import { type Found, findCommand, flagsOf, suggestionsFor } from "./cli/tree.ts";
import { refuseUnreadFlags } from "./cli/unread-flags.ts";
import { logFailure } from "./client/request-log.ts";
import { complete } from "./commands/complete.ts";
import { commandAtPath } from "./commands/index.ts";
import { bareDryRun } from "./commands/write-options.ts";
import { type Command, Context } from "./context.ts";
import { describeFailure, ExitError, KubectlError, PrintedError, usageError } from "./errors.ts";
import { type CommandInfo, subcommandsOf } from "./help/catalog-reader.ts";

/** `kubectl help get` */
function* help(self: Process, words: readonly string[]): Sys<void> {
  const { command, argv } = findCommand(words.filter((word) => !word.startsWith("-")));
  if (command.path === "" && argv.length > 0) {
    yield* self.write(2, `Unknown help topic [${argv.map((word) => `\`${word}\``).join(" ")}]\n`);
    yield* printHelp(self, command, 2, true);
    return;
  }
  yield* printHelp(self, command, 1);
}

function unknownCommand(word: string): KubectlError {
  const near = suggestionsFor(word);
  const hint = near.length === 0 ? "" : `\n\nDid you mean this?\n${near.map((name) => `\t${name}\n`).join("")}`;
  return new KubectlError(`unknown command ${JSON.stringify(word)} for "kubectl"${hint}`);
}

/** Groups of commands (`kubectl config`) print their help and fail. `rollout` writes it to stdout. */
function* runGroup(self: Process, command: CommandInfo, args: readonly string[]): Sys<void> {
  const [word] = args;
  if (word !== undefined) throw usageError(command.path, `unknown command ${JSON.stringify(args.join(" "))}`);
  yield* printHelp(self, command, command.path === "rollout" || command.path === "certificate" ? 1 : 2);
  if (command.path !== "certificate") throw new ExitError(1);
}

function* runFound(self: Process, { command, argv }: Found): Sys<void> {
  // A first word that is no command is said before the flags behind it are looked at.
  const [first] = argv;
  if (command.path === "" && first !== undefined && !first.startsWith("-")) throw unknownCommand(first);
  let line: ReturnType<typeof parseFlags>;
  try {
    line = parseFlags(flagsOf(command), argv);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    const path = `kubectl ${command.path}`.trim();
    const pointer = command.path === "options" ? `Run '${path}' without flags.` : `See '${path} --help' for usage.`;
    throw new KubectlError(`${error.message}\n${pointer}`);
  }
  for (const notice of line.notices) yield* self.write(2, notice);
  if (line.helpWanted) return yield* printHelp(self, command, 1);
  if (command.path === "") {
    const [word] = line.args;
    if (word !== undefined) throw unknownCommand(word);
    return yield* printHelp(self, command, 1);
  }
  if (command.path === "options") return yield* printHelp(self, command, 1);
  const implementation = commandAtPath(command.path);
  refuseUnreadFlags(command.path, line.flags);
  if (implementation !== undefined) return yield* runWith(new Context(self, command, line), implementation);
  if (subcommandsOf(command.path).length > 0) return yield* runGroup(self, command, line.args);
  throw new KubectlError(`kubectl ${command.path} is not part of this release of the embedded kubectl`);
}

function* runWith(context: Context, command: Command): Sys<void> {
  if (context.flags.has("dry-run") && context.flags.text("dry-run") === bareDryRun) {
    const advice = "--dry-run is deprecated and can be replaced with --dry-run=client.";
    yield* context.err(klogLine(context.self, "W", "helpers.go:719", advice));
  }
  try {
    yield* command.run(context);
  } catch (error) {
    yield* logFailure(context.self, context.verbosity, error);
    throw error;
  }
  if (context.flags.bool("warnings-as-errors") && context.warningsSeen > 0) {
    const count = context.warningsSeen;
    throw new KubectlError(`${count} ${count === 1 ? "warning" : "warnings"} received`);
  }
}

/** Runs one command line (without the word `kubectl`). */
function* runLine(self: Process, argv: readonly string[]): Sys<void> {
  const [first] = argv;
  if (first === "__complete" || first === "__completeNoDesc") return yield* complete(self, argv.slice(1), first === "__complete");
  const found = findCommand(argv);
  if (found.command.path === "" && argv.find((word) => !word.startsWith("-")) === "help" && first === "help") {
    return yield* help(self, argv.slice(1));
  }
  yield* runFound(self, found);
}

/** kubectl v1.36. */
export const kubectl: Program = function* (self) {
  try {
    yield* runLine(self, self.argv.slice(1));
    return 0;
  } catch (error) {
    if (!isOwnError(error)) throw error;
    if (error instanceof SysError && (error.code === "EPIPE" || error.code === "EINTR")) return 1;
    if (error instanceof SysError || isExpected(error)) {
      const { text, code } = describeFailure(error);
      if (error instanceof PrintedError) yield* self.write(1, error.printed);
      if (text !== "") yield* self.write(2, text);
      return code;
    }
    throw error;
  }
};

/** Programmer's errors (TypeError and the like) are not worded as kubectl's. */
function isExpected(error: Error): boolean {
  return error.constructor !== Error;
}
