// The plugins that there are, in the API server's order, and which of them are on (pkg/kubeapiserver/options/plugins.go).
// Those of the default set that are missing here are named in README.

import type { Client } from "#cluster/client/client.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { TolerationSeconds } from "../command-line.ts";
import { lateRequests } from "../late-requests.ts";
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from "./built-in/certificates.ts";
import { defaultIngressClass } from "./built-in/default-ingress-class.ts";
import { defaultStorageClass } from "./built-in/default-storage-class.ts";
import { defaultTolerationSeconds } from "./built-in/default-toleration-seconds.ts";
import type { EventLimit } from "./built-in/event-rate-limit.ts";
import { limitRanger } from "./built-in/limit-ranger.ts";
import { namespaceLifecycle } from "./built-in/namespace-lifecycle.ts";
import { nodeRestriction } from "./built-in/node-restriction.ts";
import { persistentVolumeClaimResize } from "./built-in/persistent-volume-claim-resize.ts";
import { podTopologyLabels } from "./built-in/pod-topology-labels.ts";
import { priorityAdmission } from "./built-in/priority.ts";
import { resourceQuotaAdmission } from "./built-in/resource-quota.ts";
import { runtimeClassAdmission } from "./built-in/runtime-class.ts";
import { serviceAccountAdmission } from "./built-in/service-account.ts";
import { storageObjectInUseProtection } from "./built-in/storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./built-in/taint-nodes-by-condition.ts";
import { AdmissionChain, type AdmissionPlugin, type AskedPlugins } from "./chain.ts";
import type { WebhookWorld } from "./dynamic/webhooks.ts";
import { dynamicPlugins } from "./dynamic-plugins.ts";
import { podSecurity } from "./pod-security/pod-security.ts";

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
  readonly tolerationSeconds: () => TolerationSeconds;
  readonly onAsked: (plugins: AskedPlugins) => void;
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

/** Those that nobody has unless they ask for them, beside NodeRestriction, for which kubeadm asks. */
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

const isRequested = (name: string): boolean => onRequest.has(name);

/** Throws Error for names that the API server would not start with, and for plugins that are not here. */
export function defaultAdmission(options: AdmissionOptions): AdmissionChain {
  const { simulation, world, enabled, disabled } = options;
  const { store } = world;
  requireKnown(enabled, disabled);
  const plugins: readonly AdmissionPlugin[] = [
    namespaceLifecycle(store),
    limitRanger(store),
    serviceAccountAdmission(store, simulation),
    nodeRestriction(store),
    taintNodesByCondition,
    podSecurity(store),
    priorityAdmission(store),
    defaultTolerationSeconds(options.tolerationSeconds),
    defaultStorageClass(store),
    storageObjectInUseProtection,
    certificateApproval(world),
    certificateSigning(world),
    certificateSubjectRestriction,
    persistentVolumeClaimResize(store),
    runtimeClassAdmission(store),
    defaultIngressClass(store),
    podTopologyLabels(store),
    resourceQuotaAdmission(store, options.client, simulation),
    ...dynamicPlugins(world),
    ...(enabled.some(isRequested) ? lateRequests.code.requestedPlugins(options) : []),
  ];
  for (const name of enabled) {
    if (plugins.some((plugin) => plugin.name === name)) continue;
    throw new Error(`admission plugin ${JSON.stringify(name)} is not there yet`);
  }
  const isOn = ({ name }: AdmissionPlugin): boolean =>
    !disabled.includes(name) && (enabled.includes(name) || !(isRequested(name) || name === "NodeRestriction"));
  const place = ({ name }: AdmissionPlugin): number => order.indexOf(name);
  return new AdmissionChain(
    plugins.filter(isOn).sort((a, b) => place(a) - place(b)),
    options.onAsked,
  );
}

/** The checks of the flags, in upstream's words. */
function requireKnown(enabled: readonly string[], disabled: readonly string[]): void {
  for (const [flag, names] of [
    ["enable", enabled],
    ["disable", disabled],
  ] as const) {
    const unknown = names.find((name) => !order.includes(name));
    if (unknown !== undefined) throw new Error(`${flag}-admission-plugins plugin ${JSON.stringify(unknown)} is unknown`);
  }
  const both = enabled.filter((name) => disabled.includes(name)).sort();
  if (both.length === 0) return;
  throw new Error(`[${both.join(" ")}] in enable-admission-plugins and disable-admission-plugins overlapped`);
}
