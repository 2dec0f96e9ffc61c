// echo, printf, test, [.

import { formatDate } from "../../text/date-text.ts";
import { echoText } from "../../text/echo.ts";
import { formatShell } from "../../text/printf.ts";
import { withBytes } from "../../text/raw-bytes.ts";
import { testContext } from "../conditional.ts";
import { assign } from "../parameter.ts";
import type { Shell } from "../shell.ts";
import { evaluateTest, plainNumber, TestError } from "../test-operators.ts";
import type { Builtin } from "./builtin.ts";

/** The numbers of `%(…)T` that are no seconds: now, and when the shell began. */
const shownMoments: { readonly [seconds: number]: (shell: Shell) => number } = {
  [-1]: (shell) => shell.self.nowMs,
  [-2]: (shell) => shell.startedMs,
};

const printf: Builtin = function* (shell, args) {
  let words = args;
  let target: string | undefined;
  if (words[0] === "-v") {
    target = words[1];
    words = words.slice(2);
  }
  if (words[0] === "--") words = words.slice(1);
  const format = words[0];
  if (format === undefined) {
    yield* shell.writeError(
      shell.bash
        ? `${shell.messagePrefix}printf: usage: printf [-v var] format [arguments]\n`
        : "printf: usage: printf FORMAT [ARG]...\n",
    );
    return 2;
  }
  const { text, problems } = formatShell(format, words.slice(1), (pattern, seconds) =>
    formatDate(pattern, shownMoments[seconds]?.(shell) ?? seconds * 1000),
  );
  if (target === undefined) yield* shell.print(withBytes(text));
  else {
    const element = /^(\w+)\[(.+)\]$/u.exec(target);
    assign(shell, element?.[1] ?? target, element?.[2], text);
  }
  for (const problem of problems) yield* shell.complain(`printf: ${problem}`);
  return problems.length > 0 ? 1 : 0;
};

function runTest(shell: Shell, args: readonly string[]): boolean {
  return evaluateTest(testContext(shell, plainNumber), args);
}

const test: Builtin = function* (shell, args, name) {
  let words = args;
  if (name === "[") {
    if (args.at(-1) !== "]") {
      yield* shell.complain(shell.bash ? "[: missing `]'" : "[: missing ]");
      return 2;
    }
    words = args.slice(0, -1);
  }
  try {
    return runTest(shell, words) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TestError)) throw error;
    yield* shell.complain(`${name}: ${error.message}`);
    return 2;
  }
};

export const outputBuiltins: { readonly [name: string]: Builtin } = {
  *echo(shell, args) {
    yield* shell.print(withBytes(echoText(args)));
    return 0;
  },
  printf,
  test,
  "[": test,
};
