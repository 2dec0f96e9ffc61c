// `-text`: certificates, requests and keys in words, as OpenSSL 3.0 lays them out.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import type { Bytes } from "#sim/bytes.ts";
import type { X509Certificate } from "#x509/certificate.ts";
import { children, contextTag, octetsOf, read } from "#x509/der.ts";
import {
  type Extension,
  extensionIds,
  readAlternativeNames,
  readBasicConstraints,
  readExtendedKeyUsage,
  readKeyId,
  readKeyUsage,
} from "#x509/extensions.ts";
import type { PublicKey } from "#x509/keys.ts";
import { readName } from "#x509/names.ts";
import type { CertificateRequest } from "#x509/request.ts";
import { formatDate } from "../../text/date-text.ts";
import { oneLine, slashed } from "./names.ts";

const names: { readonly [id: string]: string } = {
  [extensionIds.subjectKeyId]: "X509v3 Subject Key Identifier",
  [extensionIds.keyUsage]: "X509v3 Key Usage",
  [extensionIds.alternativeNames]: "X509v3 Subject Alternative Name",
  [extensionIds.basicConstraints]: "X509v3 Basic Constraints",
  [extensionIds.authorityKeyId]: "X509v3 Authority Key Identifier",
  [extensionIds.extendedKeyUsage]: "X509v3 Extended Key Usage",
};
const usageTexts: { readonly [usage: string]: string } = {
  digitalSignature: "Digital Signature",
  nonRepudiation: "Non Repudiation",
  keyEncipherment: "Key Encipherment",
  dataEncipherment: "Data Encipherment",
  keyAgreement: "Key Agreement",
  keyCertSign: "Certificate Sign",
  cRLSign: "CRL Sign",
  encipherOnly: "Encipher Only",
  decipherOnly: "Decipher Only",
  serverAuth: "TLS Web Server Authentication",
  clientAuth: "TLS Web Client Authentication",
  codeSigning: "Code Signing",
  emailProtection: "E-mail Protection",
  timeStamping: "Time Stamping",
  OCSPSigning: "OCSP Signing",
};
const alternativeTexts = { dns: "DNS", ip: "IP Address", email: "email", uri: "URI" } as const;

export function certificateText(certificate: X509Certificate): string {
  const { extensions } = certificate;
  const serial = octetsOf(certificate.serial);
  const small = serial.length <= 7;
  const version = extensions.length === 0 ? "1 (0x0)" : "3 (0x2)";
  return [
    "Certificate:",
    "    Data:",
    `        Version: ${version}`,
    ...(small
      ? [`        Serial Number: ${certificate.serial} (0x${certificate.serial.toString(16)})`]
      : ["        Serial Number:", `            ${asciiLowerCase(hex(serial))}`]),
    "        Signature Algorithm: sha256WithRSAEncryption",
    `        Issuer: ${oneLine(certificate.issuerName)}`,
    "        Validity",
    `            Not Before: ${dateText(certificate.notBeforeMs)}`,
    `            Not After : ${dateText(certificate.notAfterMs)}`,
    `        Subject: ${oneLine(certificate.subject)}`,
    ...publicKeyLines(certificate.publicKey),
    ...(extensions.length === 0 ? [] : ["        X509v3 extensions:", ...extensionLines(extensions, "            ")]),
    ...signatureLines(certificate.signature),
    "",
  ].join("\n");
}

export function requestText(request: CertificateRequest): string {
  const { extensions } = request;
  return [
    "Certificate Request:",
    "    Data:",
    "        Version: 1 (0x0)",
    `        Subject: ${oneLine(request.subject)}`,
    ...publicKeyLines(request.publicKey),
    "        Attributes:",
    ...(extensions.length === 0
      ? ["            (none)"]
      : ["            Requested Extensions:", ...extensionLines(extensions, "                ")]),
    ...signatureLines(request.signature),
    "",
  ].join("\n");
}

/** `Nov 21 21:05:01 2026 GMT` */
export function dateText(epochMs: number): string {
  return formatDate("%b %e %H:%M:%S %Y GMT", epochMs);
}

