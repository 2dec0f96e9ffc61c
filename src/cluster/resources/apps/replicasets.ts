import type { ReplicaSet } from "#cluster/api/generated/types.ts";
import { replicaSets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell, selectorColumn } from "../workload-cells.ts";
import { validateReplicas, validateSelector, validateTemplate, validateUnchanged } from "../workload-validation.ts";

export const replicaSets = defineResource(type, {
  shortNames: ["rs"],
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  prepareForCreate: (replicaSet) => ({ ...replicaSet, status: { replicas: 0 } }),
  defaultedFields: ["spec"],
  defaults: (replicaSet) =>
    changed(replicaSet, "spec", (spec) => changed(filled(spec, { replicas: 1 }), "template", podTemplateDefaults)),
  subresources: [
    { name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] },
    { name: "status", kind: "ReplicaSet", verbs: ["get", "patch", "update"] },
  ],
  scale: { specReplicas: "spec.replicas", statusReplicas: "status.replicas", selector: "spec.selector" },
  selectableFields: {
    "status.replicas": (replicaSet) => String(replicaSet.status?.replicas ?? 0),
  },
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
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  row: (replicaSet, context) => [
    nameCell(replicaSet),
    replicaSet.spec?.replicas ?? 0,
    replicaSet.status?.replicas ?? 0,
    replicaSet.status?.readyReplicas ?? 0,
    ageCell(replicaSet, context),
    ...containerCells(replicaSet.spec?.template),
    selectorCell(replicaSet.spec?.selector),
  ],
});

function validate(object: Typed<ReplicaSet>, errors: FieldErrors): void {
  validateReplicas(object.spec?.replicas, field("spec", "replicas"), errors);
  validateSelector(object.spec?.selector, field("spec", "selector"), errors, "replicaset");
  validateTemplate(object.spec?.template, object.spec?.selector, field("spec", "template"), errors);
}
