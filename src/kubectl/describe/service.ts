import type { EndpointSlice, LoadBalancerIngress, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Describer } from "./describer.ts";
import { Description, orNone } from "./description.ts";
import { describeEvents } from "./events.ts";

export const describeService: Describer<Stored<Service>> = function* (service, lookup) {
  const { metadata } = service;
  const namespace = metadata.namespace ?? "";
  const labelSelector = `kubernetes.io/service-name=${metadata.name}`;
  const slices = (yield* lookup.list(
    { group: "discovery.k8s.io", version: "v1", plural: "endpointslices" },
    { namespace, labelSelector },
  )) as readonly Stored<EndpointSlice>[];
  const events = yield* lookup.events({ name: metadata.name, namespace, kind: "Service", uid: metadata.uid });

  const out = new Description();
  describeHead(out, service);
  describePorts(out, service, slices);
  describePolicies(out, service);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

function describeHead(out: Description, { metadata, spec, status }: Stored<Service>): void {
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.selectorMap("Selector", spec?.selector);
  out.field("Type", spec?.type ?? "");
  if (spec?.ipFamilyPolicy !== undefined) out.field("IP Family Policy", spec.ipFamilyPolicy);
  out.field("IP Families", orNone(spec?.ipFamilies?.join(",")));
  out.field("IP", spec?.clusterIP ?? "");
  out.field("IPs", orNone(spec?.clusterIPs?.join(",")));
  if ((spec?.externalIPs ?? []).length > 0) out.field("External IPs", (spec?.externalIPs ?? []).join(","));
  if (spec?.loadBalancerIP) out.field("Desired LoadBalancer IP", spec.loadBalancerIP);
  if (spec?.externalName) out.field("External Name", spec.externalName);
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (ingress.length > 0) out.field("LoadBalancer Ingress", ingress.map(ingressText).join(", "));
}

function ingressText({ ip, ipMode, hostname }: LoadBalancerIngress): string {
  if (!ip) return hostname ?? "";
  return ipMode === undefined ? ip : `${ip} (${ipMode})`;
}

function describePorts(out: Description, { spec }: Stored<Service>, slices: readonly Stored<EndpointSlice>[]): void {
  for (const { name, port, protocol = "", targetPort, appProtocol, nodePort } of spec?.ports ?? []) {
    const label = name || "<unset>";
    out.field("Port", `${label}\t${port}/${protocol}`);
    out.field("TargetPort", `${targetPort ?? 0}/${protocol}`);
    if (appProtocol !== undefined) out.field("AppProtocol", appProtocol);
    if (nodePort !== undefined && nodePort !== 0) out.field("NodePort", `${label}\t${nodePort}/${protocol}`);
    out.field("Endpoints", endpointsText(slices, name ?? ""));
  }
}

const shownEndpoints = 3;

/** The first ready endpoints of a port, and how many more there are; "" when there are slices without any. */
export function endpointsText(slices: readonly Stored<EndpointSlice>[], portName: string): string {
  if (slices.length === 0) return "<none>";
  const all = slices.flatMap((slice) => {
    const ready = (slice.endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .map(({ addresses }) => addresses[0] ?? "");
    const ports = slice.ports ?? [];
    if (ports.length === 0) return ready;
    return ports
      .filter(({ name }) => (name ?? "") === portName)
      .flatMap(({ port }) => ready.map((address) => hostPort(address, port ?? 0)));
  });
  const shown = all.slice(0, shownEndpoints).join(",");
  return all.length > shownEndpoints ? `${shown} + ${all.length - shownEndpoints} more...` : shown;
}

function hostPort(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

function describePolicies(out: Description, { spec }: Stored<Service>): void {
  out.field("Session Affinity", spec?.sessionAffinity ?? "");
  if (spec?.externalTrafficPolicy) out.field("External Traffic Policy", spec.externalTrafficPolicy);
  if (spec?.internalTrafficPolicy !== undefined) out.field("Internal Traffic Policy", spec.internalTrafficPolicy);
  if (spec?.healthCheckNodePort) out.field("HealthCheck NodePort", spec.healthCheckNodePort);
  const ranges = spec?.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0) out.field("LoadBalancer Source Ranges", ranges.join(","));
  if (spec?.trafficDistribution !== undefined) out.field("Traffic Distribution", spec.trafficDistribution);
}
