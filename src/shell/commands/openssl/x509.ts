// x509: shows certificates, and signs requests.

import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type Authority, X509Certificate } from "#x509/certificate.ts";
import { extensionIds, subjectKeyId } from "#x509/extensions.ts";
import { publicKeyOf, publicKeyPem } from "#x509/keys.ts";
import { isSelfSigned } from "#x509/request.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { lifetimeMs } from "./days.ts";
import type { ExtensionContext } from "./extension-config.ts";
import { extensionsOf } from "./extension-config.ts";
import { OpensslFailure } from "./failure.ts";
import { readCertificate, readConfiguration, readKey, readSigningRequest, writeOutput } from "./files.ts";
import { oneLine, reversedLine } from "./names.ts";
import { certificateText, dateText, extensionLines, hex } from "./print.ts";
import { serialNumber } from "./serial.ts";

const defaultDays = 30;
const digests = { sha1, sha256, sha512 } as const;

const flags =
  "req noout text subject issuer dates startdate enddate serial fingerprint pubkey modulus purpose email CAcreateserial sha1 sha256 sha384 sha512 new trustout";
const valued =
  "in out CA CAkey CAserial days extensions extfile set_serial signkey key ext checkend checkhost checkip nameopt certopt inform outform subj copy_extensions";

export function* x509(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments("x509", words, flags, valued);
  const lastsMs = lifetimeMs("x509", args, defaultDays);
  const certificate = args.has("req") ? yield* signRequest(self, args, lastsMs) : yield* readCertificate(self, args.value("in"));
  return yield* show(self, args, certificate);
}

function* signRequest(self: Process, args: Arguments, lastsMs: number): Sys<X509Certificate> {
  const copies = copiesExtensions(args);
  const request = yield* readSigningRequest(self, args.value("in"));
  if (isSelfSigned(request) === false) throw new OpensslFailure("Certificate request self-signature did not match the contents");
  yield* self.write(2, `Certificate request self-signature ok\nsubject=${oneLine(request.subject)}\n`);
  const ownKey = args.value("signkey") ?? args.value("key");
  const authorityPath = args.value("CA");
  const { publicKey, subject } = request;
  let authority: Authority;
  let issuer: NonNullable<ExtensionContext["issuer"]>;
  let serial = args.value("set_serial") === undefined ? serialNumber(self.random) : BigInt(args.value("set_serial") as string);
  if (authorityPath !== undefined) {
    const certificate = yield* readCertificate(self, authorityPath, "CA certificate");
    const keyPath = args.value("CAkey") ?? authorityPath;
    const key = yield* readKey(self, keyPath, "CA private key");
    if (key.modulus !== certificate.publicKey.rsa?.modulus)
      throw new OpensslFailure("CA certificate and CA private key do not match");
    serial = nextSerial(self, args, authorityPath, serial);
    authority = { name: certificate.subject, publicKey: certificate.publicKey, key };
    issuer = {
      publicKey: certificate.publicKey,
      issuerName: certificate.issuerName,
      serial: certificate.serial,
      isSelf: false,
    };
  } else if (ownKey !== undefined) {
    const key = yield* readKey(self, ownKey);
    authority = { name: subject, publicKey: publicKeyOf(key), key };
    issuer = { publicKey, issuerName: subject, serial, isSelf: true };
  } else throw new OpensslFailure("We need a private key to sign with, use -key or -CA or -CAkey with private key");
  const extfile = args.value("extfile");
  const configuration = extfile === undefined ? undefined : readConfiguration(self, extfile);
  const section = args.value("extensions") ?? configuration?.value("default", "extensions") ?? "default";
  if (configuration !== undefined && args.value("extensions") !== undefined && !configuration.has(section))
    throw new OpensslFailure(`Error checking extension section ${section}`);
  const configured = configuration === undefined ? [] : extensionsOf(configuration, section, { subject: publicKey, issuer });
  const copied = copies ? request.extensions.filter(({ id }) => configured.every((own) => own.id !== id)) : [];
  const listed = [...copied, ...configured];
  const hasOwnId = listed.some(({ id }) => id === extensionIds.subjectKeyId);
  return X509Certificate.sign(
    {
      serial,
      subject,
      publicKey,
      notBeforeMs: self.nowMs,
      notAfterMs: self.nowMs + lastsMs,
      extensions: listed.length === 0 || hasOwnId ? listed : [...listed, subjectKeyId(publicKey.id)],
    },
    authority,
  );
}

