import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { StatefulSet, StatefulSetSpec } from "#cluster/api/generated/types.ts";
import { statefulSets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed, each, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn } from "../workload-cells.ts";
import { validateReplicas, validateSelector, validateTemplate } from "../workload-validation.ts";

export const statefulSets = defineResource(type, {
  shortNames: ["sts"],
  categories: ["all"],
  generationFields: ["spec"],
  subresources: [
    { name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] },
    { name: "status", kind: "StatefulSet", verbs: ["get", "patch", "update"] },
  ],
  scale: { specReplicas: "spec.replicas", statusReplicas: "status.replicas", selector: "spec.selector" },
  ...specAndStatus,
  prepareForCreate: (set) => ({ ...set, status: { replicas: 0, availableReplicas: 0 } }),
  defaultedFields: ["spec"],
  defaults: (set) => changed(set, "spec", specDefaults),
  validate,
  validateUpdate: (object, old, errors) => {
    validate(object, errors);
    const mutable = [
      "replicas",
      "template",
      "updateStrategy",
      "revisionHistoryLimit",
      "persistentVolumeClaimRetentionPolicy",
      "minReadySeconds",
      "ordinals",
    ];
    const rest = (spec: object | undefined): object =>
      Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => !mutable.includes(name)));
    if (!semanticDeepEqual(rest(object.spec), rest(old.spec))) {
      errors.forbidden(
        field("spec"),
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      );
    }
  },
  columns: [nameColumn, column("Ready", "Number of the pod with ready state"), ageColumn, containersColumn, imagesColumn],
  row: (set, context) => [
    nameCell(set),
    `${set.status?.readyReplicas ?? 0}/${set.spec?.replicas ?? 0}`,
    ageCell(set, context),
    ...containerCells(set.spec?.template),
  ],
});

function specDefaults(spec: StatefulSetSpec): StatefulSetSpec {
  const untyped = !spec.updateStrategy?.type;
  let strategy = untyped
    ? filled({ ...spec.updateStrategy, type: "RollingUpdate" }, { rollingUpdate: {} })
    : (spec.updateStrategy ?? {});
  if (strategy.type === "RollingUpdate")
    strategy = changed(strategy, "rollingUpdate", (rolling) => filled(rolling, { partition: 0 }));
  let result = filled(strategy === spec.updateStrategy ? spec : { ...spec, updateStrategy: strategy }, {
    podManagementPolicy: "OrderedReady",
    replicas: 1,
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  });
  result = changed(result, "persistentVolumeClaimRetentionPolicy", (policy) =>
    filled(policy, { whenDeleted: "Retain", whenScaled: "Retain" }),
  );
  result = changed(result, "volumeClaimTemplates", (claims) =>
    each(claims, (claim) => {
      const typed = filled(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim", status: { phase: "Pending" } });
      return changed(typed, "spec", (claimSpec) => filled(claimSpec, { volumeMode: "Filesystem" }));
    }),
  );
  return changed(result, "template", podTemplateDefaults);
}

function validate(object: Typed<StatefulSet>, errors: FieldErrors): void {
  validateReplicas(object.spec?.replicas, field("spec", "replicas"), errors);
  validateSelector(object.spec?.selector, field("spec", "selector"), errors, "statefulset");
  validateTemplate(object.spec?.template, object.spec?.selector, field("spec", "template"), errors);
}
