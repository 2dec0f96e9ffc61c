import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Deployment, DeploymentSpec, DeploymentStrategy } from "#cluster/api/generated/types.ts";
import { deployments as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed, filled, withoutZero } from "../filling.ts";
import { specAndStatus, withFieldsOf } from "../strategy.ts";
import { amountOf, validateAmount, validateAtMostAll } from "../workload-amounts.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell, selectorColumnOf } from "../workload-cells.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";
import { goDeploymentStrategy } from "../workload-go-values.ts";
import { scaledAs, validateAvailable } from "../workload-replicas.ts";
import {
  validateCollisionCount,
  validateCounts,
  validateNonnegative,
  validateOwnSelector,
  validateParts,
  validateReplicaTemplate,
  validateUnchanged,
} from "../workload-validation.ts";
import { namedWorkloadWarnings } from "../workload-warnings.ts";

type Stored = Typed<Deployment>;

const spec = field("spec");
const status = field("status");

export const deployments = defineResource(type, {
  shortNames: ["deploy"],
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  // Annotations count as part of the spec here; labels are not the status's to change.
  prepareForUpdate: (deployment, old) => {
    const kept = withFieldsOf(deployment, old, "status");
    if (semanticDeepEqual(kept.metadata.annotations, old.metadata.annotations)) return kept;
    return { ...kept, metadata: { ...kept.metadata, generation: Number(old.metadata.generation ?? 0) + 1 } };
  },
  prepareForStatusUpdate: (deployment, old) => {
    const kept = withFieldsOf(deployment, old, "spec");
    const { labels: _labels, ...metadata } = kept.metadata;
    const { labels } = old.metadata;
    if (kept.metadata.labels === labels) return kept;
    return { ...kept, metadata: labels === undefined ? metadata : { ...metadata, labels } };
  },
  statusResetPaths: [["spec"], ["metadata", "labels"]],
  defaultedFields: ["spec"],
  defaults: (deployment) => {
    const complete = specDefaults(deployment.spec ?? ({} as DeploymentSpec));
    return complete === deployment.spec ? deployment : { ...deployment, spec: complete };
  },
  ...scaledAs("Deployment"),
  validate,
  validateUpdate: (object, old, errors) => {
    if (object.spec === old.spec) return;
    validate(object, errors);
    validateUnchanged(object.spec?.selector, old.spec?.selector, spec.child("selector"), errors);
  },
  validateStatusUpdate,
  warnings: namedWorkloadWarnings,
  columns: [
    nameColumn,
    column("Ready", "Number of the pod with ready state"),
    column("Up-to-date", "Total number of non-terminating pods targeted by this deployment that have the desired template spec."),
    column(
      "Available",
      "Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.",
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumnOf(
      "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment. It must match the pod template's labels.",
    ),
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

function specDefaults(given: DeploymentSpec): DeploymentSpec {
  const timed = filled(given, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = strategyDefaults(timed.strategy ?? {});
  return withTemplateDefaults(strategy === timed.strategy ? timed : { ...timed, strategy });
}

function strategyDefaults(given: DeploymentStrategy): DeploymentStrategy {
  const typed = filled(withoutZero(given, "type"), { type: "RollingUpdate" });
  if (typed.type !== "RollingUpdate") return typed;
  return changed(filled(typed, { rollingUpdate: {} }), "rollingUpdate", (rolling) =>
    filled(rolling, { maxUnavailable: "25%", maxSurge: "25%" }),
  );
}

function validate(object: Stored, errors: FieldErrors): void {
  const { replicas, selector, template, strategy, progressDeadlineSeconds, minReadySeconds = 0 } = object.spec ?? {};
  validateNonnegative(replicas, spec.child("replicas"), errors);
  validateOwnSelector(selector, "deployment", spec.child("selector"), errors);
  validateReplicaTemplate(template ?? {}, selector, spec, errors);
  validateStrategy(strategy ?? {}, spec.child("strategy"), errors);
  validateCounts(object.spec, ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"], spec, errors);
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    errors.invalid(spec.child("progressDeadlineSeconds"), progressDeadlineSeconds, "must be greater than minReadySeconds");
  }
}

function validateStrategy(strategy: DeploymentStrategy, path: Path, errors: FieldErrors): void {
  const { type: kind, rollingUpdate } = strategy;
  const at = path.child("rollingUpdate");
  if (kind === "Recreate") {
    if (rollingUpdate !== undefined) errors.forbidden(at, "may not be specified when strategy `type` is 'Recreate'");
    return;
  }
  if (kind !== "RollingUpdate") {
    errors.notSupported(path, goDeploymentStrategy(strategy), ["Recreate", "RollingUpdate"]);
    return;
  }
  if (rollingUpdate === undefined) {
    errors.required(at, "this should be defaulted and never be nil");
    return;
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  validateAmount(maxUnavailable, at.child("maxUnavailable"), errors);
  validateAmount(maxSurge, at.child("maxSurge"), errors);
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.invalid(at.child("maxUnavailable"), maxUnavailable, "may not be 0 when `maxSurge` is 0");
  }
  validateAtMostAll(maxUnavailable, at.child("maxUnavailable"), errors);
}

function validateStatusUpdate(object: Stored, old: Stored, errors: FieldErrors): void {
  const names = [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ] as const;
  validateCounts(object.status, names, status, errors);
  validateParts(object.status, ["updatedReplicas", "readyReplicas", "availableReplicas"], status, errors);
  validateAvailable(object.status, status, errors);
  validateCollisionCount(object.status, old.status, status, errors);
}
