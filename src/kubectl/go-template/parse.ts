// The grammar of Go's text/template, as far as templates over API objects use it.

import { once } from "#sim/late.ts";
import { classOf } from "#sim/unicode.ts";
export class TemplateError extends Error {}

export type Term =
  | { readonly type: "dot" }
  | { readonly type: "nil" }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "int"; readonly value: number }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "field"; readonly names: readonly string[]; readonly source: string }
  | { readonly type: "variable"; readonly name: string; readonly names: readonly string[]; readonly source: string }
  | { readonly type: "function"; readonly name: string }
  | { readonly type: "group"; readonly pipeline: Pipeline; readonly names: readonly string[]; readonly source: string };

export interface Pipeline {
  readonly declares: readonly string[];
  /** `=` instead of `:=` */
  readonly assigns: boolean;
  readonly commands: readonly (readonly Term[])[];
  readonly line: number;
  /** Where `source` begins in its line. */
  readonly column: number;
  readonly source: string;
}

export type Node =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "action"; readonly pipeline: Pipeline }
  | {
      readonly type: "if" | "with" | "range";
      readonly pipeline: Pipeline;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | { readonly type: "break" | "continue" };

interface Token {
  readonly at: number;
  readonly kind: "space" | "field" | "variable" | "word" | "text" | "number" | "symbol";
  readonly text: string;
}

interface Piece {
  readonly text: string;
  readonly action: string | undefined;
  readonly line: number;
  /** Where the action begins in its line. */
  readonly column: number;
}

const patterns = once(() => {
  const letter = `${classOf("L")}_`;
  const name = `[${letter}${classOf("Nd")}]*`;
  return {
    token: new RegExp(
      [
        String.raw`(?<space>\s+)`,
        String.raw`(?<text>"(?:[^"\\\n]|\\.)*"|` + "`[^`]*`" + String.raw`|'(?:[^'\\]|\\.)*')`,
        String.raw`(?<variable>\$${name})`,
        String.raw`(?<number>[+-]?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?))`,
        String.raw`(?<field>\.[${letter}]${name})`,
        `(?<word>[${letter}]${name})`,
        String.raw`(?<symbol>:=|=|\||\(|\)|,|\.)`,
      ].join("|"),
      "uy",
    ),
    declaration: new RegExp(String.raw`^\s*(\$${name})(?:\s*,\s*(\$${name}))?\s*(:=|=)`, "u"),
  };
});

const builtins = new Set(
  "and or not len index slice print printf println html js urlquery eq ne lt le gt ge exists base64decode".split(" "),
);

function fail(line: number, message: string): TemplateError {
  return new TemplateError(`template: output:${line}: ${message}`);
}

/** Cuts the text into pieces of text and actions; trim markers take the blanks around them. */
function cut(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let line = 1;
  let trimNext = false;
  while (at <= source.length) {
    const open = source.indexOf("{{", at);
    let text = source.slice(at, open < 0 ? undefined : open);
    const startLine = line + (text.match(/\n/g)?.length ?? 0);
    if (trimNext) text = text.trimStart();
    if (open < 0) {
      pieces.push({ text, action: undefined, line, column: 0 });
      break;
    }
    let from = open + 2;
    if (/^-\s/.test(source.slice(from, from + 2))) {
      text = text.trimEnd();
      from += 2;
    }
    const comment = /^\/\*[\s\S]*?\*\/\s*(-?)\}\}/.exec(source.slice(from));
    let end = comment === null ? closeOf(source, from) : from + comment[0].length - 2;
    if (end < 0) throw fail(startLine, "unclosed action");
    const raw = source.slice(from, end);
    line = startLine + (raw.match(/\n/g)?.length ?? 0);
    trimNext = /\s-$/.test(raw) || (comment !== null && comment[1] === "-");
    const action = comment === null ? raw.replace(/\s-$/, "") : undefined;
    pieces.push({ text, action: undefined, line: startLine, column: 0 });
    const column = from + raw.search(/\S|$/) - (source.lastIndexOf("\n", open) + 1);
    if (action !== undefined) pieces.push({ text: "", action: action.trim(), line: startLine, column });
    end += 2;
    at = end;
  }
  return pieces;
}

