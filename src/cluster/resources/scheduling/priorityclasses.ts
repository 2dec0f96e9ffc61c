import { priorityClasses as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { filled } from "../filling.ts";

export const priorityClasses = defineResource(type, {
  shortNames: ["pc"],
  generationFields: ["value"],
  defaults: (priorityClass) => filled(priorityClass, { preemptionPolicy: "PreemptLowerPriority" }),
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
