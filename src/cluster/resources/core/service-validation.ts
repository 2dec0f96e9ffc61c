// What a Service must be, and what of it may change (pkg/apis/core/validation: ValidateService, ValidateServiceUpdate).

import type { Service, ServicePort, ServiceSpec } from "#cluster/api/generated/types.ts";
import {
  dns1123LabelReasons,
  dns1123SubdomainReasons,
  labelValueReasons,
  portNameReasons,
  portNumberReasons,
  qualifiedNameReasons,
} from "#cluster/api/names.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const protocols = ["SCTP", "TCP", "UDP"];
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;

export function validateService(service: Typed<Service>, errors: FieldErrors): void {
  const spec: ServiceSpec = service.spec ?? {};
  const path = field("spec");
  const headless = spec.clusterIP === "None";
  if ((spec.ports?.length ?? 0) === 0 && !headless && spec.type !== "ExternalName") errors.required(path.child("ports"));
  validateType(spec, path, errors);
  const names = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    validatePort(port, (spec.ports?.length ?? 0) > 1, names, path.child("ports").index(index), errors);
  }
  validateDuplicatePorts(spec, path.child("ports"), errors);
  for (const [key, value] of Object.entries(spec.selector ?? {})) {
    for (const reason of qualifiedNameReasons(key)) errors.invalid(path.child("selector"), key, reason);
    for (const reason of labelValueReasons(value)) errors.invalid(path.child("selector").key(key), value, reason);
  }
  if (!spec.sessionAffinity) errors.required(path.child("sessionAffinity"));
  else if (spec.sessionAffinity !== "ClientIP" && spec.sessionAffinity !== "None") {
    errors.notSupported(path.child("sessionAffinity"), spec.sessionAffinity, ["ClientIP", "None"]);
  }
  const address = spec.clusterIP ?? "";
  if (address !== "" && !headless && !ipv4.test(address)) {
    errors.invalid(path.child("clusterIPs").index(0), address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
  }
}

function validateType(spec: ServiceSpec, path: Path, errors: FieldErrors): void {
  if (!spec.type) errors.required(path.child("type"));
  else if (!types.includes(spec.type)) errors.notSupported(path.child("type"), spec.type, types);
  if (spec.type === "ExternalName") {
    const name = (spec.externalName ?? "").replace(/\.$/, "");
    if (name === "") errors.required(path.child("externalName"));
    else for (const reason of dns1123SubdomainReasons(name)) errors.invalid(path.child("externalName"), spec.externalName, reason);
    if (spec.clusterIP) errors.forbidden(path.child("clusterIPs"), "may not be set for ExternalName services");
  }
  if (spec.clusterIP === "None" && (spec.type === "NodePort" || spec.type === "LoadBalancer")) {
    errors.invalid(path.child("clusterIPs").index(0), "None", `may not be set to 'None' for ${spec.type} services`);
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
  const { targetPort } = port;
  if (targetPort !== undefined) {
    const reasons = typeof targetPort === "number" ? portNumberReasons(targetPort) : portNameReasons(targetPort);
    for (const reason of reasons) errors.invalid(path.child("targetPort"), targetPort, reason);
  }
}

/** Two ports may have one number when their protocols differ. */
function validateDuplicatePorts(spec: ServiceSpec, path: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  const seenNodePorts = new Set<string>();
  for (const [index, { protocol = "", port, nodePort }] of (spec.ports ?? []).entries()) {
    const key = `${protocol}/${port}`;
    if (seen.has(key)) errors.duplicate(path.index(index), { protocol, port });
    seen.add(key);
    if (!nodePort) continue;
    if (spec.type === "ClusterIP")
      errors.forbidden(path.index(index).child("nodePort"), "may not be used when `type` is 'ClusterIP'");
    const nodeKey = `${protocol}/${nodePort}`;
    if (seenNodePorts.has(nodeKey)) errors.duplicate(path.index(index).child("nodePort"), nodePort);
    seenNodePorts.add(nodeKey);
  }
}

/** The primary cluster IP stays what it is, unless the Service comes from or goes to ExternalName. */
export function validateServiceUpdate(service: Typed<Service>, old: Typed<Service>, errors: FieldErrors): void {
  const [spec, before] = [service.spec ?? {}, old.spec ?? {}];
  const keeps = before.type !== "ExternalName" && spec.type !== "ExternalName";
  if (keeps && before.clusterIP && spec.clusterIP !== before.clusterIP) {
    errors.invalid(field("spec", "clusterIPs").index(0), [spec.clusterIP], "may not change once set");
  }
  validateService(service, errors);
}
