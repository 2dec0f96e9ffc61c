// IP addresses and ranges as texts: read as Go's lenient parsers read them, written in their canonical form.

/** 4 bytes, or 16. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) counts as IPv4, as in Go. */
export interface IpAddress {
  readonly bytes: readonly number[];
  /** Written with leading zeros (`010.0.0.1`), which some programs read as octal. */
  readonly leadingZeros: boolean;
  /** IPv4 written as IPv6. */
  readonly mapped: boolean;
}

export interface IpRangeText {
  readonly address: IpAddress;
  /** As many bits from the left make the range. */
  readonly prefix: number;
  readonly leadingZeros: boolean;
}

/** What most addresses are: four numbers without zeros in front. */
const plainIpv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;

export function isPlainIpv4(text: string): boolean {
  return plainIpv4.test(text);
}

/** Undefined for what is no address. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.includes(":")) return parseIpv6(text);
  const bytes = ipv4Bytes(text);
  return bytes === undefined ? undefined : { bytes, leadingZeros: !plainIpv4.test(text), mapped: false };
}

/** Undefined for what is no range. */
export function parseCidr(text: string): IpRangeText | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,4}$/.test(digits)) return undefined;
  const written = Number(digits);
  const most = address.mapped ? 128 : address.bytes.length * 8;
  if (written > most) return undefined;
  const leadingZeros = address.leadingZeros || (digits.length > 1 && digits.startsWith("0"));
  return { address, prefix: address.mapped ? Math.max(0, written - 96) : written, leadingZeros };
}

export function isIpv6({ bytes }: IpAddress): boolean {
  return bytes.length === 16;
}

/** The canonical form: RFC 5952 for IPv6. */
export function formatIp({ bytes }: IpAddress): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[index * 2] as number) * 256 + (bytes[index * 2 + 1] as number));
  const [start, length] = longestZeros(groups);
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** The range's first address, `/`, and its prefix. */
export function formatCidr({ address, prefix }: IpRangeText): string {
  return `${formatIp(masked(address, prefix))}/${prefix}`;
}

/** The address with all bits beyond the prefix off. */
export function masked(address: IpAddress, prefix: number): IpAddress {
  const bytes = address.bytes.map((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefix - index * 8));
    return byte & (0xff << (8 - bits)) & 0xff;
  });
  return { ...address, bytes };
}

/** Whether an address lies in a range; never across families. */
export function inRange(address: IpAddress, { address: base, prefix }: IpRangeText): boolean {
  if (address.bytes.length !== base.bytes.length) return false;
  return formatIp(masked(address, prefix)) === formatIp(masked(base, prefix));
}

function ipv4Bytes(text: string): readonly number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const bytes = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : 256));
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = groupBytes(halves[0] as string, halves.length === 1);
  const tail = halves.length === 2 ? groupBytes(halves[1] as string, true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  const bytes = [...head, ...new Array<number>(missing).fill(0), ...tail];
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  const dotted = text.slice(text.lastIndexOf(":") + 1);
  const leadingZeros = dotted.includes(".") && !plainIpv4.test(dotted);
  return { bytes: mapped ? bytes.slice(12) : bytes, leadingZeros, mapped };
}

/** The bytes of `fe80:0:1`, whose last part may be an IPv4 address. */
function groupBytes(text: string, mayEndDotted: boolean): readonly number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (mayEndDotted && index === parts.length - 1 && part.includes(".")) {
      const dotted = ipv4Bytes(part);
      if (dotted === undefined) return undefined;
      bytes.push(...dotted);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined;
      const group = Number.parseInt(part, 16);
      bytes.push(group >> 8, group & 0xff);
    }
  }
  return bytes;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === 0) end += 1;
    if (end - start > best[1]) best = [start, end - start];
    start = Math.max(start, end - 1);
  }
  return best;
}
