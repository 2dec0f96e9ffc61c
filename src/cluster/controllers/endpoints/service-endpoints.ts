// What Endpoints and EndpointSlices have in common: which Pods stand behind a Service, and in what state.

import type { Pod, Service, ServicePort } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isPodEnded, isPodReady } from "../pods.ts";

export interface ResolvedPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** A selector that selects something; Services without are left to others. */
export function selectorOf(service: Stored<Service>): { readonly [key: string]: string } | undefined {
  if (service.spec?.type === "ExternalName") return undefined;
  return service.spec?.selector;
}

function selects(selector: { readonly [key: string]: string }, labels: { readonly [key: string]: string } | undefined): boolean {
  for (const key in selector) if (labels?.[key] !== selector[key]) return false;
  return true;
}

/** The Pods that a Service selects, in whatever state. */
export function podsBehind(
  pods: Informer<Pod>,
  service: Stored<Service>,
  selector: { readonly [key: string]: string },
): readonly Stored<Pod>[] {
  const chosen: Stored<Pod>[] = [];
  for (const pod of pods.listNamespace(service.metadata.namespace ?? ""))
    if (selects(selector, pod.metadata.labels)) chosen.push(pod);
  return chosen;
}

/** The number behind a Service port in this Pod; undefined when the Pod has no port of that name. */
function resolvePort(servicePort: ServicePort, pod: Stored<Pod>): number | undefined {
  const target = servicePort.targetPort ?? servicePort.port;
  if (typeof target === "number") return target === 0 ? servicePort.port : target;
  if (target === "") return servicePort.port;
  const protocol = servicePort.protocol ?? "TCP";
  for (const container of podContainers(pod)) {
    for (const port of container.ports ?? [])
      if (port.name === target && (port.protocol ?? "TCP") === protocol) return port.containerPort;
  }
  return undefined;
}

function podContainers(pod: Stored<Pod>) {
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(pod.spec?.containers ?? []), ...sidecars];
}

/** All ports of a Service as this Pod serves them; ports it does not have are left out. */
export function resolvePorts(service: Stored<Service>, pod: Stored<Pod>): readonly ResolvedPort[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = resolvePort(port, pod);
    if (number === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

/** Whether a Pod belongs into endpoints at all; ended Pods and Pods without address do not. */
export function hasEndpoint(pod: Stored<Pod>, includeTerminating: boolean): boolean {
  if (isPodEnded(pod) || (pod.status?.podIP ?? "") === "") return false;
  return includeTerminating || pod.metadata.deletionTimestamp === undefined;
}

/** The Pod's hostname counts within the Service of the same name as its subdomain. */
export function endpointHostname(pod: Stored<Pod>, service: Stored<Service>): string | undefined {
  const { hostname = "", subdomain } = pod.spec ?? {};
  return hostname !== "" && subdomain === service.metadata.name ? hostname : undefined;
}

/** The Services whose endpoints a change of a Pod may touch. */
export function servicesOfPod(
  services: Informer<Service>,
  pod: Stored<Pod>,
  previous: Stored<Pod> | undefined,
  deleted: boolean,
): readonly string[] {
  if (!deleted && previous !== undefined && !endpointChanged(pod, previous)) return [];
  const keys: string[] = [];
  for (const service of services.listNamespace(pod.metadata.namespace ?? "")) {
    const selector = selectorOf(service);
    if (selector === undefined) continue;
    const now = selects(selector, pod.metadata.labels);
    if (now || (previous !== undefined && selects(selector, previous.metadata.labels))) keys.push(keyOf(service));
  }
  return keys;
}

function endpointChanged(pod: Stored<Pod>, previous: Stored<Pod>): boolean {
  return (
    pod.metadata.uid !== previous.metadata.uid ||
    (pod.metadata.deletionTimestamp === undefined) !== (previous.metadata.deletionTimestamp === undefined) ||
    isPodReady(pod) !== isPodReady(previous) ||
    isPodEnded(pod) !== isPodEnded(previous) ||
    pod.status?.podIP !== previous.status?.podIP ||
    pod.spec?.nodeName !== previous.spec?.nodeName ||
    !sameValue(pod.metadata.labels, previous.metadata.labels)
  );
}
