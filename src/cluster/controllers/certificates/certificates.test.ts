import { describe, expect, it } from "vitest";
import { ApiError } from "#cluster/api/errors.ts";
import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { Random } from "#sim/random.ts";
import { readCertificates, X509Certificate } from "#x509/certificate.ts";
import {
  alternativeNames,
  basicConstraints,
  type Extension,
  extensionIds,
  readExtendedKeyUsage,
  readKeyUsage,
} from "#x509/extensions.ts";
import { publicKeyOf } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey } from "#x509/rsa.ts";
import { startControlPlane, type TestControlPlane, testStartMs } from "../control-plane.test-kit.ts";
import { certificateCleaner } from "./cleaner-controller.ts";
import { signingController } from "./signing-controller.ts";

const authorityKey = generateKey(1024, new Random(1));
const authority = { name: subjectName("kubernetes"), publicKey: publicKeyOf(authorityKey), key: authorityKey };
const yearMs = 365 * 86_400_000;
const root = X509Certificate.issue(
  {
    serial: 0n,
    subject: authority.name,
    publicKey: authority.publicKey,
    notBeforeMs: testStartMs,
    notAfterMs: testStartMs + 10 * yearMs,
    extensions: [basicConstraints({ isAuthority: true })],
  },
  authority,
);
const janeKey = generateKey(1024, new Random(2));
const apiServerClient = "kubernetes.io/kube-apiserver-client";

function requestFor(name: string, organizations: readonly string[] = ["dev"], extensions: readonly Extension[] = []): string {
  return btoa(requestPem(createRequest(subjectName(name, organizations), janeKey, extensions)));
}

function start(): TestControlPlane {
  const signing = { authority, authorityNotAfterMs: root.notAfterMs, durationMs: yearMs };
  return startControlPlane({ definitions: [signingController(signing), certificateCleaner] });
}

type Spec = CertificateSigningRequest["spec"];

function ask({ client }: TestControlPlane, name: string, spec: Partial<Spec>): CertificateSigningRequest {
  const whole: Spec = { request: requestFor(name), signerName: apiServerClient, usages: ["client auth"], ...spec };
  return client.create(kinds.certificateSigningRequests, { metadata: { name }, spec: whole });
}

function decide({ client, settle }: TestControlPlane, name: string, type: "Approved" | "Denied"): CertificateSigningRequest {
  const condition = { type, status: "True", reason: `Kubectl${type === "Denied" ? "Deny" : "Approve"}`, message: "by hand" };
  const key = { namespace: "", name };
  const request = client.get(kinds.certificateSigningRequests, key);
  const conditions = [...(request.status?.conditions ?? []), condition];
  client.update(kinds.certificateSigningRequests, { ...request, status: { conditions } }, { subresource: "approval" });
  settle();
  return client.get(kinds.certificateSigningRequests, key);
}

function certificateOf(request: CertificateSigningRequest): X509Certificate {
  return readCertificates(atob(request.status?.certificate ?? ""))[0] as X509Certificate;
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  return "accepted";
}

