// X.509 certificates (RFC 5280): read from their bytes, or issued by an authority, in which case the signature is made
// when somebody asks for the bytes (it costs milliseconds, and most certificates of a cluster are never looked at).

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Bytes } from "#sim/bytes.ts";
import type { Certificate } from "#sim/net.ts";
import {
  bitString,
  compareBytes,
  contextTag,
  DerError,
  type DerValue,
  explicit,
  integer,
  nothing,
  objectIdentifier,
  read,
  readBitString,
  readInteger,
  readObjectIdentifier,
  readTime,
  sequence,
  sequenceOf,
  time,
} from "./der.ts";
import {
  authorityKeyId,
  type Extension,
  encodeExtensions,
  extensionIds,
  readAlternativeNames,
  readBasicConstraints,
  readExtensions,
  subjectKeyId,
} from "./extensions.ts";
import { type PublicKey, readPublicKey } from "./keys.ts";
import { attributeOf, attributesOf, type DistinguishedName, encodeName, isSameName, readName } from "./names.ts";
import { pem, pemBlocks } from "./pem.ts";
import { type RsaPrivateKey, sign, verify } from "./rsa.ts";

export const sha256WithRsa = "1.2.840.113549.1.1.11";

/** What an authority puts its name to. */
export interface CertificateContent {
  readonly serial: bigint;
  readonly subject: DistinguishedName;
  readonly publicKey: PublicKey;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly Extension[];
}

/** Who signs: a name and its key. */
export interface Authority {
  readonly name: DistinguishedName;
  readonly publicKey: PublicKey;
  readonly key: RsaPrivateKey;
}

interface Facts extends CertificateContent {
  readonly issuerName: DistinguishedName;
  readonly signatureAlgorithm: string;
}

export class X509Certificate implements Certificate, Facts {
  readonly serial: bigint;
  readonly subject: DistinguishedName;
  readonly issuerName: DistinguishedName;
  readonly publicKey: PublicKey;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly Extension[];
  readonly signatureAlgorithm: string;
  readonly #signer: PublicKey | undefined;
  readonly #make: () => Bytes;
  #der: Bytes | undefined;

  private constructor(facts: Facts, make: () => Bytes, signer?: PublicKey) {
    this.serial = facts.serial;
    this.subject = facts.subject;
    this.issuerName = facts.issuerName;
    this.publicKey = facts.publicKey;
    this.notBeforeMs = facts.notBeforeMs;
    this.notAfterMs = facts.notAfterMs;
    this.extensions = facts.extensions;
    this.signatureAlgorithm = facts.signatureAlgorithm;
    this.#make = make;
    this.#signer = signer;
  }

  /** With key identifiers added where Go's crypto/x509 puts them. */
  static issue(content: CertificateContent, authority: Authority): X509Certificate {
    const isRoot = authority.publicKey === content.publicKey;
    const extensions = [
      ...content.extensions.filter(({ id }) => id !== extensionIds.alternativeNames),
      ...(isAuthorityBy(content.extensions) ? [subjectKeyId(content.publicKey.id)] : []),
      ...(isRoot ? [] : [authorityKeyId(authority.publicKey.id)]),
      ...content.extensions.filter(({ id }) => id === extensionIds.alternativeNames),
    ];
    return X509Certificate.sign({ ...content, extensions }, authority);
  }

  /** With just the extensions given; without any it is a version 1 certificate. */
  static sign(content: CertificateContent, authority: Authority): X509Certificate {
    const facts = { ...content, issuerName: authority.name, signatureAlgorithm: sha256WithRsa };
    return new X509Certificate(facts, () => signed(toBeSigned(facts), authority.key), authority.publicKey);
  }