/** The position of the `}}` that closes an action; quotes hide it. */
function closeOf(source: string, from: number): number {
  let quote = "";
  for (let at = from; at < source.length; at += 1) {
    const char = source[at] as string;
    if (quote !== "") {
      if (char === "\\" && quote !== "`") at += 1;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "`" || char === "'") quote = char;
    else if (source.startsWith("}}", at)) return at;
  }
  return -1;
}

function tokenize(text: string, line: number): readonly Token[] {
  const tokens: Token[] = [];
  const tokenPattern = patterns().token;
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const from = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (match === null) {
      const char = String.fromCodePoint(text.codePointAt(from) as number);
      const quote = char === '"' || char === "`";
      throw fail(line, quote ? "unterminated quoted string" : `unexpected ${JSON.stringify(char)} in operand`);
    }
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) as [Token["kind"], string];
    tokens.push({ at: from, kind, text: match[0] });
  }
  return tokens;
}

function unquote(text: string, line: number): string {
  if (text.startsWith("`")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    throw fail(line, `invalid syntax: ${text}`);
  }
}

class PipelineReader {
  readonly #tokens: readonly Token[];
  readonly #line: number;
  readonly #column: number;
  #at = 0;

  constructor(text: string, line: number, column: number) {
    this.#tokens = tokenize(text, line);
    this.#line = line;
    this.#column = column;
  }

  #spaces(): void {
    while (this.#tokens[this.#at]?.kind === "space") this.#at += 1;
  }

