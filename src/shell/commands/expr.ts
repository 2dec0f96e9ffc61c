import { compareTexts } from "#sim/compare-texts.ts";
import { posixRegex } from "../text/regex.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const expr: CommandDefinition = {
  name: "expr",
  *run(tool) {
    const value = evaluateExpression(tool, tool.operands);
    yield* tool.print(`${value}\n`);
    return value === "" || value === "0" ? 1 : 0;
  },
};

const levels: readonly (readonly string[])[] = [
  ["|"],
  ["&"],
  ["<", "<=", "=", "==", "!=", ">=", ">"],
  ["+", "-"],
  ["*", "/", "%"],
  [":"],
];

const calculations: { readonly [operator: string]: (a: number, b: number) => number } = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => Math.trunc(a / b),
  "%": (a, b) => a % b,
};

const comparisons: { readonly [operator: string]: (order: number) => boolean } = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  "=": (order) => order === 0,
  "==": (order) => order === 0,
  "!=": (order) => order !== 0,
  ">=": (order) => order >= 0,
  ">": (order) => order > 0,
};

function fail(message: string): never {
  throw new ToolFailure(message, 2);
}

function integer(text: string): number {
  return /^-?\d+$/u.test(text) ? Number(text) : fail("non-integer argument");
}

/** Numbers by value, other texts by code unit. */
function orderOf(left: string, right: string): number {
  if (/^-?\d+$/u.test(left) && /^-?\d+$/u.test(right)) return Number(left) - Number(right);
  return compareTexts(left, right);
}

function apply(operator: string, left: string, right: string): string {
  const empty = left === "" || left === "0";
  if (operator === "|") {
    if (!empty) return left;
    return right === "" ? "0" : right;
  }
  if (operator === "&") return empty || right === "" || right === "0" ? "0" : left;
  if (operator === ":") return matchText(left, right);
  const calculate = calculations[operator];
  if (calculate === undefined) return comparisons[operator]?.(orderOf(left, right)) === true ? "1" : "0";
  const [a, b] = [integer(left), integer(right)];
  if ((operator === "/" || operator === "%") && b === 0) fail("division by zero");
  return String(calculate(a, b));
}

function evaluateExpression(tool: Tool, words: readonly string[]): string {
  if (words.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "too few arguments", 2);
  let position = 0;
  const level = (depth: number): string => {
    const operators = levels[depth];
    if (operators === undefined) return primary();
    let left = level(depth + 1);
    while (position < words.length && operators.includes(words[position] as string)) {
      const operator = words[position] as string;
      position += 1;
      left = apply(operator, left, level(depth + 1));
    }
    return left;
  };
  const take = (): string => {
    const word = words[position];
    position += 1;
    if (word !== undefined) return word;
    return fail(`syntax error: missing argument after '${words.at(-1) ?? ""}'`);
  };
  const primary = (): string => {
    const word = take();
    if (word === "(") {
      const value = level(0);
      if (words[position] !== ")") fail(`syntax error: expecting ')' after '${words[position - 1] ?? ""}'`);
      position += 1;
      return value;
    }
    if (word === "length" && position < words.length) return String([...take()].length);
    if (word === "substr" && position + 2 < words.length) {
      const [text, from, count] = [take(), integer(take()), integer(take())];
      return from < 1 ? "" : text.slice(from - 1, from - 1 + count);
    }
    if (word === "index" && position + 1 < words.length) {
      const [text, chars] = [take(), take()];
      return String([...text].findIndex((char) => chars.includes(char)) + 1);
    }
    if (word === "match" && position + 1 < words.length) return matchText(take(), take());
    return word;
  };
  const value = level(0);
  if (position < words.length) fail(`syntax error: unexpected argument '${words[position]}'`);
  return value;
}

function matchText(text: string, pattern: string): string {
  const regex = posixRegex(`^\\(${pattern.replace(/^\^/u, "")}\\)`, { basic: true });
  const match = regex.exec(text);
  const hasGroup = /\\\(/u.test(pattern);
  if (match === null) return hasGroup ? "" : "0";
  return hasGroup ? (match[2] ?? "") : String([...match[0]].length);
}
