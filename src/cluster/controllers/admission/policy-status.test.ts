import { expect, it } from "vitest";
import { validatingAdmissionPolicies } from "#cluster/api/kinds.ts";
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
