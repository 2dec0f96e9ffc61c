// The feature gates of this release, and what is refused of a wish about them (component-base/featuregate). No gate but
// UnknownVersionInteroperabilityProxy acts here. It comes with the names of flags.

import { aggregateText } from "./api/aggregate-text.ts";
import { type GivenFlags, WrongCommandLine, words } from "./component-flags.ts";

const lockedOn = words(`
  APIServerTracing AggregatedDiscoveryRemoveBetaType AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
  AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache CPUManagerPolicyOptions CRDValidationRatcheting
  CSIServiceAccountTokenSecrets ConsistentListFromCache CustomResourceFieldSelectors DRAAdminAccess DeclarativeValidation
  DisableAllocatorDualWrite DisableNodeKubeProxyVersion DynamicResourceAllocation ExecProbeTimeout
  ExternalServiceAccountTokenSigner ImageMaximumGCAge ImageVolume InOrderInformers InPlacePodVerticalScaling
  JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy JobSuccessPolicy KubeletCgroupDriverFromCRI
  KubeletFineGrainedAuthz KubeletPSI KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletTracing
  LogarithmicScaleDown MatchLabelKeysInPodAffinity MultiCIDRServiceAllocator MutableCSINodeAllocatableCount NFTablesProxyMode
  NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap OrderedNamespaceDeletion PodLifecycleSleepAction
  PodLifecycleSleepActionAllowZero PodObservedGenerationTracking PodSchedulingReadiness PreferSameTrafficDistribution
  ProcMountType RecoverVolumeExpansionFailure RecursiveReadOnlyMounts RelaxedDNSSearchValidation
  RelaxedEnvironmentVariableValidation ResilientWatchCacheInitialization RetryGenerateName SELinuxChangePolicy
  SELinuxMountReadWriteOncePod SchedulerQueueingHints SeparateTaintEvictionController ServiceAccountTokenJTI
  ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo SidecarContainers
  StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StructuredAuthenticationConfiguration
  SupplementalGroupsPolicy SystemdWatchdog TopologyManagerPolicyOptions UserNamespacesSupport VolumeAttributesClass WinDSR
  WinOverlay`);
const lockedOff = words(`
  AllowOverwriteTerminationGracePeriodSeconds GitRepoVolumeDriver SeparateCacheWatchRPC`);