  /** Throws DerError for what is no certificate. */
  static read(der: Bytes): X509Certificate {
    const [body, algorithm, signature] = sequenceOf(read(der));
    readBitString(signature);
    const parts = [...sequenceOf(body)];
    if (parts[0]?.tag === contextTag(0, true)) parts.shift();
    const [serial, innerAlgorithm, issuer, validity, subject, publicKey, ...rest] = parts;
    if (algorithm === undefined || innerAlgorithm === undefined || compareBytes(algorithm.whole, innerAlgorithm.whole) !== 0)
      throw new DerError("inner and outer signature algorithm identifiers don't match");
    const [notBefore, notAfter] = sequenceOf(validity);
    const extensions = rest.find(({ tag }) => tag === contextTag(3, true));
    const facts: Facts = {
      serial: readInteger(serial),
      issuerName: readName(issuer),
      notBeforeMs: readTime(notBefore),
      notAfterMs: readTime(notAfter),
      subject: readName(subject),
      publicKey: readPublicKey(publicKey),
      extensions: extensions === undefined ? [] : readExtensions(read(extensions.content)),
      signatureAlgorithm: readObjectIdentifier(sequenceOf(algorithm)[0]),
    };
    return new X509Certificate(facts, () => der);
  }

  /** The whole certificate, encoded. */
  get der(): Bytes {
    this.#der ??= this.#make();
    return this.#der;
  }

  get pem(): string {
    return pem("CERTIFICATE", this.der);
  }

  get signature(): Bytes {
    return readBitString(sequenceOf(read(this.der))[2]);
  }

  get commonName(): string {
    return attributeOf(this.subject, "CN");
  }

  get organizations(): readonly string[] {
    return attributesOf(this.subject, "O");
  }

  /** The issuer's common name. */
  get issuer(): string {
    return attributeOf(this.issuerName, "CN");
  }

  /** What a client compares with the name that it asks for: an IPv4 address that stands there as a DNS name is no match for one. */
  get alternativeNames(): readonly string[] {
    const names = this.extension(extensionIds.alternativeNames);
    if (names === undefined) return [];
    return readAlternativeNames(names.value).flatMap(({ kind, value }) =>
      kind === "dns" && /^[\d.]+$/.test(value) ? [] : [value],
    );
  }

  get namesHosts(): boolean {
    const names = this.extension(extensionIds.alternativeNames);
    return names !== undefined && readAlternativeNames(names.value).some(({ kind }) => kind === "dns" || kind === "ip");
  }

  get isAuthority(): boolean {
    return isAuthorityBy(this.extensions);
  }

  fingerprint(): string {
    return bytesToHex(sha256(this.der));
  }

  extension(id: string): Extension | undefined {
    return this.extensions.find((extension) => extension.id === id);
  }

  /** By name and by signature. */
  isSignedBy(authority: Certificate): boolean {
    if (!(authority instanceof X509Certificate) || !isSameName(this.issuerName, authority.subject)) return false;
    const key = authority.publicKey.rsa;
    if (key === undefined || !authority.isAuthority) return false;
    // Issued here: the signature would be right by construction, so it need not be made to be checked.
    if (this.#signer !== undefined) return this.#signer.rsa?.modulus === key.modulus;
    if (this.signatureAlgorithm !== sha256WithRsa) return false;
    return verify(key, (sequenceOf(read(this.der))[0] as DerValue).whole, this.signature);
  }
}

/** The certificates of a PEM text, in order; blocks that are none are left out. */
export function readCertificates(text: string): readonly X509Certificate[] {
  return pemBlocks(text).flatMap(({ label, bytes }) => {
    if (label !== "CERTIFICATE") return [];
    try {
      return [X509Certificate.read(bytes)];
    } catch {
      return [];
    }
  });
}

/** A structure with its signature: certificates and requests end alike. */
export function signed(body: Bytes, key: RsaPrivateKey): Bytes {
  return sequence(body, sequence(objectIdentifier(sha256WithRsa), nothing), bitString(sign(key, body)));
}

function isAuthorityBy(extensions: readonly Extension[]): boolean {
  const constraints = extensions.find(({ id }) => id === extensionIds.basicConstraints);
  return constraints !== undefined && readBasicConstraints(constraints.value).isAuthority;
}

function toBeSigned(facts: Facts): Bytes {
  return sequence(
    ...(facts.extensions.length === 0 ? [] : [explicit(0, integer(2))]),
    integer(facts.serial),
    sequence(objectIdentifier(facts.signatureAlgorithm), nothing),
    encodeName(facts.issuerName),
    sequence(time(facts.notBeforeMs), time(facts.notAfterMs)),
    encodeName(facts.subject),
    facts.publicKey.der,
    ...(facts.extensions.length === 0 ? [] : [explicit(3, encodeExtensions(facts.extensions))]),
  );
}
