// Defaults of Services (pkg/apis/core/v1/defaults.go). Addresses and node ports are the allocators' business.

import type { LoadBalancerIngress, Service, ServicePort, ServiceSpec } from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { changed, each, filled, withoutZero } from "../../filling.ts";
import { isExternallyAccessible } from "./service-facts.ts";

const affinityTimeoutSeconds = 10_800;

export function serviceDefaults<S extends Typed<Service>>(service: S): S {
  const specified = changed(service, "spec", specDefaults) as S;
  if (specified.spec?.type !== "LoadBalancer") return specified;
  return changed(specified, "status", (status) =>
    changed(status, "loadBalancer", (balancer) => changed(balancer, "ingress", (points) => each(points, ingressDefaults))),
  ) as S;
}

function ingressDefaults(point: LoadBalancerIngress): LoadBalancerIngress {
  return point.ip ? filled(point, { ipMode: "VIP" }) : point;
}

function specDefaults(spec: ServiceSpec): ServiceSpec {
  let result = filled(withoutZero(spec, "sessionAffinity", "type", "externalTrafficPolicy", "healthCheckNodePort"), {
    sessionAffinity: "None",
    type: "ClusterIP",
  });
  result = affinityConfig(result);
  result = changed(result, "ports", (ports) => each(ports, portDefaults));
  if (isExternallyAccessible(result)) result = filled(result, { externalTrafficPolicy: "Cluster" });
  if (result.type !== "ExternalName") result = filled(result, { internalTrafficPolicy: "Cluster" });
  if (result.type === "LoadBalancer") result = filled(result, { allocateLoadBalancerNodePorts: true });
  return result;
}

function affinityConfig(spec: ServiceSpec): ServiceSpec {
  if (spec.sessionAffinity === "None" && spec.sessionAffinityConfig !== undefined) {
    const { sessionAffinityConfig: _unused, ...rest } = spec;
    return rest;
  }
  if (spec.sessionAffinity === "ClientIP" && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: affinityTimeoutSeconds } } };
  }
  return spec;
}

function portDefaults(port: ServicePort): ServicePort {
  return filled(withoutZero(port, "protocol", "targetPort", "nodePort"), { protocol: "TCP", targetPort: port.port });
}
