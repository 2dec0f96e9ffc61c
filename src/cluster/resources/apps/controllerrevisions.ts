import type { ControllerRevision } from "#cluster/api/generated/types.ts";
import { controllerRevisions as type } from "#cluster/api/kinds.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { validateNonnegative, validateUnchanged } from "../workload-validation.ts";

export const controllerRevisions = defineResource(type, {
  validate,
  validateUpdate: (object, old, errors) => {
    validateNonnegative(object.revision, field("revision"), errors);
    validateUnchanged(object.data, old.data, field("data"), errors);
  },
  columns: [
    nameColumn,
    column("Controller", "Controller of the object"),
    column("Revision", "Revision indicates the revision of the state represented by Data."),
    ageColumn,
  ],
  row: (revision, context) => {
    const owner = revision.metadata.ownerReferences?.find((reference) => reference.controller === true);
    const [group = "", version] = owner?.apiVersion.split("/") ?? [];
    const kind = asciiLowerCase(`${owner?.kind}${version === undefined ? "" : `.${group}`}`);
    return [
      nameCell(revision),
      owner === undefined ? "<none>" : `${kind}/${owner.name}`,
      revision.revision,
      ageCell(revision, context),
    ];
  },
});

function validate(object: Typed<ControllerRevision>, errors: FieldErrors): void {
  validateNonnegative(object.revision, field("revision"), errors);
  if (object.data === undefined || object.data === null) errors.required(field("data"), "data is mandatory");
  else if (typeof object.data !== "object" || Array.isArray(object.data)) {
    errors.required(field("data"), "data must be a valid JSON object");
  }
}
