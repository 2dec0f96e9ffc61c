// How an approved request is signed: what becomes of its usages, and how long the certificate holds.

import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Random } from "#sim/random.ts";
import type { Simulation } from "#sim/simulation.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { basicConstraints, extensionIds } from "#x509/extensions.ts";
import { pemBlocks } from "#x509/pem.ts";
import { type CertificateRequest, readRequest } from "#x509/request.ts";
import { usageExtensions } from "#x509/usages.ts";
import { isKnownSigner, signerFault } from "./signers.ts";
import type { SigningOptions } from "./signing-controller.ts";

const minuteMs = 60_000;
/** Certificates begin to hold a little before they are made, for clocks that are behind. */
const backdateMs = 5 * minuteMs;
/** Shorter ones do not end earlier for it. */
const shortMs = 8 * 60 * minuteMs;
const minimumMs = 10 * minuteMs;

/** Signs an approved request, or says why it is not signed; all others are left alone. */
export function signRequest(
  request: Stored<CertificateSigningRequest>,
  options: SigningOptions,
  client: Client,
  simulation: Simulation,
): void {
  if (!isToSign(request)) return;
  const { usages = [], signerName, expirationSeconds } = request.spec;
  const [block] = pemBlocks(atob(request.spec.request));
  if (block === undefined) throw new Error(`unable to parse csr "${request.metadata.name}"`);
  const wanted = readRequest(block.bytes);
  const fault = signerFault(signerName, wanted, usages);
  const status = request.status ?? {};
  if (fault !== undefined) {
    const failure = { type: "Failed", status: "True", reason: "SignerValidationFailure", message: fault };
    const conditions = [...(status.conditions ?? []), failure];
    client.updateStatus(kinds.certificateSigningRequests, { ...request, status: { ...status, conditions } });
    return;
  }
  const signed = sign(wanted, usages, lifetimeMs(options, expirationSeconds), options, simulation);
  client.updateStatus(kinds.certificateSigningRequests, { ...request, status: { ...status, certificate: btoa(signed.pem) } });
}

function isToSign({ spec, status }: Stored<CertificateSigningRequest>): boolean {
  const has = (type: string): boolean => status?.conditions?.some((condition) => condition.type === type) === true;
  return isKnownSigner(spec.signerName) && has("Approved") && !has("Denied") && !has("Failed") && !status?.certificate;
}

function lifetimeMs({ durationMs }: SigningOptions, seconds: number | undefined): number {
  return seconds === undefined ? durationMs : Math.max(minimumMs, Math.min(durationMs, seconds * 1000));
}

/** The subject and the names are the requester's; everything else is the signer's. */
function sign(
  request: CertificateRequest,
  usages: readonly string[],
  ttlMs: number,
  { authority, authorityNotAfterMs }: SigningOptions,
  { nowMs, random }: Simulation,
): X509Certificate {
  const ownNames = request.extensions.filter(({ id }) => id === extensionIds.alternativeNames);
  return X509Certificate.issue(
    {
      serial: serialNumber(random),
      subject: request.subject,
      publicKey: request.publicKey,
      notBeforeMs: nowMs - backdateMs,
      notAfterMs: Math.min(nowMs + ttlMs - (ttlMs < shortMs ? 0 : backdateMs), authorityNotAfterMs),
      extensions: [...usageExtensions(usages), basicConstraints({ isAuthority: false }), ...ownNames],
    },
    authority,
  );
}

/** 128 random bits, as upstream. */
function serialNumber(random: Random): bigint {
  let serial = 0n;
  for (let words = 0; words < 4; words += 1) serial = (serial << 32n) | BigInt(random.uint32());
  return serial;
}
