// MutatingAdmissionPolicyBinding: where a policy changes requests, and with which parameters.

import { mutatingAdmissionPolicyBindings as type } from "#cluster/api/kinds.ts";
import { defineResource } from "../definition.ts";
import { changed } from "../filling.ts";
import { bindingBasics, validateBinding, withBindingDefaults } from "./policies.ts";

export const mutatingAdmissionPolicyBindings = defineResource(type, {
  encodedVersion: "v1beta1",
  ...bindingBasics,
  updateNeedsResourceVersion: true,
  defaults: (binding) => changed(binding, "spec", withBindingDefaults),
  validate: ({ spec = {} }, errors) => validateBinding(spec, errors),
  validateUpdate: ({ spec = {} }, _old, errors) => validateBinding(spec, errors),
});
