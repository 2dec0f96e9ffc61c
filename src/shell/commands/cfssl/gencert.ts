// gencert: a new key with a certificate, of a new authority or signed by one.

import { civilDate } from "#sim/calendar.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type Authority, readCertificates, X509Certificate } from "#x509/certificate.ts";
import {
  type AlternativeName,
  alternativeNames,
  authorityKeyId,
  basicConstraints,
  type Extension,
  keyUsage,
  subjectKeyId,
} from "#x509/extensions.ts";
import { publicKeyOf, readPrivateKey, traditionalKeyPem } from "#x509/keys.ts";
import type { DistinguishedName } from "#x509/names.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey, type RsaPrivateKey } from "#x509/rsa.ts";
import { usageExtensions } from "#x509/usages.ts";
import { isAddress } from "../../toolkit/http-client.ts";
import { serialNumber } from "../openssl/serial.ts";
import {
  coded,
  durationMs,
  type Policy,
  type Profile,
  type RequestDocument,
  readNamed,
  readPolicy,
  readText,
  requestOf,
  usualPolicy,
} from "./documents.ts";
import { CfsslFailure, type FlagNames, readGoFlags } from "./go-flags.ts";

const minuteMs = 60_000;
const fiveYearsMs = 43_800 * 60 * minuteMs;
const largestKey = 4096;

const usage = `	cfssl gencert -- generate a new key and signed certificate

Usage of gencert:
    Generate a new key and cert from CSR:
        cfssl gencert -initca CSRJSON
        cfssl gencert -ca cert -ca-key key [-config config] [-profile profile] [-hostname hostname] CSRJSON

Arguments:
        CSRJSON:    JSON file containing the request, use '-' for reading JSON from stdin

Flags:
  -initca=false: initialise new CA
  -ca="": CA used to sign the new certificate -- accepts '[file:]fname' or 'env:varname'
  -ca-key="": CA private key -- accepts '[file:]fname' or 'env:varname'
  -config="": path to configuration file
  -cn="": certificate common name (CN)
  -hostname="": Hostname for the cert, could be a comma-separated hostname list
  -profile="": signing profile to use
  -loglevel=1: Log level (0 = DEBUG, 5 = FATAL)
`;

const names: FlagNames = {
  switches: "initca",
  valued: "ca ca-key config cn hostname profile loglevel",
  unsupported: "remote label renewca tls-remote-ca mutual-tls-client-cert mutual-tls-client-key db-config crl",
  usage,
};

const withoutHosts = `This certificate lacks a "hosts" field. This makes it unsuitable for
websites. For more information see the Baseline Requirements for the Issuance and Management
of Publicly-Trusted Certificates, v.1.1.6, from the CA/Browser Forum (https://cabforum.org);
specifically, section 10.2.3 ("Information Requirements").`;

type Level = "INFO" | "WARNING" | "ERROR";
type Log = (level: Level, message: string) => Sys<void>;

const levels: { readonly [level in Level]: number } = { INFO: 1, WARNING: 2, ERROR: 3 };

interface Made {
  readonly key: RsaPrivateKey;
  readonly requestText: string;
}

