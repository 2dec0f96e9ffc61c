// Defaults of Services (pkg/apis/core/v1/defaults.go). Addresses and node ports are the allocators' business.

import type { ServicePort, ServiceSpec } from "#cluster/api/generated/types.ts";
import { changed, each, filled, withoutZero } from "../filling.ts";

const affinityTimeoutSeconds = 10_800;

export function serviceSpecDefaults(spec: ServiceSpec): ServiceSpec {
  let result = filled(withoutZero(spec, "sessionAffinity", "type", "externalTrafficPolicy"), {
    sessionAffinity: "None",
    type: "ClusterIP",
  });
  result = affinityConfig(result);
  result = changed(result, "ports", (ports) => each(ports, portDefaults));
  const reachedFromOutside =
    result.type === "NodePort" ||
    result.type === "LoadBalancer" ||
    (result.type === "ClusterIP" && (result.externalIPs?.length ?? 0) > 0);
  if (reachedFromOutside) result = filled(result, { externalTrafficPolicy: "Cluster" });
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
  return filled(withoutZero(port, "protocol", "targetPort"), { protocol: "TCP", targetPort: port.port });
}
