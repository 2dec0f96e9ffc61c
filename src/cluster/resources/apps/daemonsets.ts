import type { DaemonSet, DaemonSetSpec } from "#cluster/api/generated/types.ts";
import { daemonSets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, labelsCell, selectorCell, selectorColumn } from "../workload-cells.ts";
import { validateSelector, validateTemplate, validateUnchanged } from "../workload-validation.ts";

export const daemonSets = defineResource(type, {
  shortNames: ["ds"],
  categories: ["all"],
  generationFields: ["spec"],
  subresources: [{ name: "status", kind: "DaemonSet", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  prepareForCreate: (set) => ({ ...set, status: emptyStatus }),
  defaultedFields: ["spec"],
  defaults: (set) => changed(set, "spec", specDefaults),
  validate,
  validateUpdate: (object, old, errors) => {
    validate(object, errors);
    validateUnchanged(object.spec?.selector, old.spec?.selector, field("spec", "selector"), errors);
  },
  columns: [
    nameColumn,
    integerColumn("Desired", ""),
    integerColumn("Current", ""),
    integerColumn("Ready", ""),
    integerColumn("Up-to-date", ""),
    integerColumn("Available", ""),
    column("Node Selector", ""),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  row: (set, context) => [
    nameCell(set),
    set.status?.desiredNumberScheduled ?? 0,
    set.status?.currentNumberScheduled ?? 0,
    set.status?.numberReady ?? 0,
    set.status?.updatedNumberScheduled ?? 0,
    set.status?.numberAvailable ?? 0,
    labelsCell(set.spec?.template?.spec?.nodeSelector),
    ageCell(set, context),
    ...containerCells(set.spec?.template),
    selectorCell(set.spec?.selector),
  ],
});

const emptyStatus = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };

function specDefaults(spec: DaemonSetSpec): DaemonSetSpec {
  const type = spec.updateStrategy?.type || "RollingUpdate";
  let strategy = filled(spec.updateStrategy ?? {}, { type, ...(type === "RollingUpdate" ? { rollingUpdate: {} } : {}) });
  if (type === "RollingUpdate") {
    strategy = changed(strategy, "rollingUpdate", (rolling) => filled(rolling, { maxUnavailable: 1, maxSurge: 0 }));
  }
  const result = filled(strategy === spec.updateStrategy ? spec : { ...spec, updateStrategy: strategy }, {
    revisionHistoryLimit: 10,
  });
  return changed(result, "template", podTemplateDefaults);
}

function validate(object: Typed<DaemonSet>, errors: FieldErrors): void {
  validateSelector(object.spec?.selector, field("spec", "selector"), errors, "daemonset");
  validateTemplate(object.spec?.template, object.spec?.selector, field("spec", "template"), errors);
}
