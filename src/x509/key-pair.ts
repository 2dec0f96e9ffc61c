// Whether a certificate and a private key belong together, in the words of Go's crypto/tls (X509KeyPair).

import type { Bytes } from "#sim/bytes.ts";
import { X509Certificate } from "./certificate.ts";
import {
  compareBytes,
  contextTag,
  type DerValue,
  expect,
  read,
  readBitString,
  readInteger,
  readObjectIdentifier,
  sequenceOf,
  tags,
} from "./der.ts";
import { rsaEncryption } from "./keys.ts";
import { type PemBlock, pemBlocks } from "./pem.ts";

const curves = "1.2.840.10045.2.1";

/** What of a private key is in its public key, too: `modulus` of RSA keys, `point` of those on curves, where the file has it. */
interface PrivateKey {
  readonly algorithm: string;
  readonly modulus?: bigint;
  readonly point?: Bytes | undefined;
}

/** Undefined where the key is the certificate's. Keys of other algorithms, and points that are not in the file, are taken at their word. */
export function keyPairFault(certificateText: string, keyText: string): string | undefined {
  const certificates = pemBlocks(certificateText);
  const own = certificates.find(({ label }) => label === "CERTIFICATE");
  if (own === undefined) return withoutCertificate(certificates);
  const keys = pemBlocks(keyText);
  const block = keys.find(({ label }) => isPrivateKey(label));
  if (block === undefined) return withoutKey(keys);
  const certificate = attempt(() => X509Certificate.read(own.bytes));
  if (certificate === undefined) return "x509: malformed certificate";
  const key = attempt(() => readKey(read(block.bytes)));
  if (key === undefined) return "tls: failed to parse private key";
  const { algorithm, rsa, der } = certificate.publicKey;
  if (key.algorithm !== algorithm) return "tls: private key type does not match public key type";
  const isOwn = key.modulus === rsa?.modulus && (key.point === undefined || compareBytes(key.point, pointOf(der)) === 0);
  return isOwn ? undefined : "tls: private key does not match public key";
}

function isPrivateKey(label: string): boolean {
  return label === "PRIVATE KEY" || label.endsWith(" PRIVATE KEY");
}

function withoutCertificate(blocks: readonly PemBlock[]): string {
  const labels = blocks.map(({ label }) => label);
  const [first, ...others] = labels;
  if (first === undefined) return "tls: failed to find any PEM data in certificate input";
  if (others.length === 0 && first.endsWith("PRIVATE KEY"))
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${labels.join(" ")}]`;
}

function withoutKey(blocks: readonly PemBlock[]): string {
  const labels = blocks.map(({ label }) => label);
  if (labels.length === 0) return "tls: failed to find any PEM data in key input";
  if (labels.length === 1 && labels[0] === "CERTIFICATE")
    return "tls: found a certificate rather than a key in the PEM for the private key";
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${labels.join(" ")}]`;
}

/** In whichever of its three forms, whatever its label says: PKCS #1, SEC 1 (RFC 5915) or PKCS #8. */
function readKey(value: DerValue): PrivateKey {
  const parts = sequenceOf(value);
  const second = parts[1];
  if (second?.tag === tags.integer && parts.length > 8) return { algorithm: rsaEncryption, modulus: readInteger(second) };
  if (second?.tag === tags.octetString) {
    const point = parts.find(({ tag }) => tag === contextTag(1, true));
    return { algorithm: curves, point: point && readBitString(read(point.content)) };
  }
  const algorithm = readObjectIdentifier(sequenceOf(second)[0]);
  const inner = expect(parts[2], tags.octetString).content;
  return algorithm === rsaEncryption || algorithm === curves ? readKey(read(inner)) : { algorithm };
}

/** The octets of a public key on a curve. */
function pointOf(subjectPublicKeyInfo: Bytes): Bytes {
  return readBitString(sequenceOf(read(subjectPublicKeyInfo))[1]);
}

/** Undefined for what cannot be read. */
function attempt<Value>(reading: () => Value): Value | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
