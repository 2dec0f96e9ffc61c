import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { StatefulSet, StatefulSetSpec } from "#cluster/api/generated/types.ts";
import { statefulSets as type } from "#cluster/api/kinds.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { claimSpecWarnings } from "../core/volumes/claim-spec.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed, each, filled, withoutZero } from "../filling.ts";
import { labelName } from "../name-rules.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn } from "../workload-cells.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";
import { scaledAs } from "../workload-replicas.ts";
import { workloadWarnings } from "../workload-warnings.ts";
import { validateStatefulSet, validateStatefulSetStatus } from "./statefulset-validation.ts";

export const statefulSets = defineResource(type, {
  shortNames: ["sts"],
  categories: ["all"],
  nameRule: labelName,
  generationFields: ["spec"],
  ...scaledAs("StatefulSet"),
  ...specAndStatus,
  prepareForCreate: (set) => ({ ...withoutMaxUnavailable(set), status: { replicas: 0, availableReplicas: 0 } }),
  prepareForUpdate: (set, old) => withoutMaxUnavailable(specAndStatus.prepareForUpdate(set, old)),
  defaultedFields: ["spec"],
  defaults: (set) => {
    const complete = specDefaults(set.spec ?? ({} as StatefulSetSpec));
    return complete === set.spec ? set : { ...set, spec: complete };
  },
  validate: (object, errors) => validateStatefulSet(object, undefined, errors),
  validateUpdate,
  validateStatusUpdate: validateStatefulSetStatus,
  warnings,
  columns: [nameColumn, column("Ready", "Number of the pod with ready state"), ageColumn, containersColumn, imagesColumn],
  row: (set, context) => [
    nameCell(set),
    `${set.status?.readyReplicas ?? 0}/${set.spec?.replicas ?? 0}`,
    ageCell(set, context),
    ...containerCells(set.spec?.template),
  ],
});

function specDefaults(spec: StatefulSetSpec): StatefulSetSpec {
  const given = spec.updateStrategy ?? {};
  let strategy = given.type ? given : filled({ ...given, type: "RollingUpdate" }, { rollingUpdate: {} });
  if (strategy.type === "RollingUpdate")
    strategy = changed(strategy, "rollingUpdate", (rolling) => filled(rolling, { partition: 0 }));
  let result = filled(
    withoutZero(strategy === spec.updateStrategy ? spec : { ...spec, updateStrategy: strategy }, "podManagementPolicy"),
    {
      podManagementPolicy: "OrderedReady",
      replicas: 1,
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: {},
    },
  );
  result = changed(result, "persistentVolumeClaimRetentionPolicy", (policy) =>
    filled(withoutZero(policy, "whenDeleted", "whenScaled"), { whenDeleted: "Retain", whenScaled: "Retain" }),
  );
  result = changed(result, "volumeClaimTemplates", (claims) =>
    each(claims, (claim) => {
      // Whatever else they are called by, they are written as claims.
      const isTyped = claim.apiVersion === "v1" && claim.kind === "PersistentVolumeClaim";
      const typed = filled(isTyped ? claim : { ...claim, apiVersion: "v1", kind: "PersistentVolumeClaim" }, { status: {} });
      const pending = changed(typed, "status", (status) => filled(withoutZero(status, "phase"), { phase: "Pending" }));
      return changed(pending, "spec", (claimSpec) => filled(claimSpec, { volumeMode: "Filesystem" }));
    }),
  );
  return withTemplateDefaults(result);
}

/** The gate MaxUnavailableStatefulSet is off in v1.36: what is behind it is dropped. */
function withoutMaxUnavailable<S extends Typed<StatefulSet> & KubeObject>(set: S): S {
  if (set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined) return set;
  const { maxUnavailable: _maxUnavailable, ...rollingUpdate } = set.spec.updateStrategy.rollingUpdate;
  return { ...set, spec: { ...set.spec, updateStrategy: { ...set.spec.updateStrategy, rollingUpdate } } };
}

/** Upstream names the claims' specs otherwise when it updates. */
function warnings(object: Typed<StatefulSet> & KubeObject, old: (Typed<StatefulSet> & KubeObject) | undefined): readonly string[] {
  const found = [...workloadWarnings(object, old)];
  // Updates of the status bring the stored spec along, and warn of nothing.
  if (object.spec === old?.spec) return found;
  for (const [index, claim] of (object.spec?.volumeClaimTemplates ?? []).entries()) {
    const at = field("spec", "volumeClaimTemplates").index(index);
    found.push(...claimSpecWarnings(claim.spec, old === undefined ? at : at.child("Spec")));
  }
  if ((object.spec?.revisionHistoryLimit ?? 0) < 0) {
    found.push("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended");
  }
  return found;
}

const changeable: ReadonlySet<string> = new Set([
  "replicas",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
  "ordinals",
]);

function validateUpdate(object: Typed<StatefulSet>, old: Typed<StatefulSet>, errors: FieldErrors): void {
  if (object.spec === old.spec) return;
  validateStatefulSet(object, old, errors);
  const fixed = (spec: object | undefined): object =>
    Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => !changeable.has(name)));
  if (semanticDeepEqual(fixed(object.spec), fixed(old.spec))) return;
  errors.forbidden(
    field("spec"),
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  );
}
