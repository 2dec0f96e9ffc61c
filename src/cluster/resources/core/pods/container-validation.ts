// What containers must be: those of a pod, its init containers and sidecars, its ephemeral ones (pkg/apis/core/validation:
// validateContainerCommon, validateContainers, validateInitContainers, validateEphemeralContainers).

import type { Container, ContainerPort, EphemeralContainer, PodSpec } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, portNameReasons, portNumberReasons, rangeReason } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";
import { validatePullPolicy } from "../volumes/volume-sources.ts";
import type { VolumesByName } from "../volumes/volume-validation.ts";
import { validateEnvironment, validateEnvironmentSources } from "./container-environment-validation.ts";
import { validateDevices, validateMounts } from "./container-mount-validation.ts";
import { type ProbeName, validateLifecycle, validateProbe } from "./container-probe-validation.ts";
import { validateResizePolicies, validateResources } from "./container-resources-validation.ts";
import { validateRestartRules } from "./container-restart-validation.ts";
import { validateContainerSecurity } from "./pod-security-validation.ts";

/** What containers refer to in their pod. */
export interface ContainerSurroundings {
  readonly spec: PodSpec;
  readonly volumes: VolumesByName;
  /** The names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
}

const probes: readonly ProbeName[] = ["livenessProbe", "readinessProbe", "startupProbe"];
const protocols = ["SCTP", "TCP", "UDP"];
const messagePolicies = ["File", "FallbackToLogsOnError"];

export function validateContainers(around: ContainerSurroundings, path: Path, errors: FieldErrors): void {
  const { spec } = around;
  const containers = spec.containers ?? [];
  if (containers.length === 0) {
    errors.required(path);
    return;
  }
  const names = containers.length > 1 ? new Set<string>() : undefined;
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    validateCommon(container, around, at, errors);
    if (names?.has(container.name)) errors.duplicate(at.child("name"), container.name);
    names?.add(container.name);
    validateLife(container, spec, at, errors);
    validateRestartRules(container, at, errors);
  }
  validateHostPorts(containers, path, errors);
}

export function validateInitContainers(around: ContainerSurroundings, path: Path, errors: FieldErrors): void {
  const { spec } = around;
  if (spec.initContainers === undefined) return;
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  for (const [index, container] of spec.initContainers.entries()) {
    const at = path.index(index);
    validateCommon(container, around, at, errors);
    validateRestartRules(container, at, errors);
    if (names.has(container.name)) errors.duplicate(at.child("name"), container.name);
    else if (container.name) names.add(container.name);
    // They run one by one, so only their own ports can be in each other's way; upstream counts each as the first.
    validateHostPorts([container], path, errors);
    if (container.restartPolicy === "Always") validateLife(container, spec, at, errors);
    else validateOneShot(container, at, errors);
  }
}

/** What only containers that keep running may have. */
function validateOneShot(container: Container, path: Path, errors: FieldErrors): void {
  for (const name of ["lifecycle", ...probes] as const) {
    if (container[name] !== undefined)
      errors.forbidden(path.child(name), "may not be set for init containers without restartPolicy=Always");
  }
  for (const [index, { restartPolicy }] of (container.resizePolicy ?? []).entries()) {
    if (restartPolicy !== "RestartContainer") continue;
    const at = path.child("resizePolicy").index(index).child("restartPolicy");
    errors.invalid(at, restartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers");
  }
}

/** In the order of Go's Container: what makes no sense in a container for debugging. */
const forbiddenInEphemeral = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

export function validateEphemeralContainers(around: ContainerSurroundings, path: Path, errors: FieldErrors): void {
  const { spec } = around;
  if (spec.ephemeralContainers === undefined || spec.ephemeralContainers.length === 0) return;
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((container) => container.name));
  const names = new Set(others);
  for (const [index, container] of spec.ephemeralContainers.entries()) {
    const at = path.index(index);
    validateCommon(container as Container, around, at, errors);
    validateImagePadding(container, at, errors);
    if (names.has(container.name)) errors.duplicate(at.child("name"), container.name);
    names.add(container.name);
    const { targetContainerName: target } = container;
    if (target && !others.has(target)) errors.notFound(at.child("targetContainerName"), target);
    for (const name of forbiddenInEphemeral) {
      if (isSet(container[name])) errors.forbidden(at.child(name), "cannot be set for an Ephemeral Container");
    }
    for (const [position, { subPath, subPathExpr }] of (container.volumeMounts ?? []).entries()) {
      const mount = at.child("volumeMounts").index(position);
      if (subPath) errors.forbidden(mount.child("subPath"), "cannot be set for an Ephemeral Container");
      if (subPathExpr) errors.forbidden(mount.child("subPathExpr"), "cannot be set for an Ephemeral Container");
    }
  }
}

/** `resources: {}` is how Go writes that there are none. */
function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.values(value).some((part) => part !== undefined)
    : value !== undefined;
}

