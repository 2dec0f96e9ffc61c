// ASN.1 in its distinguished encoding (X.690): written from the inside out, read into a tree of tagged values.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { civilDate, daysFromCivil } from "#sim/calendar.ts";

/** One value as read. */
export interface DerValue {
  /** The identifier octet: class, constructed bit and number. */
  readonly tag: number;
  readonly content: Bytes;
  /** Identifier, length and content: what signatures are made over. */
  readonly whole: Bytes;
}

/** What was read is not the structure that it should be. */
export class DerError extends Error {}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  nothing: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Tag of a context-specific value, `[n]`. */
export function contextTag(number: number, constructed: boolean): number {
  return 0x80 | (constructed ? 0x20 : 0) | number;
}

export function encode(tag: number, content: Bytes): Bytes {
  const { length } = content;
  if (length < 0x80) return concatBytes([Uint8Array.of(tag, length), content]);
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest & 0xff);
  return concatBytes([Uint8Array.of(tag, 0x80 | octets.length, ...octets), content]);
}

export function sequence(...parts: readonly Bytes[]): Bytes {
  return encode(tags.sequence, joined(parts));
}

/** A SET OF: its parts in the order of their encodings. */
export function set(...parts: readonly Bytes[]): Bytes {
  return encode(tags.set, joined([...parts].sort(compareBytes)));
}

/** `[n] EXPLICIT` */
export function explicit(number: number, ...parts: readonly Bytes[]): Bytes {
  return encode(contextTag(number, true), joined(parts));
}

export function integer(value: bigint | number): Bytes {
  return encode(tags.integer, integerContent(BigInt(value)));
}

export function boolean(value: boolean): Bytes {
  return encode(tags.boolean, Uint8Array.of(value ? 0xff : 0));
}

export const nothing: Bytes = encode(tags.nothing, noBytes);

export function octetString(content: Bytes): Bytes {
  return encode(tags.octetString, content);
}

/** A whole number of octets as a bit string; `unusedBits` of the last one do not count. */
export function bitString(content: Bytes, unusedBits = 0): Bytes {
  return encode(tags.bitString, concatBytes([Uint8Array.of(unusedBits), content]));
}

export function utf8String(text: string): Bytes {
  return encode(tags.utf8String, encodeUtf8(text));
}

/** `1.2.840.113549.1.1.11` */
export function objectIdentifier(dotted: string): Bytes {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const octets: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const groups = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift(0x80 | (left & 0x7f));
    octets.push(...groups);
  }
  return encode(tags.objectIdentifier, Uint8Array.from(octets));
}

/** UTCTime to the end of 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
export function time(epochMs: number): Bytes {
  const { year, month, day, hour, minute, second } = civilDate(epochMs);
  const rest = [month, day, hour, minute, second].map((part) => String(part).padStart(2, "0")).join("");
  if (year >= 1950 && year < 2050) return encode(tags.utcTime, encodeUtf8(`${String(year % 100).padStart(2, "0")}${rest}Z`));
  return encode(tags.generalizedTime, encodeUtf8(`${String(year).padStart(4, "0")}${rest}Z`));
}

/** Reads exactly one value. Throws DerError. */
export function read(bytes: Bytes): DerValue {
  const value = readAt(bytes, 0);
  if (value.whole.length !== bytes.length) throw new DerError("trailing data");
  return value;
}

/** The values inside a constructed one. */
export function children(value: DerValue): readonly DerValue[] {
  const found: DerValue[] = [];
  for (let at = 0; at < value.content.length; ) {
    const child = readAt(value.content, at);
    found.push(child);
    at += child.whole.length;
  }
  return found;
}

/** The parts of a SEQUENCE. */
export function sequenceOf(value: DerValue | undefined): readonly DerValue[] {
  return children(expect(value, tags.sequence));
}

/** Throws DerError when the value is missing or of another tag. */
export function expect(value: DerValue | undefined, tag: number): DerValue {
  if (value === undefined) throw new DerError("sequence truncated");
  if (value.tag !== tag) throw new DerError(`tags don't match (${tag} vs ${value.tag})`);
  return value;
}

export function readInteger(value: DerValue | undefined): bigint {
  const { content } = expect(value, tags.integer);
  if (content.length === 0) throw new DerError("empty integer");
  let result = 0n;
  for (const octet of content) result = (result << 8n) | BigInt(octet);
  return (content[0] as number) >= 0x80 ? result - (1n << BigInt(8 * content.length)) : result;
}

export function readBoolean(value: DerValue | undefined): boolean {
  return (expect(value, tags.boolean).content[0] ?? 0) !== 0;
}

/** The octets of a bit string that is made of whole ones. */
export function readBitString(value: DerValue | undefined): Bytes {
  const { content } = expect(value, tags.bitString);
  if (content[0] !== 0) throw new DerError("not a whole number of octets");
  return content.subarray(1);
}

export function readObjectIdentifier(value: DerValue | undefined): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const octet of expect(value, tags.objectIdentifier).content) {
    arc = arc * 128 + (octet & 0x7f);
    if (octet < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [joint = 0, ...rest] = arcs;
  const first = Math.min(2, Math.floor(joint / 40));
  return [first, joint - first * 40, ...rest].join(".");
}

/** The text of any of the string types in use. */
export function readText(value: DerValue | undefined): string {
  if (value === undefined) throw new DerError("sequence truncated");
  return decodeUtf8(value.content);
}

/** Milliseconds since the epoch. */
export function readTime(value: DerValue | undefined): number {
  const text = readText(value);
  const match = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  if (match === null) throw new DerError("invalid time");
  const [shortYear = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const year = value?.tag === tags.utcTime ? shortYear + (shortYear >= 50 ? 1900 : 2000) : shortYear;
  return daysFromCivil(year, month, day) * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000;
}

/** Unsigned big-endian octets, at least `length` of them. */
export function octetsOf(value: bigint, length = 0): Bytes {
  const digits = value.toString(16);
  const count = Math.max(length, Math.ceil(digits.length / 2));
  const padded = digits.padStart(count * 2, "0");
  return Uint8Array.from({ length: count }, (_, index) => Number.parseInt(padded.slice(index * 2, index * 2 + 2), 16));
}

export function numberOf(octets: Bytes): bigint {
  let digits = "0x0";
  for (const octet of octets) digits += octet.toString(16).padStart(2, "0");
  return BigInt(digits);
}

function integerContent(value: bigint): Bytes {
  if (value < 0n) throw new RangeError("certificates hold no negative numbers");
  const octets = octetsOf(value);
  return (octets[0] as number) >= 0x80 ? concatBytes([Uint8Array.of(0), octets]) : octets;
}

function readAt(bytes: Bytes, start: number): DerValue {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw new DerError("truncated tag or length");
  if ((tag & 0x1f) === 0x1f) throw new DerError("unsupported tag");
  let at = start + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError("length too large");
    length = 0;
    for (let index = 0; index < count; index += 1) length = length * 256 + (bytes[at + index] ?? 0);
    at += count;
  }
  const end = at + length;
  if (end > bytes.length) throw new DerError("data truncated");
  return { tag, content: bytes.subarray(at, end), whole: bytes.subarray(start, end) };
}

function joined(parts: readonly Bytes[]): Bytes {
  return parts.length === 0 ? noBytes : concatBytes(parts);
}

/** As byte strings are ordered; 0 for equal ones. */
export function compareBytes(a: Bytes, b: Bytes): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
