import { bindings as type } from "#cluster/api/kinds.ts";
import { nameCell, nameColumn } from "../../columns.ts";
import { defineResource } from "../../definition.ts";

/** Nothing is stored: the pod of the same name gets its node. */
export const bindings = defineResource(type, {
  verbs: ["create"],
  createdAs: { plural: "pods", subresource: "binding" },
  columns: [nameColumn],
  row: (binding) => [nameCell(binding)],
});
