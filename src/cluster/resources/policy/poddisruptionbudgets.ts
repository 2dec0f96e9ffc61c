import type { Condition, PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import { podDisruptionBudgets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { pathSegmentName } from "../name-rules.ts";
import { specAndStatus } from "../strategy.ts";
import { validateAmount, validateAtMostAll } from "../workload-amounts.ts";
import { validateConditions } from "../workload-conditions.ts";
import { goBudgetSpec } from "../workload-go-values.ts";
import { validateCounts } from "../workload-validation.ts";

const spec = field("spec");
const status = field("status");
const evictionPolicies = ["AlwaysAllow", "IfHealthyBudget"];
const noConditions: readonly Condition[] = [];

export const podDisruptionBudgets = defineResource(type, {
  shortNames: ["pdb"],
  nameRule: pathSegmentName,
  judgesMetadataLast: true,
  updateNeedsResourceVersion: true,
  generationFields: ["spec"],
  subresources: [{ name: "status", kind: "PodDisruptionBudget", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  prepareForCreate: (budget) => ({
    ...budget,
    status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
  }),
  validate,
  validateUpdate: (object, _old, errors) => validate(object, errors),
  validateStatusUpdate: (object, _old, errors) => {
    validateConditions(object.status?.conditions ?? noConditions, status.child("conditions"), errors);
    validateCounts(object.status, ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"], status, errors);
  },
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

function validate(object: Typed<PodDisruptionBudget>, errors: FieldErrors): void {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = object.spec ?? {};
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.invalid(spec, goBudgetSpec(object.spec ?? {}), "minAvailable and maxUnavailable cannot be both set");
  }
  validateAmount(minAvailable, spec.child("minAvailable"), errors);
  validateAtMostAll(minAvailable, spec.child("minAvailable"), errors);
  validateAmount(maxUnavailable, spec.child("maxUnavailable"), errors);
  validateAtMostAll(maxUnavailable, spec.child("maxUnavailable"), errors);
  validateLabelSelector(selector, spec.child("selector"), errors);
  if (unhealthyPodEvictionPolicy !== undefined && !evictionPolicies.includes(unhealthyPodEvictionPolicy)) {
    errors.notSupported(spec.child("unhealthyPodEvictionPolicy"), unhealthyPodEvictionPolicy, evictionPolicies);
  }
}
