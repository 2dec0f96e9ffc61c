import { describe, expect, it } from "vitest";
import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { Random } from "#sim/random.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { publicKeyOf } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey } from "#x509/rsa.ts";
import { exchange, exchangeAs, json, peerOf, type TestReply } from "../../http/http-call.test-kit.ts";
import type { ApiServer } from "../../server.ts";
import { startServer, testStartMs } from "../../test-server.test-kit.ts";

const key = generateKey(1024, new Random(4));
const clientSigner = "kubernetes.io/kube-apiserver-client";
const root = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

function wanted(name: string, signerName: string, organizations: readonly string[] = ["dev"]) {
  const request = btoa(requestPem(createRequest(subjectName(name, organizations), key, [])));
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name },
    spec: { request, signerName, usages: ["client auth"] },
  };
}

function messageOf(reply: TestReply): string {
  return reply.status < 300 ? "accepted" : `${reply.status} ${String(json(reply)["message"])}`;
}

/**
 * A request `jane` and a user `clerk` who may change requests and their subresources, and who has `verb` on the signers
 * of these names.
 */
function start(verb: "approve" | "sign", signers: readonly string[]): { readonly server: ApiServer; readonly client: Client } {
  const { server, client } = startServer();
  const apiGroup = "rbac.authorization.k8s.io";
  const apiGroups = ["certificates.k8s.io"];
  const resources = ["certificatesigningrequests", "certificatesigningrequests/approval", "certificatesigningrequests/status"];
  const metadata = { name: "clerk" };
  const rules = [
    { apiGroups, resources, verbs: ["get", "update", "patch"] },
    ...(signers.length === 0 ? [] : [{ apiGroups, resources: ["signers"], resourceNames: signers, verbs: [verb] }]),
  ];
  client.create(kinds.clusterRoles, { metadata, rules });
  client.create(kinds.clusterRoleBindings, {
    metadata,
    roleRef: { apiGroup, kind: "ClusterRole", name: "clerk" },
    subjects: [{ apiGroup, kind: "User", name: "clerk" }],
  });
  client.create(kinds.certificateSigningRequests, wanted("jane", clientSigner));
  return { server, client };
}

const clerk = peerOf("clerk", []);
const approved = { type: "Approved", status: "True", reason: "Checked", message: "by hand" };

function patch(server: ApiServer, subresource: string, body: object): TestReply {
  const headers = { "content-type": "application/merge-patch+json" };
  return exchangeAs(clerk, server, { method: "PATCH", target: `${root}/jane${subresource}`, body: JSON.stringify(body), headers });
}

describe("CertificateApproval", () => {
  it.each<[readonly string[], string]>([
    [[], "refused"],
    [["kubernetes.io/kubelet-serving"], "refused"],
    [["example.com/*"], "refused"],
    [["*"], "refused"],
    [[clientSigner], "accepted"],
    [["kubernetes.io/*"], "accepted"],
  ])("[API-422] with the right to approve for %j: %s", (signers, outcome) => {
    const { server, client } = start("approve", signers);
    const stored = client.get(kinds.certificateSigningRequests, { namespace: "", name: "jane" });
    const body: CertificateSigningRequest = { ...stored, status: { conditions: [approved] } };
    const refusal = `403 certificatesigningrequests.certificates.k8s.io "jane" is forbidden: user not permitted to approve requests with signerName "${clientSigner}"`;
    const expected = outcome === "refused" ? refusal : "accepted";
    const reply = exchangeAs(clerk, server, { method: "PUT", target: `${root}/jane/approval`, body: JSON.stringify(body) });
    expect(messageOf(reply)).toBe(expected);
    const { status } = client.get(kinds.certificateSigningRequests, { namespace: "", name: "jane" });
    expect(status?.conditions?.map(({ type }) => type)).toEqual(outcome === "refused" ? undefined : ["Approved"]);
  });

  it("[API-422] goes by the stored signer, for patches too, and answers with a Status", () => {
    const { server } = start("approve", ["example.com/own"]);
    const reply = patch(server, "/approval", { spec: { signerName: "example.com/own" }, status: { conditions: [approved] } });
    expect(json(reply)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `certificatesigningrequests.certificates.k8s.io "jane" is forbidden: user not permitted to approve requests with signerName "${clientSigner}"`,
      reason: "Forbidden",
      details: { name: "jane", group: "certificates.k8s.io", kind: "certificatesigningrequests" },
      code: 403,
    });
  });

  it("lets be who changes the request itself", () => {
    const { server } = start("approve", []);
    expect(messageOf(patch(server, "", { metadata: { labels: { team: "a" } } }))).toBe("accepted");
  });
});

describe("CertificateSigning", () => {
  const subject = subjectName("jane");
  const publicKey = publicKeyOf(key);
  const facts = { serial: 1n, subject, publicKey, notBeforeMs: testStartMs, notAfterMs: testStartMs + 3_600_000, extensions: [] };
  const certificate = btoa(X509Certificate.issue(facts, { name: subject, publicKey, key }).pem);
  const failed = { type: "Failed", status: "True", reason: "Strange", message: "not today" };
  const refusal = `403 certificatesigningrequests.certificates.k8s.io "jane" is forbidden: user not permitted to sign requests with signerName "${clientSigner}"`;

  it.each<[readonly string[], object, string]>([
    [[], { status: { conditions: [failed] } }, refusal],
    [[], { status: { certificate } }, refusal],
    [["kubernetes.io/kubelet-serving"], { status: { conditions: [failed] } }, refusal],
    [[clientSigner], { status: { conditions: [failed] } }, "accepted"],
    [["kubernetes.io/*"], { status: { conditions: [failed] } }, "accepted"],
    [[clientSigner], { status: { certificate } }, "accepted"],
    [[], { metadata: { labels: { team: "a" } } }, "accepted"],
  ])("with the right to sign for %j, case %#", (signers, body, outcome) => {
    expect(messageOf(patch(start("sign", signers).server, "/status", body))).toBe(outcome);
  });

  it("is another right than to approve", () => {
    expect(messageOf(patch(start("approve", [clientSigner]).server, "/status", { status: { conditions: [failed] } }))).toBe(
      refusal,
    );
  });
});

describe("CertificateSubjectRestriction", () => {
  const refusal = `403 certificatesigningrequests.certificates.k8s.io "root" is forbidden: use of ${clientSigner} signer with system:masters group is not allowed`;

  it.each<[string, readonly string[], string]>([
    [clientSigner, ["system:masters"], refusal],
    [clientSigner, ["dev", "system:masters"], refusal],
    [clientSigner, ["dev"], "accepted"],
    ["example.com/own", ["system:masters"], "accepted"],
    ["kubernetes.io/kube-apiserver-client-kubelet", ["system:masters"], "accepted"],
  ])("[API-421] a request to %s with the organisations %j", (signer, organizations, outcome) => {
    const { server } = startServer();
    expect(messageOf(exchange(server, "POST", root, wanted("root", signer, organizations)))).toBe(outcome);
  });
});
