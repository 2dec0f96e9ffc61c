import { describe, expect, it } from "vitest";
import type { CertificateSigningRequest } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { Random } from "#sim/random.ts";
import { alternativeNames, type Extension } from "#x509/extensions.ts";
import { subjectName } from "#x509/names.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey } from "#x509/rsa.ts";
import { startControlPlane, type TestControlPlane } from "../control-plane.test-kit.ts";
import { approvingController } from "./approving-controller.ts";

const key = generateKey(1024, new Random(3));
const admin: UserInfo = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
const joining: UserInfo = {
  name: "system:bootstrap:abcdef",
  groups: ["system:bootstrappers", "system:bootstrappers:kubeadm:default-node-token", "system:authenticated"],
};
const node: UserInfo = { name: "system:node:worker-9", groups: ["system:nodes", "system:authenticated"] };
const otherNode: UserInfo = { ...node, name: "system:node:worker-8" };
const nodeClient = "system:certificates.k8s.io:certificatesigningrequests:nodeclient";
const selfNodeClient = "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient";
const selfMessage = "Auto approving self kubelet client certificate after SubjectAccessReview.";
const message = "Auto approving kubelet client certificate after SubjectAccessReview.";

function bind({ client }: TestControlPlane, role: string, group: string): void {
  const apiGroup = "rbac.authorization.k8s.io";
  client.create(kinds.clusterRoleBindings, {
    metadata: { name: `${role} to ${group}` },
    roleRef: { apiGroup, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup, kind: "Group", name: group }],
  });
}

/** A cluster in which everybody may ask; with the bindings that kubeadm makes for the approval. */
function start(bindings = true): TestControlPlane {
  const world = startControlPlane({ definitions: [approvingController] });
  bind(world, "system:node-bootstrapper", "system:authenticated");
  if (!bindings) return world;
  bind(world, nodeClient, "system:bootstrappers:kubeadm:default-node-token");
  bind(world, selfNodeClient, "system:nodes");
  return world;
}

type Spec = CertificateSigningRequest["spec"];

function content(name: string, organizations = ["system:nodes"], extensions: readonly Extension[] = []): string {
  return btoa(requestPem(createRequest(subjectName(name, organizations), key, extensions)));
}

function ask(world: TestControlPlane, user: UserInfo, spec: Partial<Spec> = {}): void {
  world.server.clientFor(user, "kubelet").create(kinds.certificateSigningRequests, {
    metadata: { name: "csr" },
    spec: {
      request: content("system:node:worker-9"),
      signerName: "kubernetes.io/kube-apiserver-client-kubelet",
      usages: ["digital signature", "client auth"],
      ...spec,
    },
  });
}

/** `type reason message` of the conditions, once nothing happens any more. */
function outcome({ client, settle }: TestControlPlane): readonly string[] {
  settle();
  const { status } = client.get(kinds.certificateSigningRequests, { namespace: "", name: "csr" });
  return (status?.conditions ?? []).map(({ type, reason, message: text }) => `${type} ${reason} ${text}`);
}

describe("kubelets' requests for client certificates", () => {
  it.each<[string, UserInfo, string]>([
    ["a joining node", joining, message],
    ["a node for itself", node, selfMessage],
    ["whoever may do everything", admin, message],
  ])("[API-423] are approved for %s", (_title, user, text) => {
    const world = start();
    ask(world, user);
    expect(outcome(world)).toEqual([`Approved AutoApproved ${text}`]);
  });

  it.each<[string, UserInfo, Partial<Spec>]>([
    ["that a node makes for another", otherNode, {}],
    ["for another signer", joining, { signerName: "kubernetes.io/kube-apiserver-client" }],
    ["with other usages", joining, { usages: ["digital signature", "client auth", "server auth"] }],
    ["of no node", joining, { request: content("worker-9") }],
    ["of another group", joining, { request: content("system:node:worker-9", ["system:masters"]) }],
    [
      "with alternative names",
      joining,
      { request: content("system:node:worker-9", ["system:nodes"], [alternativeNames([{ kind: "dns", value: "worker-9" }])]) },
    ],
  ])("wait for somebody if they are %s", (_title, user, spec) => {
    const world = start();
    ask(world, user, spec);
    expect(outcome(world)).toEqual([]);
  });

  it("[API-423] are approved as soon as the asker has the right", () => {
    const world = start(false);
    ask(world, joining);
    world.simulation.advance(5_000);
    expect(outcome(world)).toEqual([]);
    bind(world, nodeClient, "system:bootstrappers");
    world.simulation.advance(10_000);
    expect(outcome(world)).toEqual([`Approved AutoApproved ${message}`]);
  });

  it("that were denied stay denied", () => {
    const world = start(false);
    ask(world, node);
    const { client } = world;
    const request = client.get(kinds.certificateSigningRequests, { namespace: "", name: "csr" });
    const conditions = [{ type: "Denied", status: "True", reason: "No", message: "by hand" }];
    client.update(kinds.certificateSigningRequests, { ...request, status: { conditions } }, { subresource: "approval" });
    bind(world, selfNodeClient, "system:nodes");
    world.simulation.advance(60_000);
    expect(outcome(world)).toEqual(["Denied No by hand"]);
  });
});
