// Which addresses and ranges fields allow (apimachinery's util/validation/ip.go, with StrictIPCIDRValidation as in v1.36),
// and what is warned of.

import {
  formatCidr,
  formatIp,
  type IpAddress,
  type IpRangeText,
  isIpv6,
  isPlainIpv4,
  masked,
  parseCidr,
  parseIp,
} from "#cluster/api/ip-text.ts";
import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

/**
 * For fields that are older than the strict rules: any spelling of a valid address. What stood in the old object (`existing`)
 * may stay. Answers whether it found nothing.
 */
export function validateLegacyIp(value: string, path: Path, errors: FieldErrors, existing: readonly string[] = []): boolean {
  if (isPlainIpv4(value) || existing.includes(value)) return true;
  return readIp(value, path, errors) !== undefined;
}

/** Why a text is no address in canonical form. */
export function ipReasons(value: string): readonly string[] {
  if (isPlainIpv4(value)) return [];
  const address = parseIp(value);
  const reasons = spellingReasons(address);
  if (reasons.length > 0 || address === undefined) return reasons;
  const canonical = formatIp(address);
  return canonical === value ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}

export function validateLegacyCidr(value: string, path: Path, errors: FieldErrors, existing: readonly string[] = []): boolean {
  return existing.includes(value) || readCidr(value, path, errors) !== undefined;
}

export function validateCidr(value: string, path: Path, errors: FieldErrors): void {
  const range = readCidr(value, path, errors);
  if (range === undefined) return;
  const canonical = formatCidr(range);
  if (canonical !== value) errors.invalid(path, value, `must be in canonical form (${JSON.stringify(canonical)})`);
}

/** What addresses of endpoints, and external IPs, may not be. */
export function validateEndpointIp(value: string, path: Path, errors: FieldErrors): void {
  const address = parseIp(value);
  if (address === undefined) {
    errors.invalid(path, value, "must be a valid IP address");
    return;
  }
  const { bytes } = address;
  const [first = 0, second = 0, third = 0] = bytes;
  const allButLast = bytes.slice(0, -1).every((byte) => byte === 0);
  const last = bytes[bytes.length - 1];
  const v6 = isIpv6(address);
  if (allButLast && last === 0) errors.invalid(path, value, `may not be unspecified (${value})`);
  if (v6 ? allButLast && last === 1 : first === 127)
    errors.invalid(path, value, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (v6 ? first === 0xfe && (second & 0xc0) === 0x80 : first === 169 && second === 254)
    errors.invalid(path, value, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  if (v6 ? first === 0xff && (second & 0x0f) === 2 : first === 224 && second === 0 && third === 0)
    errors.invalid(path, value, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
}

/** Texts for spellings that are allowed and make trouble. */
export function ipWarnings(path: Path, value: string): readonly string[] {
  if (isPlainIpv4(value)) return [];
  const address = parseIp(value);
  if (address === undefined) return [];
  const canonical = formatIp(address);
  if (address.leadingZeros || address.mapped) {
    return [`${path}: non-standard IP address ${JSON.stringify(value)} is invalid: use ${JSON.stringify(canonical)}`];
  }
  if (canonical === value) return [];
  return [`${path}: IPv6 address ${JSON.stringify(value)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`];
}

export function cidrWarnings(path: Path, value: string): readonly string[] {
  const range = parseCidr(value);
  if (range === undefined) return [];
  const warnings: string[] = [];
  const canonical = JSON.stringify(formatCidr(range));
  if (hasHostBits(range)) {
    const single = JSON.stringify(`${formatIp(range.address)}/${range.address.bytes.length * 8}`);
    warnings.push(
      `${path}: CIDR value ${JSON.stringify(value)} is ambiguous in this context (should be ${canonical} or ${single}?)`,
    );
  }
  if (range.leadingZeros || range.address.mapped) {
    warnings.push(`${path}: non-standard CIDR value ${JSON.stringify(value)} is invalid: use ${canonical}`);
  }
  if (warnings.length === 0 && isIpv6(range.address) && canonical !== JSON.stringify(value)) {
    warnings.push(`${path}: IPv6 CIDR value ${JSON.stringify(value)} should be in RFC 5952 canonical format (${canonical})`);
  }
  return warnings;
}

/** Whether two or more texts are addresses or ranges of both families. */
export function isDualStack(values: readonly string[]): boolean {
  const families = new Set(values.map((value) => (parseIp(value) ?? parseCidr(value)?.address)?.bytes.length));
  return families.size === 2 && !families.has(undefined);
}

function readIp(value: string, path: Path, errors: FieldErrors): IpAddress | undefined {
  const address = parseIp(value);
  const reasons = spellingReasons(address);
  for (const reason of reasons) errors.invalid(path, value, reason);
  return reasons.length === 0 ? address : undefined;
}

function spellingReasons(address: IpAddress | undefined): readonly string[] {
  if (address === undefined) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  const reasons: string[] = [];
  if (address.leadingZeros) reasons.push("must not have leading 0s");
  else if (address.mapped) reasons.push("must not be an IPv4-mapped IPv6 address");
  return reasons;
}

function readCidr(value: string, path: Path, errors: FieldErrors): IpRangeText | undefined {
  const range = parseCidr(value);
  if (range === undefined) errors.invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
  else if (range.leadingZeros) errors.invalid(path, value, "must not have leading 0s in IP or prefix length");
  else if (range.address.mapped) errors.invalid(path, value, "must not have an IPv4-mapped IPv6 address");
  else if (hasHostBits(range)) errors.invalid(path, value, "must not have bits set beyond the prefix length");
  else return range;
  return undefined;
}

function hasHostBits({ address, prefix }: IpRangeText): boolean {
  return formatIp(masked(address, prefix)) !== formatIp(address);
}

/** The name under which a balancer is reached, in a Service's or an Ingress's status. */
export function validateBalancerHostname(hostname: string, path: Path, errors: FieldErrors): void {
  for (const reason of dns1123SubdomainReasons(hostname)) errors.invalid(path, hostname, reason);
  if (parseIp(hostname) !== undefined) errors.invalid(path, hostname, "must be a DNS name, not an IP address");
}
