// Which empty values travel on the wire. Go writes some fields although they are empty (structs without a pointer, fields
// without omitempty: a Pod's containers have `resources: {}` for this reason), keeps zeros behind pointers, and drops the
// other zeros. Facts from the struct tags of kubernetes/api at v0.36.3.

import type { JsonValue } from "./wire.ts";

export interface Emptiness {
  /** Fields that are always written, with what stands there when they are empty; null for lists, maps and times. */
  readonly alwaysWritten: readonly (readonly [field: string, empty: JsonValue])[];
  /** Scalars that are kept when they are "", 0 or false. */
  readonly keptZeros: ReadonlySet<string>;
}

export function emptinessOf(typeName: string): Emptiness {
  parsed ??= parseTable();
  return parsed.get(typeName) ?? ordinary;
}

const ordinary: Emptiness = { alwaysWritten: [], keptZeros: new Set() };
let parsed: Map<string, Emptiness> | undefined;

function parseTable(): Map<string, Emptiness> {
  const result = new Map<string, Emptiness>();
  for (const line of table.trim().split("\n")) {
    const [typeName = "", ...marks] = line.split(" ");
    const always = marks.filter((mark) => !mark.endsWith("*")).map((mark) => mark.split("=") as [string, string]);
    const kept = marks.filter((mark) => mark.endsWith("*")).map((mark) => mark.slice(0, -1));
    result.set(typeName, {
      alwaysWritten: always.map(([field, empty]) => [field, JSON.parse(empty) as JsonValue]),
      keptZeros: new Set([...kept, ...always.map(([field]) => field)]),
    });
  }
  return result;
}

