import { secrets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { filled, withoutZero } from "../filling.ts";

export const secrets = defineResource(type, {
  selectableFields: {
    type: (secret) => secret.type ?? "",
  },
  defaults: (secret) => filled(withoutZero(secret, "type"), { type: "Opaque" }),
  columns: [
    nameColumn,
    column("Type", "Used to facilitate programmatic handling of secret data."),
    integerColumn("Data", "Data contains the secret data."),
    ageColumn,
  ],
  row: (secret, context) => [nameCell(secret), secret.type ?? "", Object.keys(secret.data ?? {}).length, ageCell(secret, context)],
});
