// What a CertificateSigningRequest may say, and how it may change (pkg/apis/certificates/validation).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "#cluster/api/generated/types.ts";
import { wordsOf } from "#sim/errors.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { pemBlocks } from "#x509/pem.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { validateSignerName } from "../signer-name.ts";
import { parseSignedRequest, textOf } from "./request-content.ts";

type Request = Typed<CertificateSigningRequest>;

const legacySigner = "kubernetes.io/legacy-unknown";
const minimumSeconds = 600;

/** Sorted, as the refusal lists them. */
const usages: readonly string[] = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

const spec = field("spec");
const conditionsPath = field("status", "conditions");
const certificatePath = field("status", "certificate");

/** `old` is absent for a create: faults that are stored already are let be. */
export function validateRequest(request: Request, old: Request | undefined, errors: FieldErrors): void {
  const { request: content, usages: wanted = [], signerName, expirationSeconds } = request.spec;
  try {
    parseSignedRequest(content);
  } catch (error) {
    errors.invalid(spec.child("request"), content, wordsOf(error));
  }
  if (wanted.length === 0) errors.required(spec.child("usages"));
  wanted.forEach((usage, index) => {
    if (!usages.includes(usage)) errors.notSupported(spec.child("usages").index(index), usage, usages);
  });
  wanted.forEach((usage, index) => {
    if (wanted.indexOf(usage) < index) errors.duplicate(spec.child("usages").index(index), usage);
  });
  if (signerName === legacySigner && old?.spec.signerName !== legacySigner)
    errors.invalid(spec.child("signerName"), signerName, "the legacy signerName is not allowed via this API version");
  else validateSignerName(signerName, spec.child("signerName"), errors);
  if (expirationSeconds !== undefined && expirationSeconds < minimumSeconds) {
    const detail = `may not specify a duration less than ${minimumSeconds} seconds (10 minutes)`;
    errors.invalid(spec.child("expirationSeconds"), expirationSeconds, detail);
  }
  validateConditions(request.status?.conditions ?? [], errors);
  if (request.status?.certificate !== old?.status?.certificate) validateCertificate(request.status?.certificate ?? "", errors);
}

/** Updates of the object and of its approval: the strategies let nothing but the approval's conditions change. */
export function validateRequestUpdate(request: Request, old: Request, errors: FieldErrors): void {
  validateRequest(request, old, errors);
  forbidRemovals(request, old, errors);
}

export function validateRequestStatusUpdate(request: Request, old: Request, errors: FieldErrors): void {
  validateRequestUpdate(request, old, errors);
  for (const type of ["Approved", "Denied"]) {
    const before = conditionsOf(old, type);
    const after = conditionsOf(request, type);
    if (after.length > before.length) errors.forbidden(conditionsPath, `updates may not add a condition of type "${type}"`);
    else if (after.length === before.length && !semanticDeepEqual(before, after))
      errors.forbidden(conditionsPath, `updates may not modify a condition of type "${type}"`);
  }
  const { certificate } = old.status ?? {};
  if (certificate && certificate !== request.status?.certificate)
    errors.forbidden(certificatePath, "updates may not modify existing certificate content");
}

function forbidRemovals(request: Request, old: Request, errors: FieldErrors): void {
  for (const type of ["Approved", "Denied", "Failed"]) {
    if (conditionsOf(request, type).length < conditionsOf(old, type).length)
      errors.forbidden(conditionsPath, `updates may not remove a condition of type "${type}"`);
  }
}

function conditionsOf(request: Request, type: string): readonly CertificateSigningRequestCondition[] {
  return (request.status?.conditions ?? []).filter((condition) => condition.type === type);
}

function validateConditions(conditions: readonly CertificateSigningRequestCondition[], errors: FieldErrors): void {
  const seen = new Set<string>();
  conditions.forEach(({ type, status }, index) => {
    const path = conditionsPath.index(index);
    if (type === "") errors.required(path.child("type"));
    const isFinal = ["Approved", "Denied", "Failed"].includes(type);
    const allowed = isFinal ? ["True"] : ["False", "True", "Unknown"];
    if (!status) errors.required(path.child("status"));
    else if (!allowed.includes(status)) errors.notSupported(path.child("status"), status, allowed);
    if ((type === "Approved" && seen.has("Denied")) || (type === "Denied" && seen.has("Approved")))
      errors.invalid(conditionsPath, type, "Approved and Denied conditions are mutually exclusive");
    if (seen.has(type)) errors.duplicate(path.child("type"), type);
    seen.add(type);
  });
}

function validateCertificate(certificate: string, errors: FieldErrors): void {
  if (certificate === "") return;
  const fault = certificateFault(textOf(certificate));
  if (fault !== undefined) errors.invalid(certificatePath, "<certificate data>", fault);
}

function certificateFault(text: string): string | undefined {
  const blocks = pemBlocks(text);
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  for (const { label, bytes } of blocks) {
    if (label !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found "${label}"`;
    try {
      X509Certificate.read(bytes);
    } catch (error) {
      return wordsOf(error);
    }
  }
  return undefined;
}
