import { leases as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

export const leases = defineResource(type, {
  createOnUpdate: true,
  columns: [nameColumn, column("Holder", ""), ageColumn],
  row: (lease, context) => [nameCell(lease), lease.spec?.holderIdentity ?? "", ageCell(lease, context)],
});
