// Which kind is described by what.

import type { KubeObject } from "#cluster/api/objects.ts";
import { asKind } from "../documents.ts";
import { describeAutoscaler } from "./autoscaler.ts";
import { describeCertificateSigningRequest } from "./certificate-signing-request.ts";
import { describePersistentVolume, describePersistentVolumeClaim } from "./claims.ts";
import { describeConfigMap, describeSecret, describeServiceAccount } from "./data.ts";
import { describeDeployment } from "./deployment.ts";
import type { Describer } from "./describer.ts";
import { describeEndpointSlice, describeEndpoints } from "./endpoints.ts";
import { describeGeneric } from "./generic.ts";
import { describeIngress, describeIngressClass } from "./ingress.ts";
import { describeCronJob, describeJob } from "./jobs.ts";
import { describeLimitRange, describeNamespace, describeResourceQuota } from "./limits.ts";
import { describeIpAddress, describeNetworkPolicy, describeServiceCidr } from "./network-policy.ts";
import { describeNode } from "./node.ts";
import { describePod } from "./pod.ts";
import { describePodDisruptionBudget, describePriorityClass } from "./policies.ts";
import { describeRole, describeRoleBinding } from "./rbac.ts";
import { describeService } from "./service.ts";
import { describeCsiNode, describeStorageClass, describeVolumeAttributesClass } from "./storage.ts";
import { describeDaemonSet, describeReplicaSet, describeReplicationController, describeStatefulSet } from "./workloads.ts";

/** By `Kind.group`; objects come from the API server, so each describer gets its own kind. */
const describers: ReadonlyMap<string, Describer<never>> = new Map<string, Describer<never>>([
  ["Pod.", describePod],
  ["Node.", describeNode],
  ["Service.", describeService],
  ["Deployment.apps", describeDeployment],
  ["ReplicaSet.apps", describeReplicaSet],
  ["StatefulSet.apps", describeStatefulSet],
  ["DaemonSet.apps", describeDaemonSet],
  ["ReplicationController.", describeReplicationController],
  ["Job.batch", describeJob],
  ["CronJob.batch", describeCronJob],
  ["HorizontalPodAutoscaler.autoscaling", describeAutoscaler],
  ["PodDisruptionBudget.policy", describePodDisruptionBudget],
  ["PriorityClass.scheduling.k8s.io", describePriorityClass],
  ["CertificateSigningRequest.certificates.k8s.io", describeCertificateSigningRequest],
  ["ConfigMap.", describeConfigMap],
  ["Secret.", describeSecret],
  ["ServiceAccount.", describeServiceAccount],
  ["Namespace.", describeNamespace],
  ["ResourceQuota.", describeResourceQuota],
  ["LimitRange.", describeLimitRange],
  ["PersistentVolume.", describePersistentVolume],
  ["PersistentVolumeClaim.", describePersistentVolumeClaim],
  ["StorageClass.storage.k8s.io", describeStorageClass],
  ["VolumeAttributesClass.storage.k8s.io", describeVolumeAttributesClass],
  ["CSINode.storage.k8s.io", describeCsiNode],
  ["Endpoints.", describeEndpoints],
  ["EndpointSlice.discovery.k8s.io", describeEndpointSlice],
  ["Ingress.networking.k8s.io", describeIngress],
  ["IngressClass.networking.k8s.io", describeIngressClass],
  ["NetworkPolicy.networking.k8s.io", describeNetworkPolicy],
  ["ServiceCIDR.networking.k8s.io", describeServiceCidr],
  ["IPAddress.networking.k8s.io", describeIpAddress],
  ["Role.rbac.authorization.k8s.io", describeRole],
  ["ClusterRole.rbac.authorization.k8s.io", describeRole],
  ["RoleBinding.rbac.authorization.k8s.io", describeRoleBinding],
  ["ClusterRoleBinding.rbac.authorization.k8s.io", describeRoleBinding],
]);

/** Kinds without a describer of their own are described as they came, with what is null. */
export function describerFor(kind: string, group: string): Describer<KubeObject> {
  const own = describers.get(`${kind}.${group}`) as Describer<KubeObject> | undefined;
  return own === undefined ? describeGeneric : (object, lookup) => own(asKind(object), lookup);
}