/** Whether the certificate takes over what its request asks for; the signer's own configuration goes before it. */
function copiesExtensions(args: Arguments): boolean {
  const wanted = args.value("copy_extensions") ?? "none";
  if (!["none", "copy", "copyall"].includes(wanted)) throw new OpensslFailure(`Invalid extension copy option: ${wanted}`);
  return wanted !== "none";
}

/** The serial file counts up; it begins with a random number. Without one (and without -CAcreateserial) each is random. */
function nextSerial(self: Process, args: Arguments, authorityPath: string, random: bigint): bigint {
  if (args.value("set_serial") !== undefined) return random;
  const path = args.value("CAserial") ?? `${authorityPath.replace(/\.[^./]*$/, "")}.srl`;
  let serial: bigint;
  try {
    const digits = self.readText(path).trim();
    if (!/^[0-9A-Fa-f]+$/.test(digits)) throw new SysError("EINVAL");
    serial = BigInt(`0x${digits}`) + 1n;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (!args.has("CAcreateserial")) {
      if (args.value("CAserial") === undefined) return random;
      throw new OpensslFailure(`${path}: unable to load number from file`);
    }
    serial = random;
  }
  self.writeFile(path, `${asciiUpperCase(serial.toString(16)).padStart(40, "0")}\n`);
  return serial;
}

function* show(self: Process, args: Arguments, certificate: X509Certificate): Sys<number> {
  const reversed = /rfc2253/i.test(args.value("nameopt") ?? "");
  const name = reversed ? reversedLine : oneLine;
  let status = 0;
  for (const option of args.given) {
    const text = parts[option]?.(certificate, args, name);
    if (text !== undefined) yield* self.write(1, text);
    if (option === "checkend") {
      const ends = certificate.notAfterMs < self.nowMs + Number(args.value("checkend")) * 1000;
      yield* self.write(1, `Certificate will ${ends ? "" : "not "}expire\n`);
      if (ends) status = 1;
    }
    if (option === "checkhost" || option === "checkip") {
      const wanted = args.value(option) as string;
      const matches = certificate.alternativeNames.includes(wanted);
      yield* self.write(
        1,
        `${option === "checkip" ? "IP" : "Hostname"} ${wanted} does${matches ? "" : " NOT"} match certificate\n`,
      );
    }
  }
  if (!args.has("noout")) yield* writeOutput(self, args.value("out"), certificate.pem);
  return status;
}

/** What an option prints; `name` writes a subject as `-nameopt` wants it. */
type Part = (certificate: X509Certificate, args: Arguments, name: (subject: X509Certificate["subject"]) => string) => string;

const startText: Part = ({ notBeforeMs }) => `notBefore=${dateText(notBeforeMs)}\n`;
const endText: Part = ({ notAfterMs }) => `notAfter=${dateText(notAfterMs)}\n`;

const parts: { readonly [option: string]: Part } = {
  text: (certificate) => certificateText(certificate),
  subject: (certificate, _args, name) => `subject=${name(certificate.subject)}\n`,
  issuer: (certificate, _args, name) => `issuer=${name(certificate.issuerName)}\n`,
  dates: (...all) => startText(...all) + endText(...all),
  startdate: startText,
  enddate: endText,
  serial({ serial }) {
    const digits = asciiUpperCase(serial.toString(16));
    return `serial=${digits.length % 2 === 1 ? "0" : ""}${digits}\n`;
  },
  fingerprint(certificate, args) {
    let algorithm: keyof typeof digests = "sha1";
    if (args.has("sha256")) algorithm = "sha256";
    else if (args.has("sha512")) algorithm = "sha512";
    return `${algorithm === "sha1" ? "SHA1" : algorithm} Fingerprint=${hex(digests[algorithm](certificate.der))}\n`;
  },
  pubkey: (certificate) => publicKeyPem(certificate.publicKey),
  modulus: ({ publicKey }) => `Modulus=${asciiUpperCase((publicKey.rsa?.modulus ?? 0n).toString(16))}\n`,
  ext(certificate, args) {
    const wanted = (args.value("ext") ?? "").split(",").map((each) => extensionNames[each.trim()]);
    const found = certificate.extensions.filter(({ id }) => wanted.includes(id));
    if (found.length === 0) return "No extensions matched the requested extension\n";
    return `${extensionLines(found, "").join("\n")}\n`;
  },
};

const extensionNames: { readonly [name: string]: string } = {
  subjectAltName: extensionIds.alternativeNames,
  keyUsage: extensionIds.keyUsage,
  extendedKeyUsage: extensionIds.extendedKeyUsage,
  basicConstraints: extensionIds.basicConstraints,
  subjectKeyIdentifier: extensionIds.subjectKeyId,
  authorityKeyIdentifier: extensionIds.authorityKeyId,
};
