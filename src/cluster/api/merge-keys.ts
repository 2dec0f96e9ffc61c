// Facts that the client package lacks, from the struct tags and markers of kubernetes/api at v0.36.3: how lists and maps
// merge in strategic merge patches (patchStrategy, patchMergeKey) and in server-side apply (listType, listMapKey, mapType,
// structType), and which strings are quantities.

/** How one field merges. */
export interface ListRule {
  /** Server-side apply: a list is replaced whole (the default), a set of scalars, or a map by keys; a map or struct may be atomic. */
  readonly apply?: "atomic" | "set" | "map" | "granular";
  /** The keys of a list that is a map, in the order of the declaration. */
  readonly keys?: readonly string[];
  /** Strategic merge patch: `merge` lists are merged, `retainKeys` drops what the patch does not name; absent: replace. */
  readonly patchMerge?: boolean;
  readonly patchRetainKeys?: boolean;
  /** The merge key of a list of objects; absent for lists of scalars. */
  readonly patchMergeKey?: string;
}

/** The rule of a type's field, if it has one. */
export function listRuleOf(typeName: string, field: string): ListRule | undefined {
  return rules().get(typeName)?.get(field);
}

/** Types that server-side apply treats as one value (structType=atomic). */
export function isAtomicType(typeName: string): boolean {
  return atomicTypes.has(typeName);
}

/** Values that keys of list items have when absent. Only `protocol` of container and Service ports has one. */
export const keyDefaults: { readonly [key: string]: string } = { protocol: "TCP" };

let parsed: Map<string, Map<string, ListRule>> | undefined;

function rules(): Map<string, Map<string, ListRule>> {
  parsed ??= parseRules();
  return parsed;
}

function parseRules(): Map<string, Map<string, ListRule>> {
  const table = new Map<string, Map<string, ListRule>>();
  for (const line of ruleText.trim().split("\n")) {
    const [typeName = "", ...fields] = line.split(" ");
    table.set(typeName, new Map(fields.map((field) => parseRule(field))));
  }
  return table;
}

/** `ports=map:containerPort,protocol~merge:containerPort` */
function parseRule(text: string): [string, ListRule] {
  const equals = text.indexOf("=");
  const [apply = "", patch = ""] = text.slice(equals + 1).split("~");
  const [kind = "", keys] = apply.split(":");
  const [strategy = "", mergeKey] = patch.split(":");
  return [
    text.slice(0, equals),
    {
      ...(kind === "atomic" || kind === "set" || kind === "map" || kind === "granular" ? { apply: kind } : {}),
      ...(keys === undefined ? {} : { keys: keys.split(",") }),
      ...(strategy.includes("merge") ? { patchMerge: true } : {}),
      ...(strategy.includes("retainKeys") ? { patchRetainKeys: true } : {}),
      ...(mergeKey === undefined ? {} : { patchMergeKey: mergeKey }),
    },
  ];
}

const atomicTypes: ReadonlySet<string> = new Set(
  "ConfigMapKeySelector CoreV1EndpointPort CrossVersionObjectReference DiscoveryV1EndpointPort EndpointAddress FileKeySelector LabelSelector LocalObjectReference MatchResources NamedRuleWithOperations NodeSelector NodeSelectorTerm ObjectFieldSelector ObjectReference OwnerReference ParamKind ParamRef RbacV1Subject ResourceFieldSelector RoleRef ScopeSelector SecretKeySelector SecretReference ServiceBackendPort TopologySelectorTerm TypedLocalObjectReference Variable".split(
    " ",
  ),
);

