import type { Deployment, DeploymentSpec } from "#cluster/api/generated/types.ts";
import { deployments as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell, selectorColumn } from "../workload-cells.ts";
import { validateReplicas, validateSelector, validateTemplate, validateUnchanged } from "../workload-validation.ts";

export const deployments = defineResource(type, {
  shortNames: ["deploy"],
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  defaultedFields: ["spec"],
  defaults: (deployment) => changed(deployment, "spec", specDefaults),
  subresources: [
    { name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] },
    { name: "status", kind: "Deployment", verbs: ["get", "patch", "update"] },
  ],
  scale: { specReplicas: "spec.replicas", statusReplicas: "status.replicas", selector: "spec.selector" },
  validate,
  validateUpdate: (object, old, errors) => {
    validate(object, errors);
    validateUnchanged(object.spec?.selector, old.spec?.selector, field("spec", "selector"), errors);
  },
  columns: [
    nameColumn,
    column("Ready", "Number of the pod with ready state"),
    integerColumn("Up-to-date", ""),
    integerColumn("Available", ""),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  row: (deployment, context) => [
    nameCell(deployment),
    `${deployment.status?.readyReplicas ?? 0}/${deployment.spec?.replicas ?? 0}`,
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    ageCell(deployment, context),
    ...containerCells(deployment.spec?.template),
    selectorCell(deployment.spec?.selector),
  ],
});

function specDefaults(spec: DeploymentSpec): DeploymentSpec {
  const timed = filled(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const type = timed.strategy?.type || "RollingUpdate";
  const strategy = filled(timed.strategy ?? {}, {
    type,
    ...(type === "RollingUpdate" ? { rollingUpdate: {} } : {}),
  });
  const complete =
    type !== "RollingUpdate"
      ? strategy
      : changed(strategy, "rollingUpdate", (rolling) => filled(rolling, { maxUnavailable: "25%", maxSurge: "25%" }));
  const withStrategy = complete === timed.strategy ? timed : { ...timed, strategy: complete };
  return changed(withStrategy, "template", podTemplateDefaults);
}

function validate(object: Typed<Deployment>, errors: FieldErrors): void {
  validateReplicas(object.spec?.replicas, field("spec", "replicas"), errors);
  validateSelector(object.spec?.selector, field("spec", "selector"), errors, "deployment");
  validateTemplate(object.spec?.template, object.spec?.selector, field("spec", "template"), errors);
}
