// The plugins that there are, in the API server's order, and which of them are on (pkg/kubeapiserver/options/plugins.go).
// Those of the default set that are missing here are named in README.

import type { Client } from "#cluster/client/client.ts";
import type { Simulation } from "#sim/simulation.ts";
import { alwaysAdmit, alwaysDeny } from "./always-deny.ts";
import { alwaysPullImages } from "./always-pull-images.ts";
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from "./certificates.ts";
import { AdmissionChain, type AdmissionPlugin } from "./chain.ts";
import { defaultIngressClass } from "./default-ingress-class.ts";
import { defaultStorageClass } from "./default-storage-class.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { denyServiceExternalIps } from "./deny-service-external-ips.ts";
import { type EventLimit, eventRateLimit } from "./event-rate-limit.ts";
import { extendedResourceToleration } from "./extended-resource-toleration.ts";
import { limitPodHardAntiAffinityTopology } from "./limit-pod-hard-anti-affinity-topology.ts";
import { limitRanger } from "./limit-ranger.ts";
import { mutatingPolicy } from "./mutating-policy.ts";
import { mutatingWebhook } from "./mutating-webhook.ts";
import { namespaceAutoProvision } from "./namespace-auto-provision.ts";
import { namespaceExists } from "./namespace-exists.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { nodeRestriction } from "./node-restriction.ts";
import { ownerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.ts";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.ts";
import { podNodeSelector } from "./pod-node-selector.ts";
import { podSecurity } from "./pod-security.ts";
import { podTolerationRestriction } from "./pod-toleration-restriction.ts";
import { podTopologyLabels } from "./pod-topology-labels.ts";
import { priorityAdmission } from "./priority.ts";
import { resourceQuotaAdmission } from "./resource-quota.ts";
import { runtimeClassAdmission } from "./runtime-class.ts";
import { serviceAccountAdmission } from "./service-account.ts";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";
import { validatingPolicy } from "./validating-policy.ts";
import { validatingWebhook } from "./validating-webhook.ts";
import type { WebhookWorld } from "./webhooks.ts";

export interface AdmissionOptions {
  readonly simulation: Simulation;
  readonly world: WebhookWorld;
  /** The API server's own client; the server is still being made when the plugins are. */
  readonly client: () => Client;
  /** As in `--enable-admission-plugins`. */
  readonly enabled: readonly string[];
  /** As in `--disable-admission-plugins`. */
  readonly disabled: readonly string[];
  /** The configuration of EventRateLimit; nobody else asks for it. */
  readonly eventLimits: readonly EventLimit[];
}

/** Every name that the flags know, in the order in which plugins are asked. */
const order: readonly string[] = [
  "AlwaysAdmit",
  "NamespaceAutoProvision",
  "NamespaceLifecycle",
  "NamespaceExists",
  "LimitPodHardAntiAffinityTopology",
  "LimitRanger",
  "ServiceAccount",
  "NodeRestriction",
  "TaintNodesByCondition",
  "AlwaysPullImages",
  "ImagePolicyWebhook",
  "PodSecurity",
  "PodNodeSelector",
  "Priority",
  "DefaultTolerationSeconds",
  "PodTolerationRestriction",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "DefaultStorageClass",
  "StorageObjectInUseProtection",
  "PodGroupProtection",
  "OwnerReferencesPermissionEnforcement",
  "PersistentVolumeClaimResize",
  "RuntimeClass",
  "CertificateApproval",
  "CertificateSigning",
  "ClusterTrustBundleAttest",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "DenyServiceExternalIPs",
  "PodTopologyLabels",
  "PodGroupWorkloadExists",
  "NodeDeclaredFeatureValidator",
  "JobValidation",
  "PodResizeValidator",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionWebhook",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionWebhook",
  "ResourceQuota",
  "AlwaysDeny",
];

/** Those that nobody has unless they ask for them; kubeadm always asks for NodeRestriction. */
const onRequest: ReadonlySet<string> = new Set([
  "AlwaysAdmit",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "LimitPodHardAntiAffinityTopology",
  "AlwaysPullImages",
  "ImagePolicyWebhook",
  "PodNodeSelector",
  "PodTolerationRestriction",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "OwnerReferencesPermissionEnforcement",
  "DenyServiceExternalIPs",
  "AlwaysDeny",
]);

/** Throws RangeError for names that the API server would not start with, and for plugins that are not here. */
export function defaultAdmission(options: AdmissionOptions): AdmissionChain {
  const { simulation, world, enabled, disabled } = options;
  const { store } = world;
  requireKnown(enabled, disabled);
  const plugins: readonly AdmissionPlugin[] = [
    alwaysAdmit,
    namespaceAutoProvision(store, options.client),
    namespaceLifecycle(store),
    namespaceExists(store),
    limitPodHardAntiAffinityTopology,
    limitRanger(store),
    serviceAccountAdmission(store, simulation.random),
    nodeRestriction(store),
    taintNodesByCondition,
    alwaysPullImages,
    podSecurity(store),
    podNodeSelector(store),
    priorityAdmission(store),
    defaultTolerationSeconds,
    podTolerationRestriction(store),
    ...(enabled.includes("EventRateLimit") ? [eventRateLimit(options.eventLimits, simulation)] : []),
    extendedResourceToleration,
    defaultStorageClass(store),
    storageObjectInUseProtection,
    ownerReferencesPermissionEnforcement(world),
    certificateApproval(world),
    certificateSigning(world),
    certificateSubjectRestriction,
    persistentVolumeClaimResize(store),
    runtimeClassAdmission(store),
    defaultIngressClass(store),
    denyServiceExternalIps,
    podTopologyLabels(store),
    resourceQuotaAdmission(store, simulation),
    mutatingPolicy(world),
    mutatingWebhook(world),
    validatingPolicy(world),
    validatingWebhook(world),
    alwaysDeny,
  ];
  for (const name of enabled) {
    if (plugins.some((plugin) => plugin.name === name)) continue;
    throw new RangeError(`admission plugin ${JSON.stringify(name)} is not there yet`);
  }
  const isOn = ({ name }: AdmissionPlugin): boolean => !disabled.includes(name) && (!onRequest.has(name) || enabled.includes(name));
  const place = ({ name }: AdmissionPlugin): number => order.indexOf(name);
  return new AdmissionChain(plugins.filter(isOn).sort((a, b) => place(a) - place(b)));
}

/** The checks of the flags, in upstream's words. */
function requireKnown(enabled: readonly string[], disabled: readonly string[]): void {
  for (const [flag, names] of [
    ["enable", enabled],
    ["disable", disabled],
  ] as const) {
    const unknown = names.find((name) => !order.includes(name));
    if (unknown !== undefined) throw new RangeError(`${flag}-admission-plugins plugin ${JSON.stringify(unknown)} is unknown`);
  }
  const both = enabled.filter((name) => disabled.includes(name)).sort();
  if (both.length === 0) return;
  throw new RangeError(`[${both.join(" ")}] in enable-admission-plugins and disable-admission-plugins overlapped`);
}
