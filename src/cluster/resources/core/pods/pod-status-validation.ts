// What a pod's status may say, and how it may change (pkg/apis/core/validation: ValidatePodStatusUpdate).

import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from "#cluster/api/generated/types.ts";
import { dns1123SubdomainReasons, qualifiedNameReasons, rangeReason } from "#cluster/api/names.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";
import { validateAnnotationUpdate } from "./pod-annotation-validation.ts";
import { isIpv6, validateIp } from "./pod-ip-validation.ts";

const maxId = 2_147_483_647;
const systemConditions = new Set(["PodScheduled", "Ready", "Initialized"]);
const statusLists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;
const statusPath = field("status");
type StatusList = (typeof statusLists)[number];

export function validatePodStatusUpdate(pod: Typed<Pod>, old: Typed<Pod>, errors: FieldErrors): void {
  validateAnnotationUpdate(pod, old, errors);
  const [status, before] = [pod.status ?? {}, old.status ?? {}];
  if (status === before) return;
  const path = statusPath;
  if (status.conditions !== before.conditions) validateConditions(status, path.child("conditions"), errors);
  if (status.nominatedNodeName) {
    validateNomination(status, before, old.spec?.nodeName ?? "", path.child("nominatedNodeName"), errors);
  }
  if ((status.observedGeneration ?? 0) < 0) {
    errors.invalid(path.child("observedGeneration"), status.observedGeneration, "must be a non-negative integer");
  }
  if (before.qosClass !== undefined && status.qosClass !== before.qosClass) {
    errors.invalid(path.child("qosClass"), status.qosClass ?? "", "field is immutable");
  }
  if (old.spec !== undefined) validateTransitions(status, before, old.spec, path, errors);
  if (status.resourceClaimStatuses !== undefined) {
    validateClaimStatuses(status.resourceClaimStatuses, pod.spec, path.child("resourceClaimStatuses"), errors);
  }
  validateAddresses(status, before, path, errors);
  for (const name of statusLists) {
    if (status[name] !== before[name]) validateUsers(status[name] ?? [], pod.spec?.os?.name ?? "linux", path.child(name), errors);
  }
}

function validateConditions({ conditions = [] }: PodStatus, path: Path, errors: FieldErrors): void {
  for (const [index, { type = "", observedGeneration = 0 }] of conditions.entries()) {
    if (observedGeneration < 0) {
      errors.invalid(path.index(index).child("observedGeneration"), observedGeneration, "must be a non-negative integer");
    }
    if (!systemConditions.has(type)) validateBy(qualifiedNameReasons, type, path.index(index).child("Type"), errors);
  }
}

/** Preemption names a node for a pod that has none yet. */
function validateNomination(status: PodStatus, before: PodStatus, nodeName: string, path: Path, errors: FieldErrors): void {
  const node = status.nominatedNodeName ?? "";
  if (node === "" || node === before.nominatedNodeName) return;
  validateBy(dns1123SubdomainReasons, node, path, errors);
  if (nodeName !== "") errors.forbidden(path, "may not be set on pods that are already bound to a node");
}

/** A container that has ended for good does not come back. */
function validateTransitions(status: PodStatus, before: PodStatus, spec: PodSpec, path: Path, errors: FieldErrors): void {
  for (const name of statusLists) {
    if (status[name] === before[name]) continue;
    for (const [index, old] of (before[name] ?? []).entries()) {
      const { terminated } = old.state ?? {};
      if (terminated === undefined) continue;
      const now = status[name]?.find((one) => one.name === old.name);
      if (now === undefined || now.state?.terminated !== undefined) continue;
      if (mayRestart(name, old.name, terminated.exitCode, spec)) continue;
      errors.forbidden(path.child(name).index(index).child("state"), "may not be transitioned to non-terminated state");
    }
  }
}