export function* gencert(self: Process, words: readonly string[]): Sys<number> {
  const flags = readGoFlags("cfssl gencert", words, names);
  const level = flags.value("loglevel") || "1";
  if (!/^-?\d+$/u.test(level))
    throw new CfsslFailure(`invalid value ${JSON.stringify(level)} for flag -loglevel: parse error\n${usage}`, 2);
  const log = logger(self, Number(level));
  const policy = flags.value("config") === "" ? undefined : readPolicy(self, flags.value("config"));
  const [path, ...rest] = flags.operands;
  if (path === undefined) throw new CfsslFailure("not enough arguments are supplied --- please refer to the usage");
  if (rest.length > 0) throw new CfsslFailure("only one argument is accepted, please check with usage");
  const document = requestOf(yield* readText(self, path));
  const request = flags.value("cn") === "" ? document : { ...document, CN: flags.value("cn") };
  if (flags.has("initca")) {
    if (flags.value("ca-key") !== "") throw new CfsslFailure("cfssl gencert: -ca-key with -initca is not simulated");
    yield* log("INFO", "generating a new CA key and certificate from CSR");
    return yield* makeAuthority(self, request, log);
  }
  if (request.ca !== undefined) throw new CfsslFailure("ca section only permitted in initca");
  for (const [name, what] of [
    ["ca", "certificate"],
    ["ca-key", "key"],
  ] as const) {
    if (policy !== undefined || flags.value(name) !== "") continue;
    yield* log("ERROR", `need a CA ${what} (provide one with -${name})`);
    return 0;
  }
  const hosts = flags.value("hostname") === "" ? (request.hosts ?? []) : flags.value("hostname").split(",");
  const made = yield* makeRequest(self, request, namesExtension(hosts), log);
  const authority = yield* readAuthority(self, flags.value("ca"), flags.value("ca-key"));
  const profile = profileIn(policy ?? usualPolicy, flags.value("profile"));
  const certificate = signedBy(self, { authority, request, key: made.key, profile, hosts });
  yield* told(log, certificate);
  if (hosts.length === 0) yield* log("WARNING", withoutHosts);
  yield* print(self, certificate, made);
  return 0;
}

function logger(self: Process, from: number): Log {
  return function* (level, message) {
    if (levels[level] < from) return;
    const { year, month, day, hour, minute, second } = civilDate(self.nowMs);
    const two = (part: number): string => String(part).padStart(2, "0");
    const time = `${year}/${two(month)}/${two(day)} ${[hour, minute, second].map(two).join(":")}`;
    yield* self.write(2, `${time} [${level}] ${message}\n`);
  };
}

function* makeAuthority(self: Process, request: RequestDocument, log: Log): Sys<number> {
  const { ca, CN = "", names: parts = [] } = request;
  if (CN === "" && parts.every((part) => Object.values(part).every((value) => value === "")))
    throw coded(5300, "missing subject information");
  const expiryMs = ca?.expiry === undefined || ca.expiry === "" ? fiveYearsMs : durationMs(ca.expiry);
  if (expiryMs === undefined) throw new CfsslFailure(`time: invalid duration ${JSON.stringify(ca?.expiry)}`);
  const constraint = basicConstraints({
    isAuthority: true,
    ...(ca?.pathlen === undefined || ca.pathlen === 0 ? {} : { pathLength: ca.pathlen }),
  });
  const made = yield* makeRequest(self, request, [constraint], log);
  const publicKey = publicKeyOf(made.key);
  const subject = subjectOf(request);
  const notBeforeMs = startOf(self);
  const certificate = X509Certificate.sign(
    {
      serial: serialNumber(self.random),
      subject,
      publicKey,
      notBeforeMs,
      notAfterMs: notBeforeMs + expiryMs,
      extensions: [keyUsage(["keyCertSign", "cRLSign"]), constraint, subjectKeyId(publicKey.id)],
    },
    { name: subject, publicKey, key: made.key },
  );
  yield* told(log, certificate);
  yield* print(self, certificate, made);
  return 0;
}

function* makeRequest(self: Process, request: RequestDocument, extensions: readonly Extension[], log: Log): Sys<Made> {
  yield* log("INFO", "generate received request");
  yield* log("INFO", "received CSR");
  const { algo = "ecdsa", size = 256 } = request.key ?? {};
  yield* log("INFO", `generating key: ${algo}-${size}`);
  if (algo === "ecdsa" || algo === "ed25519")
    throw new CfsslFailure(`cfssl: keys of elliptic curves are not simulated; write "key": {"algo": "rsa", "size": 2048}`);
  if (algo !== "rsa") throw coded(2500, "invalid algorithm");
  if (size < 2048) throw coded(2500, "RSA key is too weak");
  if (size > largestKey) throw new CfsslFailure(`cfssl: keys of more than ${largestKey} bits are not simulated`);
  const key = generateKey(size, self.random);
  const requestText = requestPem(createRequest(subjectOf(request), key, extensions));
  yield* log("INFO", "encoded CSR");
  return { key, requestText };
}

