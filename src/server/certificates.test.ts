import { createPrivateKey, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeCertificates } from "./certificates.ts";
import { kubeconfigFor } from "./kubeconfig.ts";

const nowMs = Date.UTC(2026, 10, 21);
const made = makeCertificates(["localhost", "127.0.0.1", "::1", "172.18.0.2"], nowMs);
const authority = new X509Certificate(made.authorityPem);
const serving = new X509Certificate(made.serving.certificatePem);
const administrator = new X509Certificate(made.administrator.certificatePem);

describe("certificates of a run", () => {
  it("come from one authority, each with its key", () => {
    expect([authority.subject, authority.ca, authority.checkIssued(authority)]).toEqual(["CN=kubernetes", true, true]);
    for (const [certificate, { keyPem }] of [
      [serving, made.serving],
      [administrator, made.administrator],
    ] as const) {
      expect([certificate.ca, certificate.checkIssued(authority), certificate.verify(authority.publicKey)]).toEqual([
        false,
        true,
        true,
      ]);
      expect(certificate.checkPrivateKey(createPrivateKey(keyPem))).toBe(true);
    }
  });

  it("name the server by all that it is reached by, and the administrator as kubeadm does", () => {
    for (const name of ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc.cluster.local"]) {
      expect(serving.checkHost(name)).toBe(name);
    }
    for (const address of ["127.0.0.1", "::1", "10.96.0.1", "172.18.0.2"]) expect(serving.checkIP(address)).toBe(address);
    expect(serving.checkHost("example.com")).toBeUndefined();
    expect(administrator.subject).toBe("O=kubeadm:cluster-admins\nCN=kubernetes-admin");
    // Extended key usages: server and client authentication.
    expect([serving.keyUsage, administrator.keyUsage]).toEqual([["1.3.6.1.5.5.7.3.1"], ["1.3.6.1.5.5.7.3.2"]]);
  });

  it("are valid from a day before for a year, the authority for ten", () => {
    const days = ({ validFrom, validTo }: X509Certificate) =>
      [validFrom, validTo].map((date) => (Date.parse(date) - nowMs) / 86_400_000);
    expect([days(authority), days(serving), days(administrator)]).toEqual([
      [-1, 3650],
      [-1, 365],
      [-1, 365],
    ]);
  });

  it("stand in the kubeconfig", () => {
    const { clusters, users } = parse(kubeconfigFor(7000, made));
    const text = (base64: string) => Buffer.from(base64, "base64").toString();
    expect(clusters[0].cluster.server).toBe("https://127.0.0.1:7000");
    expect(text(clusters[0].cluster["certificate-authority-data"])).toBe(made.authorityPem);
    expect(text(users[0].user["client-certificate-data"])).toBe(made.administrator.certificatePem);
    expect(text(users[0].user["client-key-data"])).toBe(made.administrator.keyPem);
    const plain = parse(kubeconfigFor(7000));
    expect([plain.clusters[0].cluster, plain.users[0].user]).toEqual([{ server: "http://127.0.0.1:7000" }, {}]);
  });
});
