import type { VolumeAttributesClass } from "#cluster/api/generated/types.ts";
import { volumeAttributesClasses as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { forbidChange, validateParameters, validateProvisioner } from "./parameters.ts";

const defaultAnnotation = "storageclass.kubernetes.io/is-default-class";

export const volumeAttributesClasses = defineResource(type, {
  returnsDeleted: true,
  shortNames: ["vac"],
  validate,
  validateUpdate: (attributesClass, old, errors) => {
    forbidChange("driverName", attributesClass.driverName, old.driverName, errors);
    forbidChange("parameters", attributesClass.parameters, old.parameters, errors);
    validate(attributesClass, errors);
  },
  columns: [nameColumn, column("DriverName", ""), ageColumn],
  row: (attributesClass, context) => [
    nameCell(attributesClass) + (attributesClass.metadata.annotations?.[defaultAnnotation] === "true" ? " (default)" : ""),
    attributesClass.driverName,
    ageCell(attributesClass, context),
  ],
});

function validate({ driverName = "", parameters = {} }: Typed<VolumeAttributesClass>, errors: FieldErrors): void {
  validateProvisioner(driverName, field("driverName"), errors);
  validateParameters(parameters, errors);
  if (Object.keys(parameters).length === 0) errors.required(field("parameters"), "must contain at least one key/value pair");
}
