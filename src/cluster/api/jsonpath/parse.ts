// The grammar of kubectl's JSONPath templates: text with actions in braces.

import { asciiUpperCase } from "#sim/ascii.ts";
import { isOf } from "#sim/unicode.ts";

export type Step =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "wildcard" }
  | { readonly type: "recursive" }
  | { readonly type: "constant"; readonly value: number | boolean }
  | { readonly type: "identifier"; readonly name: string }
  | {
      readonly type: "slice";
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly single: boolean;
      readonly step: number | undefined;
    }
  | { readonly type: "union"; readonly members: readonly (readonly Step[])[] }
  | { readonly type: "filter"; readonly left: readonly Step[]; readonly operator: string; readonly right: readonly Step[] };

/** A template in order: text between actions is an action of one text step. */
export type Action = readonly Step[];

export class JsonPathError extends Error {}

const terminators = " \t\r\n.,[]$@{}";

function unquote(text: string): string {
  const escapes: { readonly [char: string]: string } = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v" };
  return text.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/g, (_, code: string) => {
    if (code.length > 1) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    const known = escapes[code];
    if (known !== undefined) return known;
    if (code === "\\" || code === text[0]) return code;
    throw new JsonPathError(`unquote string ${text} error invalid syntax`);
  });
}

function codePointText(char: string): string {
  const code = asciiUpperCase((char.codePointAt(0) as number).toString(16)).padStart(4, "0");
  return `U+${code} '${char}'`;
}

class ActionReader {
  readonly #text: string;
  #at: number;
  readonly steps: Step[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Reads up to and with the closing brace; returns the position behind it. */
  read(): number {
    for (;;) {
      const rest = this.#text.slice(this.#at);
      if (rest.startsWith("}")) return this.#at + 1;
      if (rest.startsWith("[?(")) this.#filter();
      else if (rest.startsWith("..")) this.#recursive();
      else this.#plain(rest[0]);
    }
  }

  #plain(char: string | undefined): void {
    if (char === undefined || char === "\n" || char === "\r") throw new JsonPathError("unclosed action");
    if (char === " " || char === "@" || char === "$") this.#at += 1;
    else if (char === "[") this.#array();
    else if (char === '"' || char === "'") this.#quote(char);
    else if (char === ".") {
      this.#at += 1;
      this.#field();
    } else if (/[+\-0-9]/.test(char)) this.#number();
    else if (beginsName(char)) this.#identifier();
    else throw new JsonPathError(`unrecognized character in action: ${codePointText(char)}`);
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !terminators.includes(this.#text[this.#at] as string)) {
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    return this.#text.slice(start, this.#at);
  }

  #field(): void {
    const name = this.#word();
    this.steps.push(name === "*" ? { type: "wildcard" } : { type: "field", name: name.replaceAll("\\", "") });
  }

  #identifier(): void {
    const name = this.#word();
    if (name === "true" || name === "false") this.steps.push({ type: "constant", value: name === "true" });
    else this.steps.push({ type: "identifier", name });
  }

  #recursive(): void {
    if (this.steps.at(-1)?.type === "recursive") throw new JsonPathError("invalid multiple recursive descent");
    this.#at += 2;
    this.steps.push({ type: "recursive" });
    if (beginsName(this.#text[this.#at] ?? "")) this.#field();
  }

  #number(): void {
    const text = /^[+-]?[0-9.]*/.exec(this.#text.slice(this.#at))?.[0] ?? "";
    this.#at += text.length;
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new JsonPathError(`cannot parse number ${text}`);
    this.steps.push({ type: "constant", value: Number(text) });
  }

  #quote(quote: string): void {
    const start = this.#at;
    for (let at = start + 1; ; at += 1) {
      const char = this.#text[at];
      if (char === undefined || char === "\n") throw new JsonPathError("unterminated quoted string");
      if (char !== quote || this.#text[at - 1] === "\\") continue;
      this.#at = at + 1;
      this.steps.push({ type: "text", text: unquote(this.#text.slice(start, this.#at)) });
      return;
    }
  }

  #array(): void {
    const close = this.#text.indexOf("]", this.#at);
    const newline = this.#text.indexOf("\n", this.#at);
    if (close < 0 || (newline >= 0 && newline < close)) throw new JsonPathError("unterminated array");
    const inner = this.#text.slice(this.#at + 1, close);
    this.#at = close + 1;
    const text = inner === "*" ? ":" : inner;
    const members = text.split(",");
    if (members.length > 1) {
      this.steps.push({ type: "union", members: members.map((member) => readAction(`[${member.replace(/^ +| +$/g, "")}]`)) });
      return;
    }
    const key = /^'([^']*)'$/.exec(text);
    if (key !== null) {
      this.steps.push(...readAction(`.${key[1]}`));
      return;
    }
    const parts = /^(-?[\d]*)(:-?[\d]*)?(:-?[\d]*)?$/.exec(text);
    if (parts === null) throw new JsonPathError(`invalid array index ${text}`);
    const read = (part: string | undefined): number | undefined => {
      const digits = (part ?? "").replace(":", "");
      return digits === "" ? undefined : Number(digits);
    };
    const from = read(parts[1]);
    const single = parts[2] === undefined;
    this.steps.push({ type: "slice", from, to: single ? (from ?? 0) + 1 : read(parts[2]), single, step: read(parts[3]) });
  }

  #filter(): void {
    const start = this.#at + 3;
    let quote = "";
    let at = start;
    for (; ; at += 1) {
      const char = this.#text[at];
      if (char === undefined || char === "\n") throw new JsonPathError("unterminated filter");
      if (quote === "" && (char === '"' || char === "'")) quote = char;
      else if (char === quote && this.#text[at - 1] !== "\\") quote = "";
      else if (char === ")" && quote === "") break;
    }
    if (this.#text[at + 1] !== "]") throw new JsonPathError("unclosed array expect ]");
    const text = this.#text.slice(start, at);
    this.#at = at + 2;
    const parts = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text);
    if (parts === null) this.steps.push({ type: "filter", left: readAction(text), operator: "exists", right: [] });
    else {
      const [, left = "", operator = "", right = ""] = parts;
      this.steps.push({ type: "filter", left: readAction(left), operator, right: readAction(right) });
    }
  }
}

/** The steps of one action, given without its braces. */
function readAction(text: string): readonly Step[] {
  const reader = new ActionReader(`${text}}`, 0);
  reader.read();
  return reader.steps;
}

/** Reads a whole template. Throws JsonPathError. */
export function parseTemplate(text: string): readonly Action[] {
  const actions: Action[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    if (open !== at) actions.push([{ type: "text", text: text.slice(at, open < 0 ? undefined : open) }]);
    if (open < 0) break;
    const reader = new ActionReader(text, open + 1);
    at = reader.read();
    actions.push(reader.steps);
  }
  return actions;
}

const relaxed = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/;

/** `metadata.name`, `.metadata.name`, `{metadata.name}` and `{.metadata.name}` all become the last. */
export function relaxedExpression(text: string): string {
  if (text === "") return text;
  const parts = relaxed.exec(text);
  if (parts === null) {
    throw new JsonPathError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  }
  return `{.${parts[1] ?? parts[2] ?? ""}}`;
}

function beginsName(character: string): boolean {
  return character === "_" || isOf(character, "L", "Nd");
}
