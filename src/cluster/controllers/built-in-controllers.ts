// All controllers of the process, in upstream's order.

import { policyStatusController } from "./admission/policy-status.ts";
import { bootstrapSigner } from "./bootstrap/bootstrap-signer.ts";
import { tokenCleaner } from "./bootstrap/token-cleaner.ts";
import { approvingController } from "./certificates/approving-controller.ts";
import { certificateCleaner } from "./certificates/cleaner-controller.ts";
import { type SigningOptions, signingController } from "./certificates/signing-controller.ts";
import type { ControllerDefinition } from "./context.ts";
import { cronJobController } from "./cronjob/cronjob-controller.ts";
import { daemonSetController } from "./daemonset/daemonset-controller.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";
import { disruptionController } from "./disruption/disruption-controller.ts";
import { endpointsController } from "./endpoints/endpoints-controller.ts";
import { endpointSliceController } from "./endpoints/endpointslice-controller.ts";
import { endpointSliceMirroringController } from "./endpoints/endpointslice-mirroring-controller.ts";
import { ephemeralVolumeController } from "./ephemeral-volume/ephemeral-volume-controller.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { jobController } from "./job/job-controller.ts";
import { namespaceController } from "./namespace/namespace-controller.ts";
import { rootCaPublisher } from "./namespace/root-ca-publisher.ts";
import { serviceAccountController } from "./namespace/service-accounts.ts";
import { nodeIpamController } from "./nodes/node-ipam.ts";
import { nodeLifecycleController } from "./nodes/node-lifecycle-controller.ts";
import { nodeTtlController } from "./nodes/node-ttl-controller.ts";
import { podGarbageCollector } from "./nodes/pod-garbage-collector.ts";
import { taintEvictionController } from "./nodes/taint-eviction-controller.ts";
import type { EvictionRates } from "./nodes/zone-rates.ts";
import type { AutoscalingSettings } from "./podautoscaler/autoscaling-settings.ts";
import { podAutoscalerController } from "./podautoscaler/podautoscaler-controller.ts";
import { clusterRoleAggregationController } from "./rbac/clusterrole-aggregation.ts";
import { replicaSetController } from "./replicaset/replicaset-controller.ts";
import { replicationController } from "./replication/replication-controller.ts";
import { resourceQuotaController } from "./resource-quota/resource-quota-controller.ts";
import { serviceCidrController } from "./service-ranges/service-cidr-controller.ts";
import { statefulSetController } from "./statefulset/statefulset-controller.ts";
import { tokenController } from "./tokens/token-controller.ts";
import { ttlAfterFinishedController } from "./ttl-after-finished/ttl-after-finished-controller.ts";
import { volumeBindingController } from "./volume-binding/volume-binding-controller.ts";
import {
  attributesClassProtectionController,
  claimProtectionController,
  volumeProtectionController,
} from "./volume-protection/volume-protection-controllers.ts";

/** Flags of the process that controllers need. */
export interface ControllerSettings {
  /** `--cluster-cidr`, default 10.244.0.0/16. */
  readonly clusterCidr?: string;
  /** `--root-ca-file`: the CA bundle in PEM that namespaces get; "" (the default) publishes an empty one. */
  readonly rootCa?: string;
  /** `--terminated-pod-gc-threshold`, default 12500. */
  readonly terminatedPodThreshold?: number;
  /** `--node-monitor-grace-period`, default 50 s. */
  readonly nodeGraceMs?: number;
  /** `--node-eviction-rate` and its like. */
  readonly evictionRates?: EvictionRates;
  /** `--horizontal-pod-autoscaler-…` */
  readonly autoscaling?: AutoscalingSettings;
  /** `--cluster-signing-cert-file` and its like; absent: nothing is signed. */
  readonly signing?: SigningOptions;
  /** Those that only some clusters have. */
  readonly more?: readonly ControllerDefinition[] | undefined;
}

export function builtInControllers(settings: ControllerSettings): readonly ControllerDefinition[] {
  return [
    tokenController(settings.rootCa ?? ""),
    endpointsController,
    endpointSliceController,
    endpointSliceMirroringController,
    replicationController,
    podGarbageCollector(settings.terminatedPodThreshold ?? 12_500),
    resourceQuotaController,
    namespaceController,
    serviceAccountController,
    garbageCollector,
    daemonSetController,
    jobController,
    deploymentController,
    replicaSetController,
    podAutoscalerController(settings.autoscaling),
    disruptionController,
    statefulSetController,
    cronJobController,
    nodeTtlController,
    nodeIpamController(settings.clusterCidr ?? "10.244.0.0/16"),
    nodeLifecycleController(settings.nodeGraceMs, settings.evictionRates),
    taintEvictionController,
    volumeBindingController,
    claimProtectionController,
    volumeProtectionController,
    attributesClassProtectionController,
    ttlAfterFinishedController,
    ephemeralVolumeController,
    bootstrapSigner,
    tokenCleaner,
    clusterRoleAggregationController,
    rootCaPublisher(settings.rootCa ?? ""),
    ...(settings.signing === undefined ? [] : [signingController(settings.signing)]),
    approvingController,
    certificateCleaner,
    policyStatusController,
    serviceCidrController,
    ...(settings.more ?? []),
  ];
}
