// What a Service must be, and what of it may change (pkg/apis/core/validation: ValidateServiceCreate, -Update, -StatusUpdate).

import type { Service, ServicePort, ServiceSpec } from "#cluster/api/generated/types.ts";
import {
  dns1123LabelReasons,
  dns1123SubdomainReasons,
  portNameReasons,
  portNumberReasons,
  qualifiedNameReasons,
} from "#cluster/api/names.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { validateBalancerHostname, validateEndpointIp, validateLegacyCidr, validateLegacyIp } from "../../networking/ip-rules.ts";
import { validateLabelMap } from "../selector-validation.ts";
import { validateServiceAddresses, validateServiceAddressUpdate } from "./service-address-validation.ts";
import { isExternallyAccessible, isHeadless, needsHealthCheck } from "./service-facts.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const protocols = ["SCTP", "TCP", "UDP"];
const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const hintsAnnotation = "service.kubernetes.io/topology-aware-hints";
const modeAnnotation = "service.kubernetes.io/topology-mode";
const sourceRangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const maxAffinitySeconds = 86_400;
const specPath = field("spec");
const onlyForBalancers = "may only be used when `type` is 'LoadBalancer'";

export function validateService(service: Typed<Service>, errors: FieldErrors, old?: Typed<Service>): void {
  const spec: ServiceSpec = service.spec ?? {};
  validateTopologyAnnotations(service, errors);
  if ((spec.ports?.length ?? 0) === 0 && !isHeadless(spec) && spec.type !== "ExternalName")
    errors.required(specPath.child("ports"));
  validateAddressesOfType(spec, errors);
  const names = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    validatePort(port, (spec.ports?.length ?? 0) > 1, names, specPath.child("ports").index(index), errors);
  }
  validateLabelMap(spec.selector, specPath.child("selector"), errors);
  validateAffinity(spec, errors);
  validateServiceAddresses(spec, old?.spec, errors);
  for (const [index, address] of (spec.externalIPs ?? []).entries()) {
    const at = specPath.child("externalIPs").index(index);
    if (validateLegacyIp(address, at, errors, old?.spec?.externalIPs)) validateEndpointIp(address, at, errors);
  }
  if (!spec.type) errors.required(specPath.child("type"));
  else if (!types.includes(spec.type)) errors.notSupported(specPath.child("type"), spec.type, types);
  validateDuplicatePorts(spec, specPath.child("ports"), errors);
  validateSourceRanges(service, old, errors);
  const { allocateLoadBalancerNodePorts: allocates } = spec;
  if (allocates !== undefined && spec.type !== "LoadBalancer") {
    errors.forbidden(specPath.child("allocateLoadBalancerNodePorts"), onlyForBalancers);
  }
  if (allocates === undefined && spec.type === "LoadBalancer") errors.required(field("allocateLoadBalancerNodePorts"));
  validateBalancerClass(spec, undefined, errors);
  validateTrafficPolicies(spec, errors);
}

function validateTopologyAnnotations({ metadata }: Typed<Service>, errors: FieldErrors): void {
  const { [hintsAnnotation]: hints, [modeAnnotation]: mode } = metadata.annotations ?? {};
  if (hints === undefined || mode === undefined || hints === mode) return;
  errors.invalid(
    field("metadata", "annotations").key(modeAnnotation),
    mode,
    `must match annotations[${hintsAnnotation}] when both are specified`,
  );
}

function validateAddressesOfType(spec: ServiceSpec, errors: FieldErrors): void {
  const addressesPath = specPath.child("clusterIPs");
  if (spec.type === "LoadBalancer" || spec.type === "NodePort") {
    if (isHeadless(spec)) errors.invalid(addressesPath.index(0), "None", `may not be set to 'None' for ${spec.type} services`);
  } else if (spec.type === "ExternalName") {
    const notForExternalNames = "may not be set for ExternalName services";
    if ((spec.clusterIPs?.length ?? 0) > 0) errors.forbidden(addressesPath, notForExternalNames);
    if ((spec.ipFamilies?.length ?? 0) > 0) errors.forbidden(specPath.child("ipFamilies"), notForExternalNames);
    if (spec.ipFamilyPolicy !== undefined) errors.forbidden(specPath.child("ipFamilyPolicy"), notForExternalNames);
    const name = (spec.externalName ?? "").replace(/\.$/, "");
    if (name === "") errors.required(specPath.child("externalName"));
    else for (const reason of dns1123SubdomainReasons(name)) errors.invalid(specPath.child("externalName"), name, reason);
  }
}