/** `AB:CD` */
export function hex(octets: Bytes): string {
  return [...octets].map((octet) => asciiUpperCase(octet.toString(16).padStart(2, "0"))).join(":");
}

/** The lines of each extension, its name indented by `indent`. */
export function extensionLines(extensions: readonly Extension[], indent: string): readonly string[] {
  return extensions.flatMap((extension) => [
    `${indent}${names[extension.id] ?? extension.id}: ${extension.critical ? "critical" : ""}`,
    ...valueLines(extension).map((line) => `${indent}    ${line}`),
  ]);
}

function valueLines(extension: Extension): readonly string[] {
  switch (extension.id) {
    case extensionIds.basicConstraints: {
      const { isAuthority, pathLength } = readBasicConstraints(extension.value);
      return [`CA:${isAuthority ? "TRUE" : "FALSE"}${pathLength === undefined ? "" : `, pathlen:${pathLength}`}`];
    }
    case extensionIds.keyUsage:
      return [
        readKeyUsage(extension.value)
          .map((usage) => usageTexts[usage])
          .join(", "),
      ];
    case extensionIds.extendedKeyUsage:
      return [
        readExtendedKeyUsage(extension.value)
          .map((usage) => usageTexts[usage] ?? usage)
          .join(", "),
      ];
    case extensionIds.alternativeNames:
      return [
        readAlternativeNames(extension.value)
          .map(
            ({ kind, value }) => `${alternativeTexts[kind]}:${kind === "ip" && value.includes(":") ? longAddress(value) : value}`,
          )
          .join(", "),
      ];
    case extensionIds.subjectKeyId:
      return [hex(readKeyId(extension))];
    case extensionIds.authorityKeyId:
      return authorityLines(extension);
    default:
      return [hex(extension.value)];
  }
}

function authorityLines(extension: Extension): readonly string[] {
  const parts = children(read(extension.value));
  const issuer = parts.find(({ tag }) => tag === contextTag(1, true));
  const serial = parts.find(({ tag }) => tag === contextTag(2, false));
  const id = hex(readKeyId(extension));
  if (issuer === undefined) return [id];
  const [directory] = children(issuer);
  const name = directory === undefined ? [] : readName(children(directory)[0]);
  return [`keyid:${id}`, `DirName:${slashed(name)}`, ...(serial === undefined ? [] : [`serial:${hex(serial.content)}`])];
}

/** All eight groups, in upper case. */
function longAddress(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const split = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const zeros = address.includes("::") ? 8 - split(head).length - split(tail).length : 0;
  return asciiUpperCase([...split(head), ...Array.from({ length: zeros }, () => "0"), ...split(tail)].join(":"));
}

function publicKeyLines({ rsa, algorithm }: PublicKey): readonly string[] {
  if (rsa === undefined) return ["        Subject Public Key Info:", `            Public Key Algorithm: ${algorithm}`];
  const { modulus, exponent } = rsa;
  return [
    "        Subject Public Key Info:",
    "            Public Key Algorithm: rsaEncryption",
    `                Public-Key: (${modulus.toString(2).length} bit)`,
    "                Modulus:",
    ...numberLines(modulus, "                    "),
    `                Exponent: ${exponent} (0x${exponent.toString(16)})`,
  ];
}

/** Octets with a leading zero where the first bit is set, fifteen a line. */
export function numberLines(value: bigint, indent: string): readonly string[] {
  const octets = octetsOf(value);
  const padded = (octets[0] as number) >= 0x80 ? Uint8Array.of(0, ...octets) : octets;
  return octetLines(padded, 15, indent);
}

function signatureLines(signature: Bytes): readonly string[] {
  return ["    Signature Algorithm: sha256WithRSAEncryption", "    Signature Value:", ...octetLines(signature, 18, "        ")];
}

function octetLines(octets: Bytes, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < octets.length; at += width) {
    const last = at + width >= octets.length;
    lines.push(`${indent}${asciiLowerCase(hex(octets.subarray(at, at + width)))}${last ? "" : ":"}`);
  }
  return lines;
}
