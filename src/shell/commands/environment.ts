// env, printenv, sleep, timeout, date, true, false, test, expr, nohup, nice-less.

import { civilDate } from "#sim/calendar.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { signalByName } from "../interpreter/signals.ts";
import { evaluateTest, plainNumber, TestError } from "../interpreter/test-operators.ts";
import { formatDate, parseDate } from "../text/date-text.ts";
import { posixRegex } from "../text/regex.ts";
import { type CommandDefinition, findProgram, runCommandLine, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

export const env: CommandDefinition = {
  name: "env",
  options: "i,ignore-environment u,unset= 0,null C,chdir= S=",
  usage: "env [-i0] [-u NAME]... [-] [NAME=VALUE]... [PROG ARGS]",
  inOrder: true,
  usageStatus: 125,
  *run(tool) {
    const variables = new Map(tool.has("i") ? [] : tool.self.env);
    for (const name of tool.values("u")) variables.delete(name);
    let words = [...tool.operands];
    if (words[0] === "-") {
      variables.clear();
      words = words.slice(1);
    }
    while (words[0]?.includes("=") === true) {
      const at = words[0].indexOf("=");
      variables.set(words[0].slice(0, at), words[0].slice(at + 1));
      words = words.slice(1);
    }
    if (words.length > 0) return yield* runCommandLine(tool, words, variables);
    for (const [name, value] of variables) yield* tool.print(`${name}=${value}${tool.has("0") ? "\0" : "\n"}`);
    return 0;
  },
};

export const printenv: CommandDefinition = {
  name: "printenv",
  options: "0,null",
  *run(tool) {
    let status = 0;
    if (tool.operands.length === 0) for (const [name, value] of tool.self.env) yield* tool.print(`${name}=${value}\n`);
    for (const name of tool.operands) {
      const value = tool.self.env.get(name);
      if (value === undefined) status = 1;
      else yield* tool.print(`${value}\n`);
    }
    return status;
  },
};

/** `1.5`, `2m`, `1h30m` (busybox) in milliseconds; undefined when it is none. */
function durationMs(text: string): number | undefined {
  if (text === "infinity" || text === "inf") return 2 ** 45;
  const match = /^(\d+\.?\d*|\.\d+)([smhd]?)$/u.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * ({ "": 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] as "s"] as number);
}

export const sleep: CommandDefinition = {
  name: "sleep",
  options: "",
  usage:
    "sleep [N]...\n\nPause for a time equal to the total of the args given, where each arg can\nhave an optional suffix of (s)econds, (m)inutes, (h)ours, or (d)ays",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    let total = 0;
    for (const operand of tool.operands) {
      const ms = durationMs(operand);
      if (ms === undefined) {
        if (!tool.gnu) throw new ToolFailure(`invalid number '${operand}'`);
        throw new UsageFailure(`invalid time interval ‘${operand}’`);
      }
      total += ms;
    }
    yield* tool.self.sleep(total);
    return 0;
  },
};

