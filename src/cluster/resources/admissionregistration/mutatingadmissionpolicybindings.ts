// MutatingAdmissionPolicyBinding: where a policy changes requests, and with which parameters.

import { mutatingAdmissionPolicyBindings as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { changed } from "../filling.ts";
import { paramRefCell, paramRefColumn, policyNameColumn, validateBinding, withBindingDefaults } from "./policies.ts";

export const mutatingAdmissionPolicyBindings = defineResource(type, {
  updateNeedsResourceVersion: true,
  generationFields: ["spec"],
  defaultedFields: ["spec"],
  defaults: (binding) => changed(binding, "spec", withBindingDefaults),
  validate: ({ spec = {} }, errors) => validateBinding(spec, errors),
  validateUpdate: ({ spec = {} }, _old, errors) => validateBinding(spec, errors),
  columns: [nameColumn, policyNameColumn, paramRefColumn, ageColumn],
  row: (binding, context) => [
    nameCell(binding),
    binding.spec?.policyName ?? "",
    paramRefCell(binding.spec?.paramRef),
    ageCell(binding, context),
  ],
});
