// One kind in two versions that differ in nothing but their name; v1beta1 is off unless the API server is asked for it.

import type { V1beta1VolumeAttributesClass, VolumeAttributesClass } from "#cluster/api/generated/types.ts";
import { volumeAttributesClasses as typeV1, volumeAttributesClassesV1beta1 as typeV1beta1 } from "#cluster/api/kinds.ts";
import { groupVersionOf } from "#cluster/api/objects.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type ResourceDeclaration, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { forbidChange, validateParameters, validateProvisioner } from "./parameters.ts";

const defaultAnnotation = "storageclass.kubernetes.io/is-default-class";

const shared: ResourceDeclaration<VolumeAttributesClass | V1beta1VolumeAttributesClass> = {
  returnsDeleted: true,
  shortNames: ["vac"],
  storage: "volumeattributesclasses.storage.k8s.io",
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
};

export const volumeAttributesClasses = defineResource(typeV1, shared);

export const volumeAttributesClassesV1beta1 = defineResource(typeV1beta1, {
  ...shared,
  deprecation:
    "storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass",
  removedRelease: "1.37",
  toStorage: (attributesClass) => ({ ...attributesClass, apiVersion: groupVersionOf(typeV1) }),
  fromStorage: (stored) => ({ ...stored, apiVersion: groupVersionOf(typeV1beta1) }),
});

function validate(
  { driverName = "", parameters = {} }: Typed<VolumeAttributesClass | V1beta1VolumeAttributesClass>,
  errors: FieldErrors,
): void {
  validateProvisioner(driverName, field("driverName"), errors);
  validateParameters(parameters, errors);
  if (Object.keys(parameters).length === 0) errors.required(field("parameters"), "must contain at least one key/value pair");
}
