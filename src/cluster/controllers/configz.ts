// /configz of the controller manager: its whole configuration, which is what its flags say
// (pkg/controller/apis/config/v1alpha1 of v1.36; fields without JSON names keep Go's).

import type { JsonValue } from "#cluster/api/objects.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import { leaderElectionOf } from "#cluster/zpages/leader-election.ts";
import { controllerNamesOfOld } from "./controller-names.ts";

/** Flags as what they are. */
interface Flags {
  readonly text: (name: string) => string;
  readonly number: (name: string) => number;
  readonly flag: (name: string) => boolean;
}

/** `flags`: all, with the values that pflag prints. */
export function managerConfigz(flags: ReadonlyMap<string, string>): JsonObject {
  const text = (name: string): string => flags.get(name) ?? "";
  const read: Flags = { text, number: (name) => Number(text(name)), flag: (name) => text(name) === "true" };
  const configuration = {
    kind: "KubeControllerManagerConfiguration",
    apiVersion: "kubecontrollermanager.config.k8s.io/v1alpha1",
    ...general(read),
    ...cloudAndCertificates(read),
    ...workloads(read),
    ...jobsAndNodes(read),
    ...volumes(read),
    ...others(read),
  };
  return { "kubecontrollermanager.config.k8s.io": configuration };
}

/** `[*,bootstrapsigner]`: by their names of today. */
function canonicalNames(list: string): string[] {
  return list
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((entry) => {
      const [, minus = "", name = ""] = /^(-?)(.*)$/.exec(entry) ?? [];
      return `${minus}${controllerNamesOfOld.get(name) ?? name}`;
    });
}

function general({ text, number, flag }: Flags): JsonObject {
  return {
    Generic: {
      Port: 0,
      Address: "0.0.0.0",
      MinResyncPeriod: text("min-resync-period"),
      ClientConnection: {
        kubeconfig: text("kubeconfig"),
        acceptContentTypes: "",
        contentType: text("kube-api-content-type"),
        qps: number("kube-api-qps"),
        burst: number("kube-api-burst"),
      },
      ControllerStartInterval: text("controller-start-interval"),
      LeaderElection: leaderElectionOf(text),
      Controllers: canonicalNames(text("controllers")),
      Debugging: { enableProfiling: flag("profiling"), enableContentionProfiling: flag("contention-profiling") },
      LeaderMigrationEnabled: flag("enable-leader-migration"),
      LeaderMigration: { leaderName: "", resourceLock: "", controllerLeaders: null },
    },
  };
}

function cloudAndCertificates({ text, flag }: Flags): JsonObject {
  const signer = (name: string): JsonValue => ({
    CertFile: text(`cluster-signing-${name}-cert-file`),
    KeyFile: text(`cluster-signing-${name}-key-file`),
  });
  return {
    KubeCloudShared: {
      CloudProvider: { Name: text("cloud-provider"), CloudConfigFile: text("cloud-config") },
      ExternalCloudVolumePlugin: text("external-cloud-volume-plugin"),
      UseServiceAccountCredentials: flag("use-service-account-credentials"),
      AllowUntaggedCloud: flag("allow-untagged-cloud"),
      RouteReconciliationPeriod: text("route-reconciliation-period"),
      NodeMonitorPeriod: text("node-monitor-period"),
      ClusterName: text("cluster-name"),
      ClusterCIDR: text("cluster-cidr"),
      AllocateNodeCIDRs: flag("allocate-node-cidrs"),
      CIDRAllocatorType: text("cidr-allocator-type"),
      ConfigureCloudRoutes: flag("configure-cloud-routes"),
      NodeSyncPeriod: text("node-sync-period"),
    },
    AttachDetachController: {
      DisableAttachDetachReconcilerSync: flag("disable-attach-detach-reconcile-sync"),
      ReconcilerSyncLoopPeriod: text("attach-detach-reconcile-sync-period"),
      disableForceDetachOnTimeout: flag("disable-force-detach-on-timeout"),
    },
    CSRSigningController: {
      ClusterSigningCertFile: text("cluster-signing-cert-file"),
      ClusterSigningKeyFile: text("cluster-signing-key-file"),
      KubeletServingSignerConfiguration: signer("kubelet-serving"),
      KubeletClientSignerConfiguration: signer("kubelet-client"),
      KubeAPIServerClientSignerConfiguration: signer("kube-apiserver-client"),
      LegacyUnknownSignerConfiguration: signer("legacy-unknown"),
      ClusterSigningDuration: text("cluster-signing-duration"),
    },
  };
}

