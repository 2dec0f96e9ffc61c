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
    const codes: number[] = [];
    while (codes.length < length) {
      const word = this.uint32();
      pushHex4(codes, word >>> 16);
      pushHex4(codes, word & 0xffff);
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
    const codes: number[] = [];
    pushHex4(codes, first >>> 16);
    pushHex4(codes, first & 0xffff);
    codes.push(dash);
    pushHex4(codes, second >>> 16);
    codes.push(dash);
    pushHex4(codes, (second & 0x0fff) | 0x4000);
    codes.push(dash);
    pushHex4(codes, ((third >>> 16) & 0x3fff) | 0x8000);
    codes.push(dash);
    pushHex4(codes, third & 0xffff);
    pushHex4(codes, last >>> 16);
    pushHex4(codes, last & 0xffff);
    return String.fromCharCode(...codes);
  }
}

const dash = 0x2d;
const digits: readonly number[] = [..."0123456789abcdef"].map((digit) => digit.charCodeAt(0));

/** The four digits of 16 bits. Codes make one flat text; joined texts would be kept as the tree of their parts. */
function pushHex4(codes: number[], value: number): void {
  for (let shift = 12; shift >= 0; shift -= 4) codes.push(digits[(value >>> shift) & 15] as number);
}
