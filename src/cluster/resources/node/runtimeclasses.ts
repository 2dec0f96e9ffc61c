import type { RuntimeClass, Toleration } from "#cluster/api/generated/types.ts";
import { runtimeClasses as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { validateLimitResourceName, validateResourceAmount } from "../core/limits/quantities-validation.ts";
import { validateTolerations } from "../core/pods/pod-scheduling-validation.ts";
import { validateLabelMap } from "../core/selector-validation.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, goValue } from "../field-errors.ts";
import { labelName } from "../name-rules.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { deprecatedLabelMessage } from "./deprecated-labels.ts";

export const runtimeClasses = defineResource(type, {
  updateNeedsResourceVersion: true,
  validate,
  validateUpdate: (runtimeClass, old, errors) => {
    validate(runtimeClass, errors);
    validateUnchanged(runtimeClass.handler, old.handler, field("handler"), errors);
  },
  warnings: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
      const message = deprecatedLabelMessage(label);
      return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
    }),
  columns: [nameColumn, column("Handler", ""), ageColumn],
  row: (runtimeClass, context) => [nameCell(runtimeClass), runtimeClass.handler, ageCell(runtimeClass, context)],
});

function validate({ handler = "", overhead, scheduling }: Typed<RuntimeClass>, errors: FieldErrors): void {
  for (const reason of labelName(handler, false)) errors.invalid(field("handler"), handler, reason);
  const fixed = overhead?.podFixed ?? {};
  for (const name of Object.keys(fixed)) {
    const path = field("overhead", "limits").key(name);
    validateLimitResourceName("Container", name, path, errors);
    validateResourceAmount(name, fixed[name] as string, path, errors);
  }
  validateLabelMap(scheduling?.nodeSelector, field("scheduling", "nodeSelector"), errors);
  const path = field("scheduling", "tolerations");
  const tolerations = scheduling?.tolerations ?? [];
  validateTolerations(tolerations, path, errors);
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const identity = identityOf(toleration);
    if (seen.has(identity)) errors.duplicate(path.index(index), goValue(toleration));
    seen.add(identity);
  }
}

function identityOf({ key = "", operator = "", value = "", effect = "" }: Toleration): string {
  return [key, operator, value, effect].join("\n");
}
