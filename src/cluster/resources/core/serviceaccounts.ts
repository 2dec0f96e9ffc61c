import { serviceAccounts as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

const mountableAnnotation = "kubernetes.io/enforce-mountable-secrets";

export const serviceAccounts = defineResource(type, {
  returnsDeleted: true,
  shortNames: ["sa"],
  subresources: [{ name: "token", kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] }],
  warnings: ({ metadata }) =>
    metadata.annotations?.[mountableAnnotation] === undefined
      ? []
      : [
          `metadata.annotations[${mountableAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ],
  columns: [nameColumn, ageColumn],
  row: (account, context) => [nameCell(account), ageCell(account, context)],
});