function workloads({ text, number, flag }: Flags): JsonObject {
  const hpa = "horizontal-pod-autoscaler-";
  return {
    DaemonSetController: { ConcurrentDaemonSetSyncs: number("concurrent-daemonset-syncs") },
    DeploymentController: { ConcurrentDeploymentSyncs: number("concurrent-deployment-syncs") },
    StatefulSetController: { ConcurrentStatefulSetSyncs: number("concurrent-statefulset-syncs") },
    DeprecatedController: {},
    EndpointController: {
      ConcurrentEndpointSyncs: number("concurrent-endpoint-syncs"),
      EndpointUpdatesBatchPeriod: text("endpoint-updates-batch-period"),
    },
    EndpointSliceController: {
      ConcurrentServiceEndpointSyncs: number("concurrent-service-endpoint-syncs"),
      MaxEndpointsPerSlice: number("max-endpoints-per-slice"),
      EndpointUpdatesBatchPeriod: text("endpointslice-updates-batch-period"),
    },
    EndpointSliceMirroringController: {
      MirroringConcurrentServiceEndpointSyncs: number("mirroring-concurrent-service-endpoint-syncs"),
      MirroringMaxEndpointsPerSubset: number("mirroring-max-endpoints-per-subset"),
      MirroringEndpointUpdatesBatchPeriod: text("mirroring-endpointslice-updates-batch-period"),
    },
    EphemeralVolumeController: { ConcurrentEphemeralVolumeSyncs: number("concurrent-ephemeralvolume-syncs") },
    GarbageCollectorController: {
      EnableGarbageCollector: flag("enable-garbage-collector"),
      ConcurrentGCSyncs: number("concurrent-gc-syncs"),
      GCIgnoredResources: ["", "events.k8s.io"].map((group) => ({ Group: group, Resource: "events" })),
    },
    HPAController: {
      ConcurrentHorizontalPodAutoscalerSyncs: number("concurrent-horizontal-pod-autoscaler-syncs"),
      HorizontalPodAutoscalerSyncPeriod: text(`${hpa}sync-period`),
      HorizontalPodAutoscalerDownscaleStabilizationWindow: text(`${hpa}downscale-stabilization`),
      HorizontalPodAutoscalerTolerance: number(`${hpa}tolerance`),
      HorizontalPodAutoscalerCPUInitializationPeriod: text(`${hpa}cpu-initialization-period`),
      HorizontalPodAutoscalerInitialReadinessDelay: text(`${hpa}initial-readiness-delay`),
    },
  };
}

function jobsAndNodes({ text, number }: Flags): JsonObject {
  const [serviceCidr = "", secondaryServiceCidr = ""] = text("service-cluster-ip-range").split(",");
  return {
    JobController: { ConcurrentJobSyncs: number("concurrent-job-syncs") },
    CronJobController: { ConcurrentCronJobSyncs: number("concurrent-cron-job-syncs") },
    LegacySATokenCleaner: { CleanUpPeriod: text("legacy-service-account-token-clean-up-period") },
    NamespaceController: {
      NamespaceSyncPeriod: text("namespace-sync-period"),
      ConcurrentNamespaceSyncs: number("concurrent-namespace-syncs"),
    },
    NodeIPAMController: {
      ServiceCIDR: serviceCidr,
      SecondaryServiceCIDR: secondaryServiceCidr,
      NodeCIDRMaskSize: number("node-cidr-mask-size"),
      NodeCIDRMaskSizeIPv4: number("node-cidr-mask-size-ipv4"),
      NodeCIDRMaskSizeIPv6: number("node-cidr-mask-size-ipv6"),
    },
    NodeLifecycleController: {
      NodeEvictionRate: number("node-eviction-rate"),
      SecondaryNodeEvictionRate: number("secondary-node-eviction-rate"),
      NodeStartupGracePeriod: text("node-startup-grace-period"),
      NodeMonitorGracePeriod: text("node-monitor-grace-period"),
      PodEvictionTimeout: "0s",
      LargeClusterSizeThreshold: number("large-cluster-size-threshold"),
      UnhealthyZoneThreshold: number("unhealthy-zone-threshold"),
    },
  };
}

function volumes({ text, number, flag }: Flags): JsonObject {
  return {
    PersistentVolumeBinderController: {
      PVClaimBinderSyncPeriod: text("pvclaimbinder-sync-period"),
      VolumeConfiguration: {
        EnableHostPathProvisioning: flag("enable-hostpath-provisioner"),
        EnableDynamicProvisioning: flag("enable-dynamic-provisioning"),
        PersistentVolumeRecyclerConfiguration: {
          MaximumRetry: 3,
          MinimumTimeoutNFS: number("pv-recycler-minimum-timeout-nfs"),
          PodTemplateFilePathNFS: text("pv-recycler-pod-template-filepath-nfs"),
          IncrementTimeoutNFS: number("pv-recycler-increment-timeout-nfs"),
          PodTemplateFilePathHostPath: text("pv-recycler-pod-template-filepath-hostpath"),
          MinimumTimeoutHostPath: number("pv-recycler-minimum-timeout-hostpath"),
          IncrementTimeoutHostPath: number("pv-recycler-timeout-increment-hostpath"),
        },
        FlexVolumePluginDir: text("flex-volume-plugin-dir"),
      },
    },
  };
}

function others({ text, number }: Flags): JsonObject {
  return {
    PodGCController: { TerminatedPodGCThreshold: number("terminated-pod-gc-threshold") },
    ReplicaSetController: { ConcurrentRSSyncs: number("concurrent-replicaset-syncs") },
    ReplicationController: { ConcurrentRCSyncs: number("concurrent-rc-syncs") },
    ResourceQuotaController: {
      ResourceQuotaSyncPeriod: text("resource-quota-sync-period"),
      ConcurrentResourceQuotaSyncs: number("concurrent-resource-quota-syncs"),
    },
    SAController: {
      ServiceAccountKeyFile: text("service-account-private-key-file"),
      ConcurrentSATokenSyncs: number("concurrent-serviceaccount-token-syncs"),
      RootCAFile: text("root-ca-file"),
    },
    ServiceController: { ConcurrentServiceSyncs: number("concurrent-service-syncs") },
    TTLAfterFinishedController: { ConcurrentTTLSyncs: number("concurrent-ttl-after-finished-syncs") },
    ValidatingAdmissionPolicyStatusController: {
      ConcurrentPolicySyncs: number("concurrent-validating-admission-policy-status-syncs"),
    },
    DeviceTaintEvictionController: { ConcurrentSyncs: number("concurrent-device-taint-eviction-syncs") },
    ResourceClaimController: { ConcurrentSyncs: number("concurrent-resourceclaim-syncs") },
  };
}
