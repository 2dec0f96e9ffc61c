// SQL text as tokens, and a cursor over them.

import { asciiUpperCase } from "#sim/ascii.ts";

export type Token =
  | { readonly type: "word"; readonly text: string }
  | { readonly type: "quoted-name"; readonly text: string }
  | { readonly type: "string"; readonly text: string }
  | { readonly type: "number"; readonly text: string }
  | { readonly type: "mark"; readonly text: string };

/** The grammar does not take this: `near` is the rest of the text from where it ends to make sense. */
export class SyntaxFault extends Error {
  readonly near: string;

  constructor(near: string) {
    super(near);
    this.near = near;
  }
}

const pattern =
  /\s+|--[ \t][^\n]*|#[^\n]*|\/\*.*?\*\/|(?<word>@@?[\w.]+|[A-Za-z_$][\w$]*)|`(?<name>[^`]*)`|(?<text>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")|(?<number>-?\d+(?:\.\d+)?)|(?<mark><=|>=|<>|!=|[-+*/(),.;=<>])/gsy;

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["0", "\0"],
]);

function unquote(text: string): string {
  const quote = text[0] as string;
  return text
    .slice(1, -1)
    .replaceAll(quote + quote, quote)
    .replaceAll(/\\(.)/gs, (_all, letter: string) => escapes.get(letter) ?? letter);
}

export class Tokens {
  readonly #text: string;
  readonly #items: { readonly token: Token; readonly at: number }[] = [];
  #index = 0;

  constructor(text: string) {
    this.#text = text;
    const scan = new RegExp(pattern);
    while (scan.lastIndex < text.length) {
      const at = scan.lastIndex;
      const groups = scan.exec(text)?.groups;
      if (groups === undefined) throw new SyntaxFault(text.slice(at));
      const { word, name, text: string, number, mark } = groups;
      if (word !== undefined) this.#items.push({ token: { type: "word", text: word }, at });
      else if (name !== undefined) this.#items.push({ token: { type: "quoted-name", text: name }, at });
      else if (string !== undefined) this.#items.push({ token: { type: "string", text: unquote(string) }, at });
      else if (number !== undefined) this.#items.push({ token: { type: "number", text: number }, at });
      else if (mark !== undefined) this.#items.push({ token: { type: "mark", text: mark }, at });
    }
  }

  get next(): Token | undefined {
    return this.#items[this.#index]?.token;
  }

  get atEnd(): boolean {
    return (
      this.next === undefined || (this.next.type === "mark" && this.next.text === ";" && this.#index === this.#items.length - 1)
    );
  }

  /** The text from here on. */
  get rest(): string {
    const at = this.#items[this.#index]?.at;
    return at === undefined ? "" : this.#text.slice(at).trim();
  }

  fail(): never {
    throw new SyntaxFault(this.rest);
  }

  take(): Token {
    const token = this.next;
    if (token === undefined) this.fail();
    this.#index += 1;
    return token;
  }

  /** Takes these words or marks if they are next, in any case. */
  accept(...words: readonly string[]): boolean {
    const there = words.every((word, offset) => {
      const token = this.#items[this.#index + offset]?.token;
      return (token?.type === "word" || token?.type === "mark") && asciiUpperCase(token.text) === word;
    });
    if (there) this.#index += words.length;
    return there;
  }

  expect(...words: readonly string[]): void {
    if (!this.accept(...words)) this.fail();
  }

  name(): string {
    const token = this.next;
    if (token?.type !== "word" && token?.type !== "quoted-name") this.fail();
    this.#index += 1;
    return token.text;
  }

  end(): void {
    if (!this.atEnd) this.fail();
  }
}
