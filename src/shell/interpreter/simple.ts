// Simple commands: assignments, then a function, a builtin or a program.

import type { ArrayValue, Assignment, Command, CommandArgument, Redirection } from "unbash";
import { parse } from "unbash";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { traceQuote } from "../text/quote.ts";
import { builtins, declarationCommands } from "./builtins/index.ts";
import { ExpansionError } from "./control.ts";
import { expandSingle, expandWords } from "./expand.ts";
import { assign, indexKey } from "./parameter.ts";
import { runProgram } from "./pipeline.ts";
import { withRedirections } from "./redirect.ts";
import type { Shell } from "./shell.ts";
import { endOfArray, newVariable, noteElement, type Variable } from "./variables.ts";
import { asWord, trace } from "./words.ts";

/** Runs a simple command in this shell; returns its status. */
export function* runSimpleCommand(shell: Shell, written: Command): Sys<number> {
  const node = replaceAlias(shell, written);
  shell.position = node.pos;
  shell.substitutionStatus = undefined;
  const assignments = node.prefix.filter((part): part is Assignment => part.type === "Assignment");
  const name = node.name === undefined ? [] : yield* expandWords(shell, [node.name]);
  const command = name[0];
  if (command !== undefined && declarationCommands.has(command) && !shell.functions.has(command)) {
    return yield* withRedirections(shell, node.redirects, () => runDeclaration(shell, command, node.args));
  }
  const words = [...name, ...(yield* expandWords(shell, node.args.map(asWord)))];
  if (words.length === 0) return yield* runAssignments(shell, assignments, node.redirects);
  yield* trace(shell, words);
  const run = () => withTemporary(shell, assignments, () => dispatch(shell, words, shell.source.slice(node.pos, node.end)));
  if (words[0] === "exec") return yield* runExec(shell, words.slice(1), node.redirects, run);
  return yield* withRedirections(shell, node.redirects, run);
}

function replaceAlias(shell: Shell, node: Command): Command {
  let current = node;
  const seen = new Set<string>();
  while (shell.aliases.size > 0 && (shell.interactive || shell.has("expand_aliases") || !shell.bash)) {
    const name = current.name;
    if (name === undefined || name.parts !== undefined || name.text !== name.value || seen.has(name.text)) return current;
    const value = shell.aliases.get(name.text);
    if (value === undefined) return current;
    seen.add(name.text);
    const command = parse(value).commands[0]?.command;
    if (command?.type !== "Command") return current;
    const prefix = [...current.prefix, ...command.prefix];
    const suffix = [...command.suffix, ...current.suffix];
    const redirects = [...command.redirects, ...current.redirects];
    const args = [...command.args, ...current.args];
    current = { type: "Command", pos: node.pos, end: node.end, name: command.name, prefix, suffix, redirects, args };
  }
  return current;
}

function* runAssignments(shell: Shell, assignments: readonly Assignment[], redirects: readonly Redirection[]): Sys<number> {
  const status = yield* withRedirections(shell, redirects, function* () {
    return 0;
  });
  for (const assignment of assignments) yield* runAssignment(shell, assignment);
  return status !== 0 ? status : (shell.substitutionStatus ?? 0);
}

/** `name=value`, `name[i]=value`, `name+=value`, `name=(…)`. Throws ExpansionError. */
export function* runAssignment(shell: Shell, assignment: Assignment): Sys<void> {
  if (assignment.value.type === "ArrayValue") {
    yield* assignArray(shell, assignment.name, assignment.value, assignment.append === true);
    return;
  }
  const value = yield* expandSingle(shell, assignment.value, true);
  const index = assignment.index === undefined ? undefined : yield* expandSingle(shell, assignment.index);
  assign(shell, assignment.name, index, value, assignment.append === true);
  if (shell.has("xtrace"))
    yield* shell.writeError(
      `+ ${assignment.name}${assignment.append === true ? "+" : ""}=${value === "" ? "" : traceQuote(value)}\n`,
    );
}

export function* assignArray(shell: Shell, name: string, value: ArrayValue, append: boolean): Sys<void> {
  const variable = shell.variables.ensure(name);
  if (variable.readonly) throw new ExpansionError(`${name}: readonly variable`, true);
  const entries: [string | undefined, string][] = [];
  for (const element of value.elements) {
    const keyed = /^\[((?:[^\]\\]|\\.)+)\]=([\s\S]*)$/u.exec(element.text);
    if (keyed === null) for (const word of yield* expandWords(shell, [element])) entries.push([undefined, word]);
    else entries.push([yield* expandText(shell, keyed[1] as string), yield* expandText(shell, keyed[2] as string)]);
  }
  if (variable.kind === "scalar") {
    variable.kind = "indexed";
    if (append && variable.value !== undefined) variable.elements.set("0", variable.value);
  }
  if (!append) variable.elements = new Map();
  let next = append && variable.kind === "indexed" ? endOfArray(variable) : 0;
  for (const [key, text] of entries) {
    const at = key === undefined ? String(next) : indexKey(shell, name, variable, key);
    variable.elements.set(at, text);
    next = Number(at) + 1;
  }
  if (variable.kind === "indexed" && entries.every(([key]) => key === undefined)) noteElement(variable, next);
  else noteElement(variable);
}

