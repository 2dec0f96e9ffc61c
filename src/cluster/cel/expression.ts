// Compiling and running one expression, with faults in the words of cel-go: `ERROR: <input>:1:6: undefined field 'x'` with the
// line and a mark below it.

import { TypeError as CheckError, type Environment, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import { GoRegExpError } from "#cluster/api/go-regexp/go-regexp.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { wordsOf } from "#sim/errors.ts";
import { estimateCost, type SizeAt } from "./costs.ts";
import { callReplaced, plainNames } from "./replaced-functions.ts";
import { CostLimitReached, type Meter, meterNodes } from "./runtime-costs.ts";
import { type Node, standardNodes } from "./standard-nodes.ts";

export interface Compiled {
  /** The type of its value as far as it is known: `bool`, `string`, `dyn`, `list<int>`. */
  readonly type: string;
  readonly source: string;
  /** Names of the variables that it reads. */
  readonly variables: ReadonlySet<string>;
  /** `spend` is told what it has cost, whether it answered or failed. Throws CelFault. */
  run(variables: { readonly [name: string]: unknown }, spend?: (cost: number) => void): unknown;
  /** The highest cost that it may have, where sizes are known as far as they are. */
  maximumCost(sizeAt: SizeAt): number;
}

/** A fault at run time; the message is cel-go's. */
export class CelFault extends Error {}

/** The expression has cost more than one may. */
export class CelCostFault extends CelFault {}

/** A text that is no expression, or one that cannot work; the message is cel-go's, of several lines. */
export class CelCompileError extends Error {}

/**
 * Compiles against one environment and runs in another, which may know less of its variables' types. Throws CelCompileError.
 */
export function compileExpression(source: string, checked: Environment, running: Environment = checked): Compiled {
  try {
    const checkedProgram = parseExpression(checked, source);
    const { valid, type = "dyn", error } = checkedProgram.check();
    if (!valid) throw error;
    const program = parseExpression(running, source);
    const meter = meterNodes(program.ast, checkedProgram.ast);
    return {
      type: shortType(type),
      source,
      variables: identifiers(program.ast),
      run: (variables, spend) => runProgram(program, variables, meter, spend),
      maximumCost: (sizeAt) => estimateCost(checkedProgram.ast as unknown as Node, sizeAt),
    };
  } catch (error) {
    if (error instanceof ParseError || error instanceof CheckError) throw new CelCompileError(located(source, error, checked));
    throw error;
  }
}

/** An expression that means what it means to cel-go, and whose calls never ask the engine. Throws the library's ParseError. */
function parseExpression(environment: Environment, source: string): ReturnType<Environment["parse"]> {
  const parsed = environment.parse(source);
  callReplaced(parsed.ast);
  standardNodes(parsed.ast);
  return parsed;
}

function runProgram(
  program: (context: { [name: string]: unknown }) => unknown,
  variables: { readonly [name: string]: unknown },
  meter: Meter,
  spend: ((cost: number) => void) | undefined,
): unknown {
  meter.begin();
  try {
    return program(variables);
  } catch (error) {
    // What ended it may have been caught on the way as a fault of an operand.
    if (error instanceof CostLimitReached || meter.isExceeded)
      throw new CelCostFault("operation cancelled: actual cost limit exceeded");
    if (error instanceof EvaluationError || error instanceof CheckError)
      throw new CelFault(faultText(error.code, plainNames(error.summary)));
    if (error instanceof GoRegExpError) throw new CelFault(error.message);
    throw new CelFault(wordsOf(error));
  } finally {
    meter.values.clear();
    spend?.(meter.cost);
  }
}

/** Types as cel-go writes them. */
function shortType(type: string): string {
  return type
    .replaceAll("google.protobuf.Timestamp", "timestamp")
    .replaceAll("google.protobuf.Duration", "duration")
    .replace(/^dyn<(.*)>$/, "$1");
}

function faultText(code: string, summary: string): string {
  switch (code) {
    case "no_such_key":
      return summary.replace(/^No such key/, "no such key");
    case "index_out_of_bounds": {
      const index = /index (-?\d+)/.exec(summary)?.[1] ?? "";
      return `index out of bounds: ${index}`;
    }
    case "no_such_overload":
    case "no_matching_overload":
    case "invalid_logical_operand":
      return "no such overload";
    case "invalid_duration":
      return conversionFault("google.protobuf.Duration");
    case "int_conversion_error":
      return conversionFault("int");
    case "uint_conversion_error":
      return conversionFault("uint");
    case "double_conversion_error":
      return conversionFault("double");
    case "bool_conversion_error":
      return conversionFault("bool");
    case "optional_value_missing":
      return "optional.none() dereference";
    default:
      return summary;
  }
}

function conversionFault(type: string): string {
  return `type conversion error from 'string' to '${type}'`;
}

function located(source: string, error: ParseError | CheckError, environment: Environment): string {
  const { message, offset } = explained(source, error, environment);
  // Nothing has no place, and no line to show.
  if (source === "") return `ERROR: <input>:1:0: ${message}`;
  const before = source.slice(0, offset).split("\n");
  const line = source.split("\n")[before.length - 1] ?? "";
  const column = (before.at(-1) ?? "").length;
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${".".repeat(column)}^`;
}

const names: { readonly [operator: string]: string } = { in: "@in", "!": "!_", "-": "-_" };

function explained(
  source: string,
  error: ParseError | CheckError,
  environment: Environment,
): { readonly message: string; readonly offset: number } {
  const { code } = error;
  const summary = plainNames(error.summary);
  const start = error.range?.start ?? 0;
  const end = error.range?.end ?? source.length;
  if (code === "unknown_variable") {
    return { message: `undeclared reference to '${summary.replace(/^Unknown variable: /, "")}' (in container '')`, offset: start };
  }
  if (code === "no_such_key") {
    return {
      message: `undefined field '${summary.replace(/^No such key: /, "")}'`,
      offset: Math.max(0, source.lastIndexOf(".", start)),
    };
  }
  const operator = /^no such overload: (.+) (==|!=|<=|>=|<|>|\+|-|\*|\/|%|in) (.+)$/.exec(summary);
  if (operator !== null) {
    const [, left = "", symbol = "", right = ""] = operator;
    const name = names[symbol] ?? `_${symbol}_`;
    const message = `found no matching overload for '${name}' applied to '(${shortType(left)}, ${shortType(right)})'`;
    return { message, offset: operatorOffset(source, symbol, start, end) };
  }
  const unary = /^no such overload: ([!-])(.+)$/.exec(summary);
  if (unary !== null) {
    return {
      message: `found no matching overload for '${unary[1]}_' applied to '(${shortType(unary[2] as string)})'`,
      offset: start,
    };
  }
  const call = /^found no matching overload for '(?:(.+)\.)?(\w+)\((.*)\)'$/.exec(summary);
  if (call !== null) {
    const [, receiver, name = "", args = ""] = call;
    const open = source.indexOf("(", source.indexOf(name, start));
    if (!environment.getDefinitions().functions.some((known) => known.name === name)) {
      return { message: `undeclared reference to '${name}' (in container '')`, offset: Math.max(open, 0) };
    }
    const applied = receiver === undefined ? `(${shortType(args)})` : `${shortType(receiver)}.(${shortType(args)})`;
    return { message: `found no matching overload for '${name}' applied to '${applied}'`, offset: Math.max(open, 0) };
  }
  if (code === "unexpected_token" || error instanceof ParseError)
    return { message: `Syntax error: ${syntaxText(summary)}`, offset: start };
  return { message: summary, offset: start };
}

function syntaxText(summary: string): string {
  const token = /^Unexpected token: (.*)$/.exec(summary)?.[1];
  if (token === undefined) return asciiLowerCase(summary.charAt(0)) + summary.slice(1);
  return `mismatched input '${token === "EOF" ? "<EOF>" : token}' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`;
}

function operatorOffset(source: string, symbol: string, start: number, end: number): number {
  const at = source.slice(start, end).indexOf(symbol === "in" ? " in " : symbol);
  return at < 0 ? start : start + at + (symbol === "in" ? 1 : 0);
}

/** The identifiers of an expression, macros' own variables included. */
function identifiers(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(node)) {
    for (const inner of node) identifiers(inner, found);
    return found;
  }
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return found;
  if (node.op === "id") found.add(String(node.args));
  else identifiers(node.args, found);
  return found;
}