function validatePort(port: ServicePort, needsName: boolean, names: Set<string>, path: Path, errors: FieldErrors): void {
  if (needsName && !port.name) errors.required(path.child("name"));
  else if (port.name) {
    for (const reason of dns1123LabelReasons(port.name)) errors.invalid(path.child("name"), port.name, reason);
    if (names.has(port.name)) errors.duplicate(path.child("name"), port.name);
    names.add(port.name);
  }
  for (const reason of portNumberReasons(port.port)) errors.invalid(path.child("port"), port.port, reason);
  if (!port.protocol) errors.required(path.child("protocol"));
  else if (!protocols.includes(port.protocol)) errors.notSupported(path.child("protocol"), port.protocol, protocols);
  const { targetPort = 0, appProtocol } = port;
  const reasons = typeof targetPort === "number" ? portNumberReasons(targetPort) : portNameReasons(targetPort);
  for (const reason of reasons) errors.invalid(path.child("targetPort"), targetPort, reason);
  if (appProtocol !== undefined) {
    for (const reason of qualifiedNameReasons(appProtocol)) errors.invalid(path.child("appProtocol"), appProtocol, reason);
  }
}

function validateAffinity(spec: ServiceSpec, errors: FieldErrors): void {
  const { sessionAffinity = "", sessionAffinityConfig: config } = spec;
  const path = specPath.child("sessionAffinity");
  if (sessionAffinity === "") errors.required(path);
  else if (sessionAffinity !== "ClientIP" && sessionAffinity !== "None") {
    errors.notSupported(path, sessionAffinity, ["ClientIP", "None"]);
  }
  const configPath = specPath.child("sessionAffinityConfig");
  if (sessionAffinity === "None" && config !== undefined) {
    errors.forbidden(configPath, "must not be set when session affinity is None");
  }
  if (sessionAffinity !== "ClientIP") return;
  const why = "when session affinity type is ClientIP";
  const seconds = config?.clientIP?.timeoutSeconds;
  if (config === undefined) errors.required(configPath, why);
  else if (config.clientIP === undefined) errors.required(configPath.child("clientIP"), why);
  else if (seconds === undefined) errors.required(configPath.child("clientIP", "timeoutSeconds"), why);
  else if (seconds <= 0 || seconds > maxAffinitySeconds) {
    errors.invalid(
      configPath.child("clientIP", "timeoutSeconds"),
      seconds,
      `must be greater than 0 and less than ${maxAffinitySeconds}`,
    );
  }
}

/** Two ports may have one number when their protocols differ; node ports likewise. */
function validateDuplicatePorts(spec: ServiceSpec, path: Path, errors: FieldErrors): void {
  const ports = spec.ports ?? [];
  if (spec.type === "ClusterIP") {
    for (const [index, { nodePort }] of ports.entries()) {
      if (nodePort) errors.forbidden(path.index(index).child("nodePort"), "may not be used when `type` is 'ClusterIP'");
    }
  }
  const nodePorts = new Set<string>();
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    const key = `${protocol}/${nodePort}`;
    if (nodePorts.has(key)) errors.duplicate(path.index(index).child("nodePort"), nodePort);
    nodePorts.add(key);
  }
  const seen = new Set<string>();
  for (const [index, { protocol = "", port }] of ports.entries()) {
    const key = `${protocol}/${port}`;
    if (seen.has(key)) {
      errors.duplicate(path.index(index), {
        Name: "",
        Protocol: protocol,
        AppProtocol: null,
        Port: port,
        TargetPort: 0,
        NodePort: 0,
      });
    }
    seen.add(key);
  }
}

