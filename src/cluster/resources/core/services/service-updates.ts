// What a change of a Service keeps and drops (pkg/registry/core/service: patchAllocatedValues, normalizeClusterIPs,
// dropTypeDependentFields). Clients send back old fields beside the new type, and leave out what was allocated.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Service, ServicePort, ServiceSpec } from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { each } from "../../filling.ts";
import {
  allocatesNodePorts,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
  needsNodePort,
  nodePortsOf,
  sameList,
} from "./service-facts.ts";

/** A create that names one address in the old field means the list. */
export function preparedSpec(spec: ServiceSpec): ServiceSpec {
  return spec.clusterIP && (spec.clusterIPs?.length ?? 0) === 0 ? { ...spec, clusterIPs: [spec.clusterIP] } : spec;
}

/** The new spec with what was allocated, without what its type has no use for; and the status that goes with it. */
export function preparedUpdate<S extends Typed<Service>>(service: S, old: S): S {
  const before = old.spec ?? {};
  const spec =
    service.spec === old.spec ? before : withoutForeignFields(inSync(withAllocated(service.spec ?? {}, before), before), before);
  const { status } = old;
  const lostBalancer = spec.type !== "LoadBalancer" && status?.loadBalancer?.ingress !== undefined;
  if (lostBalancer) return { ...service, spec, status: { ...status, loadBalancer: {} } };
  return { ...service, spec, ...(status === undefined ? {} : { status }) };
}

function withAllocated(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  let result = spec;
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (!result.clusterIP && old.clusterIP !== undefined) result = { ...result, clusterIP: old.clusterIP };
    if ((result.clusterIPs?.length ?? 0) === 0 && result.clusterIP === old.clusterIP && old.clusterIPs !== undefined) {
      result = { ...result, clusterIPs: old.clusterIPs };
    }
  }
  // Who wants none is not given back those that were left out.
  if (allocatesNodePorts(old) && allocatesNodePorts(spec)) {
    const ports = withNodePorts(result.ports ?? [], old);
    if (ports !== result.ports && result.ports !== undefined) result = { ...result, ports };
  }
  if (needsHealthCheck(old) && needsHealthCheck(spec) && !result.healthCheckNodePort && old.healthCheckNodePort) {
    result = { ...result, healthCheckNodePort: old.healthCheckNodePort };
  }
  return result;
}

/** Ports without a node port get that of the old port of the same name, unless another has it. */
function withNodePorts(ports: readonly ServicePort[], old: ServiceSpec): readonly ServicePort[] {
  const asked = new Set(ports.map(({ nodePort }) => nodePort));
  const used = new Set(nodePortsOf(old).filter((port) => asked.has(port)));
  const byName = new Map((old.ports ?? []).map(({ name = "", nodePort }) => [name, nodePort] as const));
  return each(ports, (port) => {
    const nodePort = byName.get(port.name ?? "");
    if (port.nodePort || !nodePort || used.has(nodePort)) return port;
    used.add(nodePort);
    return { ...port, nodePort };
  });
}

/** clusterIP and clusterIPs[0] are one thing; who changes one of them means both. */
function inSync(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  if ((spec.clusterIP ?? "") === (old.clusterIP ?? "") || !sameList(spec.clusterIPs, old.clusterIPs)) return spec;
  const { clusterIPs: _clusterIPs, ...rest } = spec;
  return spec.clusterIP ? { ...rest, clusterIPs: [spec.clusterIP] } : rest;
}

/** Drops what no longer applies, was perhaps filled in by us, and was not changed by the client. */
function withoutForeignFields(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const result: { -readonly [name in keyof ServiceSpec]: ServiceSpec[name] } = { ...spec };
  const same = (name: keyof ServiceSpec) => semanticDeepEqual(spec[name], old[name]);
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    if ((spec.clusterIP ?? "") === (old.clusterIP ?? "") && sameList(spec.clusterIPs, old.clusterIPs)) {
      delete result.clusterIP;
      delete result.clusterIPs;
    }
    if (same("ipFamilies")) delete result.ipFamilies;
    if (same("ipFamilyPolicy")) delete result.ipFamilyPolicy;
  }
  if (needsNodePort(old) && !needsNodePort(spec)) {
    const known = new Set(nodePortsOf(old));
    if (nodePortsOf(spec).every((port) => known.has(port)) && spec.ports !== undefined) {
      result.ports = each(spec.ports, withoutNodePort);
    }
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec) && same("healthCheckNodePort")) delete result.healthCheckNodePort;
  if (old.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    if (same("allocateLoadBalancerNodePorts")) delete result.allocateLoadBalancerNodePorts;
    if (same("loadBalancerClass")) delete result.loadBalancerClass;
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(spec) && same("externalTrafficPolicy")) {
    delete result.externalTrafficPolicy;
  }
  return result;
}

function withoutNodePort(port: ServicePort): ServicePort {
  if (port.nodePort === undefined) return port;
  const { nodePort: _nodePort, ...rest } = port;
  return rest;
}
