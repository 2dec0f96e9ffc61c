import { describe, expect, it } from "vitest";
import { exchange, json } from "../../http/http-call.test-kit.ts";
import {
  configMapRule,
  createConfigMap,
  createDeployment,
  createPolicy,
  dear,
  deploymentRule,
  type Fields,
  messageOf,
  nested,
  outOfBudget,
  withPolicy,
} from "./policies.test-kit.ts";

const denied = (text: string, name = "settings") =>
  `configmaps "${name}" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p-binding' denied request: ${text}`;

describe("what a policy's expressions cost", () => {
  it.each<[string, Fields, string]>([
    [
      "one of them",
      { validations: [{ expression: nested(10) }, { expression: "false" }] },
      denied(`expression '${nested(10)}' resulted in error: operation cancelled: actual cost limit exceeded`),
    ],
    ["all validations", { validations: dear.map((expression) => ({ expression })) }, denied(outOfBudget)],
    [
      "its conditions",
      {
        matchConditions: dear.map((expression, index) => ({ name: `c${index}`, expression })),
        validations: [{ expression: "false" }],
      },
      denied(outOfBudget),
    ],
    [
      "its messages, of validations that hold",
      { validations: dear.map((expression) => ({ expression: "true", messageExpression: `string(${expression})` })) },
      denied(`failed messageExpression: ${outOfBudget}`),
    ],
    [
      "its variables",
      {
        variables: dear.map((expression, index) => ({ name: `v${index}`, expression })),
        validations: [{ expression: dear.map((_, index) => `variables.v${index}`).join(" && ") }],
      },
      denied(outOfBudget),
    ],
    ["a fault that is ignored", { failurePolicy: "Ignore", validations: dear.map((expression) => ({ expression })) }, ""],
  ])("%s", (_title, spec, expected) => {
    expect(messageOf(createConfigMap(withPolicy("Validating", spec)))).toBe(expected);
  });
});

