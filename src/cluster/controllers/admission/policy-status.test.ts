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
