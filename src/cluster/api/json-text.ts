// Reads JSON as Go does: same refusals in the same words, and it notices keys that stand twice.

import { int64, type JsonValue } from "./wire.ts";

/** A text that is no JSON; the message is Go's. */
export class JsonSyntaxError extends Error {
  /** Bytes read before the fault, as Go counts. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export interface ParsedJson {
  readonly value: JsonValue;
  /** Paths of keys that stand more than once in their object (`spec.replicas`); the last one counts. */
  readonly duplicates: readonly string[];
}

/**
 * Go's decoder stops at 10,000, and here so do a worker's few hundred kilobytes of stack much earlier: every walk over a value
 * descends as deep as it nests. No object of use comes near.
 */
const maxDepth = 1_000;
const maxDuplicates = 100;

/**
 * Whole numbers of 64 bits are exact, larger ones floats, as in Go's values without a type. With `wide` these are exact too: who decodes
 * into a type refuses them in the words of the text. Throws JsonSyntaxError.
 */
export function parseJson(text: string, wide = false): ParsedJson {
  const parser = new Parser(text, undefined, wide);
  const value = parser.document();
  return { value, duplicates: parser.duplicates };
}

/** The path of every key of a text that is JSON, in the order of the text. */
export function keyPathsOf(text: string): readonly string[] {
  const keys: string[] = [];
  new Parser(text, keys).document();
  return keys;
}

/** A text's value, by the engine's reader where it has nothing to object. Throws JsonSyntaxError: engines have words of their own. */
export function readJson(text: string): JsonValue {
  if (hasLongNumber(text)) return parseJson(text).value;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return parseJson(text).value;
  }
}

/** Of the smallest whole number that a double does not hold. */
const longDigits = 16;

/** Whether so many digits follow one another: only every sixteenth character is looked at where there are none. */
function hasLongNumber(text: string): boolean {
  for (let index = longDigits - 1; index < text.length; index += longDigits) {
    const code = text.charCodeAt(index);
    if (code > 0x2f && code < 0x3a && /\d{16}/.test(text.slice(index - longDigits + 1, index + longDigits))) return true;
  }
  return false;
}

