import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy } from "#cluster/api/generated/types.ts";
import { daemonSets as type } from "#cluster/api/kinds.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed, filled, withoutZero } from "../filling.ts";
import { specAndStatus, withFieldsOf } from "../strategy.ts";
import { amountOf, validateAmount, validateAtMostAll } from "../workload-amounts.ts";
import { containerCells, containersColumn, imagesColumn, labelsCell, selectorCell, selectorColumnOf } from "../workload-cells.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";
import { goDaemonSetStrategy } from "../workload-go-values.ts";
import {
  isEmptySelector,
  readableMatcher,
  validateCollisionCount,
  validateCounts,
  validateEndless,
  validateNonnegative,
  validatePodTemplate,
  validateTemplateLabels,
  validateUnchanged,
} from "../workload-validation.ts";
import { workloadWarnings } from "../workload-warnings.ts";

type Subject = Typed<DaemonSet> & KubeObject;

const spec = field("spec");
const status = field("status");

/** Counts the changes of the template; apps/v1 has no field for it. */
const templateGeneration = "deprecated.daemonset.template.generation";

export const daemonSets = defineResource(type, {
  shortNames: ["ds"],
  categories: ["all"],
  generationFields: ["spec"],
  subresources: [{ name: "status", kind: "DaemonSet", verbs: ["get", "patch", "update"] }],
  prepareForCreate: (set) => ({ ...withTemplateGeneration(set, Math.max(1, templateGenerationOf(set))), status: emptyStatus }),
  prepareForUpdate: (set, old) => {
    const step = semanticDeepEqual(set.spec?.template, old.spec?.template) ? 0 : 1;
    return withTemplateGeneration(withFieldsOf(set, old, "status"), templateGenerationOf(old) + step);
  },
  prepareForStatusUpdate: (set, old) =>
    withTemplateGeneration(specAndStatus.prepareForStatusUpdate(set, old), templateGenerationOf(old)),
  defaultedFields: ["spec"],
  defaults: (set) => {
    const complete = specDefaults(set.spec ?? ({} as DaemonSetSpec));
    const numbered = set.metadata.annotations?.[templateGeneration] === undefined ? withTemplateGeneration(set, 0) : set;
    return complete === set.spec ? numbered : { ...numbered, spec: complete };
  },
  validate,
  warnings: workloadWarnings,
  validateUpdate: (object, old, errors) => {
    if (object.spec === old.spec) return;
    validate(object, errors);
    validateUnchanged(object.spec?.selector, old.spec?.selector, spec.child("selector"), errors);
  },
  validateStatusUpdate: (object, old, errors) => {
    const counts = ["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady"] as const;
    const further = ["observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable"] as const;
    validateCounts(object.status, [...counts, ...further, "collisionCount"], status, errors);
    validateCollisionCount(object.status, old.status, status, errors);
  },
  columns: [
    nameColumn,
    integerColumn(
      "Desired",
      "The total number of nodes that should be running the daemon pod (including nodes correctly running the daemon pod). More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/",
    ),
    integerColumn(
      "Current",
      "The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod. More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/",
    ),
    integerColumn(
      "Ready",
      "numberReady is the number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready Condition.",
    ),
    integerColumn("Up-to-date", "The total number of nodes that are running updated daemon pod"),
    integerColumn(
      "Available",
      "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available (ready for at least spec.minReadySeconds)",
    ),
    column(
      "Node Selector",
      "NodeSelector is a selector which must be true for the pod to fit on a node. Selector which must match a node's labels for the pod to be scheduled on that node. More info: https://kubernetes.io/docs/concepts/configuration/assign-pod-node/",
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumnOf(
      "A label query over pods that are managed by the daemon set. Must match in order to be controlled. It must match the pod template's labels. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
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

function templateGenerationOf(set: Subject): number {
  const text = set.metadata.annotations?.[templateGeneration] ?? "";
  return /^[0-9]+$/.test(text) ? Number(text) : 0;
}

function withTemplateGeneration<S extends Subject>(set: S, generation: number): S {
  const { annotations } = set.metadata;
  const text = String(generation);
  if (annotations?.[templateGeneration] === text) return set;
  return { ...set, metadata: { ...set.metadata, annotations: { ...annotations, [templateGeneration]: text } } };
}

function specDefaults(given: DaemonSetSpec): DaemonSetSpec {
  const updateStrategy = strategyDefaults(given.updateStrategy ?? {});
  const whole = updateStrategy === given.updateStrategy ? given : { ...given, updateStrategy };
  return withTemplateDefaults(filled(whole, { revisionHistoryLimit: 10 }));
}

function strategyDefaults(given: DaemonSetUpdateStrategy): DaemonSetUpdateStrategy {
  const typed = filled(withoutZero(given, "type"), { type: "RollingUpdate" });
  if (typed.type !== "RollingUpdate") return typed;
  return changed(filled(typed, { rollingUpdate: {} }), "rollingUpdate", (rolling) =>
    filled(rolling, { maxUnavailable: 1, maxSurge: 0 }),
  );
}

function validate(object: Typed<DaemonSet>, errors: FieldErrors): void {
  const { selector, template = {}, minReadySeconds, updateStrategy, revisionHistoryLimit } = object.spec ?? {};
  const path = spec.child("template");
  validateLabelSelector(selector, spec.child("selector"), errors);
  const matches = readableMatcher(selector);
  if (matches !== undefined) validateTemplateLabels(template, matches, path, errors);
  if (selector !== undefined && isEmptySelector(selector)) {
    errors.invalid(spec.child("selector"), selector, "empty selector is invalid for daemonset");
  }
  validatePodTemplate(template, path, errors);
  validateEndless(template, "DaemonSet", path, errors);
  validateNonnegative(minReadySeconds, spec.child("minReadySeconds"), errors);
  validateStrategy(updateStrategy ?? {}, spec.child("updateStrategy"), errors);
  validateNonnegative(revisionHistoryLimit, spec.child("revisionHistoryLimit"), errors);
}

function validateStrategy(strategy: DaemonSetUpdateStrategy, path: Path, errors: FieldErrors): void {
  const { type: kind, rollingUpdate } = strategy;
  if (kind === "OnDelete") return;
  if (kind !== "RollingUpdate") {
    errors.notSupported(path, goDaemonSetStrategy(strategy), ["RollingUpdate", "OnDelete"]);
    return;
  }
  const at = path.child("rollingUpdate");
  if (rollingUpdate === undefined) {
    errors.required(at);
    return;
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  validateAmount(maxUnavailable, at.child("maxUnavailable"), errors);
  validateAmount(maxSurge, at.child("maxSurge"), errors);
  validateAtMostAll(maxUnavailable, at.child("maxUnavailable"), errors);
  validateAtMostAll(maxSurge, at.child("maxSurge"), errors);
  const [mayLack, maySurge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  if (mayLack && maySurge) errors.invalid(at.child("maxSurge"), maxSurge, "may not be set when maxUnavailable is non-zero");
  else if (!mayLack && !maySurge) errors.required(at.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
}
