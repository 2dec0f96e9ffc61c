// Runs the syntax tree: lists, conditions, loops, functions, groups.

import type { AndOr, CommandNode, CompoundList, PipelineNode, Statement, Word } from "unbash";
import type { Sys } from "#sim/program.ts";
import { matchesPattern } from "../text/pattern.ts";
import { evaluateConditional } from "./conditional.ts";
import { ExpansionError, FunctionReturn, LoopJump, ShellExit } from "./control.ts";
import { expandArithmetic, expandPattern, expandSingle, expandWords } from "./expand.ts";
import { assign } from "./parameter.ts";
import { asCondition, runInSubshell, runPipeline, startBackground } from "./pipeline.ts";
import { readLine } from "./read-line.ts";
import { withRedirections } from "./redirect.ts";
import type { Shell, ShellFunction } from "./shell.ts";
import { handleSignals, runTrap } from "./signals.ts";
import { runSimpleCommand } from "./simple.ts";
import { TestError } from "./test-operators.ts";

/** Runs statements in order; the status of the last. */
export function* runStatements(shell: Shell, statements: readonly Statement[]): Sys<number> {
  for (const statement of statements) {
    if (statement.background === true) shell.status = yield* startBackground(shell, statement);
    else yield* runNode(shell, statement.command);
    yield* handleSignals(shell);
  }
  return shell.status;
}

function* runList(shell: Shell, list: CompoundList): Sys<number> {
  return yield* runStatements(shell, list.commands);
}

/** Runs a command, sets `$?`, and ends a `set -e` shell when it failed where that counts. */
export function* runNode(shell: Shell, node: PipelineNode | AndOr): Sys<number> {
  if (node.type === "AndOr") return yield* runAndOr(shell, node);
  if (node.type === "Pipeline") {
    shell.status = yield* runPipeline(shell, node);
    const negated = node.prefixes.some((prefix) => prefix.type === "Negation");
    if (!negated) yield* checkFailure(shell);
    return shell.status;
  }
  shell.status = yield* runCommand(shell, node);
  shell.pipeStatus = [shell.status];
  if (
    node.type === "Command" ||
    node.type === "Subshell" ||
    node.type === "TestCommand" ||
    node.type === "ArithmeticCommand" ||
    node.type === "Redirected"
  ) {
    yield* checkFailure(shell);
  }
  return shell.status;
}

function* checkFailure(shell: Shell): Sys<void> {
  if (shell.status === 0 || shell.conditionDepth > 0) return;
  if (shell.traps.has("ERR")) yield* runTrap(shell, "ERR");
  if (shell.has("errexit")) throw new ShellExit(shell.status);
}

function* runAndOr(shell: Shell, node: AndOr): Sys<number> {
  for (const [index, command] of node.commands.entries()) {
    if (index > 0 && (shell.status === 0) !== (node.operators[index - 1] === "&&")) continue;
    const last = index === node.commands.length - 1;
    if (last) yield* runNode(shell, command);
    else yield* asCondition(shell, () => runNode(shell, command));
  }
  return shell.status;
}

/** Runs one command that is not a pipeline; returns its status. */
export function* runCommand(shell: Shell, node: CommandNode): Sys<number> {
  yield* shell.breathe();
  switch (node.type) {
    case "Command": {
      const borrowed = shell.memory.borrowedBytes;
      try {
        return yield* runSimpleCommand(shell, node);
      } finally {
        if (shell.self.exit === undefined) shell.memory.giveBack(borrowed);
      }
    }
    case "Redirected":
      return yield* withRedirections(shell, node.redirects, () => runCommand(shell, node.command));
    case "BraceGroup":
      return yield* runList(shell, node.body);
    case "Subshell":
      return yield* runInSubshell(shell, (child) => runList(child, node.body));
    case "If":
      return yield* runIf(shell, node);
    case "While":
      return yield* runWhile(shell, node);
    case "For": {
      const borrowed = shell.memory.borrowedBytes;
      try {
        return yield* runFor(shell, node.name, node.wordlist, node.body);
      } finally {
        if (shell.self.exit === undefined) shell.memory.giveBack(borrowed);
      }
    }
    case "ArithmeticFor":
      return yield* runArithmeticFor(shell, node);
    case "Select":
      return yield* runSelect(shell, node);
    case "Case":
      return yield* runCase(shell, node);
    case "TestCommand":
      return yield* runConditional(shell, node);
    case "ArithmeticCommand": {
      shell.position = node.pos;
      if (shell.has("xtrace")) yield* shell.writeError(`+ (( ${node.body.trim()} ))\n`);
      return (yield* tryArithmetic(shell, node.body, "((: ")) === 0n ? 1 : 0;
    }
    case "Function":
      shell.functions.set(node.name.value, { node, source: shell.source });
      return 0;
    case "Coproc":
      yield* shell.complain("coproc: not supported by this shell");
      return 2;
  }
}

function* tryArithmetic(shell: Shell, text: string, label: string): Sys<bigint> {
  try {
    return BigInt(yield* expandArithmetic(shell, text));
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    yield* shell.complain(`${label}${error.message}`);
    return 0n;
  }
}

function* runConditional(shell: Shell, node: Extract<CommandNode, { type: "TestCommand" }>): Sys<number> {
  shell.position = node.pos;
  if (shell.has("xtrace")) yield* shell.writeError(`+ ${shell.source.slice(node.pos, node.end)}\n`);
  try {
    return (yield* evaluateConditional(shell, node.expression)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TestError)) throw error;
    if (error.message !== "") yield* shell.complain(`[[: ${error.message}`);
    return 2;
  }
}

