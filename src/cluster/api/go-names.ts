// Names of Go types that stand in error texts only: named strings and numbers (`v1.RestartPolicy`), and structs that are
// embedded in others (`ProbeHandler` in Probe). Facts from kubernetes/api at v0.36.3.

/** The named type of a scalar field, or of the elements of a list: `v1.Protocol`. */
export function namedScalar(typeName: string, field: string): string | undefined {
  return lookup(namedScalars, typeName, (entry) => {
    const [name, type] = entry.split("=");
    return name === field ? type : undefined;
  });
}

/** The embedded struct that a field is declared in; it stands in Go's field paths. */
export function embeddedStruct(typeName: string, field: string): string | undefined {
  return lookup(embeddedStructs, typeName, (entry) => {
    const [struct, fields = ""] = entry.split("=");
    return fields.split(",").includes(field) ? struct : undefined;
  });
}

/** Reads the tables at the time of an error only. */
function lookup(table: string, typeName: string, match: (entry: string) => string | undefined): string | undefined {
  const line = table.split("\n").find((candidate) => candidate.startsWith(`${typeName} `));
  for (const entry of line?.split(" ").slice(1) ?? []) {
    const found = match(entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

const namedScalars = `
APIResource verbs=v1.Verbs
AppArmorProfile type=v1.AppArmorProfileType
AttachedVolume name=v1.UniqueVolumeName
AzureDiskVolumeSource cachingMode=v1.AzureDataDiskCachingMode kind=v1.AzureDataDiskKind
BoundObjectReference uid=types.UID
CSIDriverSpec fsGroupPolicy=v1.FSGroupPolicy volumeLifecycleModes=v1.VolumeLifecycleMode
Capabilities add=v1.Capability drop=v1.Capability
CertificateSigningRequestCondition status=v1.ConditionStatus type=v1.RequestConditionType
CertificateSigningRequestSpec usages=v1.KeyUsage
ComponentCondition status=v1.ConditionStatus type=v1.ComponentConditionType
Condition status=v1.ConditionStatus
ConfigMapNodeConfigSource uid=types.UID
Container imagePullPolicy=v1.PullPolicy restartPolicy=v1.ContainerRestartPolicy terminationMessagePolicy=v1.TerminationMessagePolicy
ContainerPort protocol=v1.Protocol
ContainerResizePolicy resourceName=v1.ResourceName restartPolicy=v1.ResourceResizeRestartPolicy
ContainerRestartRule action=v1.ContainerRestartRuleAction
ContainerRestartRuleOnExitCodes operator=v1.ContainerRestartRuleOnExitCodesOperator
ContainerStatus stopSignal=v1.Signal
CoreV1EndpointPort protocol=v1.Protocol
CronJobSpec concurrencyPolicy=v1.ConcurrencyPolicy
DaemonSetCondition status=v1.ConditionStatus type=v1.DaemonSetConditionType
DaemonSetUpdateStrategy type=v1.DaemonSetUpdateStrategyType
DeleteOptions propagationPolicy=v1.DeletionPropagation
DeploymentCondition status=v1.ConditionStatus type=v1.DeploymentConditionType
DeploymentStrategy type=v1.DeploymentStrategyType
DeviceAllocationConfiguration source=v1.AllocationConfigSource
DeviceConstraint distinctAttribute=v1.FullyQualifiedName matchAttribute=v1.FullyQualifiedName
DeviceRequestAllocationResult shareID=types.UID
DeviceSubRequest allocationMode=v1.DeviceAllocationMode
DeviceTaint effect=v1.DeviceTaintEffect
DeviceToleration effect=v1.DeviceTaintEffect operator=v1.DeviceTolerationOperator
DiscoveryV1EndpointPort protocol=v1.Protocol
EmptyDirVolumeSource medium=v1.StorageMedium
EndpointSlice addressType=v1.AddressType
EphemeralContainer imagePullPolicy=v1.PullPolicy restartPolicy=v1.ContainerRestartPolicy terminationMessagePolicy=v1.TerminationMessagePolicy
ExactDeviceRequest allocationMode=v1.DeviceAllocationMode
FieldSelectorRequirement operator=v1.FieldSelectorOperator
FlowDistinguisherMethod type=v1.FlowDistinguisherMethodType
FlowSchemaCondition status=v1.ConditionStatus type=v1.FlowSchemaConditionType
FlowcontrolV1Subject kind=v1.SubjectKind
HTTPGetAction scheme=v1.URIScheme
HTTPIngressPath pathType=v1.PathType
HostPathVolumeSource type=v1.HostPathType
ImageVolumeSource pullPolicy=v1.PullPolicy
IngressPortStatus protocol=v1.Protocol
JobCondition status=v1.ConditionStatus type=v1.JobConditionType
JobSpec completionMode=v1.CompletionMode podReplacementPolicy=v1.PodReplacementPolicy
LabelSelectorRequirement operator=v1.LabelSelectorOperator
LeaseSpec strategy=v1.CoordinatedLeaseStrategy
Lifecycle stopSignal=v1.Signal
LimitRangeItem type=v1.LimitType
LimitResponse type=v1.LimitResponseType
LoadBalancerIngress ipMode=v1.LoadBalancerIPMode
ManagedFieldsEntry operation=v1.ManagedFieldsOperationType
MatchResources matchPolicy=v1.MatchPolicyType
ModifyVolumeStatus status=v1.PersistentVolumeClaimModifyVolumeStatus
MutatingAdmissionPolicySpec failurePolicy=v1.FailurePolicyType reinvocationPolicy=v1.ReinvocationPolicyType
MutatingWebhook failurePolicy=v1.FailurePolicyType matchPolicy=v1.MatchPolicyType reinvocationPolicy=v1.ReinvocationPolicyType sideEffects=v1.SideEffectClass
Mutation patchType=v1.PatchType
NamedRuleWithOperations operations=v1.OperationType scope=v1.ScopeType
NamespaceCondition status=v1.ConditionStatus type=v1.NamespaceConditionType
NamespaceSpec finalizers=v1.FinalizerName
NamespaceStatus phase=v1.NamespacePhase
NetworkPolicyPort protocol=v1.Protocol
NetworkPolicySpec policyTypes=v1.PolicyType
NodeAddress type=v1.NodeAddressType
NodeAllocatableResourceMapping capacityKey=v1.QualifiedName
NodeCondition status=v1.ConditionStatus type=v1.NodeConditionType
NodeSelectorRequirement operator=v1.NodeSelectorOperator
NodeStatus phase=v1.NodePhase volumesInUse=v1.UniqueVolumeName
ObjectMeta uid=types.UID
ObjectReference uid=types.UID
OwnerReference uid=types.UID
ParamRef parameterNotFoundAction=v1.ParameterNotFoundActionType
PersistentVolumeClaimCondition status=v1.ConditionStatus type=v1.PersistentVolumeClaimConditionType
PersistentVolumeClaimSpec accessModes=v1.PersistentVolumeAccessMode volumeMode=v1.PersistentVolumeMode
PersistentVolumeClaimStatus accessModes=v1.PersistentVolumeAccessMode phase=v1.PersistentVolumeClaimPhase
PersistentVolumeSpec accessModes=v1.PersistentVolumeAccessMode persistentVolumeReclaimPolicy=v1.PersistentVolumeReclaimPolicy volumeMode=v1.PersistentVolumeMode
PersistentVolumeStatus phase=v1.PersistentVolumePhase
PodCondition status=v1.ConditionStatus type=v1.PodConditionType
PodDisruptionBudgetSpec unhealthyPodEvictionPolicy=v1.UnhealthyPodEvictionPolicyType
PodFailurePolicyOnExitCodesRequirement operator=v1.PodFailurePolicyOnExitCodesOperator
PodFailurePolicyOnPodConditionsPattern status=v1.ConditionStatus type=v1.PodConditionType
PodFailurePolicyRule action=v1.PodFailurePolicyAction
PodOS name=v1.OSName
PodReadinessGate conditionType=v1.PodConditionType
PodSecurityContext fsGroupChangePolicy=v1.PodFSGroupChangePolicy seLinuxChangePolicy=v1.PodSELinuxChangePolicy supplementalGroupsPolicy=v1.SupplementalGroupsPolicy
PodSpec dnsPolicy=v1.DNSPolicy preemptionPolicy=v1.PreemptionPolicy restartPolicy=v1.RestartPolicy
PodStatus phase=v1.PodPhase qosClass=v1.PodQOSClass resize=v1.PodResizeStatus
PortStatus protocol=v1.Protocol
Preconditions uid=types.UID
PriorityClass preemptionPolicy=v1.PreemptionPolicy
PriorityLevelConfigurationCondition status=v1.ConditionStatus type=v1.PriorityLevelConfigurationConditionType
PriorityLevelConfigurationSpec type=v1.PriorityLevelEnablement
ReplicaSetCondition status=v1.ConditionStatus type=v1.ReplicaSetConditionType
ReplicationControllerCondition status=v1.ConditionStatus type=v1.ReplicationControllerConditionType
ResourceClaimConsumerReference uid=types.UID
ResourceHealth health=v1.ResourceHealthStatus resourceID=v1.ResourceID
ResourceQuotaSpec scopes=v1.ResourceQuotaScope
ResourceStatus name=v1.ResourceName
RuleWithOperations operations=v1.OperationType scope=v1.ScopeType
ScopedResourceSelectorRequirement operator=v1.ScopeSelectorOperator scopeName=v1.ResourceQuotaScope
SeccompProfile type=v1.SeccompProfileType
Secret type=v1.SecretType
SecurityContext procMount=v1.ProcMountType
ServicePort protocol=v1.Protocol
ServiceSpec externalTrafficPolicy=v1.ServiceExternalTrafficPolicy internalTrafficPolicy=v1.ServiceInternalTrafficPolicy ipFamilies=v1.IPFamily ipFamilyPolicy=v1.IPFamilyPolicy sessionAffinity=v1.ServiceAffinity type=v1.ServiceType
StatefulSetCondition status=v1.ConditionStatus type=v1.StatefulSetConditionType
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=v1.PersistentVolumeClaimRetentionPolicyType whenScaled=v1.PersistentVolumeClaimRetentionPolicyType
StatefulSetSpec podManagementPolicy=v1.PodManagementPolicyType
StatefulSetUpdateStrategy type=v1.StatefulSetUpdateStrategyType
Status reason=v1.StatusReason
StatusCause reason=v1.CauseType
StatusDetails uid=types.UID
StorageClass reclaimPolicy=v1.PersistentVolumeReclaimPolicy volumeBindingMode=v1.VolumeBindingMode
Taint effect=v1.TaintEffect
Toleration effect=v1.TaintEffect operator=v1.TolerationOperator
TopologySpreadConstraint nodeAffinityPolicy=v1.NodeInclusionPolicy nodeTaintsPolicy=v1.NodeInclusionPolicy whenUnsatisfiable=v1.UnsatisfiableConstraintAction
UncountedTerminatedPods failed=types.UID succeeded=types.UID
V2ContainerResourceMetricSource name=v1.ResourceName
V2ContainerResourceMetricStatus name=v1.ResourceName
V2HPAScalingPolicy type=v2.HPAScalingPolicyType
V2HPAScalingRules selectPolicy=v2.ScalingPolicySelect
V2HorizontalPodAutoscalerCondition status=v1.ConditionStatus type=v2.HorizontalPodAutoscalerConditionType
V2MetricSpec type=v2.MetricSourceType
V2MetricStatus type=v2.MetricSourceType
V2MetricTarget type=v2.MetricTargetType
V2ResourceMetricSource name=v1.ResourceName
V2ResourceMetricStatus name=v1.ResourceName
ValidatingAdmissionPolicyBindingSpec validationActions=v1.ValidationAction
ValidatingAdmissionPolicySpec failurePolicy=v1.FailurePolicyType
ValidatingWebhook failurePolicy=v1.FailurePolicyType matchPolicy=v1.MatchPolicyType sideEffects=v1.SideEffectClass
Validation reason=v1.StatusReason
VolumeMount mountPropagation=v1.MountPropagationMode recursiveReadOnly=v1.RecursiveReadOnlyMode
VolumeMountStatus recursiveReadOnly=v1.RecursiveReadOnlyMode
`;

const embeddedStructs = `
APIGroup TypeMeta=kind,apiVersion
APIGroupList TypeMeta=kind,apiVersion
APIResourceList TypeMeta=kind,apiVersion
APIVersions TypeMeta=kind,apiVersion
ConfigMapEnvSource LocalObjectReference=name
ConfigMapKeySelector LocalObjectReference=name
ConfigMapProjection LocalObjectReference=name
ConfigMapVolumeSource LocalObjectReference=name
DeleteOptions TypeMeta=kind,apiVersion
DeviceAllocationConfiguration DeviceConfiguration=opaque
DeviceClaimConfiguration DeviceConfiguration=opaque
DeviceClassConfiguration DeviceConfiguration=opaque
EphemeralContainer EphemeralContainerCommon=name,image,command,args,workingDir,ports,envFrom,env,resources,resizePolicy,restartPolicy,restartPolicyRules,volumeMounts,volumeDevices,livenessProbe,readinessProbe,startupProbe,lifecycle,terminationMessagePath,terminationMessagePolicy,imagePullPolicy,securityContext,stdin,stdinOnce,tty
IngressRule IngressRuleValue=http
NamedRuleWithOperations RuleWithOperations=operations,apiGroups,apiVersions,resources,scope
PersistentVolumeSpec PersistentVolumeSource=gcePersistentDisk,awsElasticBlockStore,hostPath,glusterfs,nfs,rbd,iscsi,cinder,cephfs,fc,flocker,flexVolume,azureFile,vsphereVolume,quobyte,azureDisk,photonPersistentDisk,portworxVolume,scaleIO,local,storageos,csi
Probe ProbeHandler=exec,httpGet,tcpSocket,grpc
RuleWithOperations Rule=apiGroups,apiVersions,resources,scope
SecretEnvSource LocalObjectReference=name
SecretKeySelector LocalObjectReference=name
SecretProjection LocalObjectReference=name
Status TypeMeta=kind,apiVersion
Volume VolumeSource=hostPath,emptyDir,gcePersistentDisk,awsElasticBlockStore,gitRepo,secret,nfs,iscsi,glusterfs,persistentVolumeClaim,rbd,flexVolume,cinder,cephfs,flocker,downwardAPI,fc,azureFile,configMap,vsphereVolume,quobyte,azureDisk,photonPersistentDisk,projected,portworxVolume,scaleIO,storageos,csi,ephemeral,image
`;
