// Arithmetic evaluation: 64-bit integers, variables by name, C's operators.

import { asciiLowerCase } from "#sim/ascii.ts";
import { ExpansionError } from "./control.ts";

/** What an expression may read and write. */
export interface ArithmeticScope {
  read(name: string, index: string | undefined): string;
  write(name: string, index: string | undefined, value: string): void;
}

const tokenPattern =
  /\s*(?:(\d+#[\w@]+|0[xX][\da-fA-F]+|\d+\w*)|([A-Za-z_]\w*)|(<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&^|]=|[-+*/%<>=!~&^|?:(),[\]]))/uy;

const precedence: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

interface Target {
  readonly name: string;
  readonly index: string | undefined;
}

interface Token {
  readonly kind: "number" | "name" | "operator";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

class Evaluation {
  readonly #text: string;
  readonly #scope: ArithmeticScope;
  readonly #depth: number;
  readonly #tokens: Token[] = [];
  #position = 0;
  /** Above 0 while an operand is skipped: no effects, no errors. */
  #skipping = 0;

  constructor(text: string, scope: ArithmeticScope, depth: number) {
    this.#text = text;
    this.#scope = scope;
    this.#depth = depth;
    tokenPattern.lastIndex = 0;
    let end = 0;
    while (end < text.trimEnd().length) {
      tokenPattern.lastIndex = end;
      const match = tokenPattern.exec(text);
      if (match === null) this.#fail("syntax error: invalid arithmetic operator", text.slice(end).trimStart());
      const [all, number, name, operator] = match;
      let kind: Token["kind"] = "operator";
      if (number !== undefined) kind = "number";
      else if (name !== undefined) kind = "name";
      const token = number ?? name ?? operator ?? "";
      end += all.length;
      this.#tokens.push({ kind, text: token, start: end - token.length, end });
    }
  }

  #fail(message: string, token?: string): never {
    const rest = token ?? this.#text.slice(this.#tokens[this.#position]?.start ?? this.#text.length);
    throw new ExpansionError(`${this.#text.trimStart()}: ${message} (error token is "${rest}")`);
  }

  run(): bigint {
    if (this.#tokens.length === 0) return 0n;
    const value = this.#comma();
    if (this.#position < this.#tokens.length) this.#fail("syntax error in expression");
    return value;
  }

  #peek(): string | undefined {
    const token = this.#tokens[this.#position];
    return token?.kind === "operator" ? token.text : undefined;
  }

  #accept(operator: string): boolean {
    if (this.#peek() !== operator) return false;
    this.#position += 1;
    return true;
  }

  #comma(): bigint {
    let value = this.#assignment();
    while (this.#accept(",")) value = this.#assignment();
    return value;
  }

  #assignment(): bigint {
    const start = this.#position;
    if (this.#tokens[start]?.kind === "name") {
      const target = this.#target();
      const operator = this.#peek();
      if (operator !== undefined && /^(?:=|\*=|\/=|%=|\+=|-=|<<=|>>=|&=|\^=|\|=)$/u.test(operator)) {
        this.#position += 1;
        const right = this.#assignment();
        const value = operator === "=" ? right : this.#binary(operator.slice(0, -1), this.#read(target), right);
        return this.#write(target, value);
      }
      this.#position = start;
    }
    return this.#ternary();
  }

  #ternary(): bigint {
    const test = this.#level(0);
    if (!this.#accept("?")) return test;
    const chosen = test !== 0n;
    const yes = this.#maybe(chosen, () => this.#comma());
    if (!this.#accept(":")) this.#fail("`:' expected for conditional expression");
    const no = this.#maybe(!chosen, () => this.#assignment());
    return chosen ? yes : no;
  }

  #maybe(active: boolean, evaluate: () => bigint): bigint {
    if (!active) this.#skipping += 1;
    const value = evaluate();
    if (!active) this.#skipping -= 1;
    return value;
  }

  #level(level: number): bigint {
    const operators = precedence[level];
    if (operators === undefined) return this.#power();
    let left = this.#level(level + 1);
    for (;;) {
      const operator = this.#peek();
      if (operator === undefined || !operators.includes(operator)) return left;
      this.#position += 1;
      if (operator === "&&" || operator === "||") {
        const decided = (operator === "&&") === (left === 0n);
        const right = this.#maybe(!decided, () => this.#level(level + 1));
        const holds = decided ? operator === "||" : right !== 0n;
        left = holds ? 1n : 0n;
      } else left = this.#binary(operator, left, this.#level(level + 1));
    }
  }

  #power(): bigint {
    const base = this.#unary();
    if (!this.#accept("**")) return base;
    const exponent = this.#power();
    if (exponent < 0n) this.#fail("exponent less than 0");
    let value = 1n;
    for (let i = 0n; i < exponent && i < 64n; i += 1n) value = BigInt.asIntN(64, value * base);
    return value;
  }

  #unary(): bigint {
    const operator = this.#peek();
    if (operator === "++" || operator === "--") {
      this.#position += 1;
      if (this.#tokens[this.#position]?.kind === "name") {
        const target = this.#target();
        return this.#write(target, this.#read(target) + (operator === "++" ? 1n : -1n));
      }
      const value = this.#unary();
      return value;
    }
    if (operator === "!" || operator === "~" || operator === "-" || operator === "+") {
      this.#position += 1;
      const value = this.#unary();
      if (operator === "!") {
        return value === 0n ? 1n : 0n;
      }
      if (operator === "~") return ~value;
      return operator === "-" ? -value : value;
    }
    return this.#primary();
  }

  #primary(): bigint {
    const token = this.#tokens[this.#position];
    if (token === undefined) return this.#fail("syntax error: operand expected", this.#text.slice(this.#tokens.at(-1)?.start ?? 0));
    if (token.kind === "number") {
      this.#position += 1;
      return this.#number(token.text);
    }
    if (token.kind === "name") {
      const target = this.#target();
      const operator = this.#peek();
      if (operator === "++" || operator === "--") {
        this.#position += 1;
        const value = this.#read(target);
        this.#write(target, value + (operator === "++" ? 1n : -1n));
        return value;
      }
      return this.#read(target);
    }
    if (this.#accept("(")) {
      const value = this.#comma();
      if (!this.#accept(")")) this.#fail("missing `)'");
      return value;
    }
    return this.#fail("syntax error: operand expected");
  }

  #target(): Target {
    const name = this.#tokens[this.#position]?.text ?? "";
    this.#position += 1;
    if (this.#peek() !== "[") return { name, index: undefined };
    const start = this.#tokens[this.#position]?.end ?? 0;
    let depth = 0;
    for (;;) {
      const token = this.#tokens[this.#position];
      if (token === undefined) this.#fail("bad array subscript");
      this.#position += 1;
      if (token.text === "[") depth += 1;
      if (token.text === "]") depth -= 1;
      if (depth === 0) return { name, index: this.#text.slice(start, token.start) };
    }
  }

  #number(text: string): bigint {
    const based = /^(\d+)#(.+)$/u.exec(text);
    if (based !== null) {
      const base = Number(based[1]);
      const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_";
      let value = 0n;
      for (const char of based[2] as string) {
        const digit = digits.indexOf(base <= 36 ? asciiLowerCase(char) : char);
        if (digit < 0 || digit >= base) this.#fail("value too great for base", text);
        value = value * BigInt(base) + BigInt(digit);
      }
      return value;
    }
    if (/^0[0-7]+$/u.test(text)) return BigInt(`0o${text.slice(1)}`);
    if (/^0\d+$/u.test(text) || /^\d+\w*[a-zA-Z_]/u.test(text.replace(/^0x[\da-f]+$/iu, "")))
      this.#fail("value too great for base", text);
    return BigInt.asIntN(64, BigInt(text));
  }

  #read(target: Target): bigint {
    if (this.#skipping > 0) return 0n;
    const text = this.#scope.read(target.name, target.index).trim();
    if (text === "") return 0n;
    if (/^-?[1-9]\d*$|^0$/u.test(text)) return BigInt.asIntN(64, BigInt(text));
    if (this.#depth > 200)
      throw new ExpansionError(`${target.name}: expression recursion level exceeded (error token is "${target.name}")`);
    return evaluateArithmetic(text, this.#scope, this.#depth + 1);
  }

  #write(target: Target, value: bigint): bigint {
    const wrapped = BigInt.asIntN(64, value);
    if (this.#skipping === 0) this.#scope.write(target.name, target.index, wrapped.toString());
    return wrapped;
  }

  #binary(operator: string, left: bigint, right: bigint): bigint {
    return BigInt.asIntN(64, this.#compute(operator, left, right));
  }

  #compute(operator: string, left: bigint, right: bigint): bigint {
    switch (operator) {
      case "+":
        return left + right;
      case "-":
        return left - right;
      case "*":
        return left * right;
      case "/":
      case "%":
        if (right === 0n) {
          if (this.#skipping > 0) return 0n;
          this.#position -= 1;
          this.#fail("division by 0");
        }
        return operator === "/" ? left / right : left % right;
      case "<<":
        return left << (right & 63n);
      case ">>":
        return left >> (right & 63n);
      case "&":
        return left & right;
      case "|":
        return left | right;
      case "^":
        return left ^ right;
      case "==":
        return left === right ? 1n : 0n;
      case "!=":
        return left !== right ? 1n : 0n;
      case "<":
        return left < right ? 1n : 0n;
      case "<=":
        return left <= right ? 1n : 0n;
      case ">":
        return left > right ? 1n : 0n;
      default:
        return left >= right ? 1n : 0n;
    }
  }
}

/** Evaluates an expression whose `$` expansions are done. Throws ExpansionError. */
export function evaluateArithmetic(text: string, scope: ArithmeticScope, depth = 0): bigint {
  return new Evaluation(text, scope, depth).run();
}
