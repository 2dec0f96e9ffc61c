// What admission, and the kind itself, add to audit events.

import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { addPolicy } from "../admission/dynamic/policies.test-kit.ts";
import { runtimeConfigOf } from "../runtime-config-flag.ts";
import { auditedServer } from "./audited-server.test-kit.ts";

const rules = "rules:\n- level: Metadata\nomitStages: [RequestReceived]";
const base = "/api/v1/namespaces/default";
const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

/** A server, and what each request's last event has as annotations but for the decision. */
function start() {
  const { events, ...server } = auditedServer(rules);
  const annotations = (): readonly JsonValue[] =>
    events().map((event) => {
      const entries = Object.entries(event["annotations"] ?? {});
      return Object.fromEntries(entries.filter(([key]) => !key.startsWith("authorization.")));
    });
  return { ...server, annotations };
}

describe("annotations of Pod Security", () => {
  const containers = [{ name: "web", image: "nginx:1.27" }];
  const violations = [
    'allowPrivilegeEscalation != false (container "web" must set securityContext.allowPrivilegeEscalation=false)',
    'unrestricted capabilities (container "web" must set securityContext.capabilities.drop=["ALL"])',
    'runAsNonRoot != true (pod or container "web" must set securityContext.runAsNonRoot=true)',
    'seccompProfile (pod or container "web" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ].join(", ");
  const [enforced, violated] = ["pod-security.kubernetes.io/enforce-policy", "pod-security.kubernetes.io/audit-violations"];

  it.each<[string, { readonly [mode: string]: string }, JsonValue, JsonValue]>([
    ["nothing is asked for", {}, { [enforced]: "privileged:latest" }, {}],
    ["everything is allowed", { audit: "privileged", "enforce-version": "v1.30" }, { [enforced]: "privileged:latest" }, {}],
    [
      "violations are audited",
      { enforce: "baseline", audit: "restricted", "audit-version": "v1.36" },
      { [enforced]: "baseline:latest", [violated]: `would violate PodSecurity "restricted:v1.36": ${violations}` },
      { [violated]: `would violate PodSecurity "restricted:v1.36": ${violations}` },
    ],
    ["Pods are refused", { enforce: "restricted", audit: "baseline" }, { [enforced]: "restricted:latest" }, {}],
    ["only warnings are asked for", { warn: "restricted" }, { [enforced]: "privileged:latest" }, {}],
  ])("where %s", (_title, modes, ofPod, ofDeployment) => {
    const { send, annotations } = start();
    const labels = Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]));
    send("POST", "/api/v1/namespaces", { metadata: { name: "shop", labels } });
    annotations();
    send("POST", "/api/v1/namespaces/shop/pods", { metadata: { name: "web" }, spec: { containers } });
    const template = { metadata: { labels: { app: "web" } }, spec: { containers } };
    const spec = { selector: { matchLabels: { app: "web" } }, template };
    send("POST", "/apis/apps/v1/namespaces/shop/deployments", { metadata: { name: "web" }, spec });
    expect(annotations()).toEqual([ofPod, ofDeployment]);
  });
});

describe("annotations of validating policies", () => {
  it("are failures where a binding says Audit, and what the policy says itself", () => {
    const { server, send, annotations } = start();
    const spec = {
      validations: [{ expression: "true" }, { expression: "size(object.metadata.name) > 3" }],
      auditAnnotations: [
        { key: "name", valueExpression: "'named ' + object.metadata.name" },
        { key: "silent", valueExpression: "null" },
      ],
    };
    addPolicy(server, "Validating", "p", spec, { validationActions: ["Warn", "Audit"] });
    annotations();
    expect(send("POST", `${base}/configmaps`, map).status).toBe(201);
    expect(annotations()).toEqual([
      {
        "p/name": "named a",
        "validation.policy.admission.k8s.io/validation_failure":
          '[{"message":"failed expression: size(object.metadata.name) \\u003e 3","policy":"p","binding":"p-binding","expressionIndex":1,"validationActions":["Warn","Audit"]}]',
      },
    ]);
  });
});

describe("a deprecated kind", () => {
  it("is named so once the answer is complete", () => {
    const { send, annotations } = start();
    send("GET", `${base}/endpoints`);
    send("GET", `${base}/services`);
    expect(annotations()).toEqual([{ "k8s.io/deprecated": "true" }, {}]);
    const watch = send("GET", `${base}/endpoints?watch=true`);
    watch.close?.();
    expect(annotations()).toEqual([{}, { "k8s.io/deprecated": "true" }]);
  });

  it("says which release serves it no longer", () => {
    const { server, send, annotations } = start();
    server.runtimeConfig = runtimeConfigOf(["--runtime-config=storage.k8s.io/v1beta1=true"]);
    send("GET", "/apis/storage.k8s.io/v1beta1/volumeattributesclasses");
    expect(annotations()).toEqual([{ "k8s.io/deprecated": "true", "k8s.io/removed-release": "1.37" }]);
  });
});
