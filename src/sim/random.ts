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
    const codes = new Array<number>(Math.ceil(length / 8) * 8);
    for (let at = 0; at < length; at += 8) {
      const word = this.uint32();
      putHex4(codes, at, word >>> 16);
      putHex4(codes, at + 4, word & 0xffff);
    }
    codes.length = length;
    return String.fromCharCode(...codes);
  }

  /** A version 4 UUID in lower case. */
  uuid(): string {
    const second = this.uint32();
    const third = this.uint32();
    const first = this.uint32();
    const last = this.uint32();
    const codes = uuidCodes;
    putHex4(codes, 0, first >>> 16);
    putHex4(codes, 4, first & 0xffff);
    putHex4(codes, 9, second >>> 16);
    putHex4(codes, 14, (second & 0x0fff) | 0x4000);
    putHex4(codes, 19, ((third >>> 16) & 0x3fff) | 0x8000);
    putHex4(codes, 24, third & 0xffff);
    putHex4(codes, 28, last >>> 16);
    putHex4(codes, 32, last & 0xffff);
    return String.fromCharCode(...codes);
  }
}

const digits: readonly number[] = [..."0123456789abcdef"].map((digit) => digit.charCodeAt(0));

/** The last UUID: its dashes stay where they are. */
const uuidCodes: number[] = [..."00000000-0000-0000-0000-000000000000"].map((digit) => digit.charCodeAt(0));

/** The four digits of 16 bits. Codes make one flat text; joined texts would be kept as the tree of their parts. */
function putHex4(codes: number[], at: number, value: number): void {
  codes[at] = digits[value >>> 12] as number;
  codes[at + 1] = digits[(value >>> 8) & 15] as number;
  codes[at + 2] = digits[(value >>> 4) & 15] as number;
  codes[at + 3] = digits[value & 15] as number;
}
