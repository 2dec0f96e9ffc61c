// Fields that Go writes although they are empty: structs without a pointer, and fields without omitempty. What a client
// sees of a Pod has `resources: {}` for this reason. Facts from the struct tags of kubernetes/api at v0.36.3.

import type { JsonValue } from "./wire.ts";

export interface AlwaysWritten {
  readonly field: string;
  /** What is written when the field is empty; null for lists, maps, times and pointers. */
  readonly empty: JsonValue;
}

/** The fields of a type that are always written, sorted by name. */
export function alwaysWritten(typeName: string): readonly AlwaysWritten[] {
  parsed ??= parseTable();
  return parsed.get(typeName) ?? none;
}

const none: readonly AlwaysWritten[] = [];
let parsed: Map<string, readonly AlwaysWritten[]> | undefined;

function parseTable(): Map<string, readonly AlwaysWritten[]> {
  const result = new Map<string, readonly AlwaysWritten[]>();
  for (const line of table.trim().split("\n")) {
    const [typeName = "", ...fields] = line.split(" ");
    result.set(
      typeName,
      fields.map((text) => {
        const [field = "", empty = "null"] = text.split("=");
        return { field, empty: JSON.parse(empty) as JsonValue };
      }),
    );
  }
  return result;
}

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
AdmissionregistrationV1ServiceReference name="" namespace=""
AllocatedDeviceStatus conditions=null device="" driver="" pool=""
AllocationResult devices={}
AppArmorProfile type=""
AttachedVolume devicePath="" name=""
AuditAnnotation key="" valueExpression=""
AuthenticationV1TokenRequest metadata={} spec={} status={}
AzureDiskVolumeSource diskName="" diskURI=""
AzureFilePersistentVolumeSource secretName="" secretNamespace=null shareName=""
AzureFileVolumeSource secretName="" shareName=""
Binding metadata={} target={}
CELDeviceSelector expression=""
CSIDriver metadata={} spec={}
CSIDriverList items=null metadata={}
CSINode metadata={} spec={}
CSINodeDriver name="" nodeID="" topologyKeys=null
CSINodeList items=null metadata={}
CSINodeSpec drivers=null
CSIPersistentVolumeSource driver="" volumeHandle=""
CSIStorageCapacity metadata={} storageClassName=""
CSIStorageCapacityList items=null metadata={}
CSIVolumeSource driver=""
CapacityRequestPolicy default=null
CephFSPersistentVolumeSource monitors=null
CephFSVolumeSource monitors=null
CertificateSigningRequest metadata={} spec={} status={}
CertificateSigningRequestCondition lastTransitionTime=null lastUpdateTime=null status="" type=""
CertificateSigningRequestList items=null metadata={}
CertificateSigningRequestSpec request=null signerName=""
CinderPersistentVolumeSource volumeID=""
CinderVolumeSource volumeID=""
ClusterRole metadata={} rules=null
ClusterRoleBinding metadata={} roleRef={}
ClusterRoleBindingList items=null metadata={}
ClusterRoleList items=null metadata={}
ClusterTrustBundleProjection path=""
ComponentCondition status="" type=""
ComponentStatus metadata={}
ComponentStatusList items=null metadata={}
Condition lastTransitionTime=null message="" reason="" status="" type=""
ConfigMap metadata={}
ConfigMapKeySelector key=""
ConfigMapList items=null metadata={}
ConfigMapNodeConfigSource kubeletConfigKey="" name="" namespace=""
Container name="" resources={}
ContainerExtendedResourceRequest containerName="" requestName="" resourceName=""
ContainerImage names=null
ContainerPort containerPort=0
ContainerResizePolicy resourceName="" restartPolicy=""
ContainerStateRunning startedAt=null
ContainerStateTerminated exitCode=0 finishedAt=null startedAt=null
ContainerStatus image="" imageID="" lastState={} name="" ready=false restartCount=0 state={}
ControllerRevision data=null metadata={} revision=0
ControllerRevisionList items=null metadata={}
CoreV1EndpointPort port=0
CoreV1Event eventTime=null firstTimestamp=null involvedObject={} lastTimestamp=null metadata={} reportingComponent="" reportingInstance="" source={}
CoreV1EventList items=null metadata={}
CoreV1EventSeries lastObservedTime=null
CoreV1ResourceClaim name=""
Counter value="0"
CounterSet name=""
CronJob metadata={} spec={} status={}
CronJobList items=null metadata={}
CronJobSpec jobTemplate={} schedule=""
CrossVersionObjectReference name=""
CustomResourceColumnDefinition jsonPath="" name="" type=""
CustomResourceConversion strategy=""
CustomResourceDefinition metadata={} spec={} status={}
CustomResourceDefinitionCondition lastTransitionTime=null status="" type=""
CustomResourceDefinitionNames kind="" plural=""
CustomResourceDefinitionSpec group="" names={} scope="" versions=null
CustomResourceDefinitionStatus acceptedNames={} conditions=null storedVersions=null
CustomResourceDefinitionVersion name="" served=false storage=false
DaemonEndpoint Port=0
DaemonSet metadata={} spec={} status={}
DaemonSetCondition lastTransitionTime=null status="" type=""
DaemonSetList items=null metadata={}
DaemonSetSpec selector=null template={} updateStrategy={}
DaemonSetStatus currentNumberScheduled=0 desiredNumberScheduled=0 numberMisscheduled=0 numberReady=0
Deployment metadata={} spec={} status={}
DeploymentCondition lastTransitionTime=null lastUpdateTime=null status="" type=""
DeploymentList items=null metadata={}
DeploymentSpec selector=null strategy={} template={}
Device name=""
DeviceAllocationConfiguration source=""
DeviceCapacity value="0"
DeviceClaim requests=null
DeviceClass metadata={} spec={}
DeviceClassList items=null metadata={}
DeviceCounterConsumption counterSet=""
DeviceRequest name=""
DeviceRequestAllocationResult device="" driver="" pool="" request=""
DeviceSubRequest deviceClassName="" name=""
DeviceTaint effect="" key=""
DownwardAPIVolumeFile path=""
Endpoint addresses=null conditions={}
EndpointAddress ip=""
EndpointSlice addressType="" endpoints=null metadata={} ports=null
EndpointSliceList items=null metadata={}
Endpoints metadata={}
EndpointsList items=null metadata={}
EnvVar name=""
EphemeralContainer name="" resources={}
EventsV1Event deprecatedFirstTimestamp=null deprecatedLastTimestamp=null deprecatedSource={} eventTime=null metadata={} regarding={}
EventsV1EventList items=null metadata={}
EventsV1EventSeries count=0 lastObservedTime=null
Eviction metadata={}
ExactDeviceRequest deviceClassName=""
ExpressionWarning fieldRef="" warning=""
FieldSelectorRequirement key="" operator=""
FileKeySelector key="" path="" volumeName=""
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
GlusterfsPersistentVolumeSource endpoints="" path=""
GlusterfsVolumeSource endpoints="" path=""
GroupSubject name=""
GroupVersionForDiscovery groupVersion="" version=""
HTTPGetAction port=0
HTTPHeader name="" value=""
HTTPIngressPath backend={} pathType=null
HTTPIngressRuleValue paths=null
HorizontalPodAutoscaler metadata={} spec={} status={}
HorizontalPodAutoscalerList items=null metadata={}
HorizontalPodAutoscalerSpec maxReplicas=0 scaleTargetRef={}
HorizontalPodAutoscalerStatus currentReplicas=0 desiredReplicas=0
HostAlias ip=""
HostIP ip=""
HostPathVolumeSource path=""
IPAddress metadata={} spec={}
IPAddressList items=null metadata={}
IPBlock cidr=""
ISCSIPersistentVolumeSource iqn="" lun=0 targetPortal=""
ISCSIVolumeSource iqn="" lun=0 targetPortal=""
Ingress metadata={} spec={} status={}
IngressClass metadata={} spec={}
IngressClassList items=null metadata={}
IngressClassParametersReference name="" scope=null
IngressList items=null metadata={}
IngressPortStatus port=0 protocol=""
IngressServiceBackend name="" port={}
IngressStatus loadBalancer={}
Job metadata={} spec={} status={}
JobCondition lastProbeTime=null lastTransitionTime=null status="" type=""
JobList items=null metadata={}
JobSpec template={}
JobTemplateSpec metadata={} spec={}
KeyToPath key="" path=""
LabelSelectorRequirement key="" operator=""
Lease metadata={} spec={}
LeaseList items=null metadata={}
LimitRange metadata={} spec={}
LimitRangeItem type=""
LimitRangeList items=null metadata={}
LimitRangeSpec limits=null
LimitResponse type=""
LimitedPriorityLevelConfiguration limitResponse={} nominalConcurrencyShares=null
LinuxContainerUser gid=0 uid=0
LocalSubjectAccessReview metadata={} spec={} status={}
LocalVolumeSource path=""
MatchCondition expression="" name=""
ModifyVolumeStatus status=""
MutatingAdmissionPolicy metadata={} spec={}
MutatingAdmissionPolicyBinding metadata={} spec={}
MutatingAdmissionPolicyBindingList items=null metadata={}
MutatingAdmissionPolicyList items=null metadata={}
MutatingWebhook admissionReviewVersions=null clientConfig={} name="" sideEffects=null
MutatingWebhookConfiguration metadata={}
MutatingWebhookConfigurationList items=null metadata={}
Mutation patchType=""
NFSVolumeSource path="" server=""
Namespace metadata={} spec={} status={}
NamespaceCondition lastTransitionTime=null status="" type=""
NamespaceList items=null metadata={}
NetworkPolicy metadata={} spec={}
NetworkPolicyList items=null metadata={}
NetworkPolicySpec podSelector={}
Node metadata={} spec={} status={}
NodeAddress address="" type=""
NodeAllocatableResourceClaimStatus resourceClaimName="" resources=null
NodeCondition lastHeartbeatTime=null lastTransitionTime=null status="" type=""
NodeDaemonEndpoints kubeletEndpoint={}
NodeList items=null metadata={}
NodeRuntimeHandler name=""
NodeSelector nodeSelectorTerms=null
NodeSelectorRequirement key="" operator=""
NodeStatus daemonEndpoints={} nodeInfo={}
NodeSystemInfo architecture="" bootID="" containerRuntimeVersion="" kernelVersion="" kubeProxyVersion="" kubeletVersion="" machineID="" operatingSystem="" osImage="" systemUUID=""
NonResourcePolicyRule nonResourceURLs=null verbs=null
NonResourceRule verbs=null
ObjectFieldSelector fieldPath=""
OpaqueDeviceConfiguration driver="" parameters=null
OwnerReference name="" uid=""
PersistentVolume metadata={} spec={} status={}
PersistentVolumeClaim metadata={} spec={} status={}
PersistentVolumeClaimCondition lastProbeTime=null lastTransitionTime=null status="" type=""
PersistentVolumeClaimList items=null metadata={}
PersistentVolumeClaimSpec resources={}
PersistentVolumeClaimTemplate metadata={} spec={}
PersistentVolumeClaimVolumeSource claimName=""
PersistentVolumeList items=null metadata={}
PhotonPersistentDiskVolumeSource pdID=""
Pod metadata={} spec={} status={}
PodAffinityTerm topologyKey=""
PodCondition lastProbeTime=null lastTransitionTime=null status="" type=""
PodDisruptionBudget metadata={} spec={} status={}
PodDisruptionBudgetList items=null metadata={}
PodDisruptionBudgetStatus currentHealthy=0 desiredHealthy=0 disruptedPods=null disruptionsAllowed=0 expectedPods=0
PodExtendedResourceClaimStatus requestMappings=null resourceClaimName=""
PodFailurePolicy rules=null
PodFailurePolicyOnExitCodesRequirement operator="" values=null
PodFailurePolicyOnPodConditionsPattern status="" type=""
PodFailurePolicyRule action=""
PodIP ip=""
PodList items=null metadata={}
PodOS name=""
PodReadinessGate conditionType=""
PodResourceClaim name=""
PodResourceClaimStatus name=""
PodSchedulingGate name=""
PodSpec containers=null
PodTemplate metadata={} template={}
PodTemplateList items=null metadata={}
PodTemplateSpec metadata={} spec={}
PolicyRule verbs=null
PolicyRulesWithSubjects subjects=null
PortStatus port=0 protocol=""
PortworxVolumeSource volumeID=""
PreferredSchedulingTerm preference={} weight=0
PriorityClass metadata={} value=0
PriorityClassList items=null metadata={}
PriorityLevelConfiguration metadata={} spec={} status={}
PriorityLevelConfigurationCondition lastTransitionTime=null
PriorityLevelConfigurationList items=null metadata={}
PriorityLevelConfigurationReference name=""
PriorityLevelConfigurationSpec type=""
ProjectedVolumeSource sources=null
QueuingConfiguration handSize=0 queueLengthLimit=0 queues=0
QuobyteVolumeSource registry="" volume=""
RBDPersistentVolumeSource image="" monitors=null
RBDVolumeSource image="" monitors=null
RbacV1Subject name=""
ReplicaSet metadata={} spec={} status={}
ReplicaSetCondition lastTransitionTime=null status="" type=""
ReplicaSetList items=null metadata={}
ReplicaSetSpec selector=null template={}
ReplicaSetStatus replicas=0
ReplicationController metadata={} spec={} status={}
ReplicationControllerCondition lastTransitionTime=null status="" type=""
ReplicationControllerList items=null metadata={}
ReplicationControllerStatus replicas=0
ResourceClaimConsumerReference name="" resource="" uid=""
ResourceClaimList items=null metadata={}
ResourceClaimSpec devices={}
ResourceClaimTemplate metadata={} spec={}
ResourceClaimTemplateList items=null metadata={}
ResourceClaimTemplateSpec metadata={} spec={}
ResourceFieldSelector divisor="0" resource=""
ResourceHealth resourceID=""
ResourcePolicyRule apiGroups=null namespaces=null resources=null verbs=null
ResourcePool generation=0 name="" resourceSliceCount=0
ResourceQuota metadata={} spec={} status={}
ResourceQuotaList items=null metadata={}
ResourceRule verbs=null
ResourceSlice metadata={} spec={}
ResourceSliceList items=null metadata={}
ResourceSliceSpec driver="" pool={}
ResourceStatus name=""
ResourceV1ResourceClaim metadata={} spec={} status={}
Role metadata={} rules=null
RoleBinding metadata={} roleRef={}
RoleBindingList items=null metadata={}
RoleList items=null metadata={}
RoleRef apiGroup="" name=""
RuntimeClass handler="" metadata={}
RuntimeClassList items=null metadata={}
Scale metadata={} spec={} status={}
ScaleIOPersistentVolumeSource gateway="" secretRef=null system=""
ScaleIOVolumeSource gateway="" secretRef=null system=""
ScaleStatus replicas=0
ScopedResourceSelectorRequirement operator="" scopeName=""
SeccompProfile type=""
Secret metadata={}
SecretKeySelector key=""
SecretList items=null metadata={}
SelfSubjectAccessReview metadata={} spec={} status={}
SelfSubjectReview metadata={} status={}
SelfSubjectReviewStatus userInfo={}
SelfSubjectRulesReview metadata={} spec={} status={}
ServerAddressByClientCIDR clientCIDR="" serverAddress=""
Service metadata={} spec={} status={}
ServiceAccount metadata={}
ServiceAccountList items=null metadata={}
ServiceAccountSubject name="" namespace=""
ServiceAccountTokenProjection path=""
ServiceCIDR metadata={} spec={} status={}
ServiceCIDRList items=null metadata={}
ServiceList items=null metadata={}
ServicePort port=0 targetPort=0
ServiceStatus loadBalancer={}
ShardInfo selector=""
SleepAction seconds=0
StatefulSet metadata={} spec={} status={}
StatefulSetCondition lastTransitionTime=null status="" type=""
StatefulSetList items=null metadata={}
StatefulSetOrdinals start=0
StatefulSetSpec selector=null serviceName="" template={} updateStrategy={}
StatefulSetStatus availableReplicas=0 replicas=0
Status metadata={}
StorageClass metadata={} provisioner=""
StorageClassList items=null metadata={}
StorageV1TokenRequest audience=""
SubjectAccessReview metadata={} spec={} status={}
SubjectAccessReviewStatus allowed=false
SubjectRulesReviewStatus incomplete=false nonResourceRules=null resourceRules=null
SuccessPolicy rules=null
Sysctl name="" value=""
TCPSocketAction port=0
Taint effect="" key=""
TokenRequestSpec audiences=null boundObjectRef=null expirationSeconds=null
TokenRequestStatus expirationTimestamp=null token=""
TokenReview metadata={} spec={} status={}
TokenReviewStatus user={}
TopologySelectorLabelRequirement key="" values=null
TopologySpreadConstraint maxSkew=0 topologyKey="" whenUnsatisfiable=""
TypedLocalObjectReference apiGroup=null name=""
TypedObjectReference apiGroup=null name=""
UserSubject name=""
V1beta1AllocatedDeviceStatus conditions=null device="" driver="" pool=""
V1beta1AllocationResult devices={}
V1beta1AuditAnnotation key="" valueExpression=""
V1beta1CELDeviceSelector expression=""
V1beta1CapacityRequestPolicy default=null
V1beta1ClusterTrustBundle metadata={} spec={}
V1beta1ClusterTrustBundleList items=null metadata={}
V1beta1ClusterTrustBundleSpec trustBundle=""
V1beta1Counter value="0"
V1beta1CounterSet name=""
V1beta1Device name=""
V1beta1DeviceAllocationConfiguration source=""
V1beta1DeviceCapacity value="0"
V1beta1DeviceClaim requests=null
V1beta1DeviceClass metadata={} spec={}
V1beta1DeviceClassList items=null metadata={}
V1beta1DeviceCounterConsumption counterSet=""
V1beta1DeviceRequest deviceClassName="" name=""
V1beta1DeviceRequestAllocationResult device="" driver="" pool="" request=""
V1beta1DeviceSubRequest deviceClassName="" name=""
V1beta1DeviceTaint effect="" key=""
V1beta1ExpressionWarning fieldRef="" warning=""
V1beta1IPAddress metadata={} spec={}
V1beta1IPAddressList items=null metadata={}
V1beta1LeaseCandidate metadata={} spec={}
V1beta1LeaseCandidateList items=null metadata={}
V1beta1LeaseCandidateSpec binaryVersion="" leaseName=""
V1beta1MatchCondition expression="" name=""
V1beta1MutatingAdmissionPolicy metadata={} spec={}
V1beta1MutatingAdmissionPolicyBinding metadata={} spec={}
V1beta1MutatingAdmissionPolicyBindingList items=null metadata={}
V1beta1MutatingAdmissionPolicyList items=null metadata={}
V1beta1Mutation patchType=""
V1beta1OpaqueDeviceConfiguration driver="" parameters=null
V1beta1PodCertificateRequest metadata={} spec={} status={}
V1beta1PodCertificateRequestList items=null metadata={}
V1beta1PodCertificateRequestSpec nodeName="" nodeUID="" pkixPublicKey=null podName="" podUID="" proofOfPossession=null serviceAccountName="" serviceAccountUID="" signerName="" stubPKCS10Request=null
V1beta1ResourceClaim metadata={} spec={} status={}
V1beta1ResourceClaimConsumerReference name="" resource="" uid=""
V1beta1ResourceClaimList items=null metadata={}
V1beta1ResourceClaimSpec devices={}
V1beta1ResourceClaimTemplate metadata={} spec={}
V1beta1ResourceClaimTemplateList items=null metadata={}
V1beta1ResourceClaimTemplateSpec metadata={} spec={}
V1beta1ResourcePool generation=0 name="" resourceSliceCount=0
V1beta1ResourceSlice metadata={} spec={}
V1beta1ResourceSliceList items=null metadata={}
V1beta1ResourceSliceSpec driver="" pool={}
V1beta1SelfSubjectReview metadata={} status={}
V1beta1ServiceCIDR metadata={} spec={} status={}
V1beta1ServiceCIDRList items=null metadata={}
V1beta1StorageVersionMigration metadata={} spec={} status={}
V1beta1StorageVersionMigrationList items=null metadata={}
V1beta1ValidatingAdmissionPolicy metadata={} spec={} status={}
V1beta1ValidatingAdmissionPolicyBinding metadata={} spec={}
V1beta1ValidatingAdmissionPolicyBindingList items=null metadata={}
V1beta1ValidatingAdmissionPolicyList items=null metadata={}
V1beta1Validation expression=""
V1beta1Variable expression="" name=""
V1beta1VolumeAttributesClass driverName="" metadata={}
V1beta1VolumeAttributesClassList items=null metadata={}
V1beta2AllocatedDeviceStatus conditions=null device="" driver="" pool=""
V1beta2AllocationResult devices={}
V1beta2CELDeviceSelector expression=""
V1beta2CapacityRequestPolicy default=null
V1beta2Counter value="0"
V1beta2CounterSet name=""
V1beta2Device name=""
V1beta2DeviceAllocationConfiguration source=""
V1beta2DeviceCapacity value="0"
V1beta2DeviceClaim requests=null
V1beta2DeviceClass metadata={} spec={}
V1beta2DeviceClassList items=null metadata={}
V1beta2DeviceCounterConsumption counterSet=""
V1beta2DeviceRequest name=""
V1beta2DeviceRequestAllocationResult device="" driver="" pool="" request=""
V1beta2DeviceSubRequest deviceClassName="" name=""
V1beta2DeviceTaint effect="" key=""
V1beta2DeviceTaintRule metadata={} spec={} status={}
V1beta2DeviceTaintRuleList items=null metadata={}
V1beta2DeviceTaintRuleSpec taint={}
V1beta2ExactDeviceRequest deviceClassName=""
V1beta2OpaqueDeviceConfiguration driver="" parameters=null
V1beta2ResourceClaim metadata={} spec={} status={}
V1beta2ResourceClaimConsumerReference name="" resource="" uid=""
V1beta2ResourceClaimList items=null metadata={}
V1beta2ResourceClaimSpec devices={}
V1beta2ResourceClaimTemplate metadata={} spec={}
V1beta2ResourceClaimTemplateList items=null metadata={}
V1beta2ResourceClaimTemplateSpec metadata={} spec={}
V1beta2ResourcePool generation=0 name="" resourceSliceCount=0
V1beta2ResourceSlice metadata={} spec={}
V1beta2ResourceSliceList items=null metadata={}
V1beta2ResourceSliceSpec driver="" pool={}
V1beta3FlowDistinguisherMethod type=""
V1beta3FlowSchema metadata={} spec={} status={}
V1beta3FlowSchemaCondition lastTransitionTime=null
V1beta3FlowSchemaList items=null metadata={}
V1beta3FlowSchemaSpec matchingPrecedence=0 priorityLevelConfiguration={}
V1beta3GroupSubject name=""
V1beta3LimitResponse type=""
V1beta3LimitedPriorityLevelConfiguration limitResponse={} nominalConcurrencyShares=0
V1beta3NonResourcePolicyRule nonResourceURLs=null verbs=null
V1beta3PolicyRulesWithSubjects subjects=null
V1beta3PriorityLevelConfiguration metadata={} spec={} status={}
V1beta3PriorityLevelConfigurationCondition lastTransitionTime=null
V1beta3PriorityLevelConfigurationList items=null metadata={}
V1beta3PriorityLevelConfigurationReference name=""
V1beta3PriorityLevelConfigurationSpec type=""
V1beta3QueuingConfiguration handSize=0 queueLengthLimit=0 queues=0
V1beta3ResourcePolicyRule apiGroups=null namespaces=null resources=null verbs=null
V1beta3ServiceAccountSubject name="" namespace=""
V1beta3UserSubject name=""
V2ContainerResourceMetricSource container="" name="" target={}
V2ContainerResourceMetricStatus container="" current={} name=""
V2CrossVersionObjectReference name=""
V2ExternalMetricSource metric={} target={}
V2ExternalMetricStatus current={} metric={}
V2HPAScalingPolicy periodSeconds=0 type="" value=0
V2HorizontalPodAutoscaler metadata={} spec={} status={}
V2HorizontalPodAutoscalerCondition lastTransitionTime=null status="" type=""
V2HorizontalPodAutoscalerList items=null metadata={}
V2HorizontalPodAutoscalerSpec maxReplicas=0 scaleTargetRef={}
V2HorizontalPodAutoscalerStatus currentMetrics=null desiredReplicas=0
V2MetricIdentifier name=""
V2MetricSpec type=""
V2MetricStatus type=""
V2MetricTarget type=""
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
ValidatingWebhook admissionReviewVersions=null clientConfig={} name="" sideEffects=null
ValidatingWebhookConfiguration metadata={}
ValidatingWebhookConfigurationList items=null metadata={}
Validation expression=""
Variable expression="" name=""
Volume name=""
VolumeAttachment metadata={} spec={} status={}
VolumeAttachmentList items=null metadata={}
VolumeAttachmentSpec attacher="" nodeName="" source={}
VolumeAttachmentStatus attached=false
VolumeAttributesClass driverName="" metadata={}
VolumeAttributesClassList items=null metadata={}
VolumeDevice devicePath="" name=""
VolumeError time=null
VolumeMount mountPath="" name=""
VolumeMountStatus mountPath="" name=""
VsphereVirtualDiskVolumeSource volumePath=""
WeightedPodAffinityTerm podAffinityTerm={} weight=0
`;
