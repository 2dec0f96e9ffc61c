// Good input with something wrong: bytes and texts that are changed in one to six places.

import type { Random } from "#sim/random.ts";

/** What readers of numbers, paths, escapes and lengths stumble over. */
const words = [
  "\u0000",
  "\r\n",
  "\n\n",
  "%00",
  "%2e%2e/",
  "%zz",
  "../",
  "//",
  "?",
  "#",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\u0000",
  "\\ud800",
  "null",
  "true",
  "-1",
  "0",
  "1e309",
  "9223372036854775808",
  "-0",
  "99999999999999999999",
  "1.5",
  "é",
  "\ufeff",
  "𝒳",
  "__proto__",
  "constructor",
  "a".repeat(300),
  " ",
  ":",
  ";",
  ",",
  "=",
  "*",
  "~1",
  "~0",
  "$patch",
  "kind",
  "metadata",
  "{{",
  "\t",
  "\u007f",
];

export class Mutator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  below(limit: number): number {
    return this.#random.uint32() % limit;
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  text(good: string): string {
    let result = good;
    for (let count = 1 + this.below(6); count > 0; count -= 1) result = this.#changedText(result);
    return result;
  }

  #changedText(text: string): string {
    const at = this.below(text.length + 1);
    const end = at + this.below(Math.min(20, text.length - at + 1));
    switch (this.below(5)) {
      case 0:
        return text.slice(0, at) + text.slice(end);
      case 1:
        return text.slice(0, end) + text.slice(at);
      case 2:
        return text.slice(0, at) + this.one(words) + text.slice(end);
      case 3:
        return text.slice(0, at) + String.fromCharCode(this.below(0x300)) + text.slice(at + 1);
      default:
        return text.slice(0, at) + this.one(words) + text.slice(at);
    }
  }

  bytes(good: Uint8Array): Uint8Array {
    let result = Uint8Array.from(good);
    for (let count = 1 + this.below(6); count > 0; count -= 1) result = this.#changedBytes(result);
    return result;
  }

  #changedBytes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const at = this.below(bytes.length + 1);
    switch (this.below(5)) {
      case 0:
        return bytes.slice(0, at);
      case 1:
        return new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(Math.min(bytes.length, at + this.below(8)))]);
      case 2:
        return new Uint8Array([...bytes.subarray(0, at), 0xff, 0xff, 0xff, 0xff, 0x7f, ...bytes.subarray(at)]);
      case 3: {
        const from = this.below(bytes.length + 1);
        return new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(from, from + 16), ...bytes.subarray(at)]);
      }
      default: {
        const result = bytes.slice();
        if (at < result.length) result[at] = this.below(256);
        return result;
      }
    }
  }
}