/** In the order in which Go writes a name. */
function subjectOf({ CN = "", names: parts = [] }: RequestDocument): DistinguishedName {
  const listed = ["C", "O", "OU", "L", "ST"].flatMap((type) =>
    parts.flatMap((part) => (part[type] ? [{ type, value: part[type] }] : [])),
  );
  return CN === "" ? listed : [...listed, { type: "CN", value: CN }];
}

function namesExtension(hosts: readonly string[]): readonly Extension[] {
  if (hosts.length === 0) return [];
  const found = hosts.map((value): AlternativeName => {
    if (isAddress(value) && !value.includes("://")) return { kind: "ip", value };
    if (value.includes("@")) return { kind: "email", value };
    return { kind: /^\/|:\/\//u.test(value) ? "uri" : "dns", value };
  });
  const order = ["dns", "email", "ip", "uri"] as const;
  return [alternativeNames(order.flatMap((kind) => found.filter((name) => name.kind === kind)))];
}

function* readAuthority(self: Process, certificatePath: string, keyPath: string): Sys<Authority> {
  if (keyPath === "") throw coded(2000, "Unknown private key error");
  const certificateText = yield* readNamed(self, certificatePath);
  let keyText: string;
  try {
    keyText = yield* readNamed(self, keyPath);
  } catch (error) {
    if (!(error instanceof CfsslFailure)) throw error;
    throw coded(1001, error.message);
  }
  const [certificate] = readCertificates(certificateText);
  if (certificate === undefined) throw coded(1003, "Failed to parse certificate");
  const key = readPrivateKey(keyText);
  if (key === undefined) throw coded(2003, "Failed to parse private key");
  if (key.modulus !== certificate.publicKey.rsa?.modulus)
    throw coded(1000, "x509: provided PrivateKey doesn't match parent's PublicKey");
  return { name: certificate.subject, publicKey: certificate.publicKey, key };
}

/** A name that the policy does not have is the default profile. */
function profileIn({ fallback, profiles }: Policy, name: string): Profile {
  const profile = profiles.get(name) ?? fallback;
  if (profile.usages.length === 0) throw coded(5100, "Invalid policy: no key usage available");
  return profile.expiryMs > 0 ? profile : { ...profile, expiryMs: fallback.expiryMs };
}

interface Order {
  readonly authority: Authority;
  readonly request: RequestDocument;
  readonly key: RsaPrivateKey;
  readonly profile: Profile;
  readonly hosts: readonly string[];
}

function signedBy(self: Process, { authority, request, key, profile, hosts }: Order): X509Certificate {
  const { usages, expiryMs, isAuthority } = profile;
  const publicKey = publicKeyOf(key);
  const notBeforeMs = startOf(self);
  return X509Certificate.sign(
    {
      serial: serialNumber(self.random),
      subject: subjectOf(request),
      publicKey,
      notBeforeMs,
      notAfterMs: notBeforeMs + expiryMs,
      extensions: [
        ...usageExtensions(usages),
        basicConstraints({ isAuthority }),
        subjectKeyId(publicKey.id),
        authorityKeyId(authority.publicKey.id),
        ...namesExtension(hosts),
      ],
    },
    authority,
  );
}

/** Five minutes ago, to the minute. */
function startOf({ nowMs }: Process): number {
  return Math.round(nowMs / minuteMs) * minuteMs - 5 * minuteMs;
}

function* told(log: Log, { serial }: X509Certificate): Sys<void> {
  yield* log("INFO", `signed certificate with serial number ${serial}`);
}

function* print(self: Process, certificate: X509Certificate, { key, requestText }: Made): Sys<void> {
  const document = { cert: certificate.pem, csr: requestText, key: traditionalKeyPem(key) };
  yield* self.write(1, `${JSON.stringify(document)}\n`);
}