  read(context: string): Pipeline {
    const pipeline = this.#pipeline(context);
    if (this.#at < this.#tokens.length) throw fail(this.#line, `unexpected ${this.#tokens[this.#at]?.text ?? ""} in ${context}`);
    return pipeline;
  }

  /** `$a := ` or `$i, $v := ` */
  #declarations(): { readonly names: readonly string[]; readonly assigns: boolean } {
    const rest = this.#tokens
      .slice(this.#at)
      .map((token) => token.text)
      .join("");
    const match = patterns().declaration.exec(rest);
    if (match === null) return { names: [], assigns: false };
    let length = 0;
    while (length < match[0].length) {
      length += (this.#tokens[this.#at] as Token).text.length;
      this.#at += 1;
    }
    return { names: [match[1], match[2]].filter((name) => name !== undefined), assigns: match[3] === "=" };
  }

  #pipeline(context: string): Pipeline {
    this.#spaces();
    const start = this.#at;
    const column = this.#column + (this.#tokens[start]?.at ?? 0);
    const declared = this.#declarations();
    const commands: (readonly Term[])[] = [];
    for (;;) {
      const terms = this.#command();
      if (terms.length === 0) throw fail(this.#line, `missing value for ${context}`);
      commands.push(terms);
      this.#spaces();
      if (this.#tokens[this.#at]?.text !== "|") break;
      this.#at += 1;
    }
    const source = this.#tokens
      .slice(start, this.#at)
      .map((token) => token.text)
      .join("")
      .trim();
    return { declares: declared.names, assigns: declared.assigns, commands, line: this.#line, column, source };
  }

  #command(): readonly Term[] {
    const terms: Term[] = [];
    for (;;) {
      this.#spaces();
      const token = this.#tokens[this.#at];
      if (token === undefined || token.text === "|" || token.text === ")") return terms;
      terms.push(this.#term(token));
    }
  }

  #names(): string[] {
    const names: string[] = [];
    while (this.#tokens[this.#at]?.kind === "field") {
      names.push((this.#tokens[this.#at] as Token).text.slice(1));
      this.#at += 1;
    }
    return names;
  }

  #term(token: Token): Term {
    this.#at += 1;
    switch (token.kind) {
      case "field": {
        const names = [token.text.slice(1), ...this.#names()];
        return { type: "field", names, source: `.${names.join(".")}` };
      }
      case "variable": {
        const names = this.#names();
        return { type: "variable", name: token.text, names, source: [token.text, ...names].join(".") };
      }
      case "text":
        return token.text.startsWith("'")
          ? { type: "int", value: token.text.codePointAt(1) ?? 0 }
          : { type: "text", value: unquote(token.text, this.#line) };
      case "number": {
        const value = Number(token.text);
        return { type: /^[+-]?(\d+|0[xX][0-9a-fA-F]+)$/.test(token.text) ? "int" : "float", value };
      }
      case "word":
        if (token.text === "true" || token.text === "false") return { type: "bool", value: token.text === "true" };
        if (token.text === "nil") return { type: "nil" };
        if (!builtins.has(token.text)) throw fail(this.#line, `function ${JSON.stringify(token.text)} not defined`);
        return { type: "function", name: token.text };
      default:
        if (token.text === ".") return { type: "dot" };
        if (token.text === "(") return this.#group();
        throw fail(this.#line, `unexpected ${JSON.stringify(token.text)} in operand`);
    }
  }

  #group(): Term {
    const pipeline = this.#pipeline("parenthesized pipeline");
    this.#spaces();
    if (this.#tokens[this.#at]?.text !== ")") throw fail(this.#line, "unclosed left paren");
    this.#at += 1;
    const names = this.#names();
    return { type: "group", pipeline, names, source: `(${pipeline.source})${names.map((name) => `.${name}`).join("")}` };
  }
}

class NodeReader {
  readonly #pieces: readonly Piece[];
  #at = 0;
  #loops = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** Nodes up to `end` or `else`; `closedBy` is that action's text, undefined at the end of the template. */
  list(): { readonly nodes: readonly Node[]; readonly closedBy: string | undefined } {
    const nodes: Node[] = [];
    while (this.#at < this.#pieces.length) {
      const piece = this.#pieces[this.#at] as Piece;
      this.#at += 1;
      if (piece.action === undefined) {
        if (piece.text !== "") nodes.push({ type: "text", text: piece.text });
        continue;
      }
      const keyword = /^(if|range|with|else|end|break|continue|define|template|block)\b/.exec(piece.action)?.[1];
      if (keyword === "end" || keyword === "else") return { nodes, closedBy: piece.action };
      nodes.push(this.#node(piece, keyword));
    }
    return { nodes, closedBy: undefined };
  }

  #node(piece: Piece, keyword: string | undefined): Node {
    const action = piece.action as string;
    switch (keyword) {
      case undefined:
        if (action === "") throw fail(piece.line, "missing value for command");
        return { type: "action", pipeline: new PipelineReader(action, piece.line, piece.column).read("command") };
      case "break":
      case "continue":
        if (this.#loops === 0) throw fail(piece.line, `{{${keyword}}} outside {{range}}`);
        return { type: keyword };
      case "if":
      case "with":
      case "range":
        return this.#control(keyword, action.slice(keyword.length), piece);
      default:
        throw fail(piece.line, `{{${keyword}}} is not part of this release of the embedded kubectl`);
    }
  }

  /** `text` ends where the action ends. */
  #control(type: "if" | "with" | "range", text: string, piece: Piece): Node {
    const { line } = piece;
    const column = piece.column + (piece.action ?? "").length - text.length;
    const pipeline = new PipelineReader(text, line, column).read(type);
    if (type === "range") this.#loops += 1;
    const { nodes: body, closedBy } = this.list();
    if (type === "range") this.#loops -= 1;
    if (closedBy === undefined) throw fail(line, "unexpected EOF");
    if (closedBy === "end") return { type, pipeline, body, otherwise: [] };
    const chained = /^else\s+(if|with)\b([\s\S]*)$/.exec(closedBy);
    if (chained !== null) {
      const inner = this.#control(chained[1] as "if" | "with", chained[2] as string, { ...piece, action: closedBy });
      return { type, pipeline, body, otherwise: [inner] };
    }
    const rest = this.list();
    if (rest.closedBy !== "end") throw fail(line, rest.closedBy === undefined ? "unexpected EOF" : "unexpected {{else}}");
    return { type, pipeline, body, otherwise: rest.nodes };
  }
}

/** Throws TemplateError. */
export function parseGoTemplate(source: string): readonly Node[] {
  const { nodes, closedBy } = new NodeReader(cut(source)).list();
  if (closedBy !== undefined) throw fail(1, `unexpected {{${closedBy.split(" ")[0]}}}`);
  return nodes;
}
