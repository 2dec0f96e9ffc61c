import type { ReplicationController, ReplicationControllerSpec } from "#cluster/api/generated/types.ts";
import { replicationControllers as type } from "#cluster/api/kinds.ts";
import { matcherOfSet } from "#cluster/api/labels.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { ageColumn, integerColumn, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { filled } from "../filling.ts";
import { containersColumn, imagesColumn, labelsCell, selectorColumnOf } from "../workload-cells.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";
import { replicaBasics, replicaCells, scaledAs } from "../workload-replicas.ts";
import { validateEndless, validateNonnegative, validatePodTemplate, validateTemplateLabels } from "../workload-validation.ts";

const spec = field("spec");

export const replicationControllers = defineResource(type, {
  shortNames: ["rc"],
  ...replicaBasics,
  defaultPropagation: "Orphan",
  ...scaledAs("ReplicationController"),
  defaults,
  validate,
  validateUpdate: (object, old, errors) => {
    if (object.spec !== old.spec) validate(object, errors);
  },
  columns: [
    nameColumn,
    integerColumn(
      "Desired",
      "Replicas is the number of desired replicas. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
    ),
    integerColumn(
      "Current",
      "Replicas is the most recently observed number of replicas. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
    ),
    integerColumn("Ready", "The number of ready replicas for this replication controller."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumnOf(
      "Selector is a label query over pods that should match the Replicas count. If Selector is empty, it is defaulted to the labels present on the Pod template. Label keys and values that must match in order to be controlled by this replication controller, if empty defaulted to labels on Pod template. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
  ],
  row: (controller, context) => [...replicaCells(controller, context), labelsCell(controller.spec?.selector)],
});

/** The template's labels stand in for a selector and for labels that are not given. */
function defaults<C extends Typed<ReplicationController> & KubeObject>(controller: C): C {
  const given = filled<ReplicationControllerSpec>(controller.spec ?? {}, { replicas: 1 });
  const timed = given.template === undefined ? given : withTemplateDefaults(given);
  const labels = timed.template?.metadata?.labels;
  const complete = labels === undefined || !isEmpty(timed.selector) ? timed : { ...timed, selector: labels };
  const result = complete === controller.spec ? controller : { ...controller, spec: complete };
  if (labels === undefined || !isEmpty(controller.metadata.labels)) return result;
  return { ...result, metadata: { ...controller.metadata, labels } };
}

function isEmpty(map: { readonly [key: string]: string } | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}

function validate(object: Typed<ReplicationController>, errors: FieldErrors): void {
  const { minReadySeconds, selector = {}, replicas, template } = object.spec ?? {};
  validateNonnegative(minReadySeconds, spec.child("minReadySeconds"), errors);
  if (isEmpty(selector)) errors.required(spec.child("selector"));
  validateNonnegative(replicas, spec.child("replicas"), errors);
  const path = spec.child("template");
  if (template === undefined) {
    errors.required(path);
    return;
  }
  validateTemplateLabels(template, matcherOfSet(selector), path, errors);
  validatePodTemplate(template, path, errors);
  validateEndless(template, "ReplicationController", path, errors);
}
