// What a container must be (pkg/apis/core/validation): names, images, ports, environment, resources, probes, mounts.

import type { Container, EnvVar, Probe, ResourceRequirements } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, portNameReasons, portNumberReasons, relaxedEnvironmentNameReasons } from "#cluster/api/names.ts";
import { compareQuantities, quantitySign, tryParseQuantity } from "#cluster/api/quantity.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

const pullPolicies = ["Always", "IfNotPresent", "Never"];
const protocols = ["SCTP", "TCP", "UDP"];

/** Containers of one list; names must differ from those in `taken`, to which they are added. */
export function validateContainers(
  containers: readonly Container[],
  volumes: ReadonlySet<string>,
  taken: Set<string>,
  path: Path,
  errors: FieldErrors,
): void {
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    validateName(container.name ?? "", taken, at.child("name"), errors);
    validateImage(container.image ?? "", at.child("image"), errors);
    if (
      container.terminationMessagePolicy !== undefined &&
      !["File", "FallbackToLogsOnError"].includes(container.terminationMessagePolicy)
    ) {
      errors.notSupported(at.child("terminationMessagePolicy"), container.terminationMessagePolicy, [
        "FallbackToLogsOnError",
        "File",
      ]);
    }
    validatePorts(container, at.child("ports"), errors);
    validateEnvironment(container.env ?? [], at.child("env"), errors);
    validateMounts(container, volumes, at.child("volumeMounts"), errors);
    if (container.imagePullPolicy !== undefined && !pullPolicies.includes(container.imagePullPolicy)) {
      errors.notSupported(at.child("imagePullPolicy"), container.imagePullPolicy, pullPolicies);
    }
    if (container.resources !== undefined) validateResources(container.resources, at.child("resources"), errors);
    if (container.livenessProbe !== undefined) validateProbe(container.livenessProbe, true, at.child("livenessProbe"), errors);
    if (container.readinessProbe !== undefined) validateProbe(container.readinessProbe, false, at.child("readinessProbe"), errors);
    if (container.startupProbe !== undefined) validateProbe(container.startupProbe, true, at.child("startupProbe"), errors);
  }
}

function validateName(name: string, taken: Set<string>, path: Path, errors: FieldErrors): void {
  if (name === "") errors.required(path);
  else for (const reason of dns1123LabelReasons(name)) errors.invalid(path, name, reason);
  if (taken.has(name)) errors.duplicate(path, name);
  taken.add(name);
}

function validateImage(image: string, path: Path, errors: FieldErrors): void {
  if (image === "") errors.required(path);
  else if (image !== image.trim()) errors.invalid(path, image, "must not have leading or trailing whitespace");
}

function validatePorts(container: Container, path: Path, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, port] of (container.ports ?? []).entries()) {
    const at = path.index(index);
    if (port.name) {
      const reasons = portNameReasons(port.name);
      for (const reason of reasons) errors.invalid(at.child("name"), port.name, reason);
      if (reasons.length === 0) {
        if (names.has(port.name)) errors.duplicate(at.child("name"), port.name);
        names.add(port.name);
      }
    }
    if (!port.containerPort) errors.required(at.child("containerPort"));
    else
      for (const reason of portNumberReasons(port.containerPort))
        errors.invalid(at.child("containerPort"), port.containerPort, reason);
    if (port.hostPort)
      for (const reason of portNumberReasons(port.hostPort)) errors.invalid(at.child("hostPort"), port.hostPort, reason);
    if (!port.protocol) errors.required(at.child("protocol"));
    else if (!protocols.includes(port.protocol)) errors.notSupported(at.child("protocol"), port.protocol, protocols);
  }
}

function validateEnvironment(variables: readonly EnvVar[], path: Path, errors: FieldErrors): void {
  for (const [index, variable] of variables.entries()) {
    const at = path.index(index);
    if (!variable.name) errors.required(at.child("name"));
    else for (const reason of relaxedEnvironmentNameReasons(variable.name)) errors.invalid(at.child("name"), variable.name, reason);
    const { valueFrom } = variable;
    if (valueFrom === undefined) continue;
    const sources = Object.keys(valueFrom).length;
    if (sources === 0)
      errors.invalid(
        at.child("valueFrom"),
        "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
      );
    else if (variable.value) errors.invalid(at.child("valueFrom"), "", "may not be specified when `value` is not empty");
    else if (sources > 1) errors.invalid(at.child("valueFrom"), "", "may not have more than one field specified at a time");
  }
}