function* runIf(shell: Shell, node: Extract<CommandNode, { type: "If" }>): Sys<number> {
  const holds = (list: CompoundList) => asCondition(shell, () => runList(shell, list));
  if ((yield* holds(node.clause)) === 0) return yield* runList(shell, node.then);
  for (const branch of node.elif) if ((yield* holds(branch.clause)) === 0) return yield* runList(shell, branch.then);
  shell.status = 0;
  return node.else === undefined ? 0 : yield* runList(shell, node.else);
}

/** One round of a loop; "break" when the loop is to end. Jumps for outer loops pass through. */
function* runRound(shell: Shell, body: CompoundList): Sys<"next" | "break"> {
  shell.loopDepth += 1;
  try {
    yield* shell.breathe();
    yield* handleSignals(shell);
    yield* runList(shell, body);
    return "next";
  } catch (error) {
    if (!(error instanceof LoopJump)) throw error;
    shell.status = 0;
    if (error.levels > 1 && shell.loopDepth > 1) {
      error.levels -= 1;
      throw error;
    }
    return error.kind === "break" ? "break" : "next";
  } finally {
    shell.loopDepth -= 1;
  }
}

function* runWhile(shell: Shell, node: Extract<CommandNode, { type: "While" }>): Sys<number> {
  let status = 0;
  for (;;) {
    shell.loopDepth += 1;
    let test: number;
    try {
      test = yield* asCondition(shell, () => runList(shell, node.clause));
    } catch (error) {
      if (!(error instanceof LoopJump)) throw error;
      if (error.kind === "break") return 0;
      continue;
    } finally {
      shell.loopDepth -= 1;
    }
    if ((test === 0) !== (node.kind === "while")) return status;
    const outcome = yield* runRound(shell, node.body);
    status = shell.status;
    if (outcome === "break") return status;
  }
}

function* runFor(shell: Shell, name: Word, wordlist: readonly Word[] | undefined, body: CompoundList): Sys<number> {
  const values = wordlist === undefined ? shell.positional : yield* expandWords(shell, wordlist);
  let status = 0;
  for (const value of values) {
    if (shell.has("xtrace"))
      yield* shell.writeError(`+ for ${name.text} in ${(wordlist ?? []).map((word) => word.text).join(" ")}\n`);
    assign(shell, name.value, undefined, value);
    const outcome = yield* runRound(shell, body);
    status = shell.status;
    if (outcome === "break") break;
  }
  return status;
}

function* runArithmeticFor(shell: Shell, node: Extract<CommandNode, { type: "ArithmeticFor" }>): Sys<number> {
  const textOf = (expression: typeof node.test) =>
    expression === undefined ? undefined : shell.source.slice(expression.pos, expression.end);
  const evaluate = function* (text: string | undefined): Sys<bigint> {
    return text === undefined ? 1n : BigInt(yield* expandArithmetic(shell, text));
  };
  let status = 0;
  yield* evaluate(textOf(node.initialize));
  while ((yield* evaluate(textOf(node.test))) !== 0n) {
    const outcome = yield* runRound(shell, node.body);
    status = shell.status;
    if (outcome === "break") break;
    yield* evaluate(textOf(node.update));
  }
  return status;
}

function* runSelect(shell: Shell, node: Extract<CommandNode, { type: "Select" }>): Sys<number> {
  const values = node.wordlist === undefined ? shell.positional : yield* expandWords(shell, node.wordlist);
  const width = String(values.length).length;
  const menu = values.map((value, index) => `${String(index + 1).padStart(width)}) ${value}\n`).join("");
  yield* shell.writeError(menu);
  for (;;) {
    yield* shell.writeError(shell.variables.get("PS3") ?? "#? ");
    const line = yield* readLine(shell, shell.descriptor(0), {});
    if (line === undefined) {
      yield* shell.print("\n");
      return 1;
    }
    assign(shell, "REPLY", undefined, line.text);
    if (line.text.trim() === "") {
      yield* shell.writeError(menu);
      continue;
    }
    assign(shell, node.name.value, undefined, values[Number(line.text) - 1] ?? "");
    if ((yield* runRound(shell, node.body)) === "break") return shell.status;
  }
}

function* runCase(shell: Shell, node: Extract<CommandNode, { type: "Case" }>): Sys<number> {
  const subject = yield* expandSingle(shell, node.word);
  let falling = false;
  shell.status = 0;
  for (const item of node.items) {
    let matched = falling;
    for (const word of item.pattern) {
      if (matched) break;
      matched = matchesPattern(yield* expandPattern(shell, word), subject, shell.has("nocasematch"));
    }
    if (!matched) continue;
    yield* runList(shell, item.body);
    if (item.terminator === ";&") falling = true;
    else if (item.terminator === ";;&") falling = false;
    else return shell.status;
  }
  return shell.status;
}

const nestingLimit = 200;

/** Calls a function in this shell. */
export function* callFunction(shell: Shell, called: ShellFunction, args: readonly string[], name: string): Sys<number> {
  if (shell.functionNames.length >= nestingLimit) {
    yield* shell.complain(`${name}: maximum function nesting level exceeded (${nestingLimit})`);
    throw new ExpansionError("");
  }
  const saved = { positional: shell.positional, source: shell.source, loopDepth: shell.loopDepth };
  shell.positional = args;
  shell.source = called.source;
  shell.loopDepth = 0;
  shell.functionNames.push(name);
  shell.variables.pushScope();
  try {
    const body = called.node.body;
    if (body.type === "CompoundList") return yield* runList(shell, body);
    shell.status = 0;
    return yield* runCommand(shell, body);
  } catch (error) {
    if (error instanceof FunctionReturn) return error.status;
    throw error;
  } finally {
    shell.variables.popScope();
    shell.functionNames.pop();
    shell.positional = saved.positional;
    shell.source = saved.source;
    shell.loopDepth = saved.loopDepth;
  }
}
