import type { ReplicationController, ReplicationControllerSpec } from "#cluster/api/generated/types.ts";
import { replicationControllers as type } from "#cluster/api/kinds.ts";
import { formatLabelSet, matcherOfSet } from "#cluster/api/labels.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorColumnOf } from "../workload-cells.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";
import { validateReplicaStatus } from "../workload-replicas.ts";
import { validateEndless, validateNonnegative, validatePodTemplate, validateTemplateLabels } from "../workload-validation.ts";
import { namedWorkloadWarnings } from "../workload-warnings.ts";

const spec = field("spec");

export const replicationControllers = defineResource(type, {
  shortNames: ["rc"],
  categories: ["all"],
  generationFields: ["spec"],
  defaultPropagation: "Orphan",
  subresources: [
    { name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] },
    { name: "status", kind: "ReplicationController", verbs: ["get", "patch", "update"] },
  ],
  scale: { specReplicas: "spec.replicas", statusReplicas: "status.replicas", selector: "spec.selector" },
  selectableFields: { "status.replicas": (controller) => String(controller.status?.replicas ?? 0) },
  ...specAndStatus,
  prepareForCreate: (controller) => ({ ...controller, status: { replicas: 0 } }),
  defaults,
  validate,
  validateUpdate: (object, old, errors) => {
    if (object.spec !== old.spec) validate(object, errors);
  },
  validateStatusUpdate: (object, _old, errors) => validateReplicaStatus(object.status, errors),
  warnings: namedWorkloadWarnings,
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
  row: (controller, context) => [
    nameCell(controller),
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    ageCell(controller, context),
    ...containerCells(controller.spec?.template),
    formatLabelSet(controller.spec?.selector) || "<none>",
  ],
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
