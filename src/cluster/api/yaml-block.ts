// Reads the YAML that most manifests are: block maps and lists with scalars of one line. Whatever else is in a text (comments behind
// values, flow collections, anchors, block scalars, escapes, a key twice, mistakes) makes it answer undefined, and the whole text is
// the library's (`yaml-document.ts`). What it does read, it reads as that does, at a fraction of the time and memory.

import type { JsonValue } from "./wire.ts";
import { plainValue } from "./yaml-scalars.ts";

interface Line {
  readonly indent: number;
  readonly content: string;
}

/** Thrown for what is left to the library. */
class NotPlainBlock extends Error {}

const notPlainBlock = new NotPlainBlock();
/** Tabs, carriage returns and other control characters, special line ends, byte order marks, halves of pairs. */
const unusual = /[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const entry = /^([A-Za-z0-9_./-]{1,200}):(?: +(.*))?$/;
/** Neither an indicator at the beginning nor anything inside that ends or splits a plain scalar. */
const plain = /^(?:[^\s!&*|>%@`"'{}[\],?#:-]|[-?:](?=[^\s,[\]{}]))(?!.*(?:: |:$| #)).*$/;

/** One document; undefined for what only a whole YAML parser reads. */
export function readBlockYaml(text: string): JsonValue | undefined {
  if (unusual.test(text)) return undefined;
  const lines: Line[] = [];
  for (const line of text.split("\n")) {
    // Blanks only: other white space is content.
    let indent = 0;
    let end = line.length;
    while (line.charCodeAt(indent) === 32) indent += 1;
    while (end > indent && line.charCodeAt(end - 1) === 32) end -= 1;
    if (indent === end || line.charAt(indent) === "#") continue;
    lines.push({ indent, content: line.slice(indent, end) });
  }
  if (lines.length === 0) return undefined;
  try {
    return new BlockReader(lines).document();
  } catch (error) {
    if (error === notPlainBlock) return undefined;
    throw error;
  }
}

class BlockReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  document(): JsonValue {
    const value = this.#block(0);
    if (this.#at < this.#lines.length) throw notPlainBlock;
    return value;
  }

  /** A map or a list that begins at the present line. */
  #block(indent: number): JsonValue {
    const line = this.#lines[this.#at];
    if (line?.indent !== indent) throw notPlainBlock;
    return isItem(line) ? this.#list(indent) : this.#map(indent);
  }

  #map(indent: number): JsonValue {
    const map: { [key: string]: JsonValue } = {};
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indent < indent) return map;
      const match = line.indent === indent ? entry.exec(line.content) : null;
      const key = match?.[1];
      if (key === undefined || key.startsWith("-") || key === "__proto__" || Object.hasOwn(map, key)) throw notPlainBlock;
      if (typeof plainValue(key) !== "string") throw notPlainBlock;
      this.#at += 1;
      map[key] = match?.[2] === undefined ? this.#below(indent, true) : this.#scalar(match[2], indent);
    }
  }

  #list(indent: number): JsonValue {
    const list: JsonValue[] = [];
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indent < indent || (line.indent === indent && !isItem(line))) return list;
      if (line.indent > indent) throw notPlainBlock;
      const rest = line.content.slice(1).replace(/^ +/, "");
      if (rest === "") {
        this.#at += 1;
        list.push(this.#below(indent, false));
        continue;
      }
      if (rest.startsWith("- ") || rest === "-" || entry.test(rest)) {
        // What stands behind the dash begins a block of its own, as if it stood on its own line.
        const inner = indent + line.content.length - rest.length;
        this.#lines[this.#at] = { indent: inner, content: rest };
        list.push(this.#block(inner));
        continue;
      }
      this.#at += 1;
      list.push(this.#scalar(rest, indent));
    }
  }

  /** The value below a key or a dash that has none beside it. A key's list may be as far to the left as the key. */
  #below(indent: number, listMayStandHere: boolean): JsonValue {
    const line = this.#lines[this.#at];
    if (line === undefined) return null;
    if (line.indent > indent) return this.#block(line.indent);
    return listMayStandHere && line.indent === indent && isItem(line) ? this.#list(indent) : null;
  }

  #scalar(text: string, indent: number): JsonValue {
    const next = this.#lines[this.#at];
    // The scalar goes on.
    if (next !== undefined && next.indent > indent) throw notPlainBlock;
    if (text === "[]") return [];
    if (text === "{}") return {};
    const quote = text.charAt(0);
    if (quote === '"' || quote === "'") {
      const inner = text.slice(1, -1);
      if (text.length < 2 || !text.endsWith(quote) || inner.includes(quote) || inner.includes("\\")) throw notPlainBlock;
      return inner;
    }
    if (!plain.test(text)) throw notPlainBlock;
    return plainValue(text);
  }
}

function isItem({ content }: Line): boolean {
  return content === "-" || content.startsWith("- ");
}