describe("a request for a certificate", () => {
  it("[API-416] is pending, says who asks whatever it claims, and keeps its spec", () => {
    const world = start();
    const created = ask(world, "jane", { username: "root", groups: ["system:masters"], uid: "1" });
    const { request: _request, ...spec } = created.spec;
    expect(spec).toEqual({
      groups: ["system:masters", "system:authenticated"],
      signerName: apiServerClient,
      usages: ["client auth"],
      username: "kubernetes-admin",
    });
    expect(created.status).toEqual({});
    const stored = world.client.get(kinds.certificateSigningRequests, { namespace: "", name: "jane" });
    const changed = { ...stored, spec: { ...stored.spec, signerName: "example.com/other" } };
    expect(world.client.update(kinds.certificateSigningRequests, changed).spec).toEqual(created.spec);
  });

  it("[API-418] is signed when it is approved, for as long as it asks", () => {
    const world = start();
    ask(world, "jane", { expirationSeconds: 86_400, usages: ["digital signature", "key encipherment", "client auth"] });
    const approved = decide(world, "jane", "Approved");
    const certificate = certificateOf(approved);
    const decidedMs = Date.parse(approved.status?.conditions?.[0]?.lastUpdateTime ?? "");
    const signedMs = certificate.notBeforeMs + 300_000;
    expect(signedMs - decidedMs).toBeLessThan(2_000);
    expect([certificate.commonName, certificate.organizations, certificate.issuer]).toEqual(["jane", ["dev"], "kubernetes"]);
    expect([certificate.isSignedBy(root), certificate.isAuthority]).toEqual([true, false]);
    expect(certificate.notAfterMs - signedMs).toBe(86_400_000 - 300_000);
    expect(readKeyUsage(certificate.extension(extensionIds.keyUsage)?.value as Uint8Array)).toEqual([
      "digitalSignature",
      "keyEncipherment",
    ]);
    expect(readExtendedKeyUsage(certificate.extension(extensionIds.extendedKeyUsage)?.value as Uint8Array)).toEqual(["clientAuth"]);
  });

  it("[API-418] lasts ten minutes at least, a year at most, and no longer than its authority", () => {
    const world = start();
    ask(world, "short", { expirationSeconds: 600 });
    ask(world, "long", { expirationSeconds: 10 * 365 * 86_400 });
    ask(world, "plain", {});
    const lifetimes = ["short", "long", "plain"].map((name) => {
      const { notBeforeMs, notAfterMs } = certificateOf(decide(world, name, "Approved"));
      return (notAfterMs - notBeforeMs) / 1000;
    });
    expect(lifetimes).toEqual([900, 365 * 86_400, 365 * 86_400]);
  });

  it.each<[string, Partial<Spec>, string]>([
    ["jane", { usages: ["client auth", "server auth"] }, "invalid usage for client certificate: server auth"],
    ["jane", { usages: ["digital signature"] }, "missing required usage for client certificate: client auth"],
    [
      "node",
      { signerName: "kubernetes.io/kube-apiserver-client-kubelet", usages: ["client auth", "digital signature"] },
      "subject organization is not system:nodes",
    ],
    [
      "node",
      {
        signerName: "kubernetes.io/kubelet-serving",
        usages: ["server auth", "digital signature"],
        request: requestFor("system:node:a", ["system:nodes"]),
      },
      "DNS or IP subjectAltName is required",
    ],
    [
      "node",
      {
        signerName: "kubernetes.io/kubelet-serving",
        usages: ["client auth"],
        request: requestFor("system:node:a", ["system:nodes"], [alternativeNames([{ kind: "ip", value: "10.0.0.1" }])]),
      },
      "usages did not match [digital signature key encipherment server auth]",
    ],
  ])("[API-419] fails when its signer does not do such things: %s %#", (name, spec, message) => {
    const world = start();
    ask(world, name, spec);
    const failed = decide(world, name, "Approved");
    expect(failed.status?.conditions?.map(({ type, reason, message: text }) => [type, reason, text])).toEqual([
      ["Approved", "KubectlApprove", "by hand"],
      ["Failed", "SignerValidationFailure", message],
    ]);
    expect(failed.status?.certificate).toBeUndefined();
  });

  it("[API-417] is decided once: approved and denied exclude each other, and a decision stays", () => {
    const world = start();
    ask(world, "mallory", {});
    const denied = decide(world, "mallory", "Denied");
    expect(denied.status?.certificate).toBeUndefined();
    expect(refusal(() => decide(world, "mallory", "Approved"))).toBe(
      'CertificateSigningRequest.certificates.k8s.io "mallory" is invalid: status.conditions: Invalid value: "Approved": Approved and Denied conditions are mutually exclusive',
    );
    const { client } = world;
    const stored = client.get(kinds.certificateSigningRequests, { namespace: "", name: "mallory" });
    expect(
      refusal(() =>
        client.update(kinds.certificateSigningRequests, { ...stored, status: { conditions: [] } }, { subresource: "approval" }),
      ),
    ).toBe(
      'CertificateSigningRequest.certificates.k8s.io "mallory" is invalid: status.conditions: Forbidden: updates may not remove a condition of type "Denied"',
    );
  });

  it("is refused with all that is wrong with it", () => {
    const world = start();
    const said = (name: string, spec: Partial<Spec>): string =>
      refusal(() => ask(world, name, spec)).replace(/^.* is invalid: /, "");
    expect(said("a", { request: btoa("hello") })).toBe(
      `spec.request: Invalid value: "${btoa("hello")}": PEM block type must be CERTIFICATE REQUEST`,
    );
    expect(said("b", { usages: [] })).toBe("spec.usages: Required value");
    expect(said("c", { usages: ["client auth", "fly", "client auth"] })).toMatch(
      /^\[spec\.usages\[1\]: Unsupported value: "fly": supported values: "any", "cert sign", .* "timestamping", spec\.usages\[2\]: Duplicate value: "client auth"\]$/,
    );
    expect(said("d", { signerName: "kubernetes.io/legacy-unknown" })).toBe(
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    );
    expect(said("e", { signerName: "signer" })).toBe(
      "spec.signerName: Invalid value: \"signer\": must be a fully qualified domain and path of the form 'example.com/signer-name'",
    );
    expect(said("f", { signerName: "example/x" })).toBe(
      'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
    );
    expect(said("g", { expirationSeconds: 60 })).toBe(
      "spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)",
    );
  });

  it("[API-420] may not name the signer of old", () => {
    expect(refusal(() => ask(start(), "old", { signerName: "kubernetes.io/legacy-unknown" }))).toContain("the legacy signerName");
  });

  // Upstream keeps approved requests that nobody signs, and takes failed ones with the denied.
  it("[API-184] goes by itself: issued, denied and failed ones after an hour, pending ones after a day", () => {
    const world = start();
    ask(world, "denied", {});
    ask(world, "issued", {});
    ask(world, "failed", { usages: ["server auth"] });
    ask(world, "unsigned", { signerName: "example.com/own" });
    ask(world, "pending", {});
    decide(world, "denied", "Denied");
    for (const name of ["issued", "failed", "unsigned"]) decide(world, name, "Approved");
    const names = (): readonly string[] =>
      world.client.list(kinds.certificateSigningRequests).items.map(({ metadata }) => metadata.name);
    world.simulation.advance(30 * 60_000);
    expect(names()).toEqual(["denied", "failed", "issued", "pending", "unsigned"]);
    world.simulation.advance(100 * 60_000);
    expect(names()).toEqual(["pending", "unsigned"]);
    world.simulation.advance(25 * 3_600_000);
    expect(names()).toEqual(["unsigned"]);
  });

  it("[API-184] goes by itself when its certificate has run out", () => {
    const world = start();
    // The cleaner looks once an hour; half an hour after the decision it is too early for all but this reason.
    world.simulation.advance(30 * 60_000);
    ask(world, "brief", { expirationSeconds: 600 });
    ask(world, "long", {});
    decide(world, "brief", "Approved");
    decide(world, "long", "Approved");
    world.simulation.advance(31 * 60_000);
    expect(world.client.list(kinds.certificateSigningRequests).items.map(({ metadata }) => metadata.name)).toEqual(["long"]);
  });
});
