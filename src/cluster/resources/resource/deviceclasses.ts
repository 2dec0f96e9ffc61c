import type { DeviceClass } from "#cluster/api/generated/types.ts";
import { deviceClasses as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { isExtendedResource } from "../core/limits/quantities-validation.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { maxConfigurations, validateItems, validateOpaque, validateSelectors } from "./device-validation.ts";

const path = field("spec");

export const deviceClasses = defineResource(type, {
  returnsDeleted: true,
  generationFields: ["spec"],
  validate,
  validateUpdate: (deviceClass, old, errors) => {
    if (deviceClass.spec !== old.spec) validate(deviceClass, errors);
  },
  columns: [nameColumn, ageColumn],
  row: (deviceClass, context) => [nameCell(deviceClass), ageCell(deviceClass, context)],
});

function validate({ spec }: Typed<DeviceClass>, errors: FieldErrors): void {
  const { selectors = [], config = [], extendedResourceName } = spec ?? {};
  validateSelectors(selectors, path.child("selectors"), errors);
  validateItems(config, maxConfigurations, path.child("config"), errors, validateOpaque);
  if (extendedResourceName !== undefined && !isExtendedResource(extendedResourceName)) {
    errors.invalid(path.child("extendedResourceName"), extendedResourceName, "must be a valid extended resource name");
  }
}
