// One typed handle a built-in kind: what a client is asked for (`client.get(pods, key)`). What the API server does with a
// kind is declared in cluster/resources.

import type {
  APIService,
  Binding,
  CertificateSigningRequest,
  ClusterRole,
  ClusterRoleBinding,
  ComponentStatus,
  ConfigMap,
  ControllerRevision,
  CoreV1Event,
  CronJob,
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  DeviceClass,
  EndpointSlice,
  Endpoints,
  EventsV1Event,
  Eviction,
  FlowSchema,
  HorizontalPodAutoscaler,
  Ingress,
  IngressClass,
  IPAddress,
  Job,
  Lease,
  LimitRange,
  LocalSubjectAccessReview,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  Namespace,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodTemplate,
  PriorityClass,
  PriorityLevelConfiguration,
  ReplicaSet,
  ReplicationController,
  ResourceClaimTemplate,
  ResourceQuota,
  ResourceSlice,
  ResourceV1ResourceClaim,
  Role,
  RoleBinding,
  RuntimeClass,
  Scale,
  Secret,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  Service,
  ServiceAccount,
  ServiceCIDR,
  StatefulSet,
  StorageClass,
  SubjectAccessReview,
  TokenReview,
  V1beta1VolumeAttributesClass,
  V2HorizontalPodAutoscaler,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
  VolumeAttributesClass,
} from "./generated/types.ts";
import type { ResourceType } from "./objects.ts";

/** A built-in kind, with the name of its type in the generated schema. */
export interface BuiltInType<T> extends ResourceType<T> {
  readonly typeName: string;
}

function namespaced<T>(group: string, version: string, plural: string, kind: string, typeName = kind): BuiltInType<T> {
  return { group, version, plural, kind, namespaced: true, typeName };
}

function cluster<T>(group: string, version: string, plural: string, kind: string, typeName = kind): BuiltInType<T> {
  return { group, version, plural, kind, namespaced: false, typeName };
}

// core
export const pods = namespaced<Pod>("", "v1", "pods", "Pod");
export const services = namespaced<Service>("", "v1", "services", "Service");
export const endpoints = namespaced<Endpoints>("", "v1", "endpoints", "Endpoints");
export const configMaps = namespaced<ConfigMap>("", "v1", "configmaps", "ConfigMap");
export const secrets = namespaced<Secret>("", "v1", "secrets", "Secret");
export const serviceAccounts = namespaced<ServiceAccount>("", "v1", "serviceaccounts", "ServiceAccount");
export const events = namespaced<CoreV1Event>("", "v1", "events", "Event", "CoreV1Event");
export const namespaces = cluster<Namespace>("", "v1", "namespaces", "Namespace");
export const nodes = cluster<Node>("", "v1", "nodes", "Node");
export const persistentVolumes = cluster<PersistentVolume>("", "v1", "persistentvolumes", "PersistentVolume");
export const persistentVolumeClaims = namespaced<PersistentVolumeClaim>(
  "",
  "v1",
  "persistentvolumeclaims",
  "PersistentVolumeClaim",
);
export const podTemplates = namespaced<PodTemplate>("", "v1", "podtemplates", "PodTemplate");
export const replicationControllers = namespaced<ReplicationController>(
  "",
  "v1",
  "replicationcontrollers",
  "ReplicationController",
);
export const resourceQuotas = namespaced<ResourceQuota>("", "v1", "resourcequotas", "ResourceQuota");
export const limitRanges = namespaced<LimitRange>("", "v1", "limitranges", "LimitRange");
export const bindings = namespaced<Binding>("", "v1", "bindings", "Binding");
export const componentStatuses = cluster<ComponentStatus>("", "v1", "componentstatuses", "ComponentStatus");

// apps
export const deployments = namespaced<Deployment>("apps", "v1", "deployments", "Deployment");
export const replicaSets = namespaced<ReplicaSet>("apps", "v1", "replicasets", "ReplicaSet");
export const statefulSets = namespaced<StatefulSet>("apps", "v1", "statefulsets", "StatefulSet");
export const daemonSets = namespaced<DaemonSet>("apps", "v1", "daemonsets", "DaemonSet");
export const controllerRevisions = namespaced<ControllerRevision>("apps", "v1", "controllerrevisions", "ControllerRevision");

// batch
export const jobs = namespaced<Job>("batch", "v1", "jobs", "Job");
export const cronJobs = namespaced<CronJob>("batch", "v1", "cronjobs", "CronJob");

// autoscaling
export const horizontalPodAutoscalers = namespaced<V2HorizontalPodAutoscaler>(
  "autoscaling",
  "v2",
  "horizontalpodautoscalers",
  "HorizontalPodAutoscaler",
  "V2HorizontalPodAutoscaler",
);

