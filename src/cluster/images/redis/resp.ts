// RESP, the protocol between Redis and its clients (redis.io, "Redis serialization protocol specification"), version 2. Strings in here
// are binary: one character a byte.

import type { Bytes } from "#sim/bytes.ts";

export type Reply =
  | { readonly type: "status"; readonly text: string }
  | { readonly type: "error"; readonly text: string }
  | { readonly type: "bulk"; readonly text: string }
  | { readonly type: "integer"; readonly value: number }
  | { readonly type: "nil" }
  | { readonly type: "array"; readonly items: readonly Reply[] };

export const ok: Reply = { type: "status", text: "OK" };
export const nil: Reply = { type: "nil" };

export function failure(text: string): Reply {
  return { type: "error", text };
}

export function bulk(text: string | undefined): Reply {
  return text === undefined ? nil : { type: "bulk", text };
}

export function integer(value: number): Reply {
  return { type: "integer", value };
}

export function array(items: readonly string[]): Reply {
  return { type: "array", items: items.map(bulk) };
}

export function toBinary(bytes: Bytes): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function fromBinary(text: string): Bytes {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A command as clients send it and as the append-only file keeps it. */
export function encodeCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;
}

export function encodeReply(reply: Reply): string {
  if (reply.type === "status") return `+${reply.text}\r\n`;
  if (reply.type === "error") return `-${reply.text}\r\n`;
  if (reply.type === "bulk") return `$${reply.text.length}\r\n${reply.text}\r\n`;
  if (reply.type === "integer") return `:${reply.value}\r\n`;
  if (reply.type === "nil") return "$-1\r\n";
  return `*${reply.items.length}\r\n${reply.items.map(encodeReply).join("")}`;
}

/** The words of a line as redis-cli and inline commands split them; undefined when a quote stays open. */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\')*)'|([^\s"']\S*))(?=\s|$)/y;
  const text = line.trimEnd();
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, double, single, bare] = match;
    if (double !== undefined) words.push(unescapeDouble(double));
    else words.push(single?.replaceAll("\\'", "'") ?? (bare as string));
  }
  return words;
}

const escapes: { readonly [letter: string]: string } = { n: "\n", r: "\r", t: "\t", b: "\b", a: "\x07" };

function unescapeDouble(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/g, (_all, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Thrown for bytes that are no RESP; the connection ends with this text. */
export class ProtocolError extends Error {}

/** Takes messages off the front of what has arrived. */
export class RespReader {
  #buffer = "";
  #at = 0;

  push(bytes: Bytes): void {
    this.#buffer = this.#buffer.slice(this.#at) + toBinary(bytes);
    this.#at = 0;
  }

  /** The next command; undefined until all of it is there. Throws ProtocolError. */
  command(): readonly string[] | undefined {
    const start = this.#at;
    const words = this.#buffer[start] === "*" ? this.#multiBulk() : this.#inline();
    if (words === undefined) this.#at = start;
    return words;
  }

  /** The next reply; undefined until all of it is there. */
  reply(): Reply | undefined {
    const start = this.#at;
    const reply = this.#reply();
    if (reply === undefined) this.#at = start;
    return reply;
  }

  #line(): string | undefined {
    const end = this.#buffer.indexOf("\n", this.#at);
    if (end < 0) return undefined;
    const line = this.#buffer.slice(this.#at, end);
    this.#at = end + 1;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  #inline(): readonly string[] | undefined {
    const line = this.#line();
    if (line === undefined) return undefined;
    const words = splitWords(line);
    if (words === undefined) throw new ProtocolError("Protocol error: unbalanced quotes in request");
    return words;
  }

  #multiBulk(): readonly string[] | undefined {
    const head = this.#line();
    if (head === undefined) return undefined;
    const count = Number(head.slice(1));
    if (!Number.isInteger(count)) throw new ProtocolError("Protocol error: invalid multibulk length");
    const words: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const size = this.#line();
      if (size === undefined) return undefined;
      if (size[0] !== "$") throw new ProtocolError(`Protocol error: expected '$', got '${size[0] ?? ""}'`);
      const word = this.#exactly(Number(size.slice(1)));
      if (word === undefined) return undefined;
      words.push(word);
    }
    return words;
  }

  #exactly(length: number): string | undefined {
    if (this.#buffer.length < this.#at + length + 2) return undefined;
    const text = this.#buffer.slice(this.#at, this.#at + length);
    this.#at += length + 2;
    return text;
  }

  #reply(): Reply | undefined {
    const line = this.#line();
    if (line === undefined) return undefined;
    const rest = line.slice(1);
    if (line[0] === "+") return { type: "status", text: rest };
    if (line[0] === "-") return failure(rest);
    if (line[0] === ":") return integer(Number(rest));
    const length = Number(rest);
    if (length < 0) return nil;
    if (line[0] === "$") {
      const text = this.#exactly(length);
      return text === undefined ? undefined : bulk(text);
    }
    const items: Reply[] = [];
    while (items.length < length) {
      const item = this.#reply();
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { type: "array", items };
  }
}