describe("ValidatingAdmissionPolicy", () => {
  it.each<[string, Fields, Fields, Fields, string]>([
    [
      "a failed expression",
      { validations: [{ expression: "has(object.data)" }] },
      {},
      {},
      denied("failed expression: has(object.data)"),
    ],
    ["its message", { validations: [{ expression: "false", message: "not today" }] }, {}, {}, denied("not today")],
    [
      "a message by an expression",
      { validations: [{ expression: "false", messageExpression: "'no ' + object.metadata.name" }] },
      {},
      {},
      denied("no settings"),
    ],
    ["an expression that holds", { validations: [{ expression: "object.data.a == 'b'" }] }, {}, { data: { a: "b" } }, ""],
    [
      "variables",
      {
        variables: [
          { name: "keys", expression: "object.data.map(k, k)" },
          { name: "many", expression: "variables.keys.size() > 1" },
        ],
        validations: [{ expression: "!variables.many", message: "too many" }],
      },
      {},
      { data: { a: "1", b: "2" } },
      denied("too many"),
    ],
    [
      "a field that is not there",
      { validations: [{ expression: "object.data.a == 'b'" }] },
      {},
      {},
      denied("expression 'object.data.a == 'b'' resulted in error: no such key: data"),
    ],
    ["a fault that is ignored", { failurePolicy: "Ignore", validations: [{ expression: "object.data.a == 'b'" }] }, {}, {}, ""],
    [
      "a condition that is not met",
      {
        matchConditions: [{ name: "others", expression: "request.userInfo.username != 'kubernetes-admin'" }],
        validations: [{ expression: "false" }],
      },
      {},
      {},
      "",
    ],
    [
      "the request and its namespace",
      {
        validations: [
          {
            expression:
              "request.operation == 'CREATE' && request.resource.resource == 'configmaps' && namespaceObject.metadata.name == 'default' && oldObject == null",
          },
        ],
      },
      {},
      {},
      "",
    ],
    [
      "the authorizer",
      {
        validations: [
          { expression: "authorizer.group('').resource('pods').namespace('default').check('create').allowed()" },
          {
            expression: "authorizer.serviceAccount('default', 'nobody').group('').resource('configmaps').check('create').allowed()",
            message: "nobody may not",
          },
        ],
      },
      {},
      {},
      denied("nobody may not"),
    ],
    [
      "another namespace",
      { validations: [{ expression: "false" }] },
      { matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } },
      {},
      "",
    ],
    [
      "another name",
      { validations: [{ expression: "false" }] },
      { matchResources: { resourceRules: [{ ...configMapRule, resourceNames: ["x"] }] } },
      {},
      "",
    ],
    [
      "parameters that nobody gives",
      { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "params == null" }] },
      {},
      {},
      "",
    ],
    [
      "parameters that are not there",
      { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "true" }] },
      { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
      {},
      denied("failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"),
    ],
    [
      "parameters of an unknown kind",
      { paramKind: { apiVersion: "example.com/v1", kind: "Limit" }, validations: [{ expression: "true" }] },
      { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
      {},
      `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'`,
    ],
  ])("judges by %s", (_name, spec, binding, fields, message) => {
    expect(messageOf(createConfigMap(withPolicy("Validating", spec, binding), fields))).toBe(message);
  });

  it("refuses with the reason of the validation, Invalid by default", () => {
    const reply = createConfigMap(withPolicy("Validating", { validations: [{ expression: "false", message: "no" }] }));
    const text = denied("no");
    expect(json(reply)).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: text,
      details: {
        name: "settings",
        kind: "configmaps",
        causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'p-binding' denied request: no" }],
      },
    });
    const forbidden = withPolicy("Validating", { validations: [{ expression: "false", reason: "Forbidden" }] });
    expect(json(createConfigMap(forbidden))).toMatchObject({ code: 403, reason: "Forbidden" });
  });

  it("warns where the binding says so", () => {
    const server = withPolicy(
      "Validating",
      { validations: [{ expression: "false", message: "careful" }] },
      { validationActions: ["Warn", "Audit"] },
    );
    const reply = createConfigMap(server);
    expect(reply.status).toBe(201);
    expect(reply.headers["warning"]).toBe(
      `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p-binding': careful"`,
    );
  });

  it("reads parameters of the request's namespace", () => {
    const server = withPolicy(
      "Validating",
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConstraints: { resourceRules: [deploymentRule] },
        validations: [
          {
            expression: "object.spec.replicas <= int(params.data.maximum)",
            messageExpression: "'at most ' + params.data.maximum + ' replicas'",
          },
        ],
      },
      { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
    );
    createConfigMap(server, { data: { maximum: "3" } }, "limits");
    expect(messageOf(createDeployment(server, { replicas: 4 }))).toBe(
      `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p-binding' denied request: at most 3 replicas`,
    );
    expect(createDeployment(server, { replicas: 3 }).status).toBe(201);
  });

  it("sees the old object of updates and deletions, and nothing of reads [API-048]", () => {
    const server = withPolicy("Validating", {
      matchConstraints: { resourceRules: [{ ...configMapRule, operations: ["*"] }] },
      validations: [
        { expression: "request.operation != 'UPDATE' || object.data == oldObject.data", message: "immutable" },
        { expression: "request.operation != 'DELETE' || object == null && !('keep' in oldObject.data)", message: "kept" },
      ],
    });
    createConfigMap(server, { data: { keep: "1" } });
    const path = "/api/v1/namespaces/default/configmaps";
    const patch = exchange(
      server,
      "PATCH",
      `${path}/settings`,
      { data: { a: "b" } },
      { "content-type": "application/merge-patch+json" },
    );
    expect(messageOf(patch)).toBe(denied("immutable"));
    expect(messageOf(exchange(server, "DELETE", `${path}/settings`))).toBe(denied("kept"));
    expect(exchange(server, "GET", `${path}/settings`).status).toBe(200);
    expect(exchange(server, "GET", path).status).toBe(200);
    expect(exchange(server, "GET", `${path}?watch=1`).status).toBe(200);
  });

  it("is no obstacle to its own repair", () => {
    const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }];
    const server = withPolicy("Validating", { matchConstraints: { resourceRules: rules }, validations: [{ expression: "false" }] });
    expect(createConfigMap(server).status).toBe(422);
    const root = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/p-binding";
    expect(exchange(server, "DELETE", root).status).toBe(200);
    expect(createConfigMap(server).status).toBe(201);
  });

  it.each<[string, Fields, string]>([
    [
      "nothing",
      {},
      "[spec.matchConstraints: Required value, spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]",
    ],
    [
      "an expression of the wrong type",
      { matchConstraints: { resourceRules: [configMapRule] }, validations: [{ expression: "1 + 1" }] },
      'spec.validations[0].expression: Invalid value: "1 + 1": must evaluate to bool but got int',
    ],
    [
      "an unknown variable",
      { matchConstraints: { resourceRules: [configMapRule] }, validations: [{ expression: "params.a" }] },
      `spec.validations[0].expression: Invalid value: "params.a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.a\n | ^`,
    ],
    [
      "an unknown reason",
      { matchConstraints: { resourceRules: [configMapRule] }, validations: [{ expression: "true", reason: "Gone" }] },
      'spec.validations[0].reason: Unsupported value: "Gone": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
    [
      "a rule for too much",
      {
        matchConstraints: { resourceRules: [{ ...configMapRule, operations: ["*", "CREATE"], resources: [] }] },
        validations: [{ expression: "true" }],
      },
      `[spec.matchConstraints.resourceRules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations, spec.matchConstraints.resourceRules[0].resources: Required value]`,
    ],
  ])("is refused with %s", (_name, spec, message) => {
    expect(messageOf(createPolicy("Validating", spec))).toBe(
      `ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: ${message}`,
    );
  });
});

describe("empty lists in expressions", () => {
  it("are what the request says, and null once they were stored", () => {
    const resourceRules = [{ ...configMapRule, apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"] }];
    const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
    const empty = { metadata: { name: "a" }, rules: [] };
    const server = withPolicy("Validating", {
      matchConstraints: { resourceRules },
      validations: [
        { expression: "object.rules != null && object.rules.size() == 0 && (oldObject == null || oldObject.rules == null)" },
      ],
    });
    expect(exchange(server, "POST", roles, empty).status).toBe(201);
    expect(exchange(server, "PUT", `${roles}/a`, empty).status).toBe(200);
    expect(messageOf(exchange(server, "POST", roles, { metadata: { name: "b" } }))).toContain(
      "failed expression: object.rules != null",
    );
  });
});
