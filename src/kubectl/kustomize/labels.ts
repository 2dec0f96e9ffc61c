// Where labels and annotations go: kustomize's tables of fields, by kind.

import { type FieldSpec, specsFor } from "./field-specs.ts";

const templates = (field: string): readonly FieldSpec[] => [
  ...specsFor("ReplicationController", `spec/template/metadata/${field}`, true, "v1"),
  ...specsFor("Deployment ReplicaSet DaemonSet", `spec/template/metadata/${field}`, true),
  ...specsFor("Job.batch", `spec/template/metadata/${field}`, true),
  ...specsFor("CronJob.batch", `spec/jobTemplate/metadata/${field}`, true),
  ...specsFor("CronJob.batch", `spec/jobTemplate/spec/template/metadata/${field}`, true),
];

export const ownLabels: FieldSpec = { path: "metadata/labels", create: true };

/** `includeTemplates` */
export const templateLabels: readonly FieldSpec[] = [
  ownLabels,
  ...templates("labels"),
  ...specsFor("StatefulSet.apps", "spec/template/metadata/labels", true),
  ...specsFor("StatefulSet.apps", "spec/volumeClaimTemplates[]/metadata/labels", true),
];

const affinities = ["podAffinity", "podAntiAffinity"].flatMap((field) => [
  `affinity/${field}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm`,
  `affinity/${field}/requiredDuringSchedulingIgnoredDuringExecution`,
]);

/** `includeSelectors`, and `commonLabels` */
export const allLabels: readonly FieldSpec[] = [
  ...specsFor("Service ReplicationController", "spec/selector", true, "v1"),
  ...specsFor("Deployment ReplicaSet DaemonSet StatefulSet.apps", "spec/selector/matchLabels", true),
  ...[...affinities, "topologySpreadConstraints"].flatMap((term) =>
    specsFor("Deployment.apps StatefulSet.apps", `spec/template/spec/${term}/labelSelector/matchLabels`),
  ),
  ...specsFor("Job.batch PodDisruptionBudget.policy", "spec/selector/matchLabels"),
  ...specsFor("CronJob.batch", "spec/jobTemplate/spec/selector/matchLabels"),
  ...["podSelector", "ingress/from/podSelector", "egress/to/podSelector"].flatMap((term) =>
    specsFor("NetworkPolicy.networking.k8s.io", `spec/${term}/matchLabels`),
  ),
  ...templateLabels,
];

export const annotationFields: readonly FieldSpec[] = [
  { path: "metadata/annotations", create: true },
  ...templates("annotations"),
  ...specsFor("StatefulSet", "spec/template/metadata/annotations", true),
];
