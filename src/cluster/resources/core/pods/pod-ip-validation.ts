// IP addresses in fields that are older than strict validation (apimachinery's util/validation: IsValidIPForLegacyField,
// GetWarningsForIP; the gate StrictIPCIDRValidation is on).

import type { FieldErrors, Path } from "../../field-errors.ts";

const ipv4 = /^\d{1,}\.\d{1,}\.\d{1,}\.\d{1,}$/;

/** The eight groups of an IPv6 address, `undefined` for what is none. */
function groupsOf(text: string): readonly number[] | undefined {
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  let whole = text;
  if (embedded !== null) {
    const bytes = bytesOf(embedded[2] as string);
    if (bytes === undefined) return undefined;
    const [a, b, c, d] = bytes as [number, number, number, number];
    whole = `${embedded[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const halves = whole.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half === "" ? [] : half.split(":"))) as [string[], string[]?];
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array<string>(tail === undefined ? 0 : missing).fill("0"), ...(tail ?? [])];
  return groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) ? groups.map((group) => Number.parseInt(group, 16)) : undefined;
}

function bytesOf(text: string): readonly number[] | undefined {
  if (!ipv4.test(text)) return undefined;
  const bytes = text.split(".").map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/** RFC 5952: the longest run of zero groups shortened, lower case. */
function canonical(groups: readonly number[]): string {
  let [start, length] = [-1, 1];
  for (let from = 0; from < groups.length; from += 1) {
    let to = from;
    while (groups[to] === 0) to += 1;
    if (to - from > length) [start, length] = [from, to - from];
  }
  const hex = groups.map((group) => group.toString(16));
  if (start < 0) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

export function isIpv6(text: string): boolean {
  return text.includes(":") && groupsOf(text) !== undefined;
}

/** `known`: what the old object had; it is let pass. */
export function validateIp(text: string, known: readonly string[], path: Path, errors: FieldErrors): void {
  if (known.includes(text)) return;
  const bytes = bytesOf(text);
  if (bytes !== undefined) {
    if (bytes.join(".") !== text) errors.invalid(path, text, "must not have leading 0s");
    return;
  }
  const groups = text.includes(":") ? groupsOf(text) : undefined;
  if (groups === undefined) {
    errors.invalid(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
  } else if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    errors.invalid(path, text, "must not be an IPv4-mapped IPv6 address");
  }
}

/** The warning for an IPv6 address that is written otherwise than RFC 5952 says. */
export function ipWarning(text: string, path: Path): string | undefined {
  const groups = text.includes(":") ? groupsOf(text) : undefined;
  if (groups === undefined) return undefined;
  const written = canonical(groups);
  return written === text ? undefined : `${path}: IPv6 address "${text}" should be in RFC 5952 canonical format ("${written}")`;
}