const others = words(`
  APIResponseCompression APIServerIdentity APIServingWithRoutine AllAlpha AllBeta AllowDNSOnlyNodeCSR
  AllowInsecureKubeletCertificateSigningRequests AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs
  AllowUnsafeMalformedObjectDeletion AtomicFIFO AuthorizePodWebsocketUpgradeCreatePermission CBORServingAndStorage
  CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CRDObservedGenerationTracking CRIListStreaming CSIVolumeHealth
  ChangeContainerStatusOnKubeletRestart ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation ClientsAllowCBOR
  ClientsAllowTLSCacheGC ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook
  ClusterTrustBundle ClusterTrustBundleProjection ComponentFlagz ComponentStatusz ConcurrentWatchObjectDecode
  ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules ContainerStopSignals ContextualLogging
  ControllerManagerReleaseLeaderElectionLockOnExit CoordinatedLeaderElection CrossNamespaceVolumeDataSource
  CustomCPUCFSQuotaPeriod DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaintRules DRADeviceTaints
  DRAExtendedResource DRAListTypeAttributes DRANodeAllocatableResources DRAPartitionableDevices DRAPrioritizedList
  DRAResourceClaimDeviceStatus DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus DRASchedulerFilterTimeout
  DRAWorkloadResourceClaims DeclarativeValidationBeta DeclarativeValidationTakeover DeploymentReplicaSetTerminatingReplicas
  DetectCacheInconsistency DisableCPUQuotaWithExclusiveCPUs EnvFiles EventedPLEG ExtendWebSocketsToKubelet GangScheduling
  GenericWorkload GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HPAScaleToZero
  HostnameOverride ImageVolumeWithDigest InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling
  InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory InPlacePodVerticalScalingInitContainers
  InformerResourceVersion KMSv1 KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletInUserNamespace
  KubeletPodResourcesListUseActivePods KubeletRegistrationGetOnExistsOnly KubeletSeparateDiskGC
  KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot LocalStorageCapacityIsolationFSQuotaMonitoring
  LoggingAlphaOptions LoggingBetaOptions ManifestBasedAdmissionControlConfig MatchLabelKeysInPodTopologySpread
  MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet MemoryQoS MutablePVNodeAffinity
  MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy NativeHistograms
  NodeDeclaredFeatures NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching PLEGOnDemandRelist
  PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI PodCertificateRequest PodDeletionCost
  PodLevelResourceManagers PodLevelResources PodLogsQuerySplitStreams PodReadyToStartContainersCondition
  PodTopologyLabelsAdmission PodsAPI PortForwardWebsockets PreventStaticPodAPIReferences QOSReserved
  ReduceDefaultCrashLoopBackOffDecay RelaxedServiceNameValidation ReloadKubeletClientCAFile ReloadKubeletServerCertificateFile
  RemoteRequestHeaderUID ResourceHealthStatus ResourceHealthStatusMessage RestartAllContainersOnContainerExits
  RotateKubeletServerCertificate RuntimeClassInImageCriApi SELinuxMount SchedulerAsyncAPICalls SchedulerAsyncPreemption
  SchedulerPopFromBackoffQ ServiceAccountNodeAudienceRestriction ServiceCIDRStatusFieldWiping ShardedListAndWatch
  SizeBasedListCostEstimate StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob
  StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet StatefulSetSemanticRevisionComparison
  StorageCapacityScoring StorageNamespaceIndex StorageVersionAPI StorageVersionHash StorageVersionMigrator
  StrictIPCIDRValidation StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics
  TaintTolerationComparisonOperators TokenRequestServiceAccountUIDValidation TopologyAwareWorkloadScheduling
  TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests
  UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO
  UserNamespacesHostNetworkSupport VolumeLimitScaling WatchCacheInitializationPostStartHook WatchList WatchListClient
  WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown WindowsHostNetwork WorkloadAwarePreemption WorkloadWithJob`);

const locked: ReadonlyMap<string, boolean> = new Map([
  ...lockedOn.map((name) => [name, true] as const),
  ...lockedOff.map((name) => [name, false] as const),
]);
const known: ReadonlySet<string> = new Set([...locked.keys(), ...others]);

/** `A=true,kube:B=false`; the later word wins. Throws WrongCommandLine. */
export function gatesOf(values: readonly string[]): ReadonlyMap<string, boolean> {
  const gates = new Map<string, boolean>();
  for (const value of values)
    for (const pair of value.split(",").map((each) => each.trim())) {
      if (pair === "") continue;
      const [name = "", text] = pair.split("=", 2).map((part) => part.trim());
      const refused = (problem: string): WrongCommandLine =>
        new WrongCommandLine(`invalid argument ${JSON.stringify(value)} for "--feature-gates" flag: ${problem}`, false);
      if (text === undefined) throw refused(`missing bool value for ${name}`);
      if (!/^(?:1|t|T|true|True|TRUE|0|f|F|false|False|FALSE)$/u.test(text))
        throw refused(`invalid value of ${name}=${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
      gates.set(name.replace(/^kube:/u, ""), /^[1tT]/u.test(text));
    }
  return gates;
}

/** Why these cannot be set; undefined: they can. */
export function gateFault(gates: Iterable<readonly [name: string, value: boolean]>): string | undefined {
  const faults: string[] = [];
  for (const [name, value] of gates) {
    if (!known.has(name)) return aggregateText([...faults, `unrecognized feature gate: ${name}`]);
    const only = locked.get(name);
    if (only !== undefined && only !== value)
      faults.push(`cannot set feature gate ${name} to ${value}, feature is locked to ${only}`);
  }
  return faults.length === 0 ? undefined : aggregateText(faults);
}

/** `--feature-gates`. Throws WrongCommandLine. */
export function checkGates(given: GivenFlags): void {
  const fault = gateFault(gatesOf(given.get("feature-gates") ?? []));
  if (fault !== undefined) throw new WrongCommandLine(fault, true);
}
