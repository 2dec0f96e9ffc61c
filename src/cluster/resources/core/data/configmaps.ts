import type { ConfigMap } from "#cluster/api/generated/types.ts";
import { configMaps as type } from "#cluster/api/kinds.ts";
import { configMapKeyReasons } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource, type Typed } from "../../definition.ts";
import { type FieldErrors, field, wholeObject } from "../../field-errors.ts";
import { encodedBytes, maxDataBytes, textBytes, validateImmutable, validateKeys } from "./data-validation.ts";

export const configMaps = defineResource(type, {
  shortNames: ["cm"],
  validate,
  validateUpdate: (configMap, old, errors) => {
    validateImmutable(configMap, old, ["data", "binaryData"], errors);
    if (configMap.data !== old.data || configMap.binaryData !== old.binaryData) validate(configMap, errors);
  },
  columns: [nameColumn, column("Data", "Data contains the configuration data."), ageColumn],
  row: (configMap, context) => [
    nameCell(configMap),
    Object.keys(configMap.data ?? {}).length + Object.keys(configMap.binaryData ?? {}).length,
    ageCell(configMap, context),
  ],
});

function validate({ data, binaryData }: Typed<ConfigMap>, errors: FieldErrors): void {
  for (const key of Object.keys(data ?? {})) {
    const path = field("data").key(key);
    for (const reason of configMapKeyReasons(key)) errors.invalid(path, key, reason);
    if (binaryData !== undefined && Object.hasOwn(binaryData, key)) {
      errors.invalid(path, key, "duplicate of key present in binaryData");
    }
  }
  validateKeys(binaryData, field("binaryData"), errors);
  if (textBytes(data) + encodedBytes(binaryData) > maxDataBytes) errors.tooLong(wholeObject, maxDataBytes);
}
