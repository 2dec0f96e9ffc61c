// [[ … ]].

import type { TestExpression } from "unbash";
import type { Sys } from "#sim/program.ts";
import { BoundedRegExp } from "../text/bounded-regex.ts";
import { matchesPattern } from "../text/pattern.ts";
import { posixClasses } from "../text/regex.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import { expandPattern, expandRegex, expandSingle } from "./expand.ts";
import { arithmeticScope } from "./parameter.ts";
import type { Shell } from "./shell.ts";
import { type TestContext, TestError, testBinary, testUnary } from "./test-operators.ts";

export function testContext(shell: Shell, number: (text: string) => bigint): TestContext {
  return {
    self: shell.self,
    isVariableSet: (name) => {
      const match = /^(\w+)\[(.+)\]$/u.exec(name);
      if (match === null) return shell.variables.get(name) !== undefined;
      return shell.variables.lookup(match[1] as string)?.elements.has(match[2] as string) === true;
    },
    isOptionSet: (name) => shell.has(name),
    number,
    descriptor: (fd) => shell.fds.get(fd),
  };
}

/** True or false; a wrong regular expression throws TestError. */
export function* evaluateConditional(shell: Shell, expression: TestExpression): Sys<boolean> {
  switch (expression.type) {
    case "TestGroup":
      return yield* evaluateConditional(shell, expression.expression);
    case "TestNot": {
      const value = yield* evaluateConditional(shell, expression.operand);
      return expression.negations.length % 2 === 0 ? value : !value;
    }
    case "TestLogical": {
      for (const operand of expression.operands) {
        const value = yield* evaluateConditional(shell, operand);
        if (value === (expression.operator === "||")) return value;
      }
      return expression.operator === "&&";
    }
    case "TestUnary":
      return testUnary(conditionalContext(shell), expression.operator, yield* expandSingle(shell, expression.operand));
    case "TestBinary": {
      const left = yield* expandSingle(shell, expression.left);
      const operator = expression.operator;
      if (operator === "=" || operator === "==" || operator === "!=") {
        const matched = matchesPattern(yield* expandPattern(shell, expression.right), left, shell.has("nocasematch"));
        return matched === (operator !== "!=");
      }
      if (operator === "=~") return matchRegex(shell, left, yield* expandRegex(shell, expression.right));
      return testBinary(conditionalContext(shell), operator, left, yield* expandSingle(shell, expression.right));
    }
  }
}

function conditionalContext(shell: Shell): TestContext {
  return testContext(shell, (text) => evaluateArithmetic(text, arithmeticScope(shell)));
}

function matchRegex(shell: Shell, text: string, source: string): boolean {
  let regex: RegExp;
  try {
    regex = new BoundedRegExp(posixClasses(source), shell.has("nocasematch") ? "i" : "");
  } catch {
    throw new TestError("");
  }
  const match = regex.exec(text);
  shell.variables.setArray("BASH_REMATCH", match === null ? [] : [...match].map((group) => group ?? ""));
  return match !== null;
}
