// From the text of a jq program to its filter.

import { type Access, type Definition, type Filter, JqSyntaxError, type Pattern } from "./syntax.ts";

interface Token {
  readonly kind: "punctuation" | "name" | "field" | "variable" | "number" | "text" | "format" | "end";
  readonly text: string;
  readonly parts?: readonly (string | Filter)[];
}

const keywords = new Set(
  "def if then elif else end as reduce foreach try catch label import include and or not-a-keyword __loc__".split(" "),
);
const operators = /^(?:\?\/\/=|\?\/\/|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[.[\]{}()|,:;=<>+\-*/%?$])/u;

/** Levels of binary operators, the loosest first; `right`: groups to the right; `none`: not twice. */
const levels: readonly { readonly operators: readonly string[]; readonly side: "left" | "right" | "none" }[] = [
  { operators: ["//"], side: "right" },
  { operators: ["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="], side: "none" },
  { operators: ["or"], side: "left" },
  { operators: ["and"], side: "left" },
  { operators: ["==", "!=", "<", "<=", ">", ">="], side: "none" },
  { operators: ["+", "-"], side: "left" },
  { operators: ["*", "/", "%"], side: "left" },
];

export function parseProgram(source: string): Filter {
  const parser = new Parser(tokenize(source));
  return parser.program();
}

