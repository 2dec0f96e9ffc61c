import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { resourceClaimTemplates as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { field, goValue } from "../field-errors.ts";
import { changed } from "../filling.ts";
import { claimSpecDefaults } from "./device-defaults.ts";
import { validateClaimSpec } from "./device-validation.ts";

export const resourceClaimTemplates = defineResource(type, {
  returnsDeleted: true,
  defaults: (template) => changed(template, "spec", (spec) => changed(spec, "spec", claimSpecDefaults)),
  validate: (template, errors) => validateClaimSpec(template.spec?.spec, field("spec", "spec"), errors),
  validateUpdate: (template, old, errors) => {
    if (!semanticDeepEqual(template.spec, old.spec)) errors.invalid(field("spec"), goValue(template.spec), "field is immutable");
  },
  columns: [nameColumn, ageColumn],
  row: (template, context) => [nameCell(template), ageCell(template, context)],
});
