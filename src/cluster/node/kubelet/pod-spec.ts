// Questions about a Pod's spec that many parts of the kubelet ask.

import type { Container, ContainerRestartRule, EphemeralContainer, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

export type StoredPod = Stored<Pod>;

const none: readonly Container[] = [];

export function containersOf(pod: StoredPod): readonly Container[] {
  return pod.spec?.containers ?? none;
}

export function initContainersOf(pod: StoredPod): readonly Container[] {
  return pod.spec?.initContainers ?? none;
}

export function ephemeralContainersOf(pod: StoredPod): readonly EphemeralContainer[] {
  return pod.spec?.ephemeralContainers ?? [];
}

/** A sidecar: an init container that goes on running. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}

export function restartPolicyOf(pod: StoredPod, container: Container): string {
  return container.restartPolicy ?? pod.spec?.restartPolicy ?? "Always";
}

/** The first of a container's restart rules that is for this exit code. */
export function restartRuleOf({ restartPolicyRules = [] }: Container, exitCode: number): ContainerRestartRule | undefined {
  return restartPolicyRules.find(({ exitCodes }) => {
    const isIn = exitCodes?.values?.includes(exitCode) === true;
    return exitCodes !== undefined && isIn === (exitCodes.operator === "In");
  });
}

/** Whether a container that ended with this code is to be started again, alone or with all others. */
export function isRestartDue(pod: StoredPod, container: Container, exitCode: number, isPlainInit = false): boolean {
  if (restartRuleOf(container, exitCode) !== undefined) return true;
  const policy = restartPolicyOf(pod, container);
  if (policy === "Never") return false;
  return exitCode !== 0 || (policy === "Always" && !isPlainInit);
}

export function isStatic(pod: StoredPod): boolean {
  const source = pod.metadata.annotations?.["kubernetes.io/config.source"];
  return source !== undefined && source !== "api";
}

export function isMirror(pod: StoredPod): boolean {
  return pod.metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined;
}

const criticalPriority = 2_000_000_000;

/** Static Pods, their mirrors, and those that the system cannot do without (pkg/kubelet/types: IsCriticalPod). */
export function isCritical(pod: StoredPod): boolean {
  return isStatic(pod) || isMirror(pod) || (pod.spec?.priority ?? 0) >= criticalPriority;
}

export function isHostNetwork(pod: StoredPod): boolean {
  return pod.spec?.hostNetwork === true;
}

export function isFinishedPhase(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** `name_namespace(uid)`: how the kubelet's messages name a pod. */
export function podLabel(pod: StoredPod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
}

/** `[a b]`: how Go prints a list of names. */
export function goList(names: readonly string[]): string {
  return `[${names.join(" ")}]`;
}

/** The domain in which its subdomain puts a pod; "" without one. */
export function domainOf({ spec, metadata }: StoredPod, clusterDomain: string): string {
  const { subdomain = "", hostnameOverride } = spec ?? {};
  return subdomain === "" || hostnameOverride !== undefined ? "" : `${subdomain}.${metadata.namespace}.svc.${clusterDomain}`;
}

const longestNodename = 64;

/** What the kernel calls the pod: its hostname, or its whole name where it asks for that (GetNodenameForKernel). Throws Error. */
export function nodenameOf(pod: StoredPod, nodeName: string, clusterDomain: string): string {
  const hostname = hostnameOf(pod, nodeName);
  const domain = domainOf(pod, clusterDomain);
  if (pod.spec?.setHostnameAsFQDN !== true || domain === "" || isHostNetwork(pod)) return hostname;
  const name = `${hostname}.${domain}`;
  if (name.length <= longestNodename) return name;
  const length = `(${longestNodename} characters is the max, ${name.length} characters requested)`;
  throw new Error(`failed to construct FQDN from pod hostname and cluster domain, FQDN ${name} is too long ${length}`);
}

/** The pod's hostname inside its containers: at most 63 characters. */
export function hostnameOf(pod: StoredPod, nodeName: string): string {
  if (isHostNetwork(pod)) return nodeName;
  const wanted = pod.spec?.hostnameOverride ?? pod.spec?.hostname ?? pod.metadata.name;
  return wanted.length <= 63 ? wanted : wanted.slice(0, 63).replace(/[-.]+$/, "");
}
