import { podTemplates as type } from "#cluster/api/kinds.ts";
import { column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource } from "../../definition.ts";
import { field } from "../../field-errors.ts";
import { containerCells, labelsCell } from "../../workload-cells.ts";
import { withTemplateDefaults } from "../../workload-defaults.ts";
import { validatePodTemplate } from "../../workload-validation.ts";
import { templateWarnings } from "../../workload-warnings.ts";

export const podTemplates = defineResource(type, {
  returnsDeleted: true,
  generationFields: ["template"],
  defaults: withTemplateDefaults,
  validate: (object, errors) => validatePodTemplate(object.template ?? {}, field("template"), errors),
  validateUpdate: (object, _old, errors) => validatePodTemplate(object.template ?? {}, field("template"), errors),
  warnings: (object) => templateWarnings(object.template, field("template")),
  columns: [
    nameColumn,
    column("Containers", "Names of each container in the template."),
    column("Images", "Images referenced by each container in the template."),
    column("Pod Labels", "The labels for the pod template."),
  ],
  row: (object) => [nameCell(object), ...containerCells(object.template), labelsCell(object.template?.metadata?.labels)],
});
