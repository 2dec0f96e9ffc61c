// IPv4 addresses and ranges as numbers, and the pool that gives a node's pods their addresses.

/** An address range; `192.0.2.1` is `192.0.2.1/32`. */
export interface Range {
  readonly base: number;
  readonly prefix: number;
}

const zero = 48;
const dot = 46;

/** Throws RangeError unless the text is four numbers from 0 to 255. Called for every rule of every connection. */
export function parseAddress(text: string): number {
  let value = 0;
  let part = 0;
  let digits = 0;
  let parts = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === dot && digits > 0) {
      value = value * 256 + part;
      part = 0;
      digits = 0;
      parts += 1;
    } else if (code >= zero && code <= zero + 9) {
      part = part * 10 + code - zero;
      digits += 1;
      if (part > 255) break;
    } else {
      digits = 0;
      break;
    }
  }
  if (parts !== 4 || digits === 0 || part > 255) throw new RangeError(`not an IPv4 address: ${text}`);
  return value * 256 + part;
}

export function formatAddress(value: number): string {
  return `${(value >>> 24) & 255}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

export function parseRange(text: string): Range {
  const slash = text.indexOf("/");
  if (slash < 0) return { base: parseAddress(text), prefix: 32 };
  const prefix = Number(text.slice(slash + 1));
  const size = 2 ** (32 - prefix);
  const base = parseAddress(text.slice(0, slash));
  return { base: base - (base % size), prefix };
}

export function contains(range: Range, address: number): boolean {
  // Shifts by 32 are shifts by 0.
  return range.prefix === 0 || (address ^ range.base) >>> (32 - range.prefix) === 0;
}

export function isLoopback(address: string): boolean {
  return address.startsWith("127.");
}

/**
 * Gives out the addresses of a node's pod range one after the other and begins again at the end (as the host-local plugin
 * does), so that an address is not given to another pod right after it came back. `.1` is the node's bridge.
 */
export class AddressPool {
  readonly range: Range;
  readonly #used = new Set<number>();
  #last = 1;

  constructor(cidr: string) {
    this.range = parseRange(cidr);
  }

  get gateway(): string {
    return formatAddress(this.range.base + 1);
  }

  /** Throws Error when all are in use, in the plugin's words. */
  take(): string {
    const size = 2 ** (32 - this.range.prefix);
    for (let tried = 0; tried < size; tried += 1) {
      this.#last = this.#last + 1 >= size - 1 ? 2 : this.#last + 1;
      if (this.#used.has(this.#last)) continue;
      this.#used.add(this.#last);
      return formatAddress(this.range.base + this.#last);
    }
    const first = formatAddress(this.range.base + 1);
    throw new Error(
      `failed to allocate for range 0: no IP addresses available in range set: ${first}-${formatAddress(this.range.base + size - 2)}`,
    );
  }

  release(address: string): void {
    this.#used.delete(parseAddress(address) - this.range.base);
  }
}
