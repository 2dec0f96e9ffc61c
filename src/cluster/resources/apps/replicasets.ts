import type { ReplicaSet, ReplicaSetSpec } from "#cluster/api/generated/types.ts";
import { replicaSets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell, selectorColumnOf } from "../workload-cells.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";
import { validateReplicaStatus } from "../workload-replicas.ts";
import { validateCounts, validateOwnSelector, validateReplicaTemplate, validateUnchanged } from "../workload-validation.ts";
import { namedWorkloadWarnings } from "../workload-warnings.ts";

const spec = field("spec");

export const replicaSets = defineResource(type, {
  shortNames: ["rs"],
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  prepareForCreate: (replicaSet) => ({ ...replicaSet, status: { replicas: 0 } }),
  defaultedFields: ["spec"],
  defaults: (replicaSet) => {
    const complete = withTemplateDefaults(filled(replicaSet.spec ?? ({} as ReplicaSetSpec), { replicas: 1 }));
    return complete === replicaSet.spec ? replicaSet : { ...replicaSet, spec: complete };
  },
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
    if (object.spec === old.spec) return;
    validate(object, errors);
    validateUnchanged(object.spec?.selector, old.spec?.selector, spec.child("selector"), errors);
  },
  validateStatusUpdate: (object, _old, errors) => validateReplicaStatus(object.status, errors),
  warnings: namedWorkloadWarnings,
  columns: [
    nameColumn,
    integerColumn(
      "Desired",
      "Replicas is the number of desired pods. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
    ),
    integerColumn(
      "Current",
      "Replicas is the most recently observed number of non-terminating pods. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
    ),
    integerColumn("Ready", "The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumnOf(
      "Selector is a label query over pods that should match the replica count. Label keys and values that must match in order to be controlled by this replica set. It must match the pod template's labels. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
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

/** Upstream says `deployment` of a ReplicaSet's empty selector, too. */
function validate(object: Typed<ReplicaSet>, errors: FieldErrors): void {
  validateCounts(object.spec, ["replicas", "minReadySeconds"], spec, errors);
  validateOwnSelector(object.spec?.selector, "deployment", spec.child("selector"), errors);
  validateReplicaTemplate(object.spec?.template ?? {}, object.spec?.selector, spec, errors);
}
