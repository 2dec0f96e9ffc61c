// Whether a certificate and a private key belong together, in the words of Go's crypto/tls (X509KeyPair).

import { X509Certificate } from "#x509/certificate.ts";
import { type DerValue, read, readObjectIdentifier, sequenceOf } from "#x509/der.ts";
import { readPrivateKey, rsaEncryption } from "#x509/keys.ts";
import { type PemBlock, pemBlocks } from "#x509/pem.ts";

const curves = "1.2.840.10045.2.1";

/** Undefined where the key is the certificate's. Keys of other algorithms than RSA are taken at their word. */
export function keyPairFault(certificateText: string, keyText: string): string | undefined {
  const certificates = pemBlocks(certificateText);
  const own = certificates.find(({ label }) => label === "CERTIFICATE");
  if (own === undefined) return withoutCertificate(certificates);
  const keys = pemBlocks(keyText);
  const key = keys.find(({ label }) => isPrivateKey(label));
  if (key === undefined) return withoutKey(keys);
  const certificate = attempt(() => X509Certificate.read(own.bytes));
  if (certificate === undefined) return "x509: malformed certificate";
  const algorithm = attempt(() => algorithmOf(key));
  if (algorithm === undefined) return "tls: failed to parse private key";
  if (algorithm !== certificate.publicKey.algorithm) return "tls: private key type does not match public key type";
  if (algorithm !== rsaEncryption) return undefined;
  const modulus = attempt(() => readPrivateKey(keyText.slice(keyText.indexOf(`-----BEGIN ${key.label}-----`)))?.modulus);
  if (modulus === undefined) return "tls: failed to parse private key";
  return modulus === certificate.publicKey.rsa?.modulus ? undefined : "tls: private key does not match public key";
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

function algorithmOf({ label, bytes }: PemBlock): string {
  const parts: readonly (DerValue | undefined)[] = sequenceOf(read(bytes));
  if (label === "RSA PRIVATE KEY") return rsaEncryption;
  return label === "EC PRIVATE KEY" ? curves : readObjectIdentifier(sequenceOf(parts[1])[0]);
}

/** Undefined for what cannot be read. */
function attempt<Value>(reading: () => Value): Value | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
