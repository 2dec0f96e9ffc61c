import type { ReplicaSet, ReplicaSetSpec } from "#cluster/api/generated/types.ts";
import { replicaSets as type } from "#cluster/api/kinds.ts";
import { ageColumn, integerColumn, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { filled } from "../filling.ts";
import { containersColumn, imagesColumn, selectorCell, selectorColumnOf } from "../workload-cells.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";
import { replicaBasics, replicaCells, scaledAs } from "../workload-replicas.ts";
import { validateCounts, validateOwnSelector, validateReplicaTemplate, validateUnchanged } from "../workload-validation.ts";

const spec = field("spec");

export const replicaSets = defineResource(type, {
  shortNames: ["rs"],
  ...replicaBasics,
  defaultedFields: ["spec"],
  defaults: (replicaSet) => {
    const complete = withTemplateDefaults(filled(replicaSet.spec ?? ({} as ReplicaSetSpec), { replicas: 1 }));
    return complete === replicaSet.spec ? replicaSet : { ...replicaSet, spec: complete };
  },
  ...scaledAs("ReplicaSet"),
  validate,
  validateUpdate: (object, old, errors) => {
    if (object.spec === old.spec) return;
    validate(object, errors);
    validateUnchanged(object.spec?.selector, old.spec?.selector, spec.child("selector"), errors);
  },
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
  row: (replicaSet, context) => [...replicaCells(replicaSet, context), selectorCell(replicaSet.spec?.selector)],
});

/** Upstream says `deployment` of a ReplicaSet's empty selector, too. */
function validate(object: Typed<ReplicaSet>, errors: FieldErrors): void {
  validateCounts(object.spec, ["replicas", "minReadySeconds"], spec, errors);
  validateOwnSelector(object.spec?.selector, "deployment", spec.child("selector"), errors);
  validateReplicaTemplate(object.spec?.template ?? {}, object.spec?.selector, spec, errors);
}
