// MutatingAdmissionPolicy: expressions that change what is asked for where a binding says so.

import type { MutatingAdmissionPolicy, Mutation } from "#cluster/api/generated/types.ts";
import { mutatingAdmissionPolicies as type } from "#cluster/api/kinds.ts";
import type { AdmissionScope } from "#cluster/cel/admission.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed } from "../filling.ts";
import { validateExpression } from "./expressions.ts";
import { policyColumns, policyRow, validatePolicy, withPolicyDefaults } from "./policies.ts";
import { reinvocationPolicies, validateWord } from "./rules.ts";

type Policy = Typed<MutatingAdmissionPolicy>;

/** What the expressions must answer. */
export const applyConfigurationTypes: readonly string[] = ["Object"];
export const jsonPatchTypes: readonly string[] = ["list<Object>", "list<dyn>"];

export const mutatingAdmissionPolicies = defineResource(type, {
  encodedVersion: "v1beta1",
  updateNeedsResourceVersion: true,
  categories: ["api-extensions"],
  generationFields: ["spec"],
  defaultedFields: ["spec"],
  defaults: (policy) => changed(policy, "spec", withPolicyDefaults),
  validate: (policy, errors) => validate(policy, errors),
  validateUpdate: (policy, old, errors) => validate(policy, errors, old),
  columns: policyColumns("Mutations", "Mutation indicates the number of mutations rules defined in this configuration"),
  row: (policy, context) => policyRow(policy, policy.spec?.mutations?.length ?? 0, context),
});

function validate({ spec = {} }: Policy, errors: FieldErrors, old?: Policy): void {
  const scope = { ...validatePolicy(spec, errors, old?.spec), hasPatchTypes: true };
  forbidDeletions(spec.matchConstraints?.resourceRules ?? [], errors);
  const mutations = field("spec", "mutations");
  if (!spec.mutations?.length) errors.required(mutations, "mutations must contain at least one item");
  for (const [index, mutation] of (spec.mutations ?? []).entries()) {
    validateMutation(mutation, scope, mutations.index(index), errors);
  }
  const policy = field("spec", "reinvocationPolicy");
  if (!spec.reinvocationPolicy) errors.required(policy);
  else validateWord(spec.reinvocationPolicy, reinvocationPolicies, policy, errors);
}

/** What goes cannot be changed any more. */
function forbidDeletions(rules: readonly { readonly operations?: readonly string[] }[], errors: FieldErrors): void {
  const path = field("spec", "matchConstraints", "resourceRules", "operations");
  const words = ["*", "CONNECT", "CREATE", "UPDATE"];
  for (const { operations = [] } of rules) if (operations.includes("DELETE")) errors.notSupported(path, "DELETE", words);
}

function validateMutation(mutation: Mutation, scope: AdmissionScope, path: Path, errors: FieldErrors): void {
  const { patchType } = mutation;
  if (!patchType) {
    errors.required(path.child("patchType"));
    return;
  }
  if (patchType !== "JSONPatch" && patchType !== "ApplyConfiguration") {
    errors.notSupported(path.child("patchType"), patchType, ["ApplyConfiguration", "JSONPatch"]);
    return;
  }
  const [name, other] =
    patchType === "JSONPatch" ? (["jsonPatch", "applyConfiguration"] as const) : (["applyConfiguration", "jsonPatch"] as const);
  const types = patchType === "JSONPatch" ? jsonPatchTypes : applyConfigurationTypes;
  const change = mutation[name];
  if (change === undefined) errors.required(path.child(name), `must be specified when patchType is ${patchType}`);
  else {
    const expression = (change.expression ?? "").trim();
    const at = path.child(name, "expression");
    if (expression === "") errors.required(at);
    else validateExpression(expression, scope, types, at, errors);
  }
  if (mutation[other] !== undefined) {
    errors.invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${patchType}`);
  }
}
