import { podDisruptionBudgets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { specAndStatus } from "../strategy.ts";

export const podDisruptionBudgets = defineResource(type, {
  shortNames: ["pdb"],
  generationFields: ["spec"],
  subresources: [{ name: "status", kind: "PodDisruptionBudget", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  prepareForCreate: (budget) => ({
    ...budget,
    status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
  }),
  columns: [
    nameColumn,
    column("Min Available", "The minimum number of pods that must be available."),
    column("Max Unavailable", "The maximum number of pods that may be unavailable."),
    integerColumn("Allowed Disruptions", "Calculated number of pods that may be disrupted at this time."),
    ageColumn,
  ],
  row: (budget, context) => [
    nameCell(budget),
    String(budget.spec?.minAvailable ?? "N/A"),
    String(budget.spec?.maxUnavailable ?? "N/A"),
    budget.status?.disruptionsAllowed ?? 0,
    ageCell(budget, context),
  ],
});