// autoscaling
export const horizontalPodAutoscalersV1 = namespaced<HorizontalPodAutoscaler>(
  "autoscaling",
  "v1",
  "horizontalpodautoscalers",
  "HorizontalPodAutoscaler",
);
export const scales = namespaced<Scale>("autoscaling", "v1", "scales", "Scale");

// policy
export const podDisruptionBudgets = namespaced<PodDisruptionBudget>("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget");
export const evictions = namespaced<Eviction>("policy", "v1", "evictions", "Eviction");

// networking.k8s.io
export const ingresses = namespaced<Ingress>("networking.k8s.io", "v1", "ingresses", "Ingress");
export const ingressClasses = cluster<IngressClass>("networking.k8s.io", "v1", "ingressclasses", "IngressClass");
export const networkPolicies = namespaced<NetworkPolicy>("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy");
export const ipAddresses = cluster<IPAddress>("networking.k8s.io", "v1", "ipaddresses", "IPAddress");
export const serviceCidrs = cluster<ServiceCIDR>("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR");

// discovery.k8s.io
export const endpointSlices = namespaced<EndpointSlice>("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice");

// events.k8s.io
export const eventsV1 = namespaced<EventsV1Event>("events.k8s.io", "v1", "events", "Event", "EventsV1Event");

// storage.k8s.io
export const storageClasses = cluster<StorageClass>("storage.k8s.io", "v1", "storageclasses", "StorageClass");
export const volumeAttachments = cluster<VolumeAttachment>("storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment");
export const volumeAttributesClasses = cluster<VolumeAttributesClass>(
  "storage.k8s.io",
  "v1",
  "volumeattributesclasses",
  "VolumeAttributesClass",
);
/** Off unless the API server is asked for it. */
export const volumeAttributesClassesV1beta1 = cluster<V1beta1VolumeAttributesClass>(
  "storage.k8s.io",
  "v1beta1",
  "volumeattributesclasses",
  "VolumeAttributesClass",
  "V1beta1VolumeAttributesClass",
);
export const csiDrivers = cluster<CSIDriver>("storage.k8s.io", "v1", "csidrivers", "CSIDriver");
export const csiNodes = cluster<CSINode>("storage.k8s.io", "v1", "csinodes", "CSINode");
export const csiStorageCapacities = namespaced<CSIStorageCapacity>(
  "storage.k8s.io",
  "v1",
  "csistoragecapacities",
  "CSIStorageCapacity",
);

// scheduling.k8s.io
export const priorityClasses = cluster<PriorityClass>("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass");

// node.k8s.io
export const runtimeClasses = cluster<RuntimeClass>("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass");

// rbac.authorization.k8s.io
export const roles = namespaced<Role>("rbac.authorization.k8s.io", "v1", "roles", "Role");
export const roleBindings = namespaced<RoleBinding>("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding");
export const clusterRoles = cluster<ClusterRole>("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole");
export const clusterRoleBindings = cluster<ClusterRoleBinding>(
  "rbac.authorization.k8s.io",
  "v1",
  "clusterrolebindings",
  "ClusterRoleBinding",
);

// certificates.k8s.io
export const certificateSigningRequests = cluster<CertificateSigningRequest>(
  "certificates.k8s.io",
  "v1",
  "certificatesigningrequests",
  "CertificateSigningRequest",
);

// coordination.k8s.io
export const leases = namespaced<Lease>("coordination.k8s.io", "v1", "leases", "Lease");

// admissionregistration.k8s.io
export const mutatingWebhookConfigurations = cluster<MutatingWebhookConfiguration>(
  "admissionregistration.k8s.io",
  "v1",
  "mutatingwebhookconfigurations",
  "MutatingWebhookConfiguration",
);
export const validatingWebhookConfigurations = cluster<ValidatingWebhookConfiguration>(
  "admissionregistration.k8s.io",
  "v1",
  "validatingwebhookconfigurations",
  "ValidatingWebhookConfiguration",
);
export const validatingAdmissionPolicies = cluster<ValidatingAdmissionPolicy>(
  "admissionregistration.k8s.io",
  "v1",
  "validatingadmissionpolicies",
  "ValidatingAdmissionPolicy",
);
export const validatingAdmissionPolicyBindings = cluster<ValidatingAdmissionPolicyBinding>(
  "admissionregistration.k8s.io",
  "v1",
  "validatingadmissionpolicybindings",
  "ValidatingAdmissionPolicyBinding",
);
export const mutatingAdmissionPolicies = cluster<MutatingAdmissionPolicy>(
  "admissionregistration.k8s.io",
  "v1",
  "mutatingadmissionpolicies",
  "MutatingAdmissionPolicy",
);
export const mutatingAdmissionPolicyBindings = cluster<MutatingAdmissionPolicyBinding>(
  "admissionregistration.k8s.io",
  "v1",
  "mutatingadmissionpolicybindings",
  "MutatingAdmissionPolicyBinding",
);

