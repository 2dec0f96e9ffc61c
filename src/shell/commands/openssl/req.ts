// req: certificate requests, and certificates that sign themselves.

import { asciiUpperCase } from "#sim/ascii.ts";
import type { Process, Sys } from "#sim/program.ts";
import { X509Certificate } from "#x509/certificate.ts";
import type { Extension } from "#x509/extensions.ts";
import { privateKeyPem, publicKeyOf, publicKeyPem } from "#x509/keys.ts";
import type { DistinguishedName } from "#x509/names.ts";
import { type CertificateRequest, createRequest, isSelfSigned, requestPem } from "#x509/request.ts";
import type { RsaPrivateKey } from "#x509/rsa.ts";
import { LineReader } from "../../toolkit/lines.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import type { Configuration } from "./configuration.ts";
import { lifetimeMs } from "./days.ts";
import { type ExtensionContext, extensionOf, extensionsOf } from "./extension-config.ts";
import { OpensslFailure } from "./failure.ts";
import { readConfiguration, readKey, readSigningRequest, writeOutput } from "./files.ts";
import { newKey } from "./keys.ts";
import { configuredSubject, oneLine, readSubject, reversedLine, shortNameOf } from "./names.ts";
import { requestText } from "./print.ts";
import { serialNumber } from "./serial.ts";

const defaultDays = 30;
const introduction = `You are about to be asked to enter information that will be incorporated
into your certificate request.
What you are about to enter is what is called a Distinguished Name or a DN.
There are quite a few fields but you can leave some blank
For some fields there will be a default value,
If you enter '.', the field will be left blank.
-----
`;

export function* req(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments(
    "req",
    words,
    "new x509 nodes noenc noout text subject verify pubkey utf8 batch sha256 sha384 sha512 modulus verbose",
    "key keyout out in config subj days newkey addext extensions reqexts set_serial nameopt section inform outform",
  );
  const lastsMs = lifetimeMs("req", args, defaultDays);
  const isNew = args.has("new") || args.has("newkey") || (args.has("x509") && args.value("in") === undefined);
  return isNew ? yield* make(self, args, lastsMs) : yield* show(self, args, yield* readSigningRequest(self, args.value("in")));
}

function* make(self: Process, args: Arguments, lastsMs: number): Sys<number> {
  const configuration = readConfiguration(self, args.value("config"));
  const section = args.value("section") ?? "req";
  const key = yield* keyOf(self, args, configuration, section);
  const subject = yield* subjectOf(self, args, configuration, section);
  const publicKey = publicKeyOf(key);
  if (!args.has("x509")) {
    const named = args.value("reqexts") ?? args.value("extensions") ?? configuration.value(section, "req_extensions");
    const request = createRequest(subject, key, extensionsFrom(args, configuration, named, { subject: publicKey }));
    if (args.has("text")) yield* self.write(1, requestText(request));
    if (!args.has("noout")) yield* writeOutput(self, args.value("out"), requestPem(request));
    return 0;
  }
  const serial = args.value("set_serial") === undefined ? serialNumber(self.random) : BigInt(args.value("set_serial") as string);
  const named = args.value("extensions") ?? configuration.value(section, "x509_extensions");
  const issuer = { publicKey, issuerName: subject, serial, isSelf: true };
  const certificate = X509Certificate.sign(
    {
      serial,
      subject,
      publicKey,
      notBeforeMs: self.nowMs,
      notAfterMs: self.nowMs + lastsMs,
      extensions: extensionsFrom(args, configuration, named, { subject: publicKey, issuer }),
    },
    { name: subject, publicKey, key },
  );
  if (!args.has("noout")) yield* writeOutput(self, args.value("out"), certificate.pem);
  return 0;
}