/** A line a type: `field=empty` is always written, `field*` keeps its zero. */
const table = `
APIGroup name="" preferredVersion={} versions=null
APIGroupList groups=null
APIResource name="" namespaced=false singularName="" verbs=null
APIResourceList groupVersion="" resources=null
APIService metadata={} spec={} status={}
APIServiceCondition lastTransitionTime=null status="" type=""
APIServiceSpec groupPriorityMinimum=0 versionPriority=0
APIVersions serverAddressByClientCIDRs=null versions=null
AWSElasticBlockStoreVolumeSource volumeID=""
AdmissionregistrationV1ServiceReference name="" namespace="" path* port*
AdmissionregistrationV1WebhookClientConfig url*
AllocatedDeviceStatus conditions=null device="" driver="" pool="" shareID*
AllocationResult devices={}
ApiextensionsV1ServiceReference name="" namespace="" path* port*
ApiextensionsV1WebhookClientConfig url*
ApiregistrationV1ServiceReference port*
AppArmorProfile localhostProfile* type=""
AttachedVolume devicePath="" name=""
AuditAnnotation key="" valueExpression=""
AuthenticationV1TokenRequest metadata={} spec={} status={}
AzureDiskVolumeSource cachingMode* diskName="" diskURI="" fsType* readOnly*
AzureFilePersistentVolumeSource secretName="" secretNamespace=null shareName=""
AzureFileVolumeSource secretName="" shareName=""
Binding metadata={} target={}
CELDeviceSelector expression=""
CSIDriver metadata={} spec={}
CSIDriverList items=null metadata={}
CSIDriverSpec attachRequired* fsGroupPolicy* nodeAllocatableUpdatePeriodSeconds* podInfoOnMount* preventPodSchedulingIfMissing* requiresRepublish* seLinuxMount* serviceAccountTokenInSecrets* storageCapacity*
CSINode metadata={} spec={}
CSINodeDriver name="" nodeID="" topologyKeys=null
CSINodeList items=null metadata={}
CSINodeSpec drivers=null
CSIPersistentVolumeSource driver="" volumeHandle=""
CSIStorageCapacity capacity* maximumVolumeSize* metadata={} storageClassName=""
CSIStorageCapacityList items=null metadata={}
CSIVolumeSource driver="" fsType* readOnly*
CapacityRequestPolicy default=null
CapacityRequestPolicyRange max* min* step*
CephFSPersistentVolumeSource monitors=null
CephFSVolumeSource monitors=null
CertificateSigningRequest metadata={} spec={} status={}
CertificateSigningRequestCondition lastTransitionTime=null lastUpdateTime=null status="" type=""
CertificateSigningRequestList items=null metadata={}
CertificateSigningRequestSpec expirationSeconds* request=null signerName=""
CinderPersistentVolumeSource volumeID=""
CinderVolumeSource volumeID=""
ClientIPConfig timeoutSeconds*
ClusterRole metadata={} rules=null
ClusterRoleBinding metadata={} roleRef={}
ClusterRoleBindingList items=null metadata={}
ClusterRoleList items=null metadata={}
ClusterTrustBundleProjection name* optional* path="" signerName*
ComponentCondition status="" type=""
ComponentStatus metadata={}
ComponentStatusList items=null metadata={}
Condition lastTransitionTime=null message="" reason="" status="" type=""
ConfigMap immutable* metadata={}
ConfigMapEnvSource optional*
ConfigMapKeySelector key="" optional*
ConfigMapList items=null metadata={}
ConfigMapNodeConfigSource kubeletConfigKey="" name="" namespace=""
ConfigMapProjection optional*
ConfigMapVolumeSource defaultMode* optional*
Container name="" resources={} restartPolicy*
ContainerExtendedResourceRequest containerName="" requestName="" resourceName=""
ContainerImage names=null
ContainerPort containerPort=0
ContainerResizePolicy resourceName="" restartPolicy=""
ContainerStateRunning startedAt=null
ContainerStateTerminated exitCode=0 finishedAt=null startedAt=null
ContainerStatus image="" imageID="" lastState={} name="" ready=false restartCount=0 started* state={} stopSignal*
ControllerRevision data=null metadata={} revision=0
ControllerRevisionList items=null metadata={}
CoreV1EndpointPort appProtocol* port=0
CoreV1Event eventTime=null firstTimestamp=null involvedObject={} lastTimestamp=null metadata={} reportingComponent="" reportingInstance="" source={}
CoreV1EventList items=null metadata={}
CoreV1EventSeries lastObservedTime=null
CoreV1ResourceClaim name=""
Counter value="0"
CounterSet name=""
CronJob metadata={} spec={} status={}
CronJobList items=null metadata={}
CronJobSpec failedJobsHistoryLimit* jobTemplate={} schedule="" startingDeadlineSeconds* successfulJobsHistoryLimit* suspend* timeZone*
CrossVersionObjectReference name=""
CustomResourceColumnDefinition jsonPath="" name="" type=""
CustomResourceConversion strategy=""
CustomResourceDefinition metadata={} spec={} status={}
CustomResourceDefinitionCondition lastTransitionTime=null status="" type=""
CustomResourceDefinitionNames kind="" plural=""
CustomResourceDefinitionSpec group="" names={} scope="" versions=null
CustomResourceDefinitionStatus acceptedNames={} conditions=null storedVersions=null
CustomResourceDefinitionVersion deprecationWarning* name="" served=false storage=false
CustomResourceSubresourceScale labelSelectorPath* specReplicasPath="" statusReplicasPath=""
DaemonEndpoint Port=0
DaemonSet metadata={} spec={} status={}
DaemonSetCondition lastTransitionTime=null status="" type=""
DaemonSetList items=null metadata={}
DaemonSetSpec revisionHistoryLimit* selector=null template={} updateStrategy={}
DaemonSetStatus collisionCount* currentNumberScheduled=0 desiredNumberScheduled=0 numberMisscheduled=0 numberReady=0
DeleteOptions gracePeriodSeconds* ignoreStoreReadErrorWithClusterBreakingPotential* orphanDependents* propagationPolicy*
Deployment metadata={} spec={} status={}
DeploymentCondition lastTransitionTime=null lastUpdateTime=null status="" type=""
DeploymentList items=null metadata={}
DeploymentSpec progressDeadlineSeconds* replicas* revisionHistoryLimit* selector=null strategy={} template={}
DeploymentStatus collisionCount* terminatingReplicas*
Device allNodes* allowMultipleAllocations* bindsToNode* name="" nodeName*
DeviceAllocationConfiguration source=""
DeviceAttribute bool* int* string* version*
DeviceCapacity value="0"
DeviceClaim requests=null
DeviceClass metadata={} spec={}
DeviceClassList items=null metadata={}
DeviceClassSpec extendedResourceName*
DeviceConstraint distinctAttribute* matchAttribute*
DeviceCounterConsumption counterSet=""
DeviceRequest name=""
DeviceRequestAllocationResult adminAccess* device="" driver="" pool="" request="" shareID*
DeviceSubRequest deviceClassName="" name=""
DeviceTaint effect="" key=""
DeviceToleration tolerationSeconds*
DiscoveryV1EndpointPort appProtocol* name* port* protocol*
DownwardAPIVolumeFile mode* path=""
DownwardAPIVolumeSource defaultMode*
EmptyDirVolumeSource sizeLimit*
Endpoint addresses=null conditions={} hostname* nodeName* zone*
EndpointAddress ip="" nodeName*
EndpointConditions ready* serving* terminating*
EndpointSlice addressType="" endpoints=null metadata={} ports=null
EndpointSliceList items=null metadata={}
Endpoints metadata={}
EndpointsList items=null metadata={}
EnvVar name=""
EphemeralContainer name="" resources={} restartPolicy*
EventsV1Event deprecatedFirstTimestamp=null deprecatedLastTimestamp=null deprecatedSource={} eventTime=null metadata={} regarding={}
EventsV1EventList items=null metadata={}
EventsV1EventSeries count=0 lastObservedTime=null
Eviction metadata={}
ExactDeviceRequest adminAccess* deviceClassName=""
ExemptPriorityLevelConfiguration lendablePercent* nominalConcurrencyShares*
ExpressionWarning fieldRef="" warning=""
FCVolumeSource lun*
FieldSelectorRequirement key="" operator=""
FileKeySelector key="" optional* path="" volumeName=""
FlexPersistentVolumeSource driver=""
FlexVolumeSource driver=""
FlowDistinguisherMethod type=""
FlowSchema metadata={} spec={} status={}
FlowSchemaCondition lastTransitionTime=null
FlowSchemaList items=null metadata={}
FlowSchemaSpec matchingPrecedence=0 priorityLevelConfiguration={}
ForNode name=""
ForZone name=""
GCEPersistentDiskVolumeSource pdName=""
GRPCAction port=0 service=null
GitRepoVolumeSource repository=""
GlusterfsPersistentVolumeSource endpoints="" endpointsNamespace* path=""
GlusterfsVolumeSource endpoints="" path=""
GroupSubject name=""
GroupVersionForDiscovery groupVersion="" version=""
HTTPGetAction port=0
HTTPHeader name="" value=""
HTTPIngressPath backend={} pathType=null
HTTPIngressRuleValue paths=null
HorizontalPodAutoscaler metadata={} spec={} status={}
HorizontalPodAutoscalerList items=null metadata={}
HorizontalPodAutoscalerSpec maxReplicas=0 minReplicas* scaleTargetRef={} targetCPUUtilizationPercentage*
HorizontalPodAutoscalerStatus currentCPUUtilizationPercentage* currentReplicas=0 desiredReplicas=0 observedGeneration*
HostAlias ip=""
HostIP ip=""
HostPathVolumeSource path="" type*
IPAddress metadata={} spec={}
IPAddressList items=null metadata={}
IPBlock cidr=""
ISCSIPersistentVolumeSource initiatorName* iqn="" lun=0 targetPortal=""
ISCSIVolumeSource initiatorName* iqn="" lun=0 targetPortal=""
Ingress metadata={} spec={} status={}
IngressClass metadata={} spec={}
IngressClassList items=null metadata={}
IngressClassParametersReference apiGroup* name="" namespace* scope=null
IngressList items=null metadata={}
IngressPortStatus error* port=0 protocol=""
IngressServiceBackend name="" port={}
IngressSpec ingressClassName*
IngressStatus loadBalancer={}
JSONSchemaProps $ref* maxItems* maxLength* maxProperties* maximum* minItems* minLength* minProperties* minimum* multipleOf* x-kubernetes-list-type* x-kubernetes-map-type* x-kubernetes-preserve-unknown-fields*
Job metadata={} spec={} status={}
JobCondition lastProbeTime=null lastTransitionTime=null status="" type=""
JobList items=null metadata={}
JobSpec activeDeadlineSeconds* backoffLimit* backoffLimitPerIndex* completionMode* completions* managedBy* manualSelector* maxFailedIndexes* parallelism* podReplacementPolicy* suspend* template={} ttlSecondsAfterFinished*
JobStatus failedIndexes* ready* terminating*
JobTemplateSpec metadata={} spec={}
KeyToPath key="" mode* path=""
LabelSelectorRequirement key="" operator=""
Lease metadata={} spec={}
LeaseList items=null metadata={}
LeaseSpec holderIdentity* leaseDurationSeconds* leaseTransitions* preferredHolder* strategy*
Lifecycle stopSignal*
LimitRange metadata={} spec={}
LimitRangeItem type=""
LimitRangeList items=null metadata={}
LimitRangeSpec limits=null
LimitResponse type=""
LimitedPriorityLevelConfiguration borrowingLimitPercent* lendablePercent* limitResponse={} nominalConcurrencyShares=null
LinuxContainerUser gid=0 uid=0
ListMeta remainingItemCount*
LoadBalancerIngress ipMode*
LocalSubjectAccessReview metadata={} spec={} status={}
LocalVolumeSource fsType* path=""
MatchCondition expression="" name=""
MatchResources matchPolicy*
ModifyVolumeStatus status=""
MutatingAdmissionPolicy metadata={} spec={}
MutatingAdmissionPolicyBinding metadata={} spec={}
MutatingAdmissionPolicyBindingList items=null metadata={}
MutatingAdmissionPolicyList items=null metadata={}
MutatingAdmissionPolicySpec failurePolicy*
MutatingWebhook admissionReviewVersions=null clientConfig={} failurePolicy* matchPolicy* name="" reinvocationPolicy* sideEffects=null timeoutSeconds*
MutatingWebhookConfiguration metadata={}
MutatingWebhookConfigurationList items=null metadata={}
Mutation patchType=""
NFSVolumeSource path="" server=""
NamedRuleWithOperations scope*
Namespace metadata={} spec={} status={}
NamespaceCondition lastTransitionTime=null status="" type=""
NamespaceList items=null metadata={}
NetworkPolicy metadata={} spec={}
NetworkPolicyList items=null metadata={}
NetworkPolicyPort endPort* protocol*
NetworkPolicySpec podSelector={}
Node metadata={} spec={} status={}
NodeAddress address="" type=""
NodeAllocatableResourceClaimStatus resourceClaimName="" resources=null
NodeAllocatableResourceMapping allocationMultiplier* capacityKey*
NodeCondition lastHeartbeatTime=null lastTransitionTime=null status="" type=""
NodeDaemonEndpoints kubeletEndpoint={}
NodeFeatures supplementalGroupsPolicy*
NodeList items=null metadata={}
NodeRuntimeHandler name=""
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts* userNamespaces*
NodeSelector nodeSelectorTerms=null
NodeSelectorRequirement key="" operator=""
NodeStatus daemonEndpoints={} nodeInfo={}
NodeSwapStatus capacity*
NodeSystemInfo architecture="" bootID="" containerRuntimeVersion="" kernelVersion="" kubeProxyVersion="" kubeletVersion="" machineID="" operatingSystem="" osImage="" systemUUID=""
NonResourcePolicyRule nonResourceURLs=null verbs=null
NonResourceRule verbs=null
ObjectFieldSelector fieldPath=""
ObjectMeta deletionGracePeriodSeconds*
OpaqueDeviceConfiguration driver="" parameters=null
OwnerReference blockOwnerDeletion* controller* name="" uid=""
ParamRef parameterNotFoundAction*
PersistentVolume metadata={} spec={} status={}
PersistentVolumeClaim metadata={} spec={} status={}
PersistentVolumeClaimCondition lastProbeTime=null lastTransitionTime=null status="" type=""
PersistentVolumeClaimList items=null metadata={}
PersistentVolumeClaimSpec resources={} storageClassName* volumeAttributesClassName* volumeMode*
PersistentVolumeClaimStatus currentVolumeAttributesClassName*
PersistentVolumeClaimTemplate metadata={} spec={}
PersistentVolumeClaimVolumeSource claimName=""
PersistentVolumeList items=null metadata={}
PersistentVolumeSpec volumeAttributesClassName* volumeMode*
PhotonPersistentDiskVolumeSource pdID=""
Pod metadata={} spec={} status={}
PodAffinityTerm topologyKey=""
PodCertificateProjection maxExpirationSeconds*
PodCondition lastProbeTime=null lastTransitionTime=null status="" type=""
PodDNSConfigOption value*
PodDisruptionBudget metadata={} spec={} status={}
PodDisruptionBudgetList items=null metadata={}
PodDisruptionBudgetSpec unhealthyPodEvictionPolicy*
PodDisruptionBudgetStatus currentHealthy=0 desiredHealthy=0 disruptedPods=null disruptionsAllowed=0 expectedPods=0
PodExtendedResourceClaimStatus requestMappings=null resourceClaimName=""
PodFailurePolicy rules=null
PodFailurePolicyOnExitCodesRequirement containerName* operator="" values=null
PodFailurePolicyOnPodConditionsPattern status="" type=""
PodFailurePolicyRule action=""
PodIP ip=""
PodList items=null metadata={}
PodOS name=""
PodReadinessGate conditionType=""
PodResourceClaim name="" resourceClaimName* resourceClaimTemplateName*
PodResourceClaimStatus name="" resourceClaimName*
PodSchedulingGate name=""
PodSchedulingGroup podGroupName*
PodSecurityContext fsGroup* fsGroupChangePolicy* runAsGroup* runAsNonRoot* runAsUser* seLinuxChangePolicy* supplementalGroupsPolicy*
PodSpec activeDeadlineSeconds* automountServiceAccountToken* containers=null enableServiceLinks* hostUsers* hostnameOverride* preemptionPolicy* priority* runtimeClassName* setHostnameAsFQDN* shareProcessNamespace* terminationGracePeriodSeconds*
PodTemplate metadata={} template={}
PodTemplateList items=null metadata={}
PodTemplateSpec metadata={} spec={}
PolicyRule verbs=null
PolicyRulesWithSubjects subjects=null
PortStatus error* port=0 protocol=""
PortworxVolumeSource volumeID=""
Preconditions resourceVersion* uid*
PreferredSchedulingTerm preference={} weight=0
PriorityClass metadata={} preemptionPolicy* value=0
PriorityClassList items=null metadata={}
PriorityLevelConfiguration metadata={} spec={} status={}
PriorityLevelConfigurationCondition lastTransitionTime=null
PriorityLevelConfigurationList items=null metadata={}
PriorityLevelConfigurationReference name=""
PriorityLevelConfigurationSpec type=""
Probe terminationGracePeriodSeconds*
ProjectedVolumeSource defaultMode* sources=null
QueuingConfiguration handSize=0 queueLengthLimit=0 queues=0
QuobyteVolumeSource registry="" volume=""
RBDPersistentVolumeSource image="" monitors=null
RBDVolumeSource image="" monitors=null
RbacV1Subject name=""
ReplicaSet metadata={} spec={} status={}
ReplicaSetCondition lastTransitionTime=null status="" type=""
ReplicaSetList items=null metadata={}
ReplicaSetSpec replicas* selector=null template={}
ReplicaSetStatus replicas=0 terminatingReplicas*
ReplicationController metadata={} spec={} status={}
ReplicationControllerCondition lastTransitionTime=null status="" type=""
ReplicationControllerList items=null metadata={}
ReplicationControllerSpec replicas*
ReplicationControllerStatus replicas=0
ResourceClaimConsumerReference name="" resource="" uid=""
ResourceClaimList items=null metadata={}
ResourceClaimSpec devices={}
ResourceClaimTemplate metadata={} spec={}
ResourceClaimTemplateList items=null metadata={}
ResourceClaimTemplateSpec metadata={} spec={}
ResourceFieldSelector divisor="0" resource=""
ResourceHealth message* resourceID=""
ResourcePolicyRule apiGroups=null namespaces=null resources=null verbs=null
ResourcePool generation=0 name="" resourceSliceCount=0
ResourceQuota metadata={} spec={} status={}
ResourceQuotaList items=null metadata={}
ResourceRule verbs=null
ResourceSlice metadata={} spec={}
ResourceSliceList items=null metadata={}
ResourceSliceSpec allNodes* driver="" nodeName* perDeviceNodeSelection* pool={}
ResourceStatus name=""
ResourceV1ResourceClaim metadata={} spec={} status={}
Role metadata={} rules=null
RoleBinding metadata={} roleRef={}
RoleBindingList items=null metadata={}
RoleList items=null metadata={}
RoleRef apiGroup="" name=""
RollingUpdateStatefulSetStrategy partition*
RuleWithOperations scope*
RuntimeClass handler="" metadata={}
RuntimeClassList items=null metadata={}
Scale metadata={} spec={} status={}
ScaleIOPersistentVolumeSource gateway="" secretRef=null system=""
ScaleIOVolumeSource gateway="" secretRef=null system=""
ScaleStatus replicas=0
ScopedResourceSelectorRequirement operator="" scopeName=""
SeccompProfile localhostProfile* type=""
Secret immutable* metadata={}
SecretEnvSource optional*
SecretKeySelector key="" optional*
SecretList items=null metadata={}
SecretProjection optional*
SecretVolumeSource defaultMode* optional*
SecurityContext allowPrivilegeEscalation* privileged* procMount* readOnlyRootFilesystem* runAsGroup* runAsNonRoot* runAsUser*
SelectableField jsonPath=""
SelfSubjectAccessReview metadata={} spec={} status={}
SelfSubjectReview metadata={} status={}
SelfSubjectReviewStatus userInfo={}
SelfSubjectRulesReview metadata={} spec={} status={}
ServerAddressByClientCIDR clientCIDR="" serverAddress=""
Service metadata={} spec={} status={}
ServiceAccount automountServiceAccountToken* metadata={}
ServiceAccountList items=null metadata={}
ServiceAccountSubject name="" namespace=""
ServiceAccountTokenProjection expirationSeconds* path=""
ServiceCIDR metadata={} spec={} status={}
ServiceCIDRList items=null metadata={}
ServiceList items=null metadata={}
ServicePort appProtocol* port=0 targetPort=0
ServiceSpec allocateLoadBalancerNodePorts* internalTrafficPolicy* ipFamilyPolicy* loadBalancerClass* trafficDistribution*
ServiceStatus loadBalancer={}
ShardInfo selector=""
SleepAction seconds=0
StatefulSet metadata={} spec={} status={}
StatefulSetCondition lastTransitionTime=null status="" type=""
StatefulSetList items=null metadata={}
StatefulSetOrdinals start=0
StatefulSetSpec replicas* revisionHistoryLimit* selector=null serviceName="" template={} updateStrategy={}
StatefulSetStatus availableReplicas=0 collisionCount* replicas=0
Status metadata={}
StorageClass allowVolumeExpansion* metadata={} provisioner="" reclaimPolicy* volumeBindingMode*
StorageClassList items=null metadata={}
StorageV1TokenRequest audience="" expirationSeconds*
SubjectAccessReview metadata={} spec={} status={}
SubjectAccessReviewStatus allowed=false
SubjectRulesReviewStatus incomplete=false nonResourceRules=null resourceRules=null
SuccessPolicy rules=null
SuccessPolicyRule succeededCount* succeededIndexes*
Sysctl name="" value=""
TCPSocketAction port=0
Taint effect="" key=""
TokenRequestSpec audiences=null boundObjectRef=null expirationSeconds=null
TokenRequestStatus expirationTimestamp=null token=""
TokenReview metadata={} spec={} status={}
TokenReviewStatus user={}
Toleration tolerationSeconds*
TopologySelectorLabelRequirement key="" values=null
TopologySpreadConstraint maxSkew=0 minDomains* nodeAffinityPolicy* nodeTaintsPolicy* topologyKey="" whenUnsatisfiable=""
TypedLocalObjectReference apiGroup=null name=""
TypedObjectReference apiGroup=null name="" namespace*
UserSubject name=""
V2ContainerResourceMetricSource container="" name="" target={}
V2ContainerResourceMetricStatus container="" current={} name=""
V2CrossVersionObjectReference name=""
V2ExternalMetricSource metric={} target={}
V2ExternalMetricStatus current={} metric={}
V2HPAScalingPolicy periodSeconds=0 type="" value=0
V2HPAScalingRules selectPolicy* stabilizationWindowSeconds* tolerance*
V2HorizontalPodAutoscaler metadata={} spec={} status={}
V2HorizontalPodAutoscalerCondition lastTransitionTime=null status="" type=""
V2HorizontalPodAutoscalerList items=null metadata={}
V2HorizontalPodAutoscalerSpec maxReplicas=0 minReplicas* scaleTargetRef={}
V2HorizontalPodAutoscalerStatus currentMetrics=null desiredReplicas=0 observedGeneration*
V2MetricIdentifier name=""
V2MetricSpec type=""
V2MetricStatus type=""
V2MetricTarget averageUtilization* averageValue* type="" value*
V2MetricValueStatus averageUtilization* averageValue* value*
V2ObjectMetricSource describedObject={} metric={} target={}
V2ObjectMetricStatus current={} describedObject={} metric={}
V2PodsMetricSource metric={} target={}
V2PodsMetricStatus current={} metric={}
V2ResourceMetricSource name="" target={}
V2ResourceMetricStatus current={} name=""
ValidatingAdmissionPolicy metadata={} spec={} status={}
ValidatingAdmissionPolicyBinding metadata={} spec={}
ValidatingAdmissionPolicyBindingList items=null metadata={}
ValidatingAdmissionPolicyList items=null metadata={}
ValidatingAdmissionPolicySpec failurePolicy*
ValidatingWebhook admissionReviewVersions=null clientConfig={} failurePolicy* matchPolicy* name="" sideEffects=null timeoutSeconds*
ValidatingWebhookConfiguration metadata={}
ValidatingWebhookConfigurationList items=null metadata={}
Validation expression="" reason*
ValidationRule optionalOldSelf* reason* rule=""
Variable expression="" name=""
Volume name=""
VolumeAttachment metadata={} spec={} status={}
VolumeAttachmentList items=null metadata={}
VolumeAttachmentSource persistentVolumeName*
VolumeAttachmentSpec attacher="" nodeName="" source={}
VolumeAttachmentStatus attached=false
VolumeAttributesClass driverName="" metadata={}
VolumeAttributesClassList items=null metadata={}
VolumeDevice devicePath="" name=""
VolumeError errorCode* time=null
VolumeMount mountPath="" mountPropagation* name="" recursiveReadOnly*
VolumeMountStatus mountPath="" name="" recursiveReadOnly*
VolumeNodeResources count*
VsphereVirtualDiskVolumeSource volumePath=""
WebhookConversion conversionReviewVersions=null
WeightedPodAffinityTerm podAffinityTerm={} weight=0
WindowsSecurityContextOptions gmsaCredentialSpec* gmsaCredentialSpecName* hostProcess* runAsUserName*
`;
