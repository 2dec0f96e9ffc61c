// The world's only source of randomness: xoshiro128**, seeded through splitmix32. Not for cryptography.

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    let state = seed >>> 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) >>> 0;
      let mixed = state;
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
      return (mixed ^ (mixed >>> 16)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next();
  }

  /** An unsigned 32-bit integer. */
  uint32(): number {
    const product = Math.imul(this.#b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** A number in [0, 1). */
  fraction(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** `length` characters of `alphabet`. */
  text(length: number, alphabet: string): string {
    let result = "";
    for (let index = 0; index < length; index += 1) result += alphabet[this.below(alphabet.length)];
    return result;
  }

  /** `length` hexadecimal digits in lower case. */
  hex(length: number): string {
    let result = "";
    while (result.length < length) {
      const word = this.uint32();
      result += hex4(word >>> 16) + hex4(word & 0xffff);
    }
    return result.slice(0, length);
  }

  /** A version 4 UUID in lower case. */
  uuid(): string {
    const second = this.uint32();
    const third = this.uint32();
    const first = this.uint32();
    const last = this.uint32();
    const version = (second & 0x0fff) | 0x4000;
    const variant = ((third >>> 16) & 0x3fff) | 0x8000;
    return `${hex4(first >>> 16)}${hex4(first & 0xffff)}-${hex4(second >>> 16)}-${hex4(version)}-${hex4(variant)}-${hex4(third & 0xffff)}${hex4(last >>> 16)}${hex4(last & 0xffff)}`;
  }
}

const hexBytes: readonly string[] = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"));

function hex4(value: number): string {
  return (hexBytes[value >>> 8] as string) + (hexBytes[value & 0xff] as string);
}