function validateMounts(container: Container, volumes: ReadonlySet<string>, path: Path, errors: FieldErrors): void {
  const paths = new Set<string>();
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = path.index(index);
    if (!mount.name) errors.required(at.child("name"));
    if (!volumes.has(mount.name)) errors.notFound(at.child("name"), mount.name);
    if (!mount.mountPath) errors.required(at.child("mountPath"));
    if (paths.has(mount.mountPath)) errors.invalid(at.child("mountPath"), mount.mountPath, "must be unique");
    paths.add(mount.mountPath);
    if (mount.subPath?.startsWith("/")) errors.invalid(at.child("subPath"), mount.subPath, "must be a relative path");
    if (mount.subPath?.split("/").includes("..")) errors.invalid(at.child("subPath"), mount.subPath, "must not contain '..'");
    if (mount.subPath && mount.subPathExpr)
      errors.invalid(at.child("subPathExpr"), mount.subPathExpr, "subPathExpr and subPath are mutually exclusive");
  }
}

/** Quantities that parse, are not negative, and requests within limits. */
export function validateResources(resources: ResourceRequirements, path: Path, errors: FieldErrors): void {
  const { limits = {}, requests = {} } = resources;
  for (const [list, name] of [
    [limits, "limits"],
    [requests, "requests"],
  ] as const) {
    for (const [resource, text] of Object.entries(list)) {
      const quantity = tryParseQuantity(text);
      if (quantity === undefined) continue;
      if (quantitySign(quantity) < 0) errors.invalid(path.child(name).key(resource), text, "must be greater than or equal to 0");
    }
  }
  for (const [resource, request] of Object.entries(requests)) {
    const limitText = limits[resource];
    if (limitText === undefined) continue;
    const [low, high] = [tryParseQuantity(request), tryParseQuantity(limitText)];
    if (low === undefined || high === undefined) continue;
    const order = compareQuantities(low, high);
    if (order > 0) {
      errors.invalid(path.child("requests"), request, `must be less than or equal to ${resource} limit of ${limitText}`);
    } else if (order < 0 && !isOvercommittable(resource)) {
      errors.invalid(path.child("requests"), request, `must be equal to ${resource} limit of ${limitText}`);
    }
  }
}

/** Extended resources and huge pages are whole or nothing. */
function isOvercommittable(resource: string): boolean {
  return !resource.includes("/") && !resource.startsWith("hugepages-");
}

function validateProbe(probe: Probe, needsOneSuccess: boolean, path: Path, errors: FieldErrors): void {
  const handlers = [probe.exec, probe.httpGet, probe.tcpSocket, probe.grpc].filter((handler) => handler !== undefined);
  if (handlers.length === 0) errors.required(path, "must specify a handler type");
  for (const extra of ["httpGet", "tcpSocket", "grpc"].filter((name) => name in probe).slice(probe.exec === undefined ? 1 : 0)) {
    errors.forbidden(path.child(extra), "may not specify more than 1 handler type");
  }
  if (probe.exec !== undefined && (probe.exec.command?.length ?? 0) === 0) errors.required(path.child("exec", "command"));
  for (const name of ["httpGet", "tcpSocket"] as const) {
    const action = probe[name];
    if (action !== undefined) validateHandlerPort(action.port, path.child(name, "port"), errors);
  }
  for (const name of ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] as const) {
    const value = probe[name] ?? 0;
    if (value < 0) errors.invalid(path.child(name), value, "must be greater than or equal to 0");
  }
  if (probe.terminationGracePeriodSeconds !== undefined && probe.terminationGracePeriodSeconds <= 0) {
    errors.invalid(path.child("terminationGracePeriodSeconds"), probe.terminationGracePeriodSeconds, "must be greater than 0");
  }
  if (needsOneSuccess && probe.successThreshold !== undefined && probe.successThreshold !== 1) {
    errors.invalid(path.child("successThreshold"), probe.successThreshold, "must be 1");
  }
}

function validateHandlerPort(port: number | string, path: Path, errors: FieldErrors): void {
  const reasons = typeof port === "number" ? portNumberReasons(port) : portNameReasons(port);
  for (const reason of reasons) errors.invalid(path, port, reason);
}
