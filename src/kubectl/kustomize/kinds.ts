// The kinds whose schema kustomize carries along (that of Kubernetes 1.21): those of these it knows to be cluster-scoped, and
// those whose lists it can merge. A kind or version that is not here counts as namespaced, and its lists are replaced.

/** API version → kinds; a star marks those without namespace. */
const kinds: { readonly [apiVersion: string]: string } = {
  "admissionregistration.k8s.io/v1": "*MutatingWebhookConfiguration *ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1beta1": "*MutatingWebhookConfiguration *ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/v1": "*CustomResourceDefinition",
  "apiextensions.k8s.io/v1beta1": "*CustomResourceDefinition",
  "apiregistration.k8s.io/v1": "*APIService",
  "apiregistration.k8s.io/v1beta1": "*APIService",
  "apps/v1": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
  "autoscaling/v1": "HorizontalPodAutoscaler",
  "autoscaling/v2beta1": "HorizontalPodAutoscaler",
  "autoscaling/v2beta2": "HorizontalPodAutoscaler",
  "batch/v1": "CronJob Job",
  "batch/v1beta1": "CronJob",
  "certificates.k8s.io/v1": "*CertificateSigningRequest",
  "certificates.k8s.io/v1beta1": "*CertificateSigningRequest",
  "coordination.k8s.io/v1": "Lease",
  "coordination.k8s.io/v1beta1": "Lease",
  "discovery.k8s.io/v1": "EndpointSlice",
  "discovery.k8s.io/v1beta1": "EndpointSlice",
  "events.k8s.io/v1": "Event",
  "events.k8s.io/v1beta1": "Event",
  "extensions/v1beta1": "Ingress",
  "flowcontrol.apiserver.k8s.io/v1beta1": "*FlowSchema *PriorityLevelConfiguration",
  "networking.k8s.io/v1": "Ingress *IngressClass NetworkPolicy",
  "networking.k8s.io/v1beta1": "Ingress *IngressClass",
  "node.k8s.io/v1": "*RuntimeClass",
  "node.k8s.io/v1beta1": "*RuntimeClass",
  "policy/v1": "PodDisruptionBudget",
  "policy/v1beta1": "PodDisruptionBudget *PodSecurityPolicy",
  "rbac.authorization.k8s.io/v1": "*ClusterRole *ClusterRoleBinding Role RoleBinding",
  "rbac.authorization.k8s.io/v1beta1": "*ClusterRole *ClusterRoleBinding Role RoleBinding",
  "scheduling.k8s.io/v1": "*PriorityClass",
  "scheduling.k8s.io/v1beta1": "*PriorityClass",
  "storage.k8s.io/v1": "*CSIDriver *CSINode *StorageClass *VolumeAttachment",
  "storage.k8s.io/v1beta1": "*CSIDriver *CSINode CSIStorageCapacity *StorageClass *VolumeAttachment",
  v1:
    "*ComponentStatus ConfigMap Endpoints Event LimitRange *Namespace *Node *PersistentVolume PersistentVolumeClaim Pod " +
    "PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount",
};

export function hasSchema(apiVersion: string, kind: string): boolean {
  return (kinds[apiVersion]?.split(" ") ?? []).some((one) => one === kind || one === `*${kind}`);
}

export function isClusterScoped(apiVersion: string, kind: string): boolean {
  return kinds[apiVersion]?.split(" ").includes(`*${kind}`) === true;
}
