import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { csiStorageCapacities as type } from "#cluster/api/kinds.ts";
import { column, nameCell, nameColumn } from "../columns.ts";
import { validateNonNegative } from "../core/limits/quantities-validation.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import { defineResource } from "../definition.ts";
import { field } from "../field-errors.ts";
import { subdomainName } from "../name-rules.ts";
import { labelSelectorWarnings } from "../node/deprecated-labels.ts";

export const csiStorageCapacities = defineResource(type, {
  updateNeedsResourceVersion: true,
  validate: ({ nodeTopology, storageClassName = "", capacity }, errors) => {
    validateLabelSelector(nodeTopology, field("nodeTopology"), errors);
    for (const reason of subdomainName(storageClassName, false))
      errors.invalid(field("storageClassName"), storageClassName, reason);
    if (capacity !== undefined) validateNonNegative(capacity, field("capacity"), errors);
  },
  validateUpdate: ({ nodeTopology, storageClassName }, old, errors) => {
    if (!semanticDeepEqual(nodeTopology, old.nodeTopology))
      errors.invalid(field("nodeTopology"), nodeTopology, "field is immutable");
    if (storageClassName !== old.storageClassName)
      errors.invalid(field("storageClassName"), storageClassName, "field is immutable");
  },
  warnings: ({ nodeTopology }) => labelSelectorWarnings(nodeTopology, field("nodeTopology")),
  columns: [nameColumn, column("StorageClassName", ""), column("Capacity", "")],
  row: (capacity) => [nameCell(capacity), capacity.storageClassName, capacity.capacity ?? "<unset>"],
});
