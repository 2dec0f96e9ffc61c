// Ties the parts of the interpreter together.

import type { Function as FunctionNode } from "unbash";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { builtins } from "./builtins/index.ts";
import { ExpansionError, Interrupted, ShellExit } from "./control.ts";
import { callFunction, runCommand, runNode, runStatements } from "./execute.ts";
import { expandAsQuoted } from "./expand.ts";
import { lineOf } from "./line-of.ts";
import { isOnlyUnclosedHereDocument, parseScript, type SyntaxProblem, statementsBefore } from "./parse.ts";
import { capture, runInPlace, substitute } from "./pipeline.ts";
import type { Engine, Shell } from "./shell.ts";
import { dispatch } from "./simple.ts";

/** What a shell is given to run with. */
export const engine: Engine = {
  problemOf: (text) => parseScript(text).problem,
  functionIn,
  expandAsQuoted,
  formatDate,
  runText,
  runStatements,
  runNode,
  runCommand,
  isBuiltin: (name) => builtins.has(name),
  capture,
  substitute,
  callFunction,
  runWords: (shell, words, skipFunctions) => dispatch(shell, words, words.join(" "), skipFunctions),
  replaceBy: runInPlace,
};

function functionIn(text: string, name: string): FunctionNode {
  const nodes = parseScript(text).script.commands.map(({ command }) => command);
  const found = nodes.find((node): node is FunctionNode => node.type === "Function" && node.name.value === name);
  if (found === undefined) throw new Error(`${name}: the text defines no such function`);
  return found;
}

/** Parses text and runs it, command by command; a syntax error is reported after what stands before it has run. */
function* runText(shell: Shell, text: string, origin: string): Sys<number> {
  const saved = { source: shell.source, origin: shell.origin, position: shell.position };
  const { script, problem } = parseScript(text);
  shell.source = text;
  if (origin === "-c" || origin === "") shell.origin = origin;
  try {
    const fatal = problem !== undefined && !isOnlyUnclosedHereDocument(problem);
    const statements = fatal ? statementsBefore(text, script, problem.position) : script.commands;
    let skipLine = 0;
    shell.status = statements.length === 0 && !fatal ? 0 : shell.status;
    for (const statement of statements) {
      if (skipLine > 0 && lineOf(text, statement.pos) === skipLine) continue;
      try {
        yield* runStatements(shell, [statement]);
      } catch (thrown) {
        const error = thrown instanceof SysError && thrown.code === "ENOMEM" ? new ExpansionError(thrown.message, true) : thrown;
        if (!(error instanceof ExpansionError)) throw error;
        yield* reportExpansion(shell, error);
        skipLine = lineOf(text, statement.pos);
      }
    }
    if (fatal) {
      yield* reportSyntax(shell, text, origin, problem);
      shell.status = 2;
    }
    return shell.status;
  } finally {
    shell.source = saved.source;
    shell.origin = saved.origin;
    shell.position = saved.position;
  }
}

function* reportExpansion(shell: Shell, error: ExpansionError): Sys<void> {
  if (error.message !== "") yield* shell.complain(error.message);
  shell.status = shell.interactive ? 1 : error.status;
  if (shell.interactive) throw new Interrupted();
  if (error.fatal || shell.subshell) throw new ShellExit(error.status);
}

function* reportSyntax(shell: Shell, text: string, origin: string, problem: SyntaxProblem): Sys<void> {
  let place = origin;
  if (origin === "" || origin === "-c" || origin === "trap") place = shell.errorName;
  else if (origin === "eval") place = `${shell.errorName}: eval`;
  const middle = origin === "-c" && shell.bash ? "-c: " : "";
  const extra = problem.message.includes("unexpected end of file") && !text.endsWith("\n") ? 1 : 0;
  const line =
    lineOf(text, problem.message.includes("matching") ? Math.max(0, text.trimEnd().length - 1) : problem.position) + extra;
  if (!shell.bash) {
    let message = "syntax error: unexpected end of file";
    if (problem.message.includes("near"))
      message = `syntax error: unexpected ${/`(.*)'/su.exec(problem.message)?.[1] === "newline" ? "newline" : `"${/`(.*)'/su.exec(problem.message)?.[1] ?? ""}"`}`;
    else if (problem.message.includes("matching")) message = "syntax error: unterminated quoted string";
    yield* shell.writeError(`${place}: ${shell.showLines && origin !== "-c" ? `line ${line}: ` : ""}${message}\n`);
    return;
  }
  const isFile = !["", "-c", "trap", "eval"].includes(origin);
  const showsLine = shell.showLines || isFile || origin === "eval";
  const named = isFile && shell.interactive ? `${shell.errorName}: ${place}` : place;
  const where = showsLine ? `${named}: ${middle}line ${line}: ` : `${named}: `;
  yield* shell.writeError(`${where}${problem.message}\n`);
  if (problem.message.includes("near") && (shell.showLines || isFile)) {
    const shown = text.split("\n")[lineOf(text, problem.position) - 1] ?? "";
    yield* shell.writeError(`${where}\`${shown}'\n`);
  }
}