/** Fields whose strings (or whose map's or list's strings) are quantities. */
export const quantityFields: { readonly [typeName: string]: readonly string[] } = {
  CSIStorageCapacity: ["capacity", "maximumVolumeSize"],
  CapacityRequestPolicy: ["default", "validValues"],
  CapacityRequestPolicyRange: ["min", "max", "step"],
  CapacityRequirements: ["requests"],
  ContainerStatus: ["allocatedResources"],
  Counter: ["value"],
  DeviceCapacity: ["value"],
  DeviceRequestAllocationResult: ["consumedCapacity"],
  EmptyDirVolumeSource: ["sizeLimit"],
  LimitRangeItem: ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"],
  NodeAllocatableResourceClaimStatus: ["resources"],
  NodeAllocatableResourceMapping: ["allocationMultiplier"],
  NodeStatus: ["capacity", "allocatable"],
  Overhead: ["podFixed"],
  PersistentVolumeClaimStatus: ["capacity", "allocatedResources"],
  PersistentVolumeSpec: ["capacity"],
  PodSpec: ["overhead"],
  PodStatus: ["allocatedResources"],
  ResourceFieldSelector: ["divisor"],
  ResourceQuotaSpec: ["hard"],
  ResourceQuotaStatus: ["hard", "used"],
  ResourceRequirements: ["limits", "requests"],
  V2HPAScalingRules: ["tolerance"],
  V2MetricTarget: ["value", "averageValue"],
  V2MetricValueStatus: ["value", "averageValue"],
  VolumeResourceRequirements: ["limits", "requests"],
};

