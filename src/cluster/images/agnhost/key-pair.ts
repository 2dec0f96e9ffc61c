// tls.LoadX509KeyPair: a server's certificate and its key from files, and what is wrong with them.

import { SysError } from "#sim/errors.ts";
import type { TlsServer } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import { publicKeyOf, readPrivateKey } from "#x509/keys.ts";
import { reasonOf } from "./http-client.ts";

export type KeyPair = TlsServer;

/** Undefined where no file is named at all; a text says what is wrong. */
export function loadKeyPair(self: Process, certificateFile: string, keyFile: string): KeyPair | string | undefined {
  if (certificateFile === "") return undefined;
  return readKeyPair(self, certificateFile, keyFile);
}

export function readKeyPair(self: Process, certificateFile: string, keyFile: string): KeyPair | string {
  let path = certificateFile;
  try {
    const [certificate] = readCertificates(self.readText(path));
    path = keyFile;
    const key = readPrivateKey(self.readText(path));
    if (certificate === undefined) return "tls: failed to find any PEM data in certificate input";
    if (key === undefined) return "tls: failed to find any PEM data in key input";
    if (certificate.publicKey.id !== undefined && !isSame(certificate.publicKey.id, publicKeyOf(key).id))
      return "tls: private key does not match public key";
    return { certificate };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return `open ${path}: ${reasonOf(error)}`;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