// apiextensions.k8s.io
export const customResourceDefinitions = cluster<CustomResourceDefinition>(
  "apiextensions.k8s.io",
  "v1",
  "customresourcedefinitions",
  "CustomResourceDefinition",
);

// apiregistration.k8s.io
export const apiServices = cluster<APIService>("apiregistration.k8s.io", "v1", "apiservices", "APIService");

// flowcontrol.apiserver.k8s.io
export const flowSchemas = cluster<FlowSchema>("flowcontrol.apiserver.k8s.io", "v1", "flowschemas", "FlowSchema");
export const priorityLevelConfigurations = cluster<PriorityLevelConfiguration>(
  "flowcontrol.apiserver.k8s.io",
  "v1",
  "prioritylevelconfigurations",
  "PriorityLevelConfiguration",
);

// resource.k8s.io
export const resourceClaims = namespaced<ResourceV1ResourceClaim>(
  "resource.k8s.io",
  "v1",
  "resourceclaims",
  "ResourceClaim",
  "ResourceV1ResourceClaim",
);
export const resourceClaimTemplates = namespaced<ResourceClaimTemplate>(
  "resource.k8s.io",
  "v1",
  "resourceclaimtemplates",
  "ResourceClaimTemplate",
);
export const resourceSlices = cluster<ResourceSlice>("resource.k8s.io", "v1", "resourceslices", "ResourceSlice");
export const deviceClasses = cluster<DeviceClass>("resource.k8s.io", "v1", "deviceclasses", "DeviceClass");

// authentication.k8s.io
export const tokenReviews = cluster<TokenReview>("authentication.k8s.io", "v1", "tokenreviews", "TokenReview");
export const selfSubjectReviews = cluster<SelfSubjectReview>(
  "authentication.k8s.io",
  "v1",
  "selfsubjectreviews",
  "SelfSubjectReview",
);

// authorization.k8s.io
export const subjectAccessReviews = cluster<SubjectAccessReview>(
  "authorization.k8s.io",
  "v1",
  "subjectaccessreviews",
  "SubjectAccessReview",
);
export const selfSubjectAccessReviews = cluster<SelfSubjectAccessReview>(
  "authorization.k8s.io",
  "v1",
  "selfsubjectaccessreviews",
  "SelfSubjectAccessReview",
);
export const localSubjectAccessReviews = namespaced<LocalSubjectAccessReview>(
  "authorization.k8s.io",
  "v1",
  "localsubjectaccessreviews",
  "LocalSubjectAccessReview",
);
export const selfSubjectRulesReviews = cluster<SelfSubjectRulesReview>(
  "authorization.k8s.io",
  "v1",
  "selfsubjectrulesreviews",
  "SelfSubjectRulesReview",
);

/** All of the above that are served unless the server is told otherwise. */
export const builtInTypes: readonly BuiltInType<unknown>[] = [
  pods,
  services,
  endpoints,
  configMaps,
  secrets,
  serviceAccounts,
  events,
  namespaces,
  nodes,
  persistentVolumes,
  persistentVolumeClaims,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  limitRanges,
  bindings,
  componentStatuses,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  controllerRevisions,
  jobs,
  cronJobs,
  horizontalPodAutoscalers,
  horizontalPodAutoscalersV1,
  scales,
  podDisruptionBudgets,
  evictions,
  ingresses,
  ingressClasses,
  networkPolicies,
  ipAddresses,
  serviceCidrs,
  endpointSlices,
  eventsV1,
  storageClasses,
  volumeAttachments,
  volumeAttributesClasses,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  priorityClasses,
  runtimeClasses,
  roles,
  roleBindings,
  clusterRoles,
  clusterRoleBindings,
  certificateSigningRequests,
  leases,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  customResourceDefinitions,
  apiServices,
  flowSchemas,
  priorityLevelConfigurations,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
  deviceClasses,
  tokenReviews,
  selfSubjectReviews,
  subjectAccessReviews,
  selfSubjectAccessReviews,
  localSubjectAccessReviews,
  selfSubjectRulesReviews,
];

/** By plural; where several versions or groups have it, the one that clients prefer. */
export const kindsByPlural: ReadonlyMap<string, BuiltInType<unknown>> = new Map(
  [...builtInTypes].reverse().map((type) => [type.plural, type]),
);