/** Kinds of words, in the order in which they are tried; a group is what the token keeps. */
const words: readonly (readonly [Token["kind"], RegExp])[] = [
  ["field", /^\.([A-Za-z_]\w*)/u],
  ["variable", /^\$(__loc__|[A-Za-z_]\w*(?:::\w+)*)/u],
  ["number", /^(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/u],
  ["name", /^[A-Za-z_]\w*(?:::\w+)*/u],
  ["format", /^@[A-Za-z0-9_]+/u],
  ["punctuation", operators],
];

function readToken(rest: string): { readonly token: Token; readonly length: number } {
  for (const [kind, form] of words) {
    const match = form.exec(rest);
    if (match !== null) return { token: { kind, text: match[1] ?? match[0] }, length: match[0].length };
  }
  throw unexpected(rest[0] as string, true);
}

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const skipped = /^(?:\s+|#[^\n]*)/u.exec(rest);
    if (skipped !== null) {
      at += skipped[0].length;
      continue;
    }
    if (rest.startsWith('"')) {
      const [parts, length] = readText(rest);
      tokens.push({ kind: "text", text: '"', parts });
      at += length;
      continue;
    }
    if (rest.startsWith('."')) {
      tokens.push({ kind: "punctuation", text: "." });
      at += 1;
      continue;
    }
    const token = readToken(rest);
    tokens.push(token.token);
    at += token.length;
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

/** A text with its interpolations, and how long it is in the source. */
function readText(source: string): readonly [readonly (string | Filter)[], number] {
  const parts: (string | Filter)[] = [];
  let text = "";
  let at = 1;
  const escapes: { readonly [letter: string]: string } = {
    n: "\n",
    t: "\t",
    r: "\r",
    b: "\b",
    f: "\f",
    "/": "/",
    "\\": "\\",
    '"': '"',
  };
  for (;;) {
    const char = source[at];
    if (char === undefined)
      throw new JqSyntaxError(
        "syntax error, unexpected end of file, expecting QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END (Unix shell quoting issues?)",
      );
    at += 1;
    if (char === '"') break;
    if (char !== "\\") {
      text += char;
      continue;
    }
    const next = source[at] ?? "";
    at += 1;
    if (next === "u") {
      text += String.fromCharCode(Number.parseInt(source.slice(at, at + 4), 16));
      at += 4;
    } else if (next === "(") {
      const end = closing(source, at);
      parts.push(text, parseProgram(source.slice(at, end)));
      text = "";
      at = end + 1;
    } else if (escapes[next] !== undefined) text += escapes[next];
    else throw unexpected(`\\${next}`, true);
  }
  parts.push(text);
  return [parts, at];
}

/** The parenthesis that closes an interpolation. */
function closing(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at += 1) {
    const char = source[at];
    if (char === '"') at += readText(source.slice(at))[1] - 1;
    else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new JqSyntaxError("syntax error, unexpected end of file (Unix shell quoting issues?)");
}

function unexpected(text: string, invalid = false): JqSyntaxError {
  let what = text;
  if (invalid) what = "INVALID_CHARACTER";
  else if (text === "") what = "end of file";
  return new JqSyntaxError(`syntax error, unexpected ${what} (Unix shell quoting issues?)`);
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  program(): Filter {
    const definitions: Definition[] = [];
    while (this.#isName("def")) definitions.push(this.#definition());
    const body: Filter = this.#peek().kind === "end" ? { kind: "identity" } : this.#pipe();
    if (this.#peek().kind !== "end") throw this.#unexpected();
    return definitions.reduceRight<Filter>((inner, definition) => ({ kind: "define", definition, body: inner }), body);
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #unexpected(): JqSyntaxError {
    const token = this.#peek();
    if (token.kind === "end") return unexpected("");
    if (token.kind === "punctuation") return unexpected(token.text.length === 1 ? `'${token.text}'` : token.text);
    if (token.kind === "name" && keywords.has(token.text)) return unexpected(token.text);
    const kinds = {
      name: "IDENT",
      field: "FIELD",
      variable: "'$'",
      number: "LITERAL",
      text: "QQSTRING_START",
      format: "FORMAT",
    } as const;
    return unexpected(kinds[token.kind]);
  }

  #is(text: string): boolean {
    const token = this.#peek();
    return token.kind === "punctuation" && token.text === text;
  }

  #isName(text: string): boolean {
    const token = this.#peek();
    return token.kind === "name" && token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#is(text) && !this.#isName(text)) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected();
  }

  #pipe(): Filter {
    if (this.#isName("def")) {
      const definition = this.#definition();
      return { kind: "define", definition, body: this.#pipe() };
    }
    if (this.#isName("label")) {
      this.#at += 1;
      const name = this.#variableName();
      this.#expect("|");
      return { kind: "label", name, body: this.#pipe() };
    }
    const left = this.#comma();
    if (this.#isName("as")) return this.#binding(left);
    return this.#take("|") ? { kind: "pipe", left, right: this.#pipe() } : left;
  }

  #binding(source: Filter): Filter {
    this.#expect("as");
    const patterns = [this.#pattern()];
    while (this.#take("?//")) patterns.push(this.#pattern());
    this.#expect("|");
    return { kind: "bind", source, patterns, body: this.#pipe() };
  }

  #comma(): Filter {
    let left = this.#binary(0);
    while (this.#take(",")) left = { kind: "comma", left, right: this.#binary(0) };
    return left;
  }

  #binary(level: number): Filter {
    const here = levels[level];
    if (here === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.#peek();
      const isOperator = (token.kind === "punctuation" || token.kind === "name") && here.operators.includes(token.text);
      if (!isOperator) return left;
      this.#at += 1;
      // `//` groups to the right..
      const right = this.#binary(here.side === "right" ? level : level + 1);
      left = { kind: "binary", operator: token.text, left, right };
      if (here.side === "none") {
        const again = this.#peek();
        if (again.kind === "punctuation" && here.operators.includes(again.text)) throw this.#unexpected();
        return left;
      }
    }
  }

  #unary(): Filter {
    if (this.#take("-")) return { kind: "negate", of: this.#postfix() };
    if (this.#isName("reduce") || this.#isName("foreach")) return this.#postfixOn(this.#fold());
    return this.#postfix();
  }

  #fold(): Filter {
    const kind = this.#next().text;
    const source = this.#postfixOn(this.#term(), false);
    this.#expect("as");
    const pattern = this.#pattern();
    this.#expect("(");
    const init = this.#pipe();
    this.#expect(";");
    const update = this.#pipe();
    const extract = kind === "foreach" && this.#take(";") ? this.#pipe() : undefined;
    this.#expect(")");
    if (kind === "reduce") return { kind: "reduce", source, pattern, init, update };
    return { kind: "foreach", source, pattern, init, update, extract };
  }

  #postfix(): Filter {
    return this.#postfixOn(this.#term());
  }

  #postfixOn(term: Filter, mayBind = true): Filter {
    let of = term;
    for (;;) {
      if (this.#peek().kind === "field") of = { kind: "index", of, key: { kind: "literal", value: this.#next().text } };
      else if (this.#is(".") && this.#peek(1).kind === "text") {
        this.#at += 1;
        of = { kind: "index", of, key: this.#text(undefined) };
      } else if (this.#is(".") && this.#peek(1).text === "[" && this.#peek(1).kind === "punctuation") this.#at += 1;
      else if (this.#is("[")) of = this.#brackets(of);
      else if (this.#take("?"))
        of = isPlainAccess(of) ? { ...of, isOptional: true } : { kind: "try", body: of, handler: undefined };
      else if (mayBind && this.#isName("as")) return this.#binding(of);
      else return of;
    }
  }

  #brackets(of: Filter): Filter {
    this.#expect("[");
    if (this.#take("]")) return { kind: "iterate", of };
    if (this.#take(":")) {
      const to = this.#pipe();
      this.#expect("]");
      return { kind: "slice", of, from: undefined, to };
    }
    const key = this.#pipe();
    if (this.#take(":")) {
      const to = this.#is("]") ? undefined : this.#pipe();
      this.#expect("]");
      return { kind: "slice", of, from: key, to };
    }
    this.#expect("]");
    return { kind: "index", of, key };
  }

  #term(): Filter {
    const token = this.#peek();
    if (token.kind === "number") {
      this.#at += 1;
      return { kind: "literal", value: Number(token.text) };
    }
    if (token.kind === "text") return this.#text(undefined);
    if (token.kind === "format") {
      this.#at += 1;
      return this.#peek().kind === "text" ? this.#text(token.text) : { kind: "format", name: token.text };
    }
    if (token.kind === "field") {
      this.#at += 1;
      return { kind: "index", of: { kind: "identity" }, key: { kind: "literal", value: token.text } };
    }
    if (token.kind === "variable") {
      this.#at += 1;
      return { kind: "variable", name: token.text };
    }
    if (token.kind === "name") return this.#named(token.text);
    if (this.#take("..")) return { kind: "recurse" };
    if (this.#take(".")) {
      if (this.#peek().kind === "text") return { kind: "index", of: { kind: "identity" }, key: this.#text(undefined) };
      return { kind: "identity" };
    }
    if (this.#take("(")) {
      const inner = this.#pipe();
      this.#expect(")");
      return this.#take("?") ? { kind: "try", body: inner, handler: undefined } : inner;
    }
    if (this.#take("[")) {
      if (this.#take("]")) return { kind: "array", of: undefined };
      const of = this.#pipe();
      this.#expect("]");
      return { kind: "array", of };
    }
    if (this.#take("{")) return this.#object();
    throw this.#unexpected();
  }

  #named(name: string): Filter {
    if (name === "if") return this.#condition();
    if (name === "try") {
      this.#at += 1;
      const body = this.#postfix();
      return { kind: "try", body, handler: this.#take("catch") ? this.#postfix() : undefined };
    }
    if (name === "reduce" || name === "foreach") return this.#fold();
    if (name === "break" && this.#peek(1).kind === "variable") {
      this.#at += 1;
      return { kind: "break", name: this.#variableName() };
    }
    if (name === "def" || name === "label") return this.#pipe();
    if (keywords.has(name)) throw this.#unexpected();
    this.#at += 1;
    const args: Filter[] = [];
    if (this.#take("(")) {
      do args.push(this.#pipe());
      while (this.#take(";"));
      this.#expect(")");
    }
    return { kind: "call", name, args };
  }

  #condition(): Filter {
    this.#at += 1;
    const test = this.#pipe();
    this.#expect("then");
    const then = this.#pipe();
    if (this.#isName("elif")) return { kind: "if", test, then, otherwise: this.#condition() };
    const otherwise = this.#take("else") ? this.#pipe() : undefined;
    this.#expect("end");
    return { kind: "if", test, then, otherwise };
  }

  #object(): Filter {
    const entries: { key: Filter; value: Filter }[] = [];
    while (!this.#take("}")) {
      entries.push(this.#entry());
      if (!this.#is("}")) this.#expect(",");
    }
    return { kind: "object", entries };
  }

  #entry(): { key: Filter; value: Filter } {
    const token = this.#peek();
    if (token.kind === "variable") {
      this.#at += 1;
      return { key: { kind: "literal", value: token.text }, value: { kind: "variable", name: token.text } };
    }
    let key: Filter;
    if (token.kind === "name" || token.kind === "number") {
      this.#at += 1;
      key = { kind: "literal", value: token.kind === "number" ? Number(token.text) : token.text };
    } else if (token.kind === "text") key = this.#text(undefined);
    else if (token.kind === "format") {
      this.#at += 1;
      key = this.#peek().kind === "text" ? this.#text(token.text) : { kind: "format", name: token.text };
    } else {
      this.#expect("(");
      key = this.#pipe();
      this.#expect(")");
      this.#expect(":");
      return { key, value: this.#entryValue() };
    }
    if (this.#take(":")) return { key, value: this.#entryValue() };
    return { key, value: { kind: "index", of: { kind: "identity" }, key } };
  }

  /** Without commas; `a | b` is allowed. */
  #entryValue(): Filter {
    const left = this.#binary(0);
    return this.#take("|") ? { kind: "pipe", left, right: this.#entryValue() } : left;
  }

  #text(format: string | undefined): Filter {
    const token = this.#next();
    const parts = token.parts ?? [];
    if (parts.every((part) => typeof part === "string")) return { kind: "literal", value: parts.join("") };
    return { kind: "text", format, parts };
  }

  #variableName(): string {
    const token = this.#next();
    if (token.kind === "variable") return token.text;
    this.#at -= 1;
    throw this.#unexpected();
  }

  #pattern(): Pattern {
    if (this.#take("[")) {
      const of: Pattern[] = [];
      do of.push(this.#pattern());
      while (this.#take(","));
      this.#expect("]");
      return { kind: "elements", of };
    }
    if (this.#take("{")) {
      const of: { key: Filter; bind: string | undefined; value: Pattern | undefined }[] = [];
      do {
        const token = this.#peek();
        if (token.kind === "variable") {
          this.#at += 1;
          of.push({
            key: { kind: "literal", value: token.text },
            bind: token.text,
            value: this.#take(":") ? this.#pattern() : undefined,
          });
          continue;
        }
        let key: Filter;
        if (token.kind === "name") key = { kind: "literal", value: this.#next().text };
        else if (token.kind === "text") key = this.#text(undefined);
        else {
          this.#expect("(");
          key = this.#pipe();
          this.#expect(")");
        }
        this.#expect(":");
        of.push({ key, bind: undefined, value: this.#pattern() });
      } while (this.#take(","));
      this.#expect("}");
      return { kind: "entries", of };
    }
    return { kind: "name", name: this.#variableName() };
  }

  #definition(): Definition {
    this.#expect("def");
    const name = this.#next().text;
    const parameters: string[] = [];
    if (this.#take("(")) {
      do {
        const token = this.#next();
        parameters.push(token.kind === "variable" ? `$${token.text}` : token.text);
      } while (this.#take(";"));
      this.#expect(")");
    }
    this.#expect(":");
    const body = this.#pipe();
    this.#expect(";");
    return { name, parameters, body };
  }
}

function isPlainAccess(filter: Filter): filter is Access {
  return (filter.kind === "index" || filter.kind === "slice" || filter.kind === "iterate") && filter.isOptional !== true;
}
