// For tests: policies with bindings, and what becomes of a request.

import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json, type TestReply } from "../../http/http-call.test-kit.ts";
import type { ApiServer } from "../../server.ts";
import { startServer } from "../../test-server.test-kit.ts";

export type Fields = { readonly [field: string]: JsonValue };

const root = "/apis/admissionregistration.k8s.io/v1";

export const configMapRule: Fields = {
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: ["configmaps"],
};

export const deploymentRule: Fields = { ...configMapRule, apiGroups: ["apps"], resources: ["deployments"] };

/** An expression whose cost is threefold with each level. */
export const nested = (depth: number): string =>
  depth === 0 ? "['a', 'b', 'c'].all(z, z != 'z')" : `['a', 'b', 'c'].all(x${depth}, ${nested(depth - 1)})`;

/** Expressions that hold; each costs some 550,000, less than one may. */
export const dear = Array.from({ length: 20 }, (_, index) => `object.metadata.name != '${index}' && ${nested(9)} && ${nested(8)}`);

export const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** A server with one policy of the kind and its binding. */
export function withPolicy(kind: "Validating" | "Mutating", spec: Fields, binding: Fields = {}): ApiServer {
  const { server } = startServer();
  addPolicy(server, kind, "p", spec, binding);
  return server;
}

export function addPolicy(
  server: ApiServer,
  kind: "Validating" | "Mutating",
  name: string,
  spec: Fields,
  binding: Fields = {},
): void {
  const plural = `${kind.toLowerCase()}admissionpolicies`;
  const apiVersion = "admissionregistration.k8s.io/v1";
  const defaults: Fields = {
    matchConstraints: { resourceRules: [configMapRule] },
    ...(kind === "Mutating" ? { reinvocationPolicy: "Never" } : {}),
  };
  const actions: Fields = kind === "Validating" ? { validationActions: ["Deny"] } : {};
  for (const [path, object] of [
    [plural, { apiVersion, kind: `${kind}AdmissionPolicy`, metadata: { name }, spec: { ...defaults, ...spec } }],
    [
      `${kind.toLowerCase()}admissionpolicybindings`,
      {
        apiVersion,
        kind: `${kind}AdmissionPolicyBinding`,
        metadata: { name: `${name}-binding` },
        spec: { policyName: name, ...actions, ...binding },
      },
    ],
  ] as const) {
    const reply = exchange(server, "POST", `${root}/${path}`, object);
    if (reply.status !== 201) throw new Error(reply.text);
  }
}

export function messageOf(reply: TestReply): string {
  return reply.status < 300 ? "" : String(json(reply)["message"]);
}

export function createPolicy(kind: "Validating" | "Mutating", spec: Fields): TestReply {
  const body = { kind: `${kind}AdmissionPolicy`, apiVersion: "admissionregistration.k8s.io/v1", metadata: { name: "p" }, spec };
  return exchange(startServer().server, "POST", `${root}/${kind.toLowerCase()}admissionpolicies`, body);
}

export function createConfigMap(server: ApiServer, fields: Fields = {}, name = "settings"): TestReply {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...fields };
  return exchange(server, "POST", "/api/v1/namespaces/default/configmaps", body);
}

export function createDeployment(server: ApiServer, spec: Fields = {}): TestReply {
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx:1.27" }] } };
  const whole = { selector: { matchLabels: { app: "web" } }, template, ...spec };
  const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: whole };
  return exchange(server, "POST", "/apis/apps/v1/namespaces/default/deployments", body);
}
