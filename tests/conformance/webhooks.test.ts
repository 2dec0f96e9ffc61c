// Admission webhooks in a whole cluster: on the network, behind Services, with certificates; controllers meet them too.

import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { ClusterPki, clusterAuthority } from "#world/pki/cluster-pki.ts";
import { World } from "#world/world.ts";
import { Typist } from "../typist.ts";

const startMs = Date.UTC(2026, 0, 15, 9);
const hookAddress = "172.18.0.77";

function configuration(client: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: names}
webhooks:
- name: names.example.com
  clientConfig: ${client}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  sideEffects: None
  admissionReviewVersions: [v1]
  timeoutSeconds: 5
`;
}

/** A cluster and a machine beside it that allows every name but `bad`. */
function bootedTypist(): Typist {
  const url = `https://${hookAddress}:9443/check`;
  const files = {
    "service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: hook}\nspec: {ports: [{port: 443}], selector: {app: hook}}\n",
    "behind-service.yaml": configuration("{service: {name: hook, namespace: default, path: /check}}"),
    "untrusted.yaml": configuration(`{url: "${url}"}`),
    "trusted.yaml": configuration(`{url: "${url}", caBundle: ${btoa(clusterAuthority.pem)}}`),
  };
  const world = new World({ startMs, seed: 11, nodes: 2, files });
  world.boot();
  const pki = new ClusterPki({ nodeName: "hooks", nodeAddress: hookAddress, serviceAddress: hookAddress, nowMs: startMs });
  const { certificate } = pki.apiServer();
  world.cluster.network.addHost("hooks", hookAddress).listen({
    port: 9443,
    tls: { certificate },
    onHttp: (request, _peer, responder) => {
      const { uid, name } = (
        JSON.parse(decodeUtf8(request.body)) as { readonly request: { readonly uid: string; readonly name: string } }
      ).request;
      const response = { uid, allowed: name !== "bad", status: { message: "bad name" } };
      const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
      responder.reply(200, { "content-type": "application/json" }, encodeUtf8(JSON.stringify(review)));
    },
  });
  return new Typist(world);
}

describe("admission webhooks", () => {
  const typist = bootedTypist();
  const run = (line: string): string => typist.run(line).output.trim();
  const failed = (text: string) =>
    `error: failed to create configmap: Internal error occurred: failed calling webhook "names.example.com": failed to call webhook: Post ${text}`;

  it("behind a Service without Pods refuse connections", () => {
    run("kubectl apply -f behind-service.yaml");
    expect(run("kubectl create configmap a")).toBe(
      failed('"https://hook.default.svc:443/check?timeout=5s": service "hook" not found'),
    );
    run("kubectl apply -f service.yaml");
    run("sleep 2");
    expect(run("kubectl create configmap a")).toMatch(/dial tcp 10\.\d+\.\d+\.\d+:443: connect: connection refused$/);
  });

  it("are believed when their certificate is", () => {
    run("kubectl apply -f untrusted.yaml");
    const untrusted = `"https://${hookAddress}:9443/check?timeout=5s": tls: failed to verify certificate: x509: certificate signed by unknown authority`;
    expect(run("kubectl create configmap a")).toBe(failed(untrusted));
    run("kubectl apply -f trusted.yaml");
    expect(run("kubectl create configmap a")).toBe("configmap/a created");
    expect(run("kubectl create configmap bad")).toBe(
      'error: failed to create configmap: admission webhook "names.example.com" denied the request: bad name',
    );
  });

  it("are waited for by controllers", () => {
    run("kubectl create namespace shop");
    run("sleep 3");
    expect(run("kubectl get configmaps -n shop -o name")).toBe("configmap/kube-root-ca.crt");
  });
});
