import type { PriorityClass } from "#cluster/api/generated/types.ts";
import { priorityClasses as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { filled } from "../filling.ts";
import { validateUnchanged } from "../workload-validation.ts";

const systemPrefix = "system-";
const highestUserValue = 1_000_000_000;
const policies = ["PreemptLowerPriority", "Never"];
/** The system's own classes, which nobody can make otherwise. */
export const systemPriorityClasses = [
  {
    name: "system-node-critical",
    value: 2_000_001_000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
  {
    name: "system-cluster-critical",
    value: 2_000_000_000,
    description: "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
] as const;

export const priorityClasses = defineResource(type, {
  shortNames: ["pc"],
  generationFields: ["value"],
  defaults: (priorityClass) => filled(priorityClass, { preemptionPolicy: "PreemptLowerPriority" }),
  validate,
  validateUpdate: (priorityClass, old, errors) => {
    if ((priorityClass.value ?? 0) !== (old.value ?? 0)) errors.forbidden(field("value"), "may not be changed in an update.");
    validateUnchanged(priorityClass.preemptionPolicy, old.preemptionPolicy, field("preemptionPolicy"), errors);
  },
  columns: [
    nameColumn,
    integerColumn("Value", ""),
    { ...column("Global-Default", ""), type: "boolean" },
    ageColumn,
    column("PreemptionPolicy", ""),
  ],
  row: (priorityClass, context) => [
    nameCell(priorityClass),
    priorityClass.value ?? 0,
    priorityClass.globalDefault ?? false,
    ageCell(priorityClass, context),
    priorityClass.preemptionPolicy ?? "",
  ],
});

function validate(
  { metadata, value = 0, globalDefault = false, preemptionPolicy }: Typed<PriorityClass>,
  errors: FieldErrors,
): void {
  const { name = "" } = metadata;
  if (name.startsWith(systemPrefix)) {
    const fault = systemFault(name, value, globalDefault);
    if (fault !== undefined) {
      errors.forbidden(
        field("metadata", "name"),
        `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${fault}`,
      );
    }
  } else if (value > highestUserValue) {
    errors.forbidden(field("value"), `maximum allowed value of a user defined priority is ${highestUserValue}`);
  }
  if (preemptionPolicy === "") errors.required(field("preemptionPolicy"));
  else if (preemptionPolicy !== undefined && !policies.includes(preemptionPolicy)) {
    errors.notSupported(field("preemptionPolicy"), preemptionPolicy, policies);
  }
}

function systemFault(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemPriorityClasses.find((one) => one.name === name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known.value !== value) return `value of ${name} PriorityClass must be ${known.value}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
