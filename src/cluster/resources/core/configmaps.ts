import { configMaps as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { validateData, validateImmutable } from "./data-validation.ts";

export const configMaps = defineResource(type, {
  shortNames: ["cm"],
  validate: (configMap, errors) => validateData(configMap, errors),
  validateUpdate: (configMap, old, errors) => {
    validateImmutable(configMap, old, ["data", "binaryData"], errors);
    validateData(configMap, errors);
  },
  columns: [nameColumn, integerColumn("Data", "Data contains the configuration data."), ageColumn],
  row: (configMap, context) => [
    nameCell(configMap),
    Object.keys(configMap.data ?? {}).length + Object.keys(configMap.binaryData ?? {}).length,
    ageCell(configMap, context),
  ],
});
