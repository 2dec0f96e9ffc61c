import { serviceAccounts as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

export const serviceAccounts = defineResource(type, {
  shortNames: ["sa"],
  subresources: [{ name: "token", kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] }],
  columns: [nameColumn, integerColumn("Secrets", ""), ageColumn],
  row: (account, context) => [nameCell(account), account.secrets?.length ?? 0, ageCell(account, context)],
});