class Parser {
  readonly duplicates: string[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #position = 0;

  readonly #keys: string[] | undefined;

  readonly #wide: boolean;

  constructor(text: string, keys?: string[], wide = false) {
    this.#text = text;
    this.#keys = keys;
    this.#wide = wide;
  }

  document(): JsonValue {
    const value = this.#value("looking for beginning of value");
    this.#skipBlanks();
    if (this.#position < this.#text.length) throw this.#unexpected("after top-level value");
    return value;
  }

  #value(context: string): JsonValue {
    this.#skipBlanks();
    if (this.#path.length > maxDepth) throw new JsonSyntaxError("exceeded max depth", this.#position);
    switch (this.#text.charCodeAt(this.#position)) {
      case 0x7b:
        return this.#object();
      case 0x5b:
        return this.#array();
      case 0x22:
        return this.#string();
      case 0x74:
        return this.#literal("true", true);
      case 0x66:
        return this.#literal("false", false);
      case 0x6e:
        return this.#literal("null", null);
      default:
        return this.#number(context);
    }
  }

  #object(): JsonValue {
    const object: { [key: string]: JsonValue } = {};
    this.#position += 1;
    this.#skipBlanks();
    if (this.#take("}")) return object;
    for (;;) {
      this.#skipBlanks();
      if (this.#text[this.#position] !== '"') throw this.#unexpected("looking for beginning of object key string");
      const key = this.#string();
      this.#path.push(key);
      this.#keys?.push(this.#pathText());
      if (Object.hasOwn(object, key)) this.#duplicate();
      this.#skipBlanks();
      if (!this.#take(":")) throw this.#unexpected("after object key");
      const value = this.#value("looking for beginning of value");
      if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      else object[key] = value;
      this.#path.pop();
      this.#skipBlanks();
      if (this.#take("}")) return object;
      if (!this.#take(",")) throw this.#unexpected("after object key:value pair");
    }
  }

  #array(): JsonValue {
    const array: JsonValue[] = [];
    this.#position += 1;
    this.#skipBlanks();
    if (this.#take("]")) return array;
    for (;;) {
      this.#path.push(array.length);
      array.push(this.#value("looking for beginning of value"));
      this.#path.pop();
      this.#skipBlanks();
      if (this.#take("]")) return array;
      if (!this.#take(",")) throw this.#unexpected("after array element");
    }
  }

  #string(): string {
    const start = this.#position;
    let index = start + 1;
    let plain = true;
    for (;;) {
      const code = this.#text.charCodeAt(index);
      if (code === 0x22) break;
      if (Number.isNaN(code)) throw this.#endOfInput();
      if (code < 0x20) throw this.#unexpectedAt(index, "in string literal");
      if (code === 0x5c) {
        plain = false;
        index = this.#escape(index);
      } else index += 1;
    }
    this.#position = index + 1;
    return plain ? this.#text.slice(start + 1, index) : (JSON.parse(this.#text.slice(start, index + 1)) as string);
  }

  /** The position after an escape that begins at `index`. */
  #escape(index: number): number {
    const character = this.#text[index + 1];
    if (character === undefined) throw this.#unexpectedEnd("in string escape code");
    if (character !== "u") {
      if ('"\\/bfnrt'.includes(character)) return index + 2;
      throw this.#unexpectedAt(index + 1, "in string escape code");
    }
    for (let digit = index + 2; digit < index + 6; digit += 1) {
      const hex = this.#text[digit];
      if (hex === undefined) throw this.#unexpectedEnd("in \\u hexadecimal character escape");
      if (!/[0-9a-fA-F]/.test(hex)) throw this.#unexpectedAt(digit, "in \\u hexadecimal character escape");
    }
    return index + 6;
  }

  #literal(word: string, value: JsonValue): JsonValue {
    for (let index = 1; index < word.length; index += 1) {
      const character = this.#text[this.#position + index];
      if (character === word[index]) continue;
      const context = `in literal ${word} (expecting ${goQuote(word.charAt(index))})`;
      throw character === undefined ? this.#unexpectedEnd(context) : this.#unexpectedAt(this.#position + index, context);
    }
    this.#position += word.length;
    return value;
  }

  #number(context: string): JsonValue {
    const start = this.#position;
    let index = start;
    if (this.#text[index] === "-") {
      index += 1;
      this.#needDigit(index, "in numeric literal");
    } else if (!isDigit(this.#text[index])) throw this.#unexpected(context);
    index = this.#text[index] === "0" ? index + 1 : this.#digits(index);
    const wholeEnd = index;
    if (this.#text[index] === ".") {
      this.#needDigit(index + 1, "after decimal point in numeric literal");
      index = this.#digits(index + 1);
    }
    if (this.#text[index] === "e" || this.#text[index] === "E") {
      const sign = this.#text[index + 1];
      index += sign === "+" || sign === "-" ? 2 : 1;
      this.#needDigit(index, "in exponent of numeric literal");
      index = this.#digits(index);
    }
    this.#position = index;
    const literal = this.#text.slice(start, index);
    return index === wholeEnd && index - start >= longDigits ? wholeNumber(literal, this.#wide) : Number(literal);
  }

  #digits(start: number): number {
    let index = start;
    while (isDigit(this.#text[index])) index += 1;
    return index;
  }

  #needDigit(index: number, context: string): void {
    if (isDigit(this.#text[index])) return;
    throw index >= this.#text.length ? this.#unexpectedEnd(context) : this.#unexpectedAt(index, context);
  }

  #take(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position += 1;
    return true;
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#position += 1;
    }
  }

  #duplicate(): void {
    if (this.duplicates.length < maxDuplicates) this.duplicates.push(this.#pathText());
  }

  #pathText(): string {
    let path = "";
    for (const part of this.#path) {
      if (typeof part === "number") path += `[${part}]`;
      else path += path === "" ? part : `.${part}`;
    }
    return path;
  }

  #unexpected(context: string): JsonSyntaxError {
    return this.#position >= this.#text.length ? this.#endOfInput() : this.#unexpectedAt(this.#position, context);
  }

  #unexpectedAt(index: number, context: string): JsonSyntaxError {
    return new JsonSyntaxError(`invalid character ${goQuote(this.#text.charAt(index))} ${context}`, index + 1);
  }

  /** Inside of a token Go sees a blank where the text ends. */
  #unexpectedEnd(context: string): JsonSyntaxError {
    return new JsonSyntaxError(`invalid character ' ' ${context}`, this.#text.length);
  }

  #endOfInput(): JsonSyntaxError {
    return new JsonSyntaxError("unexpected end of JSON input", this.#text.length);
  }
}

/** A literal without fraction and exponent, exact as far as 64 bits go. */
function wholeNumber(literal: string, wide: boolean): JsonValue {
  const exact = BigInt(literal);
  return wide || BigInt.asIntN(64, exact) === exact ? int64(exact) : Number(literal);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

/** A character as Go's syntax errors quote it. */
function goQuote(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  const code = character.charCodeAt(0);
  const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\\": "\\\\" }[character];
  if (named !== undefined) return `'${named}'`;
  if (code > 0x7f) return `'${String.fromCharCode(new TextEncoder().encode(character)[0] ?? code)}'`;
  return code < 0x20 || code === 0x7f ? `'\\x${code.toString(16).padStart(2, "0")}'` : `'${character}'`;
}
