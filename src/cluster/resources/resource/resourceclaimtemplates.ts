import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { ResourceClaimTemplate } from "#cluster/api/generated/types.ts";
import { resourceClaimTemplates as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { validateLabelMap } from "../core/selector-validation.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, goValue } from "../field-errors.ts";
import { changed } from "../filling.ts";
import { claimSpecDefaults } from "./device-defaults.ts";
import { validateClaimSpec } from "./device-validation.ts";

export const resourceClaimTemplates = defineResource(type, {
  returnsDeleted: true,
  defaults: (template) => changed(template, "spec", (spec) => changed(spec, "spec", claimSpecDefaults)),
  validate: validateTemplate,
  validateUpdate: (template, old, errors) => {
    validateTemplate(template, errors);
    if (!semanticDeepEqual(template.spec, old.spec)) errors.invalid(field("spec"), goValue(template.spec), "field is immutable");
  },
  columns: [nameColumn, ageColumn],
  row: (template, context) => [nameCell(template), ageCell(template, context)],
});

function validateTemplate({ spec }: Typed<ResourceClaimTemplate>, errors: FieldErrors): void {
  validateLabelMap(spec?.metadata?.labels, field("spec", "metadata", "labels"), errors);
  validateClaimSpec(spec?.spec, field("spec", "spec"), errors);
}
