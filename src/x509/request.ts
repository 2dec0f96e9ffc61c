// Certificate signing requests (PKCS #10, RFC 2986).

import type { Bytes } from "#sim/bytes.ts";
import { signed } from "./certificate.ts";
import {
  children,
  contextTag,
  type DerValue,
  encode,
  integer,
  objectIdentifier,
  read,
  readBitString,
  readObjectIdentifier,
  sequence,
  sequenceOf,
  set,
} from "./der.ts";
import { type Extension, encodeExtensions, readExtensions } from "./extensions.ts";
import { type PublicKey, publicKeyOf, readPublicKey } from "./keys.ts";
import { type DistinguishedName, encodeName, readName } from "./names.ts";
import { pem, pemBlocks } from "./pem.ts";
import { type RsaPrivateKey, verify } from "./rsa.ts";

const extensionRequest = "1.2.840.113549.1.9.14";

export interface CertificateRequest {
  readonly der: Bytes;
  readonly subject: DistinguishedName;
  readonly publicKey: PublicKey;
  /** What the requester would like the certificate to say. */
  readonly extensions: readonly Extension[];
  readonly signatureAlgorithm: string;
  readonly signature: Bytes;
}

export function createRequest(
  subject: DistinguishedName,
  key: RsaPrivateKey,
  extensions: readonly Extension[],
): CertificateRequest {
  const attributes =
    extensions.length === 0 ? [] : [sequence(objectIdentifier(extensionRequest), set(encodeExtensions(extensions)))];
  const list = attributes.length === 0 ? new Uint8Array(0) : (attributes[0] as Bytes);
  const body = sequence(integer(0), encodeName(subject), publicKeyOf(key).der, encode(contextTag(0, true), list));
  return readRequest(signed(body, key));
}

/** Throws DerError for what is no request. */
export function readRequest(der: Bytes): CertificateRequest {
  const [body, algorithm, signature] = sequenceOf(read(der));
  const [, subject, publicKey, attributes] = sequenceOf(body);
  return {
    der,
    subject: readName(subject),
    publicKey: readPublicKey(publicKey),
    extensions: attributes === undefined ? [] : children(attributes).flatMap(requestedExtensions),
    signatureAlgorithm: readObjectIdentifier(sequenceOf(algorithm)[0]),
    signature: readBitString(signature),
  };
}

export function requestPem(request: CertificateRequest): string {
  return pem("CERTIFICATE REQUEST", request.der);
}

/** The first request of a PEM text; undefined without. Throws DerError for a broken one. */
export function readRequestPem(text: string): CertificateRequest | undefined {
  const block = pemBlocks(text).find(({ label }) => label === "CERTIFICATE REQUEST" || label === "NEW CERTIFICATE REQUEST");
  return block === undefined ? undefined : readRequest(block.bytes);
}

/** Whether the requester holds the key. Only RSA can be checked; undefined for other keys. */
export function isSelfSigned(request: CertificateRequest): boolean | undefined {
  const key = request.publicKey.rsa;
  if (key === undefined) return undefined;
  return verify(key, (sequenceOf(read(request.der))[0] as DerValue).whole, request.signature);
}

function requestedExtensions(attribute: DerValue): readonly Extension[] {
  const [id, values] = sequenceOf(attribute);
  if (readObjectIdentifier(id) !== extensionRequest || values === undefined) return [];
  return children(values).flatMap(readExtensions);
}
