// JSON texts one after another, with jq's errors.

import type { Json } from "./value.ts";

/** `Invalid numeric literal at line 1, column 5`. */
export class JsonError extends Error {}

const maximumDepth = 10_000;

export class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\ufeff/u, "");
  }

  /** Lines that are read when the last value ends: a line is read as a whole. */
  get line(): number {
    const end = this.#text.indexOf("\n", Math.max(0, this.#at - 1));
    const read = this.#text.slice(0, end < 0 ? this.#text.length : end + 1);
    return read.split("\n").length - 1;
  }

  /** The next value; undefined at the end. Throws JsonError. */
  next(): Json | undefined {
    this.#skip();
    return this.#at >= this.#text.length ? undefined : this.#value(0);
  }

  #skip(): void {
    while (/[ \t\r\n]/u.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #fail(message: string, at = this.#at): JsonError {
    const read = this.#text.slice(0, at);
    const lines = read.split("\n");
    if (at >= this.#text.length && message.startsWith("Unfinished"))
      return new JsonError(`${message} at EOF at line ${lines.length}, column ${(lines.at(-1) as string).length}`);
    return new JsonError(`${message} at line ${lines.length}, column ${(lines.at(-1) as string).length}`);
  }

  #value(depth: number): Json {
    if (depth > maximumDepth) throw this.#fail("Exceeds depth limit for parsing");
    this.#skip();
    const char = this.#text[this.#at];
    if (char === undefined) throw this.#fail("Unfinished JSON term");
    if (char === '"') return this.#string();
    if (char === "[") return this.#array(depth);
    if (char === "{") return this.#object(depth);
    if (":,]}".includes(char)) {
      this.#at += 1;
      if (char === ":") throw this.#fail("':' not as part of an object");
      if (char === ",") throw this.#fail("Expected value before ','");
      if (depth === 0) throw this.#fail(`Unmatched '${char}'`);
      throw this.#fail(char === "]" ? "Expected another array element" : "Objects must consist of key:value pairs");
    }
    return this.#literal();
  }

  #literal(): Json {
    const word = /^[^\s[\]{}:,"]+/u.exec(this.#text.slice(this.#at, this.#at + 1000))?.[0] ?? "";
    this.#at += word.length;
    if (word === "null") return null;
    if (word === "true") return true;
    if (word === "false") return false;
    if (word === "nan" || word === "NaN") return Number.NaN;
    if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/u.test(word)) return Number(word);
    const atEnd = this.#at >= this.#text.length;
    const kind = /^(?:t|f|nu)/u.test(word) || word.startsWith("'") ? "Invalid literal" : "Invalid numeric literal";
    if (word.startsWith("'")) throw this.#fail("Invalid string literal; expected \", but got '", this.#at - word.length + 1);
    if (atEnd) {
      const lines = this.#text.split("\n");
      throw new JsonError(`${kind} at EOF at line ${lines.length}, column ${(lines.at(-1) as string).length}`);
    }
    throw this.#fail(kind, this.#at + 1);
  }

  #string(): string {
    const quoted = /"(?:[^"\\]|\\.)*"/suy;
    quoted.lastIndex = this.#at;
    const match = quoted.exec(this.#text);
    if (match === null) {
      this.#at = this.#text.length;
      throw this.#fail("Unfinished string");
    }
    this.#at += match[0].length;
    try {
      // jq takes raw control characters in strings.
      return JSON.parse(
        match[0].replace(/[\u0000-\u001f]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
      ) as string;
    } catch {
      throw this.#fail("Invalid escape");
    }
  }

  #array(depth: number): readonly Json[] {
    this.#at += 1;
    const items: Json[] = [];
    this.#skip();
    if (this.#text[this.#at] === "]") {
      this.#at += 1;
      return items;
    }
    for (;;) {
      items.push(this.#value(depth + 1));
      if (this.#separator("]")) return items;
    }
  }

  #object(depth: number): Json {
    this.#at += 1;
    const entries: [string, Json][] = [];
    this.#skip();
    if (this.#text[this.#at] === "}") {
      this.#at += 1;
      return {};
    }
    for (;;) {
      const key = this.#value(depth + 1);
      this.#skip();
      const colon = this.#text[this.#at];
      if (colon === undefined) throw this.#fail("Unfinished JSON term");
      this.#at += 1;
      if (colon !== ":") throw this.#fail("Objects must consist of key:value pairs");
      if (typeof key !== "string") throw this.#fail("Object keys must be strings");
      entries.push([key, this.#value(depth + 1)]);
      if (this.#separator("}")) return Object.fromEntries(entries);
    }
  }

  /** True when the closing bracket was there, false for a comma. */
  #separator(close: "]" | "}"): boolean {
    this.#skip();
    const char = this.#text[this.#at];
    if (char === undefined) throw this.#fail("Unfinished JSON term");
    this.#at += 1;
    if (char === close) return true;
    if (char === ",") return false;
    throw this.#fail("]}".includes(char) ? `Unmatched '${char}'` : "Expected separator between values");
  }
}
