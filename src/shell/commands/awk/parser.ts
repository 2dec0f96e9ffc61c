// Parses awk programs.

import { expandEscapes } from "../../text/escapes.ts";
import type { AwkFunction, AwkProgram, Expression, Rule, Statement } from "./syntax.ts";

export class AwkSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

interface Token {
  readonly kind: "number" | "string" | "regex" | "name" | "function" | "operator" | "newline" | "end";
  readonly text: string;
  readonly position: number;
}

const operators = [
  "&&",
  "||",
  "**=",
  "**",
  "++",
  "--",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "^=",
  "==",
  "<=",
  ">=",
  "!=",
  "!~",
  ">>",
  ..."+-*/%^!<>|?:~$=,;(){}[]",
];
const keywords = new Set(
  "BEGIN END function func if else while for do break continue next nextfile exit return delete in print printf getline".split(" "),
);
export const builtinNames = new Set(
  "length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close fflush strftime systime gensub".split(
    " ",
  ),
);

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const fail = (message: string): never => {
    const before = source.slice(0, at).split("\n");
    throw new AwkSyntaxError(message, before.length, (before.at(-1) as string).length);
  };
  while (at < source.length) {
    const rest = source.slice(at);
    const blank = /^(?:[ \t\r]|\\\r?\n|#[^\n]*)+/u.exec(rest);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const push = (kind: Token["kind"], text: string, length: number) => {
      tokens.push({ kind, text, position: at });
      at += length;
    };
    const last = tokens.at(-1);
    const operandBefore =
      last !== undefined &&
      (["number", "string", "name", "regex"].includes(last.kind) || ")]$".includes(last.text)) &&
      !keywords.has(last.text);
    const number = /^(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/u.exec(rest);
    const name = /^[A-Za-z_]\w*/u.exec(rest);
    if (rest[0] === "\n") push("newline", "\n", 1);
    else if (number !== null) push("number", number[0], number[0].length);
    else if (name !== null)
      push(source[at + name[0].length] === "(" && !keywords.has(name[0]) ? "function" : "name", name[0], name[0].length);
    else if (rest[0] === '"') {
      const match = /^"((?:[^"\\\n]|\\[\s\S])*)"/u.exec(rest) ?? fail("unterminated string");
      push("string", expandEscapes((match[1] as string).replace(/\\\//gu, "/"), false).text, match[0].length);
    } else if (rest[0] === "/" && !operandBefore) {
      const match = /^\/((?:[^/\\\n[]|\\.|\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\])*)\//u.exec(rest) ?? fail("unterminated regexp");
      push("regex", (match[1] as string).replace(/\\\//gu, "/"), match[0].length);
    } else {
      const operator = operators.find((each) => rest.startsWith(each)) ?? fail("syntax error");
      push("operator", operator, operator.length);
    }
  }
  tokens.push({ kind: "newline", text: "\n", position: at }, { kind: "end", text: "", position: at });
  return tokens;
}

const binaryLevels: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["in"],
  ["~", "!~"],
  ["<", "<=", "!=", "==", ">", ">="],
  ["concat"],
  ["+", "-"],
  ["*", "/", "%"],
];

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  /** Inside `print …`, where > is a redirection. */
  #noGreater = false;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  program(): AwkProgram {
    const rules: Rule[] = [];
    const functions = new Map<string, AwkFunction>();
    for (this.#newlines(); this.#peek().kind !== "end"; this.#newlines()) {
      if (this.#accept("function") || this.#accept("func")) {
        const name = this.#next().text;
        this.#expect("(");
        const parameters: string[] = [];
        while (!this.#accept(")")) {
          parameters.push(this.#next().text);
          this.#accept(",");
        }
        this.#lineBreaks();
        functions.set(name, { parameters, body: this.#block() });
      } else rules.push(this.#rule());
    }
    return { rules, functions };
  }

  #rule(): Rule {
    let pattern: Rule["pattern"];
    let until: Expression | undefined;
    if (this.#accept("BEGIN")) pattern = "BEGIN";
    else if (this.#accept("END")) pattern = "END";
    else if (this.#peek().text !== "{" || this.#peek().kind === "string") {
      pattern = this.#expression();
      if (this.#accept(",")) until = this.#expression();
    }
    const body = this.#peek().text === "{" && this.#peek().kind === "operator" ? this.#block() : undefined;
    return { pattern, until, body };
  }

  #peek(offset = 0): Token {
    return this.#tokens[this.#at + offset] ?? (this.#tokens.at(-1) as Token);
  }

  #next(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #is(text: string): boolean {
    const token = this.#peek();
    return token.text === text && (token.kind === "operator" || token.kind === "name" || token.kind === "function");
  }

  #accept(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at += 1;
    return true;
  }

  #fail(): never {
    const before = this.#source.slice(0, this.#peek().position).split("\n");
    throw new AwkSyntaxError(
      this.#peek().kind === "end" ? "unexpected newline or end of string" : "syntax error",
      before.length,
      (before.at(-1) as string).length,
    );
  }

  #expect(text: string): void {
    if (!this.#accept(text)) this.#fail();
  }

  #newlines(): void {
    while (this.#peek().kind === "newline" || this.#is(";")) this.#at += 1;
  }

  #lineBreaks(): void {
    while (this.#peek().kind === "newline") this.#at += 1;
  }

  #block(): Statement {
    this.#expect("{");
    const body: Statement[] = [];
    for (this.#newlines(); !this.#is("}"); this.#newlines()) {
      if (this.#peek().kind === "end") this.#fail();
      body.push(this.#statement());
    }
    this.#expect("}");
    return { kind: "block", body };
  }

  #end(): void {
    if (this.#peek().kind === "newline" || this.#is(";")) this.#at += 1;
    else if (!this.#is("}") && this.#peek().kind !== "end") this.#fail();
  }

  #body(): Statement {
    this.#lineBreaks();
    if (this.#accept(";")) return { kind: "block", body: [] };
    return this.#statement();
  }

  #statement(): Statement {
    if (this.#is("{")) return this.#block();
    if (this.#accept("if")) {
      this.#expect("(");
      const test = this.#expression();
      this.#expect(")");
      const yes = this.#body();
      const mark = this.#at;
      this.#newlines();
      if (this.#accept("else")) return { kind: "if", test, yes, no: this.#body() };
      this.#at = mark;
      return { kind: "if", test, yes, no: undefined };
    }
    if (this.#accept("while")) {
      this.#expect("(");
      const test = this.#expression();
      this.#expect(")");
      return { kind: "while", test, body: this.#body(), afterBody: false };
    }
    if (this.#accept("do")) {
      const body = this.#body();
      this.#newlines();
      this.#expect("while");
      this.#expect("(");
      const test = this.#expression();
      this.#expect(")");
      this.#end();
      return { kind: "while", test, body, afterBody: true };
    }
    if (this.#accept("for")) return this.#for();
    const simple = this.#simple();
    this.#end();
    return simple;
  }

  #for(): Statement {
    this.#expect("(");
    if (this.#peek().kind === "name" && this.#peek(1).text === "in" && this.#peek(3).text === ")") {
      const variable = this.#next().text;
      this.#at += 1;
      const array = this.#next().text;
      this.#expect(")");
      return { kind: "forIn", variable, array, body: this.#body() };
    }
    const start = this.#is(";") ? undefined : this.#simple();
    this.#expect(";");
    this.#lineBreaks();
    const test = this.#is(";") ? undefined : this.#expression();
    this.#expect(";");
    this.#lineBreaks();
    const step = this.#is(")") ? undefined : this.#simple();
    this.#expect(")");
    return { kind: "for", start, test, step, body: this.#body() };
  }

  #simple(): Statement {
    for (const name of ["break", "continue", "next", "nextfile"] as const) if (this.#accept(name)) return { kind: "jump", name };
    for (const kind of ["exit", "return"] as const) {
      if (this.#accept(kind)) return { kind, value: this.#atEnd() ? undefined : this.#expression() };
    }
    if (this.#accept("delete")) {
      const name = this.#next().text;
      return { kind: "delete", name, index: this.#accept("[") ? this.#index() : undefined };
    }
    if (this.#is("print") || this.#is("printf")) return this.#print(this.#next().text === "printf");
    return { kind: "expression", expression: this.#expression() };
  }

  #atEnd(): boolean {
    return this.#peek().kind === "newline" || this.#peek().kind === "end" || this.#is(";") || this.#is("}");
  }

  #print(format: boolean): Statement {
    const saved = this.#noGreater;
    this.#noGreater = true;
    let args: readonly Expression[] = [];
    if (!this.#atEnd() && !this.#is(">") && !this.#is(">>") && !this.#is("|")) {
      const list = [this.#expression()];
      while (this.#accept(",")) {
        this.#lineBreaks();
        list.push(this.#expression());
      }
      const first = list[0] as Expression;
      args = list.length === 1 && first.kind === "group" ? first.list : list;
    }
    this.#noGreater = saved;
    const operator = [">>", ">", "|"].find((each) => this.#accept(each));
    return { kind: "print", format, args, redirect: operator === undefined ? undefined : { operator, target: this.#binary(5) } };
  }

  #index(): Expression[] {
    const list = [this.#expression()];
    while (this.#accept(",")) list.push(this.#expression());
    this.#expect("]");
    return list;
  }

  #expression(): Expression {
    const left = this.#ternary();
    const token = this.#peek();
    if (token.kind === "operator" && /^(?:=|\+=|-=|\*=|\/=|%=|\^=|\*\*=)$/u.test(token.text)) {
      if (left.kind !== "variable" && left.kind !== "field" && left.kind !== "element") this.#fail();
      this.#at += 1;
      this.#lineBreaks();
      return { kind: "assign", operator: token.text.slice(0, -1).replace("**", "^"), target: left, value: this.#expression() };
    }
    return left;
  }

  #ternary(): Expression {
    const test = this.#binary(0);
    if (!this.#accept("?")) return test;
    this.#lineBreaks();
    const yes = this.#expression();
    this.#lineBreaks();
    this.#expect(":");
    this.#lineBreaks();
    return { kind: "ternary", test, yes, no: this.#expression() };
  }

  #binary(level: number): Expression {
    const names = binaryLevels[level];
    if (names === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.#peek();
      if (names[0] === "concat") {
        if (!this.#startsOperand(token)) return left;
        left = { kind: "binary", operator: "concat", left, right: this.#binary(level + 1) };
        continue;
      }
      if ((token.kind !== "operator" && token.text !== "in") || token.kind === "string" || !names.includes(token.text)) return left;
      if (token.text === ">" && this.#noGreater) return left;
      this.#at += 1;
      if (token.text === "in") {
        left = { kind: "in", index: left.kind === "group" ? left.list : [left], name: this.#next().text };
        continue;
      }
      if (token.text === "&&" || token.text === "||") this.#lineBreaks();
      const right = this.#binary(level + 1);
      if (token.text === "~" || token.text === "!~") left = { kind: "match", negated: token.text === "!~", left, right };
      else left = { kind: "binary", operator: token.text, left, right };
    }
  }

  #startsOperand(token: Token): boolean {
    if (token.kind === "number" || token.kind === "string" || token.kind === "function") return true;
    if (token.kind === "name") return token.text !== "in" && !keywords.has(token.text);
    return (
      token.kind === "operator" &&
      ["$", "!", "(", "-", "+", "++", "--"].includes(token.text) &&
      !(token.text === "-" || token.text === "+")
    );
  }

  #unary(): Expression {
    for (const operator of ["!", "-", "+"]) {
      if (this.#accept(operator)) return { kind: "unary", operator, operand: this.#unary() };
    }
    return this.#power();
  }

  #power(): Expression {
    const base = this.#postfix();
    if (this.#accept("^") || this.#accept("**")) return { kind: "binary", operator: "^", left: base, right: this.#unary() };
    return base;
  }

  #postfix(): Expression {
    for (const operator of ["++", "--"] as const)
      if (this.#accept(operator)) return { kind: "step", operator, prefix: true, target: this.#primary() };
    const operand = this.#primary();
    if (operand.kind === "variable" || operand.kind === "field" || operand.kind === "element") {
      for (const operator of ["++", "--"] as const)
        if (this.#accept(operator)) return { kind: "step", operator, prefix: false, target: operand };
    }
    return operand;
  }

  #primary(): Expression {
    const token = this.#next();
    switch (token.kind) {
      case "number":
        return { kind: "number", value: Number(token.text) };
      case "string":
        return { kind: "string", value: token.text };
      case "regex":
        return { kind: "regex", source: token.text };
      case "function":
        return { kind: "call", name: token.text, args: this.#arguments() };
      case "name":
        if (builtinNames.has(token.text) && token.text === "length") return { kind: "call", name: "length", args: [] };
        if (keywords.has(token.text)) {
          this.#at -= 1;
          this.#fail();
        }
        if (this.#accept("[")) return { kind: "element", name: token.text, index: this.#index() };
        return { kind: "variable", name: token.text };
      case "operator": {
        if (token.text === "$") {
          for (const operator of ["++", "--"] as const)
            if (this.#accept(operator))
              return { kind: "field", index: { kind: "step", operator, prefix: true, target: this.#primary() } };
          return { kind: "field", index: this.#is("-") ? this.#unary() : this.#primary() };
        }
        if (token.text === "(") {
          const saved = this.#noGreater;
          this.#noGreater = false;
          const list = [this.#expression()];
          while (this.#accept(",")) {
            this.#lineBreaks();
            list.push(this.#expression());
          }
          this.#expect(")");
          this.#noGreater = saved;
          return { kind: "group", list };
        }
      }
    }
    this.#at -= 1;
    return this.#fail();
  }

  #arguments(): Expression[] {
    this.#expect("(");
    const saved = this.#noGreater;
    this.#noGreater = false;
    const list: Expression[] = [];
    this.#lineBreaks();
    while (!this.#accept(")")) {
      list.push(this.#expression());
      this.#lineBreaks();
      if (!this.#is(")")) this.#expect(",");
      this.#lineBreaks();
    }
    this.#noGreater = saved;
    return list;
  }
}

/** Throws AwkSyntaxError. */
export function parseAwk(source: string): AwkProgram {
  return new Parser(source).program();
}
