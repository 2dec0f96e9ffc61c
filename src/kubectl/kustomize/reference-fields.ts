// Fields that name other objects: kustomize's table of references.

import { type FieldSpec, specsFor } from "./field-specs.ts";
import type { KindSpec } from "./resource.ts";

/** Which objects are meant, and where they are named. */
interface References {
  readonly to: KindSpec;
  readonly fields: readonly FieldSpec[];
}

/** The way to the Pod's specification, by kind. */
const podSpecs: { readonly [kind: string]: string } = {
  Pod: "spec",
  PodTemplate: "template/spec",
  CronJob: "spec/jobTemplate/spec/template/spec",
};

const configured = "Pod PodTemplate Deployment ReplicaSet DaemonSet StatefulSet Job CronJob";
const served = "Pod StatefulSet Deployment ReplicationController CronJob Job DaemonSet";

function inPods(kinds: string, ...fields: readonly string[]): readonly FieldSpec[] {
  return kinds
    .split(" ")
    .flatMap((kind) => fields.map((field) => ({ kind, path: `${podSpecs[kind] ?? "spec/template/spec"}/${field}` })));
}

function environment(of: string): readonly string[] {
  return ["containers", "initContainers"].flatMap((list) => [
    `${list}/env/valueFrom/${of}KeyRef/name`,
    `${list}/envFrom/${of}Ref/name`,
  ]);
}

const annotation = (name: string): string => `metadata/annotations/${name.replace("/", "\\/")}`;

export const references: readonly References[] = [
  {
    to: { kind: "StorageClass", version: "v1", group: "storage.k8s.io" },
    fields: [
      ...specsFor("PersistentVolume PersistentVolumeClaim", "spec/storageClassName"),
      ...specsFor("StatefulSet", "spec/volumeClaimTemplates/spec/storageClassName"),
    ],
  },
  {
    to: { kind: "ServiceAccount", version: "v1" },
    fields: [
      ...specsFor("RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", "subjects"),
      ...inPods(served, "serviceAccountName"),
    ],
  },
  {
    to: { kind: "Role", group: "rbac.authorization.k8s.io" },
    fields: specsFor("RoleBinding.rbac.authorization.k8s.io", "roleRef/name"),
  },
  {
    to: { kind: "ClusterRole", group: "rbac.authorization.k8s.io" },
    fields: specsFor("RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", "roleRef/name"),
  },
  {
    to: { kind: "ConfigMap", version: "v1" },
    fields: [
      ...inPods(configured, "volumes/configMap/name", "volumes/projected/sources/configMap/name", ...environment("configMap")),
      ...specsFor("Node", "spec/configSource/configMap"),
      ...specsFor("Role ClusterRole", "rules/resourceNames"),
      ...specsFor("Ingress", annotation("nginx.ingress.kubernetes.io/fastcgi-params-configmap")),
    ],
  },
  {
    to: { kind: "Secret", version: "v1" },
    fields: [
      ...inPods(configured, "volumes/secret/secretName", "volumes/projected/sources/secret/name", "imagePullSecrets/name"),
      ...inPods(configured, ...environment("secret")),
      ...specsFor("Ingress", "spec/tls/secretName"),
      ...specsFor("Ingress", annotation("ingress.kubernetes.io/auth-secret")),
      ...specsFor("Ingress", annotation("nginx.ingress.kubernetes.io/auth-secret")),
      ...specsFor("Ingress", annotation("nginx.ingress.kubernetes.io/auth-tls-secret")),
      ...specsFor("ServiceAccount", "imagePullSecrets/name"),
      ...["secretName", "adminSecretName", "userSecretName", "secretRef"].flatMap((field) =>
        specsFor("StorageClass", `parameters/${field}`),
      ),
      ...specsFor("Role ClusterRole", "rules/resourceNames"),
      ...specsFor("Service.serving.knative.dev", "spec/template/spec/containers/env/valueFrom/secretKeyRef/name", false, "v1"),
      ...specsFor("PersistentVolume", "spec/azureFile/secretName"),
    ],
  },
  {
    to: { kind: "Service", version: "v1" },
    fields: [
      ...specsFor("StatefulSet.apps", "spec/serviceName"),
      ...specsFor("Ingress", "spec/rules/http/paths/backend/serviceName"),
      ...specsFor("Ingress", "spec/backend/serviceName"),
      ...specsFor("Ingress", "spec/rules/http/paths/backend/service/name"),
      ...specsFor("Ingress", "spec/defaultBackend/service/name"),
      ...specsFor("APIService.apiregistration.k8s.io", "spec/service/name"),
      ...["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"].flatMap((kind) =>
        specsFor(`${kind}.admissionregistration.k8s.io`, "webhooks/clientConfig/service"),
      ),
    ],
  },
  {
    to: { kind: "PriorityClass", version: "v1", group: "scheduling.k8s.io" },
    fields: inPods(served, "priorityClassName"),
  },
  {
    to: { kind: "PersistentVolume", version: "v1" },
    fields: [...specsFor("PersistentVolumeClaim", "spec/volumeName"), ...specsFor("ClusterRole", "rules/resourceNames")],
  },
  {
    to: { kind: "PersistentVolumeClaim", version: "v1" },
    fields: inPods(served, "volumes/persistentVolumeClaim/claimName"),
  },
  ...["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"].map((kind) => ({
    to: { kind },
    fields: specsFor("HorizontalPodAutoscaler", "spec/scaleTargetRef/name"),
  })),
  {
    to: { kind: "ValidatingAdmissionPolicy", group: "admissionregistration.k8s.io" },
    fields: specsFor("ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "spec/policyName"),
  },
];