function* expandText(shell: Shell, text: string): Sys<string> {
  const command = parse(`x=${text}`).commands[0]?.command;
  const assignment = command?.type === "Command" ? command.prefix[0] : undefined;
  if (assignment?.type !== "Assignment" || assignment.value.type !== "Word") return text;
  return yield* expandSingle(shell, assignment.value);
}

/** export, declare, local …: their arguments are assignments, not split. */
function* runDeclaration(shell: Shell, command: string, args: readonly CommandArgument[]): Sys<number> {
  const words: string[] = [command];
  const arrays: Assignment[] = [];
  for (const argument of args) {
    if (argument.type === "Word") words.push(...(yield* expandWords(shell, [argument])));
    else if (argument.value.type === "ArrayValue") {
      arrays.push(argument);
      words.push(argument.name);
    } else {
      const index = argument.index === undefined ? "" : `[${yield* expandSingle(shell, argument.index)}]`;
      const value = yield* expandSingle(shell, argument.value, true);
      words.push(`${argument.name}${index}${argument.append === true ? "+" : ""}=${value}`);
    }
  }
  yield* trace(shell, words);
  const readonlyCommand = command === "readonly" || (command !== "export" && words.some((word) => /^-[a-zA-Z]*r/u.test(word)));
  if (readonlyCommand) for (const array of arrays) yield* runAssignment(shell, array);
  const status = yield* runBuiltin(shell, words);
  if (status === 0 && !readonlyCommand) for (const array of arrays) yield* runAssignment(shell, array);
  return status;
}

/** Assignments before a command hold for it only. */
function* withTemporary(shell: Shell, assignments: readonly Assignment[], run: () => Sys<number>): Sys<number> {
  if (assignments.length === 0) return yield* run();
  const saved: [string, Variable | undefined][] = [];
  try {
    for (const assignment of assignments) {
      const before = shell.variables.lookup(assignment.name);
      saved.push([assignment.name, before === undefined ? undefined : { ...before, elements: new Map(before.elements) }]);
      yield* runAssignment(shell, assignment);
      shell.variables.ensure(assignment.name).exported = true;
    }
    return yield* run();
  } finally {
    for (const [name, before] of saved.reverse()) {
      if (before === undefined) shell.variables.unset(name);
      else Object.assign(shell.variables.ensure(name), newVariable(), before);
    }
  }
}

/** Runs words as a command: function, builtin or program. */
export function* dispatch(shell: Shell, words: readonly string[], text: string, skipFunctions = false): Sys<number> {
  const name = words[0] as string;
  const called = skipFunctions ? undefined : shell.functions.get(name);
  if (called !== undefined) return yield* shell.engine.callFunction(shell, called, words.slice(1), name);
  if (builtins.has(name)) return yield* runBuiltin(shell, words);
  const status = yield* runProgram(shell, words, text);
  return status;
}

/** Runs a builtin; what a system call refuses becomes a message and status 1. */
export function* runBuiltin(shell: Shell, words: readonly string[]): Sys<number> {
  const name = words[0] as string;
  const builtin = builtins.get(name);
  if (builtin === undefined) return 127;
  try {
    return yield* builtin(shell, words.slice(1), name);
  } catch (error) {
    if (error instanceof SysError && error.code !== "EINTR") {
      yield* shell.complain(error.code === "EBADF" ? `${name}: write error: Bad file descriptor` : `${name}: ${error.message}`);
      return 1;
    }
    throw error;
  }
}

/** `exec` without a command keeps the redirections. */
function* runExec(shell: Shell, args: readonly string[], redirects: readonly Redirection[], run: () => Sys<number>): Sys<number> {
  if (args.length > 0) return yield* withRedirections(shell, redirects, run);
  const before = shell.fds;
  let kept: ReadonlyMap<number, number> = before;
  // The duplicates outlive the command; the originals are closed with it.
  const status = yield* withRedirections(shell, redirects, function* () {
    const opened = new Map<number, number>();
    kept = new Map(
      [...shell.fds].map(([fd, real]) => {
        if ([...before.values()].includes(real)) return [fd, real] as const;
        const copy = opened.get(real) ?? shell.self.dup(real);
        opened.set(real, copy);
        return [fd, copy] as const;
      }),
    );
    return 0;
  });
  if (status !== 0) return status;
  const inUse = new Set(kept.values());
  for (const real of new Set(before.values())) if (!inUse.has(real)) shell.self.close(real);
  shell.fds = kept;
  return 0;
}