export function isPadded({ image = "" }: Container | EphemeralContainer): boolean {
  return image !== image.trim();
}

/** Only of pods: in a template such an image is let pass. */
export function validateImagePadding(container: Container | EphemeralContainer, path: Path, errors: FieldErrors): void {
  if (isPadded(container))
    errors.invalid(path.child("image"), container.image ?? "", "must not have leading or trailing whitespace");
}

function validateCommon(container: Container, around: ContainerSurroundings, path: Path, errors: FieldErrors): void {
  const { spec } = around;
  if (!container.name) errors.required(path.child("name"));
  else validateBy(dns1123LabelReasons, container.name, path.child("name"), errors);
  if (!container.image) errors.required(path.child("image"));
  const { terminationMessagePolicy = "" } = container;
  if (terminationMessagePolicy === "") errors.required(path.child("terminationMessagePolicy"));
  else if (!messagePolicies.includes(terminationMessagePolicy)) {
    errors.notSupported(path.child("terminationMessagePolicy"), terminationMessagePolicy, messagePolicies);
  }
  if (container.ports !== undefined) validatePorts(container.ports, path.child("ports"), errors);
  if (container.env !== undefined) validateEnvironment(container.env, path.child("env"), errors);
  if (container.envFrom !== undefined) validateEnvironmentSources(container.envFrom, path.child("envFrom"), errors);
  if (container.volumeMounts !== undefined) validateMounts(container, around.volumes, path.child("volumeMounts"), errors);
  if (container.volumeDevices !== undefined) {
    const at = path.child("volumeDevices");
    validateDevices(container.volumeDevices, container.volumeMounts ?? [], around.volumes, at, errors);
  }
  validatePullPolicy(container.imagePullPolicy ?? "", path.child("imagePullPolicy"), errors);
  if (container.resources !== undefined) validateResources(container.resources, around.claims, path.child("resources"), errors);
  if (container.resizePolicy !== undefined) {
    validateResizePolicies(container.resizePolicy, spec.restartPolicy, path.child("resizePolicy"), errors);
  }
  if (container.securityContext !== undefined) {
    validateContainerSecurity(container.securityContext, spec.hostUsers ?? true, path.child("securityContext"), errors);
  }
}

function validateLife(container: Container, spec: PodSpec, path: Path, errors: FieldErrors): void {
  const grace = spec.terminationGracePeriodSeconds;
  if (container.lifecycle !== undefined) validateLifecycle(container.lifecycle, grace, path.child("lifecycle"), errors);
  for (const name of probes) {
    const probe = container[name];
    if (probe !== undefined) validateProbe(probe, name, grace, path.child(name), errors);
  }
}

function validatePorts(ports: readonly ContainerPort[], path: Path, errors: FieldErrors): void {
  const names = ports.length > 1 ? new Set<string>() : undefined;
  for (const [index, { name, containerPort, hostPort, protocol }] of ports.entries()) {
    const at = path.index(index);
    if (name) {
      const reasons = portNameReasons(name);
      for (const reason of reasons) errors.invalid(at.child("name"), name, reason);
      if (reasons.length === 0 && names?.has(name)) errors.duplicate(at.child("name"), name);
      else if (reasons.length === 0) names?.add(name);
    }
    if (!containerPort) errors.required(at.child("containerPort"));
    else if (portNumberReasons(containerPort).length > 0)
      errors.invalid(at.child("containerPort"), containerPort, rangeReason(1, 65_535));
    if (hostPort && portNumberReasons(hostPort).length > 0) errors.invalid(at.child("hostPort"), hostPort, rangeReason(1, 65_535));
    if (!protocol) errors.required(at.child("protocol"));
    else if (!protocols.includes(protocol)) errors.notSupported(at.child("protocol"), protocol, protocols);
  }
}

/** A port of the host can be had once for each protocol and address. */
function validateHostPorts(containers: readonly Container[], path: Path, errors: FieldErrors): void {
  let taken: Set<string> | undefined;
  for (const [index, { ports }] of containers.entries()) {
    for (const [position, { hostPort, hostIP = "", protocol = "" }] of (ports ?? []).entries()) {
      if (!hostPort) continue;
      taken ??= new Set();
      const port = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(port)) errors.duplicate(path.index(index).child("ports").index(position).child("hostPort"), port);
      taken.add(port);
    }
  }
}