const ruleText = `
APIGroup serverAddressByClientCIDRs=atomic versions=atomic
APIGroupList groups=atomic
APIResource categories=atomic shortNames=atomic
APIResourceList resources=atomic
APIServiceStatus conditions=map:type~merge:type
APIVersions serverAddressByClientCIDRs=atomic versions=atomic
AggregationRule clusterRoleSelectors=atomic
AllocatedDeviceStatus conditions=map:type
CSIDriverSpec tokenRequests=atomic volumeLifecycleModes=set
CSINodeDriver topologyKeys=atomic
CSINodeSpec drivers=map:name~merge:name
Capabilities add=atomic drop=atomic
CapacityRequestPolicy validValues=atomic
CephFSPersistentVolumeSource monitors=atomic
CephFSVolumeSource monitors=atomic
CertificateSigningRequestSpec groups=atomic usages=atomic
CertificateSigningRequestStatus conditions=map:type
ClusterRole rules=atomic
ClusterRoleBinding subjects=atomic
ComponentStatus conditions=map:type~merge:type
ConfigMapProjection items=atomic
ConfigMapVolumeSource items=atomic
Container args=atomic command=atomic env=map:name~merge:name envFrom=atomic ports=map:containerPort,protocol~merge:containerPort resizePolicy=atomic restartPolicyRules=atomic volumeDevices=map:devicePath~merge:devicePath volumeMounts=map:mountPath~merge:mountPath
ContainerImage names=atomic
ContainerRestartRuleOnExitCodes values=set
ContainerStatus allocatedResourcesStatus=map:name~merge:name volumeMounts=map:mountPath~merge:mountPath
CronJobStatus active=atomic
CustomResourceDefinitionNames categories=atomic shortNames=atomic
CustomResourceDefinitionSpec versions=atomic
CustomResourceDefinitionStatus conditions=map:type storedVersions=atomic
CustomResourceDefinitionVersion additionalPrinterColumns=atomic selectableFields=atomic
DaemonSetStatus conditions=map:type~merge:type
DeleteOptions dryRun=atomic
DeploymentSpec strategy=~retainKeys
DeploymentStatus conditions=map:type~merge:type
Device bindingConditions=atomic bindingFailureConditions=atomic consumesCounters=atomic taints=atomic
DeviceAllocationConfiguration requests=atomic
DeviceAllocationResult config=atomic results=atomic
DeviceAttribute bools=atomic ints=atomic strings=atomic versions=atomic
DeviceClaim config=atomic constraints=atomic requests=atomic
DeviceClaimConfiguration requests=atomic
DeviceClassSpec config=atomic selectors=atomic
DeviceConstraint requests=atomic
DeviceRequest firstAvailable=atomic
DeviceRequestAllocationResult bindingConditions=atomic bindingFailureConditions=atomic tolerations=atomic
DeviceSubRequest selectors=atomic tolerations=atomic
DownwardAPIProjection items=atomic
DownwardAPIVolumeSource items=atomic
Endpoint addresses=set
EndpointHints forNodes=atomic forZones=atomic
EndpointSlice endpoints=atomic ports=atomic
EndpointSubset addresses=atomic notReadyAddresses=atomic ports=atomic
Endpoints subsets=atomic
EphemeralContainer args=atomic command=atomic env=map:name~merge:name envFrom=atomic ports=map:containerPort,protocol~merge:containerPort resizePolicy=atomic restartPolicyRules=atomic volumeDevices=map:devicePath~merge:devicePath volumeMounts=map:mountPath~merge:mountPath
ExactDeviceRequest selectors=atomic tolerations=atomic
ExecAction command=atomic
FCVolumeSource targetWWNs=atomic wwids=atomic
FieldSelectorAttributes requirements=atomic
FieldSelectorRequirement values=atomic
FlowSchemaSpec rules=atomic
FlowSchemaStatus conditions=map:type~merge:type
HTTPGetAction httpHeaders=atomic
HTTPIngressRuleValue paths=atomic
HostAlias hostnames=atomic
IPBlock except=atomic
ISCSIPersistentVolumeSource portals=atomic
ISCSIVolumeSource portals=atomic
IngressLoadBalancerIngress ports=atomic
IngressLoadBalancerStatus ingress=atomic
IngressSpec rules=atomic tls=atomic
IngressTLS hosts=atomic
JSONSchemaProps allOf=atomic anyOf=atomic enum=atomic oneOf=atomic required=atomic x-kubernetes-list-map-keys=atomic x-kubernetes-validations=map:rule~merge:rule
JobStatus conditions=atomic~merge:type
LabelSelector matchExpressions=atomic
LabelSelectorAttributes requirements=atomic
LabelSelectorRequirement values=atomic
LimitRangeSpec limits=atomic
LinuxContainerUser supplementalGroups=atomic
LoadBalancerIngress ports=atomic
LoadBalancerStatus ingress=atomic
MatchResources excludeResourceRules=atomic resourceRules=atomic
MutatingAdmissionPolicySpec matchConditions=map:name~merge:name mutations=atomic variables=atomic
MutatingWebhook admissionReviewVersions=atomic matchConditions=map:name~merge:name rules=atomic
MutatingWebhookConfiguration webhooks=map:name~merge:name
NamedRuleWithOperations apiGroups=atomic apiVersions=atomic operations=atomic resourceNames=atomic resources=atomic
NamespaceSpec finalizers=atomic
NamespaceStatus conditions=map:type~merge:type
NetworkDeviceData ips=atomic
NetworkPolicyEgressRule ports=atomic to=atomic
NetworkPolicyIngressRule from=atomic ports=atomic
NetworkPolicySpec egress=atomic ingress=atomic policyTypes=atomic
NodeAffinity preferredDuringSchedulingIgnoredDuringExecution=atomic
NodeAllocatableResourceClaimStatus containers=set
NodeSelector nodeSelectorTerms=atomic
NodeSelectorRequirement values=atomic
NodeSelectorTerm matchExpressions=atomic matchFields=atomic
NodeSpec podCIDRs=set~merge taints=atomic
NodeStatus addresses=map:type~merge:type conditions=map:type~merge:type declaredFeatures=atomic images=atomic runtimeHandlers=atomic volumesAttached=atomic volumesInUse=atomic
NonResourcePolicyRule nonResourceURLs=set verbs=set
NonResourceRule nonResourceURLs=atomic verbs=atomic
ObjectMeta finalizers=set~merge managedFields=atomic ownerReferences=map:uid~merge:uid
PersistentVolumeClaimSpec accessModes=atomic
PersistentVolumeClaimStatus accessModes=atomic allocatedResourceStatuses=granular conditions=map:type~merge:type
PersistentVolumeSpec accessModes=atomic claimRef=granular mountOptions=atomic
PodAffinity preferredDuringSchedulingIgnoredDuringExecution=atomic requiredDuringSchedulingIgnoredDuringExecution=atomic
PodAffinityTerm matchLabelKeys=atomic mismatchLabelKeys=atomic namespaces=atomic
PodAntiAffinity preferredDuringSchedulingIgnoredDuringExecution=atomic requiredDuringSchedulingIgnoredDuringExecution=atomic
PodDNSConfig nameservers=atomic options=atomic searches=atomic
PodDisruptionBudgetSpec selector=~replace
PodDisruptionBudgetStatus conditions=map:type~merge:type
PodExtendedResourceClaimStatus requestMappings=atomic
PodFailurePolicy rules=atomic
PodFailurePolicyOnExitCodesRequirement values=set
PodFailurePolicyRule onPodConditions=atomic
PodSecurityContext supplementalGroups=atomic sysctls=atomic
PodSpec containers=map:name~merge:name ephemeralContainers=map:name~merge:name hostAliases=map:ip~merge:ip imagePullSecrets=map:name~merge:name initContainers=map:name~merge:name nodeSelector=atomic readinessGates=atomic resourceClaims=map:name~merge,retainKeys:name schedulingGates=map:name~merge:name tolerations=atomic topologySpreadConstraints=map:topologyKey,whenUnsatisfiable~merge:topologyKey volumes=map:name~merge,retainKeys:name
PodStatus conditions=map:type~merge:type containerStatuses=atomic ephemeralContainerStatuses=atomic hostIPs=atomic~merge:ip initContainerStatuses=atomic nodeAllocatableResourceClaimStatuses=atomic podIPs=map:ip~merge:ip resourceClaimStatuses=map:name~merge,retainKeys:name
PolicyRule apiGroups=atomic nonResourceURLs=atomic resourceNames=atomic resources=atomic verbs=atomic
PolicyRulesWithSubjects nonResourceRules=atomic resourceRules=atomic subjects=atomic
PriorityLevelConfigurationStatus conditions=map:type~merge:type
ProjectedVolumeSource sources=atomic
RBDPersistentVolumeSource monitors=atomic
RBDVolumeSource monitors=atomic
ReplicaSetStatus conditions=map:type~merge:type
ReplicationControllerSpec selector=atomic
ReplicationControllerStatus conditions=map:type~merge:type
ResourceClaimStatus devices=map:driver,device,pool,shareID reservedFor=map:uid~merge:uid
ResourcePolicyRule apiGroups=set namespaces=set resources=set verbs=set
ResourceQuotaSpec scopes=atomic
ResourceRequirements claims=map:name
ResourceRule apiGroups=atomic resourceNames=atomic resources=atomic verbs=atomic
ResourceSliceSpec devices=atomic sharedCounters=atomic
ResourceStatus resources=map:resourceID
Role rules=atomic
RoleBinding subjects=atomic
RuleWithOperations apiGroups=atomic apiVersions=atomic operations=atomic resources=atomic
Scheduling nodeSelector=atomic tolerations=atomic
ScopeSelector matchExpressions=atomic
ScopedResourceSelectorRequirement values=atomic
SecretProjection items=atomic
SecretVolumeSource items=atomic
ServiceAccount imagePullSecrets=atomic secrets=map:name~merge:name
ServiceCIDRSpec cidrs=atomic
ServiceCIDRStatus conditions=map:type~merge:type
ServiceSpec clusterIPs=atomic externalIPs=atomic ipFamilies=atomic loadBalancerSourceRanges=atomic ports=map:port,protocol~merge:port selector=atomic
ServiceStatus conditions=map:type~merge:type
StatefulSetSpec volumeClaimTemplates=atomic
StatefulSetStatus conditions=map:type~merge:type
StatusDetails causes=atomic
StorageClass allowedTopologies=atomic mountOptions=atomic
SubjectAccessReviewSpec groups=atomic
SubjectRulesReviewStatus nonResourceRules=atomic resourceRules=atomic
SuccessPolicy rules=atomic
TokenRequestSpec audiences=atomic
TokenReviewSpec audiences=atomic
TokenReviewStatus audiences=atomic
TopologySelectorLabelRequirement values=atomic
TopologySelectorTerm matchLabelExpressions=atomic
TopologySpreadConstraint matchLabelKeys=atomic
TypeChecking expressionWarnings=atomic
UncountedTerminatedPods failed=set succeeded=set
UserInfo groups=atomic
V2HPAScalingRules policies=atomic
V2HorizontalPodAutoscalerSpec metrics=atomic
V2HorizontalPodAutoscalerStatus conditions=map:type~merge:type currentMetrics=atomic
ValidatingAdmissionPolicyBindingSpec validationActions=set
ValidatingAdmissionPolicySpec auditAnnotations=atomic matchConditions=map:name~merge:name validations=atomic variables=map:name~merge:name
ValidatingAdmissionPolicyStatus conditions=map:type
ValidatingWebhook admissionReviewVersions=atomic matchConditions=map:name~merge:name rules=atomic
ValidatingWebhookConfiguration webhooks=map:name~merge:name
WebhookConversion conversionReviewVersions=atomic
`;
