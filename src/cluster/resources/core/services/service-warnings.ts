// What the API server warns of in a Service (pkg/api/service/warnings.go).

import type { Service } from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { field } from "../../field-errors.ts";
import { cidrWarnings, ipWarnings } from "../../networking/ip-rules.ts";

const spec = field("spec");

export function serviceWarnings(service: Typed<Service>): readonly string[] {
  const warnings: string[] = [];
  const { type, clusterIP = "", clusterIPs = [], externalIPs = [], loadBalancerIP = "", externalName = "" } = service.spec ?? {};
  const { sessionAffinity, loadBalancerSourceRanges = [], trafficDistribution } = service.spec ?? {};
  if (service.metadata.annotations?.["service.kubernetes.io/topology-aware-hints"] !== undefined) {
    warnings.push(
      "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
    );
  }
  if (clusterIP !== "" && clusterIP !== "None") {
    for (const [index, address] of clusterIPs.entries())
      warnings.push(...ipWarnings(spec.child("clusterIPs").index(index), address));
  }
  const isHeadless = type === "ClusterIP" && clusterIP === "None";
  if (isHeadless) {
    if (loadBalancerIP !== "") warnings.push("spec.loadBalancerIP is ignored for headless services");
    if (externalIPs.length > 0) warnings.push("spec.externalIPs is ignored for headless services");
    if (sessionAffinity !== "None") warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  for (const [index, address] of externalIPs.entries())
    warnings.push(...ipWarnings(spec.child("externalIPs").index(index), address));
  if (externalIPs.length > 0 && !isHeadless && type !== "ExternalName")
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  if (loadBalancerIP !== "") warnings.push(...ipWarnings(spec.child("loadBalancerIP"), loadBalancerIP));
  for (const [index, range] of loadBalancerSourceRanges.entries()) {
    warnings.push(...cidrWarnings(spec.child("loadBalancerSourceRanges").index(index), range));
  }
  if (type === "ExternalName" && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== "ExternalName" && externalName !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