/** The annotation is older than the field; blanks around a range are allowed in both. */
function validateSourceRanges(service: Typed<Service>, old: Typed<Service> | undefined, errors: FieldErrors): void {
  const { loadBalancerSourceRanges: ranges = [], type } = service.spec ?? {};
  const annotation = service.metadata.annotations?.[sourceRangesAnnotation];
  if (ranges.length > 0) {
    const path = specPath.child("LoadBalancerSourceRanges");
    if (type !== "LoadBalancer") errors.forbidden(path, onlyForBalancers);
    const existing = old?.spec?.loadBalancerSourceRanges?.map((range) => range.trim());
    for (const [index, range] of ranges.entries()) validateLegacyCidr(range.trim(), path.index(index), errors, existing);
  } else if (annotation !== undefined) {
    const path = field("metadata", "annotations").key(sourceRangesAnnotation);
    if (type !== "LoadBalancer") errors.forbidden(path, onlyForBalancers);
    if (annotation.trim() === "" || old?.metadata.annotations?.[sourceRangesAnnotation] === annotation) return;
    for (const range of annotation.split(",")) validateLegacyCidr(range.trim(), path, errors);
  }
}

function validateBalancerClass(spec: ServiceSpec, old: ServiceSpec | undefined, errors: FieldErrors): void {
  const path = specPath.child("loadBalancerClass");
  const { type, loadBalancerClass: name } = spec;
  if (old?.type === "LoadBalancer" && type === "LoadBalancer" && old.loadBalancerClass !== name) {
    errors.invalid(path, name, "may not change once set");
  }
  if (name === undefined) return;
  if (type !== "LoadBalancer") errors.forbidden(path, onlyForBalancers);
  else for (const reason of qualifiedNameReasons(name)) errors.invalid(path, name, reason);
}

function validateTrafficPolicies(spec: ServiceSpec, errors: FieldErrors): void {
  const {
    externalTrafficPolicy: external = "",
    internalTrafficPolicy: internal,
    trafficDistribution,
    healthCheckNodePort = 0,
  } = spec;
  const policies = ["Cluster", "Local"];
  const externalPath = specPath.child("externalTrafficPolicy");
  if (!isExternallyAccessible(spec)) {
    if (external !== "") errors.invalid(externalPath, external, "may only be set for externally-accessible services");
  } else if (external === "") errors.required(externalPath);
  else if (!policies.includes(external)) errors.notSupported(externalPath, external, policies);
  const healthPath = specPath.child("healthCheckNodePort");
  if (!needsHealthCheck(spec)) {
    if (healthCheckNodePort !== 0) {
      errors.invalid(
        healthPath,
        healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      );
    }
  } else if (healthCheckNodePort === 0) errors.required(healthPath);
  else for (const reason of portNumberReasons(healthCheckNodePort)) errors.invalid(healthPath, healthCheckNodePort, reason);
  const internalPath = specPath.child("internalTrafficPolicy");
  if (internal === undefined) {
    if (spec.type !== "ExternalName" && types.includes(spec.type ?? "")) errors.required(internalPath);
  } else if (!policies.includes(internal)) errors.notSupported(internalPath, internal, policies);
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution)) {
    errors.notSupported(specPath.child("trafficDistribution"), trafficDistribution, distributions);
  }
}

export function validateServiceUpdate(service: Typed<Service>, old: Typed<Service>, errors: FieldErrors): void {
  const [spec, before] = [service.spec ?? {}, old.spec ?? {}];
  if (spec !== before) {
    validateServiceAddressUpdate(spec, before, errors);
    validateBalancerClass(spec, before, errors);
    if (needsHealthCheck(before) && needsHealthCheck(spec) && before.healthCheckNodePort !== spec.healthCheckNodePort) {
      errors.forbidden(specPath.child("healthCheckNodePort"), "field is immutable");
    }
  }
  validateService(service, errors, old);
}

export function validateServiceStatusUpdate(service: Typed<Service>, old: Typed<Service>, errors: FieldErrors): void {
  const path = field("status", "loadBalancer", "ingress");
  const points = service.status?.loadBalancer?.ingress ?? [];
  if (service.spec?.type !== "LoadBalancer" && points.length > 0) {
    errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  const existing = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  for (const [index, { ip, ipMode, hostname }] of points.entries()) {
    const at = path.index(index);
    if (ip) validateLegacyIp(ip, at.child("ip"), errors, existing);
    if (ipMode === undefined) {
      if (ip) errors.required(at.child("ipMode"), "must be specified when `ip` is set");
    } else if (!ip) errors.forbidden(at.child("ipMode"), "may not be specified when `ip` is not set");
    else if (ipMode !== "VIP" && ipMode !== "Proxy") errors.notSupported(at.child("ipMode"), ipMode, ["Proxy", "VIP"]);
    if (hostname) validateBalancerHostname(hostname, at.child("hostname"), errors);
  }
}
