// What openssl's commands read and write: keys, certificates and requests in PEM files.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates, type X509Certificate } from "#x509/certificate.ts";
import { readPrivateKey } from "#x509/keys.ts";
import { type CertificateRequest, readRequestPem } from "#x509/request.ts";
import type { RsaPrivateKey } from "#x509/rsa.ts";
import { Configuration, systemConfiguration } from "./configuration.ts";
import { cannotOpen, cannotRead, OpensslFailure, queued } from "./failure.ts";

/** A file's bytes; standard input without a path. undefined: there is no such file. */
export function* readBytes(self: Process, path: string | undefined): Sys<Bytes | undefined> {
  if (path === undefined || path === "-") {
    const parts: Bytes[] = [];
    for (;;) {
      const bytes = yield* self.read(0);
      if (bytes.length === 0) return concatBytes(parts);
      parts.push(bytes);
    }
  }
  try {
    return self.readFile(path);
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}

/** The same as text. */
export function* readInput(self: Process, path: string | undefined): Sys<string | undefined> {
  const bytes = yield* readBytes(self, path);
  return bytes === undefined ? undefined : decodeUtf8(bytes);
}

export function* readKey(self: Process, path: string | undefined, what = "private key"): Sys<RsaPrivateKey> {
  const text = yield* readInput(self, path);
  if (text === undefined) throw new OpensslFailure(cannotOpen(what, path ?? "<stdin>"));
  const key = readPrivateKey(text);
  if (key !== undefined) return key;
  if (/BEGIN (ENCRYPTED PRIVATE KEY|EC PRIVATE KEY)/.test(text))
    throw new OpensslFailure(
      `${cannotRead(what, path ?? "<stdin>")}\nencrypted keys and keys of elliptic curves are not simulated`,
    );
  throw new OpensslFailure(cannotRead(what, path ?? "<stdin>"));
}

/** `last` is what the command adds to the complaint. */
export function* readCertificate(
  self: Process,
  path: string | undefined,
  what = "certificate",
  last = "Unable to load certificate",
): Sys<X509Certificate> {
  const text = yield* readInput(self, path);
  if (text === undefined) throw new OpensslFailure(`${cannotOpen(what, path ?? "<stdin>")}\n${last}`);
  const [certificate] = readCertificates(text);
  if (certificate === undefined) {
    throw new OpensslFailure(`${cannotRead(what, path ?? "<stdin>")}\n${last}`);
  }
  return certificate;
}

export function* readSigningRequest(self: Process, path: string | undefined): Sys<CertificateRequest> {
  const text = yield* readInput(self, path);
  if (text === undefined) {
    throw new OpensslFailure(
      `Can't open "${path}" for reading, No such file or directory\n${queued(`80000002:system library:BIO_new_file:No such file or directory:../crypto/bio/bss_file.c:67:calling fopen(${path}, r)`)}`,
    );
  }
  const request = readRequestPem(text);
  if (request !== undefined) return request;
  throw new OpensslFailure(
    `Unable to load X509 request\n${queued("0480006C:PEM routines:get_name:no start line:../crypto/pem/pem_lib.c:760:Expecting: CERTIFICATE REQUEST")}`,
  );
}

/** A configuration file; the system's without a path. */
export function readConfiguration(self: Process, path: string | undefined): Configuration {
  if (path === undefined) return new Configuration(systemConfiguration);
  try {
    return new Configuration(self.readText(path));
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new OpensslFailure(`Can't open "${path}" for reading, ${error.message}`);
  }
}

/** To a file, or to standard output without one. Private files are for their owner only. */
export function* writeOutput(self: Process, path: string | undefined, text: string, isPrivate = false): Sys<void> {
  if (path === undefined || path === "-") {
    yield* self.write(1, text);
    return;
  }
  try {
    self.writeFile(path, encodeUtf8(text), isPrivate ? { permissions: 0o600 } : {});
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new OpensslFailure(`Can't open "${path}" for writing, ${error.message}`);
  }
}
