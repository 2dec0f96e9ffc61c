// Disruption budgets and priority classes.

import type { PodDisruptionBudget, PriorityClass } from "#cluster/api/generated/types.ts";
import { formatLabelSelector, formatLabelSet } from "#cluster/api/labels.ts";
import { orNone } from "./description.ts";
import { withEvents } from "./from-object.ts";

export const describePodDisruptionBudget = withEvents<PodDisruptionBudget>((out, { metadata, spec, status }) => {
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  if (spec?.minAvailable !== undefined) out.field("Min available", spec.minAvailable);
  else if (spec?.maxUnavailable !== undefined) out.field("Max unavailable", spec.maxUnavailable);
  out.field("Selector", spec?.selector === undefined ? "<unset>" : formatLabelSelector(spec.selector));
  out.line("Status:");
  out.field("Allowed disruptions", status?.disruptionsAllowed ?? 0, 2);
  out.field("Current", status?.currentHealthy ?? 0, 2);
  out.field("Desired", status?.desiredHealthy ?? 0, 2);
  out.field("Total", status?.expectedPods ?? 0, 2);
});

export const describePriorityClass = withEvents<PriorityClass>((out, priorityClass) => {
  const { metadata, value, globalDefault = false, preemptionPolicy = "", description = "" } = priorityClass;
  out.field("Name", metadata.name);
  out.field("Value", value ?? 0);
  out.field("GlobalDefault", globalDefault);
  out.field("PreemptionPolicy", preemptionPolicy);
  out.field("Description", description);
  out.field("Annotations", orNone(formatLabelSet(metadata.annotations)));
});