export const timeout: CommandDefinition = {
  name: "timeout",
  options: "s,signal= k,kill-after= foreground preserve-status v,verbose t=",
  usage: "timeout [-s SIG] [-k KILL_SECS] SECS PROG ARGS",
  inOrder: true,
  usageStatus: 125,
  *run(tool) {
    const { self } = tool;
    const [limit, ...words] = tool.operands;
    if (limit === undefined || words.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const ms = durationMs(limit);
    if (ms === undefined) throw new UsageFailure(tool.gnu ? `invalid time interval ‘${limit}’` : `invalid number '${limit}'`);
    const signal = signalByName(tool.value("s") ?? "TERM");
    if (signal === undefined) throw new UsageFailure(`'${tool.value("s")}': invalid signal`);
    let pid: number;
    try {
      pid = self.spawn({ run: findProgram(self, words[0] as string, self.env.get("PATH")), argv: words });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      yield* tool.warn(
        tool.gnu ? `failed to run command '${words[0]}': ${error.message}` : `can't execute '${words[0]}': ${error.message}`,
      );
      return error.code === "ENOENT" ? 127 : 126;
    }
    let timedOut = false;
    let over = false;
    const kill = (which: typeof signal) => {
      try {
        self.kill(pid, which);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
      }
    };
    if (ms > 0) {
      self.startThread(function* () {
        yield* self.sleep(ms);
        if (over) return;
        timedOut = true;
        kill(signal);
        const more = durationMs(tool.value("k") ?? "");
        if (more === undefined) return;
        yield* self.sleep(more);
        if (!over) kill("KILL");
      });
    }
    const status = yield* self.wait(pid);
    over = true;
    return timedOut && !tool.has("preserve-status") ? (tool.gnu ? 124 : 143) : (status?.code ?? 0);
  },
};

export const date: CommandDefinition = {
  name: "date",
  options: "u,utc,universal d,date= s,set= R,rfc-email I,iso-8601=? r,reference= rfc-3339= D=",
  usage: "date [OPTIONS] [+FMT] [[-s] TIME]",
  *run(tool) {
    let time = tool.self.nowMs;
    const text = tool.value("d");
    const reference = tool.value("r");
    if (text !== undefined) {
      const parsed = parseDate(text, time);
      if (parsed === undefined) throw new ToolFailure(tool.gnu ? `invalid date ‘${text}’` : `invalid date '${text}'`);
      time = parsed;
    }
    if (reference !== undefined) time = tool.self.stat(reference).modifiedMs;
    if (tool.has("s"))
      throw new ToolFailure(tool.gnu ? "cannot set date: Operation not permitted" : "can't set date: Operation not permitted");
    const operand = tool.operands[0];
    if (operand !== undefined && !operand.startsWith("+")) {
      throw new ToolFailure(tool.gnu ? `invalid date ‘${operand}’` : `invalid date '${operand}'`);
    }
    let format = operand?.slice(1) ?? "%a %b %e %H:%M:%S %Z %Y";
    if (tool.has("R")) format = "%a, %d %b %Y %H:%M:%S +0000";
    const iso = tool.value("I") ?? tool.value("rfc-3339");
    if (iso !== undefined) {
      const separator = tool.has("I") ? "T" : " ";
      const forms: { readonly [name: string]: string } = {
        "": "%F",
        date: "%F",
        hours: "%FT%H+00:00",
        minutes: `%F${separator}%R+00:00`,
        seconds: `%F${separator}%T+00:00`,
        ns: `%F${separator}%T,%N+00:00`,
      };
      const chosen = forms[iso];
      if (chosen === undefined) throw new UsageFailure(`invalid argument '${iso}' for '--iso-8601'`);
      format = chosen;
    }
    yield* tool.print(`${formatDate(format, time)}\n`);
    return 0;
  },
};

/** The month table of `cal`. */
export const cal: CommandDefinition = {
  name: "cal",
  options: "",
  *run(tool) {
    const today = civilDate(tool.self.nowMs);
    const year = Number(tool.operands.at(-1) ?? today.year);
    const month = tool.operands.length > 1 ? Number(tool.operands[0]) : today.month;
    const first = parseDate(`${year}-${String(month).padStart(2, "0")}-01`, 0) ?? 0;
    const title = formatDate("%B %Y", first);
    let text = `${" ".repeat(Math.max(0, Math.floor((20 - title.length) / 2)))}${title}\nSu Mo Tu We Th Fr Sa\n`;
    let line = "   ".repeat(civilDate(first).weekday);
    for (let day = 0; day < 31; day += 1) {
      const each = civilDate(first + day * 86_400_000);
      if (each.month !== month) break;
      line += `${String(each.day).padStart(2)} `;
      if (each.weekday === 6) {
        text += `${line.trimEnd()}\n`;
        line = "";
      }
    }
    yield* tool.print(`${text}${line === "" ? "" : `${line.trimEnd()}\n`}`);
    return 0;
  },
};

export const trueCommand: CommandDefinition = {
  name: "true",
  *run() {
    return 0;
  },
};

export const falseCommand: CommandDefinition = {
  name: "false",
  *run() {
    return 1;
  },
};

function* runTest(tool: Tool, args: readonly string[]): Sys<number> {
  const { self } = tool;
  try {
    const context = {
      self,
      isVariableSet: () => false,
      isOptionSet: () => false,
      number: plainNumber,
      descriptor: (fd: number) => fd,
    };
    return evaluateTest(context, args) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TestError)) throw error;
    yield* tool.warn(error.message, 2);
    return 2;
  }
}

export const test: CommandDefinition = {
  name: "test",
  *run(tool) {
    return yield* runTest(tool, tool.operands);
  },
};

export const bracket: CommandDefinition = {
  name: "[",
  *run(tool) {
    if (tool.operands.at(-1) !== "]") throw new ToolFailure(tool.gnu ? "missing ']'" : "missing ]", 2);
    return yield* runTest(tool, tool.operands.slice(0, -1));
  },
};

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

function evaluateExpression(tool: Tool, words: readonly string[]): string {
  if (words.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "too few arguments", 2);
  let position = 0;
  const fail = (message: string): never => {
    throw new ToolFailure(message, 2);
  };
  const integer = (text: string): number => (/^-?\d+$/u.test(text) ? Number(text) : fail("non-integer argument"));
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
  const apply = (operator: string, left: string, right: string): string => {
    const empty = left === "" || left === "0";
    if (operator === "|") return empty ? (right === "" ? "0" : right) : left;
    if (operator === "&") return empty || right === "" || right === "0" ? "0" : left;
    if (operator === ":") return matchText(left, right);
    if ("+-*/%".includes(operator)) {
      const [a, b] = [integer(left), integer(right)];
      if ((operator === "/" || operator === "%") && b === 0) fail("division by zero");
      return String(
        operator === "+"
          ? a + b
          : operator === "-"
            ? a - b
            : operator === "*"
              ? a * b
              : operator === "/"
                ? Math.trunc(a / b)
                : a % b,
      );
    }
    const numeric = /^-?\d+$/u.test(left) && /^-?\d+$/u.test(right);
    const order = numeric ? Number(left) - Number(right) : left < right ? -1 : left > right ? 1 : 0;
    const holds = {
      "<": order < 0,
      "<=": order <= 0,
      "=": order === 0,
      "==": order === 0,
      "!=": order !== 0,
      ">=": order >= 0,
      ">": order > 0,
    }[operator];
    return holds === true ? "1" : "0";
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

export const nohup: CommandDefinition = {
  name: "nohup",
  inOrder: true,
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure("missing operand", 125);
    ignoreHangUp(tool.self);
    if (tool.self.isTty(1)) yield* tool.self.write(2, "nohup: ignoring input\n");
    return yield* runCommandLine(tool, tool.operands);
  },
};

function ignoreHangUp(self: Process): void {
  self.setSignal("HUP", "ignore");
}
