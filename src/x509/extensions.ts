// The extensions of certificates and requests (RFC 5280, 4.2) that clusters use; others are kept as they are.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import {
  bitString,
  boolean,
  children,
  contextTag,
  type DerValue,
  encode,
  integer,
  objectIdentifier,
  octetString,
  read,
  readBoolean,
  readInteger,
  readObjectIdentifier,
  sequence,
  sequenceOf,
  tags,
} from "./der.ts";

export interface Extension {
  /** Dotted identifier. */
  readonly id: string;
  readonly critical: boolean;
  /** The encoded content. */
  readonly value: Bytes;
}

export const extensionIds = {
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  alternativeNames: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyId: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
} as const;

/** In the order of their bits. */
export const keyUsageNames = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
] as const;
export type KeyUsage = (typeof keyUsageNames)[number];

export const extendedUsageIds = {
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  OCSPSigning: "1.3.6.1.5.5.7.3.9",
} as const;
export type ExtendedUsage = keyof typeof extendedUsageIds;

export interface BasicConstraints {
  readonly isAuthority: boolean;
  readonly pathLength?: number;
}

/** One of the names a certificate is valid for. */
export interface AlternativeName {
  readonly kind: "dns" | "ip" | "email" | "uri";
  readonly value: string;
}

const nameTags = { email: 1, dns: 2, uri: 6, ip: 7 } as const;

export function basicConstraints({ isAuthority, pathLength }: BasicConstraints, critical = true): Extension {
  const content = sequence(...(isAuthority ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(pathLength)]));
  return { id: extensionIds.basicConstraints, critical, value: content };
}

export function keyUsage(usages: readonly KeyUsage[], critical = true): Extension {
  const highest = Math.max(...usages.map((usage) => keyUsageNames.indexOf(usage)));
  const octets = new Uint8Array(Math.floor(highest / 8) + 1);
  for (const usage of usages) {
    const bit = keyUsageNames.indexOf(usage);
    octets[bit >> 3] = (octets[bit >> 3] as number) | (0x80 >> (bit & 7));
  }
  return { id: extensionIds.keyUsage, critical, value: bitString(octets, 7 - (highest & 7)) };
}

export function extendedKeyUsage(usages: readonly ExtendedUsage[]): Extension {
  const value = sequence(...usages.map((usage) => objectIdentifier(extendedUsageIds[usage])));
  return { id: extensionIds.extendedKeyUsage, critical: false, value };
}

export function alternativeNames(names: readonly AlternativeName[]): Extension {
  const encoded = names.map(({ kind, value }) =>
    encode(contextTag(nameTags[kind], false), kind === "ip" ? addressOctets(value) : encodeUtf8(value)),
  );
  return { id: extensionIds.alternativeNames, critical: false, value: sequence(...encoded) };
}

export function subjectKeyId(keyId: Bytes): Extension {
  return { id: extensionIds.subjectKeyId, critical: false, value: octetString(keyId) };
}

/** `issuer` names the authority's own certificate by its signer (an encoded name) and its serial number. */
export function authorityKeyId(keyId: Bytes, issuer?: { readonly name: Bytes; readonly serial: bigint }): Extension {
  const parts = [encode(contextTag(0, false), keyId)];
  if (issuer !== undefined) {
    parts.push(encode(contextTag(1, true), encode(contextTag(4, true), issuer.name)));
    parts.push(encode(contextTag(2, false), integer(issuer.serial).subarray(2)));
  }
  return { id: extensionIds.authorityKeyId, critical: false, value: sequence(...parts) };
}

export function encodeExtensions(extensions: readonly Extension[]): Bytes {
  return sequence(
    ...extensions.map(({ id, critical, value }) =>
      sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value)),
    ),
  );
}

export function readExtensions(list: DerValue): readonly Extension[] {
  return sequenceOf(list).map((entry) => {
    const [id, second, third] = sequenceOf(entry);
    const critical = second?.tag === tags.boolean && readBoolean(second);
    const value = (second?.tag === tags.boolean ? third : second)?.content ?? new Uint8Array(0);
    return { id: readObjectIdentifier(id), critical, value };
  });
}

export function readBasicConstraints(value: Bytes): BasicConstraints {
  const parts = sequenceOf(read(value));
  const length = parts.find(({ tag }) => tag === tags.integer);
  return {
    isAuthority: parts[0]?.tag === tags.boolean && readBoolean(parts[0]),
    ...(length === undefined ? {} : { pathLength: Number(readInteger(length)) }),
  };
}

export function readKeyUsage(value: Bytes): readonly KeyUsage[] {
  const octets = read(value).content.subarray(1);
  return keyUsageNames.filter((_, bit) => (((octets[bit >> 3] ?? 0) << (bit & 7)) & 0x80) !== 0);
}

/** Dotted identifiers of usages without a name stay as they are. */
export function readExtendedKeyUsage(value: Bytes): readonly string[] {
  const names = new Map<string, string>(Object.entries(extendedUsageIds).map(([name, id]) => [id, name]));
  return sequenceOf(read(value))
    .map(readObjectIdentifier)
    .map((id) => names.get(id) ?? id);
}

export function readAlternativeNames(value: Bytes): readonly AlternativeName[] {
  return children(read(value)).flatMap(({ tag, content }): AlternativeName[] => {
    const number = tag & 0x1f;
    if (number === nameTags.dns) return [{ kind: "dns", value: decodeUtf8(content) }];
    if (number === nameTags.ip) return [{ kind: "ip", value: addressText(content) }];
    if (number === nameTags.email) return [{ kind: "email", value: decodeUtf8(content) }];
    if (number === nameTags.uri) return [{ kind: "uri", value: decodeUtf8(content) }];
    return [];
  });
}

/** Key identifiers: of the subject, or (inside a sequence) of the authority. */
export function readKeyId(extension: Extension): Bytes {
  const value = read(extension.value);
  if (extension.id === extensionIds.subjectKeyId) return value.content;
  return children(value).find(({ tag }) => tag === contextTag(0, false))?.content ?? new Uint8Array(0);
}

function addressOctets(address: string): Bytes {
  if (!address.includes(":")) return Uint8Array.from(address.split("."), Number);
  const [head = "", tail] = address.split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return concatBytes(
    [...before, ...zeros, ...after].map((group) =>
      Uint8Array.of(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff),
    ),
  );
}

function addressText(octets: Bytes): string {
  if (octets.length === 4) return octets.join(".");
  const groups: string[] = [];
  for (let index = 0; index < octets.length; index += 2) {
    groups.push((((octets[index] as number) << 8) | (octets[index + 1] ?? 0)).toString(16));
  }
  return groups.join(":").replace(/(^|:)0(:0)+(:|$)/, "::");
}
