// IPv4 ranges of Services: which addresses are inside, and in what order they are given out.

/** `10.96.0.0/12` as numbers; throws RangeError on anything that is no IPv4 range. */
export class IpRange {
  readonly cidr: string;
  readonly #first: number;
  readonly #size: number;

  constructor(cidr: string) {
    const match = /^(\d+\.\d+\.\d+\.\d+)\/(\d{1,2})$/.exec(cidr);
    const base = match === null ? undefined : parseIpv4(match[1] as string);
    const bits = Number(match?.[2]);
    if (base === undefined || bits > 30) throw new RangeError(`not an IPv4 range: ${cidr}`);
    this.cidr = cidr;
    this.#size = 2 ** (32 - bits);
    this.#first = base - (base % this.#size);
  }

  /** Addresses that can be given out: all but the network's and the last. */
  get usable(): number {
    return this.#size - 2;
  }

  /**
   * How many addresses at the start are kept for those who ask for one by number: between 16 and 256, a sixteenth of the
   * range (KEP-3070). Others are drawn from the rest while there are any.
   */
  get reserved(): number {
    return Math.min(Math.max(Math.floor(this.usable / 16), 16), 256);
  }

  /** The address at an offset in [0, usable). */
  at(offset: number): string {
    return formatIpv4(this.#first + 1 + offset);
  }

  contains(address: string): boolean {
    const value = parseIpv4(address);
    return value !== undefined && value > this.#first && value < this.#first + this.#size - 1;
  }
}

export function parseIpv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    // Leading zeros are refused: some programs read them as octal.
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = value * 256 + Number(part);
  }
  return value;
}

function formatIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