function* keyOf(self: Process, args: Arguments, configuration: Configuration, section: string): Sys<RsaPrivateKey> {
  const path = args.value("key");
  if (path !== undefined) return yield* readKey(self, path);
  const newkey = args.value("newkey") ?? `rsa:${configuration.value(section, "default_bits") ?? 2048}`;
  const bits = /^rsa(?::(\d+))?$/.exec(newkey);
  if (bits === null) throw new OpensslFailure(`req: keys of the kind ${newkey} are not simulated; use rsa:2048`);
  const isPlain = args.has("nodes") || args.has("noenc") || configuration.value(section, "encrypt_key") === "no";
  if (!isPlain) throw new OpensslFailure("req: keys with a pass phrase are not simulated; use -nodes");
  const key = newKey(self, Number(bits[1] ?? 2048));
  yield* self.write(2, "-----\n");
  yield* writeOutput(
    self,
    args.value("keyout") ?? configuration.value(section, "default_keyfile") ?? "privkey.pem",
    privateKeyPem(key),
    true,
  );
  return key;
}

function* subjectOf(self: Process, args: Arguments, configuration: Configuration, section: string): Sys<DistinguishedName> {
  const given = args.value("subj");
  if (given !== undefined) return readSubject(given, "req");
  const names = configuration.value(section, "distinguished_name");
  if (names === undefined) throw new OpensslFailure("Unable to find 'distinguished_name' in config");
  if (configuration.value(section, "prompt") === "no" || args.has("batch")) {
    const subject = configuredSubject(configuration, names);
    if (subject.length === 0)
      throw new OpensslFailure("Error: No objects specified in config file\nError making certificate request");
    return subject;
  }
  return yield* askedSubject(self, configuration, names);
}

/** Asks for one attribute after the other, as without -subj. */
function* askedSubject(self: Process, configuration: Configuration, section: string): Sys<DistinguishedName> {
  yield* self.write(2, introduction);
  const answers = new LineReader(self, 0);
  const subject: { type: string; value: string }[] = [];
  for (const [name, question] of configuration.section(section)) {
    const type = shortNameOf(name);
    if (type === undefined || /_(default|min|max|value)$/.test(name)) continue;
    const usual = configuration.value(section, `${name}_default`) ?? "";
    yield* self.write(2, `${question} [${usual}]:`);
    const answer = yield* answers.next();
    if (answer === undefined) throw new OpensslFailure("Error making certificate request");
    let value = answer;
    if (answer === "") value = usual;
    else if (answer === ".") value = "";
    if (value !== "") subject.push({ type, value });
  }
  if (subject.length === 0)
    throw new OpensslFailure("Error: No objects specified in config file\nError making certificate request");
  return subject;
}

function extensionsFrom(
  args: Arguments,
  configuration: Configuration,
  section: string | undefined,
  context: ExtensionContext,
): readonly Extension[] {
  if (section !== undefined && !configuration.has(section)) throw new OpensslFailure(`Error checking extension section ${section}`);
  const listed = section === undefined ? [] : extensionsOf(configuration, section, context);
  const added = args.values("addext").flatMap((text) => {
    const split = text.indexOf("=");
    return extensionOf(text.slice(0, split).trim(), text.slice(split + 1).trim(), configuration, context);
  });
  return [...listed.filter(({ id }) => !added.some((extension) => extension.id === id)), ...added];
}

function* show(self: Process, args: Arguments, request: CertificateRequest): Sys<number> {
  let status = 0;
  if (args.has("verify")) {
    const good = isSelfSigned(request) !== false;
    yield* self.write(2, `Certificate request self-signature verify ${good ? "OK" : "failure"}\n`);
    if (!good) status = 1;
  }
  if (args.has("text")) yield* self.write(1, requestText(request));
  if (args.has("subject")) {
    const line = /rfc2253/i.test(args.value("nameopt") ?? "") ? reversedLine(request.subject) : oneLine(request.subject);
    yield* self.write(1, `subject=${line}\n`);
  }
  if (args.has("pubkey")) yield* self.write(1, publicKeyPem(request.publicKey));
  if (args.has("modulus")) yield* self.write(1, `Modulus=${asciiUpperCase((request.publicKey.rsa?.modulus ?? 0n).toString(16))}\n`);
  if (!args.has("noout")) yield* writeOutput(self, args.value("out"), requestPem(request));
  return status;
}
