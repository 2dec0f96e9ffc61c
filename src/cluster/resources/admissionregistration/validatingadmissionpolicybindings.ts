// ValidatingAdmissionPolicyBinding: where a policy is in force, with which parameters, and what a violation leads to.

import { validatingAdmissionPolicyBindings as type } from "#cluster/api/kinds.ts";
import { defineResource } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed } from "../filling.ts";
import { type BindingSpec, bindingBasics, validateBinding, withBindingDefaults } from "./policies.ts";

const actions: readonly string[] = ["Audit", "Deny", "Warn"];

type Spec = BindingSpec & { readonly validationActions?: readonly string[] };

export const validatingAdmissionPolicyBindings = defineResource(type, {
  ...bindingBasics,
  updateNeedsResourceVersion: true,
  defaults: (binding) => changed(binding, "spec", withBindingDefaults),
  validate: ({ spec = {} }, errors) => validate(spec, errors),
  validateUpdate: ({ spec = {} }, _old, errors) => validate(spec, errors),
});

function validate(spec: Spec, errors: FieldErrors): void {
  validateBinding(spec, errors);
  const path = field("spec", "validationActions");
  const { validationActions = [] } = spec;
  for (const [index, action] of validationActions.entries()) {
    if (!actions.includes(action)) errors.notSupported(path.index(index), action, actions);
    if (validationActions.indexOf(action) < index) errors.duplicate(path.index(index), action);
  }
  if (validationActions.includes("Deny") && validationActions.includes("Warn")) {
    const why = "repeating the same validation failure information in the API response and headers serves no purpose";
    errors.invalid(path, validationActions, `must not contain both Deny and Warn (${why})`);
  }
  if (validationActions.length === 0) errors.required(path, "at least one validation action is required");
}
