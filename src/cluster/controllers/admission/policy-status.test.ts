import { expect, it } from "vitest";
import { customResourceDefinitions, validatingAdmissionPolicies } from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { policyStatusController } from "./policy-status.ts";

it("says which generation of a policy has been looked at", () => {
  const { client, settle } = startControlPlane({ definitions: [policyStatusController], nodes: [] });
  settle();
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }] };
  const created = client.create(validatingAdmissionPolicies, { metadata: { name: "p" }, spec });
  settle();
  const status = () => client.get(validatingAdmissionPolicies, { namespace: "", name: "p" }).status;
  expect(status()).toEqual({ observedGeneration: 1, typeChecking: {} });
  const current = client.get(validatingAdmissionPolicies, { namespace: "", name: "p" });
  client.update(validatingAdmissionPolicies, { ...current, spec: { ...created.spec, failurePolicy: "Ignore" } });
  settle();
  expect(status()?.observedGeneration).toBe(2);
});

it("tells of fields that the kinds of a policy have not, and of types that do not fit", () => {
  const { client, settle } = startControlPlane({ definitions: [policyStatusController], nodes: [] });
  const rule = { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] };
  const check = (name: string, validations: readonly object[], more: object = {}) => {
    const spec = { matchConstraints: { resourceRules: [rule] }, validations, ...more };
    client.create(validatingAdmissionPolicies, { metadata: { name }, spec } as object);
    settle();
    return client.get(validatingAdmissionPolicies, { namespace: "", name }).status?.typeChecking?.expressionWarnings;
  };
  expect(
    check("good", [{ expression: "object.spec.replicas > 1 && object.metadata.namespace != 'x' && request.name != ''" }]),
  ).toBeUndefined();
  expect(
    check("deep", [
      { expression: "object.spec.template.spec.containers.all(c, c.image.startsWith('a') && c.ports[0].containerPort > 1)" },
    ]),
  ).toBeUndefined();
  expect(check("field", [{ expression: "object.foo > 5", messageExpression: "'x' + object.spec.bar" }])).toEqual([
    {
      fieldRef: "spec.validations[0].expression",
      warning: "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'foo'\n | object.foo > 5\n | ......^\n",
    },
    {
      fieldRef: "spec.validations[0].messageExpression",
      warning: expect.stringContaining("undefined field 'bar'") as string,
    },
  ]);
  const types = check("types", [{ expression: "object.spec.replicas > '1'" }]);
  expect(types?.map(({ fieldRef }) => fieldRef)).toEqual(["spec.validations[0].expression"]);
  expect(
    check("every", [{ expression: "object.foo > 5" }], { matchConstraints: { resourceRules: [{ ...rule, resources: ["*"] }] } }),
  ).toBeUndefined();
});

it("knows custom kinds by what the server publishes of them", () => {
  const { client, settle } = startControlPlane({ definitions: [policyStatusController], nodes: [] });
  const properties = {
    replicas: { type: "integer" },
    image: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
  };
  client.create(customResourceDefinitions, {
    metadata: { name: "crontabs.stable.example.com" },
    spec: {
      group: "stable.example.com",
      scope: "Namespaced",
      names: { plural: "crontabs", singular: "crontab", kind: "CronTab" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
        },
      ],
    },
  });
  settle();
  const rule = { apiGroups: ["stable.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["crontabs"] };
  const check = (name: string, resources: readonly string[], ...expressions: readonly string[]) => {
    const validations = expressions.map((expression) => ({ expression }));
    const spec = { matchConstraints: { resourceRules: [{ ...rule, resources }] }, validations };
    client.create(validatingAdmissionPolicies, { metadata: { name }, spec } as object);
    settle();
    return client.get(validatingAdmissionPolicies, { namespace: "", name }).status?.typeChecking?.expressionWarnings;
  };
  const good = "object.spec.replicas > 1 && object.metadata.name != '' && object.spec.tags.all(t, t.startsWith('a'))";
  expect(check("good", ["crontabs"], good)).toBeUndefined();
  const confused = check("confused", ["crontabs"], "object.spec.replicas > '1'", "object.spec.maxRetries < 10");
  expect(confused?.map(({ fieldRef, warning }) => [fieldRef, warning.split("\n")[0]])).toEqual([
    [
      "spec.validations[0].expression",
      "stable.example.com/v1, Kind=CronTab: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(int, string)'",
    ],
    ["spec.validations[1].expression", "stable.example.com/v1, Kind=CronTab: ERROR: <input>:1:12: undefined field 'maxRetries'"],
  ]);
  expect(check("unknown", ["others"], "object.foo > 5")).toBeUndefined();
});