function mayRestart(list: StatusList, name: string, exitCode: number, spec: PodSpec): boolean {
  if (list === "ephemeralContainerStatuses") return false;
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  if (all.some((container) => container.restartPolicyRules?.some((rule) => rule.action === "RestartAllContainers"))) return true;
  const containers = list === "containerStatuses" ? spec.containers : spec.initContainers;
  const container = containers?.find((one) => one.name === name);
  return container !== undefined && restarts(container, spec, exitCode);
}

function restarts({ restartPolicy, restartPolicyRules = [] }: Container, spec: PodSpec, exitCode: number): boolean {
  if (restartPolicy !== undefined) {
    for (const { action, exitCodes } of restartPolicyRules) {
      if (exitCodes === undefined) continue;
      const isListed = exitCodes.values?.includes(exitCode) === true;
      if (isListed === (exitCodes.operator === "In")) return action === "Restart";
    }
  }
  const policy = restartPolicy ?? spec.restartPolicy;
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

function validateClaimStatuses(
  statuses: NonNullable<PodStatus["resourceClaimStatuses"]>,
  spec: PodSpec | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  for (const [index, { name, resourceClaimName }] of statuses.entries()) {
    const at = path.index(index);
    if (spec?.resourceClaims?.some((claim) => claim.name === name) !== true) {
      errors.invalid(at.child("name"), name, "must match the name of an entry in `spec.resourceClaims`");
    }
    if (seen.has(name)) errors.duplicate(at.child("name"), name);
    seen.add(name);
    if (resourceClaimName !== undefined) {
      validateBy(dns1123SubdomainReasons, resourceClaimName, at.child("resourceClaimName"), errors);
    }
  }
}

/** At most one address of each family, the pod's and its host's; what was there is let pass. */
function validateAddresses(status: PodStatus, before: PodStatus, path: Path, errors: FieldErrors): void {
  const { hostIPs = [], podIPs = [] } = status;
  if (status.podIPs !== undefined && podIPs !== before.podIPs) {
    const known = (before.podIPs ?? []).map(({ ip }) => ip);
    for (const [index, { ip = "" }] of podIPs.entries()) validateIp(ip, known, path.child("podIPs").index(index), errors);
    validateFamilies(podIPs, path.child("podIPs"), errors);
  }
  if (hostIPs.length === 0 || hostIPs === before.hostIPs) return;
  const at = path.child("hostIPs");
  const first = hostIPs[0]?.ip ?? "";
  if (status.hostIP !== first) errors.invalid(at.index(0).child("ip"), first, "must be equal to `hostIP`");
  const known = (before.hostIPs ?? []).map(({ ip }) => ip);
  for (const [index, { ip = "" }] of hostIPs.entries()) validateIp(ip, known, at.index(index), errors);
  validateFamilies(hostIPs, at, errors);
}

function validateFamilies(addresses: readonly { readonly ip?: string }[], path: Path, errors: FieldErrors): void {
  if (addresses.length < 2) return;
  const sixes = addresses.filter(({ ip = "" }) => isIpv6(ip)).length;
  if (addresses.length === 2 && sixes === 1) return;
  const shown = addresses.map(({ ip = "" }) => ({ IP: ip }));
  errors.invalid(path, shown, "may specify no more than one IP for each IP family");
}

function validateUsers(statuses: readonly ContainerStatus[], os: string, path: Path, errors: FieldErrors): void {
  for (const [index, { user }] of statuses.entries()) {
    const linux = user?.linux;
    if (linux === undefined) continue;
    const at = path.index(index).child("user", "linux");
    if (os === "windows") {
      errors.forbidden(at, "cannot be set for a windows pod");
      continue;
    }
    for (const name of ["uid", "gid"] as const) {
      const id = linux[name] ?? 0;
      if (id < 0 || id > maxId) errors.invalid(at.child(name), id, rangeReason(0, maxId));
    }
    for (const [position, group] of (linux.supplementalGroups ?? []).entries()) {
      if (group < 0 || group > maxId) errors.invalid(at.child("supplementalGroups").index(position), group, rangeReason(0, maxId));
    }
  }
}
