// The cluster's certificates as kubeadm makes them, with facts instead of cryptography: a PEM block carries the
// certificate's fields as JSON (read back by `kubectl/config/certificate.ts`).

import type { Certificate } from "#sim/net.ts";

const yearMs = 365 * 86_400_000;

/** The name of the cluster's authority. */
export const clusterAuthority = "kubernetes";

/** A certificate of the cluster's authority: valid for a year, as kubeadm's are. */
export function issue(subject: {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly alternativeNames?: readonly string[];
  readonly nowMs: number;
}): Certificate {
  return {
    commonName: subject.commonName,
    organizations: subject.organizations ?? [],
    alternativeNames: subject.alternativeNames ?? [],
    issuer: clusterAuthority,
    notBeforeMs: subject.nowMs,
    notAfterMs: subject.nowMs + yearMs,
  };
}

/** The authority's own certificate: valid for ten years. */
export function authorityCertificate(nowMs: number): Certificate {
  return { ...issue({ commonName: clusterAuthority, nowMs }), notAfterMs: nowMs + 10 * yearMs };
}

export function pemOf(certificate: Certificate): string {
  return pem("CERTIFICATE", JSON.stringify(certificate));
}

/** A key has nothing to hold: the simulation has no cryptography. */
export function keyPemOf(certificate: Certificate): string {
  return pem("RSA PRIVATE KEY", `key of ${certificate.commonName}`);
}

function pem(kind: string, content: string): string {
  // Facts are ASCII, which is what btoa takes.
  const lines = btoa(content).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n");
}
