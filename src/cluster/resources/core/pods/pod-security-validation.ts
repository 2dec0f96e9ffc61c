// Security contexts of pods and containers: users, groups, seccomp, AppArmor, SELinux, sysctls, /proc, user namespaces
// (pkg/apis/core/validation: validatePodSpecSecurityContext, ValidateSecurityContext, validateHostUsers).

import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from "#cluster/api/generated/types.ts";
import { rangeReason } from "#cluster/api/names.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateDescendingPath } from "../volumes/volume-paths.ts";
import { forEachContainer } from "./container-visiting.ts";
import { latePodRules } from "./late-pod-rules.ts";

const maxId = 2_147_483_647;
const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];
const maxProfileLength = 4095;
const maxSysctlLength = 253;
const sysctlSegment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctlPattern = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlRegex = new RegExp(sysctlPattern);

const noSecurity: NonNullable<PodSpec["securityContext"]> = {};

export function validatePodSecurity(spec: PodSpec, specPath: Path, errors: FieldErrors): void {
  const context = spec.securityContext ?? noSecurity;
  if (spec.shareProcessNamespace === undefined && Object.keys(context).length === 0) return;
  const path = specPath.child("securityContext");
  validateId(context.fsGroup, "fsGroup", path, errors);
  validateId(context.runAsUser, "runAsUser", path, errors);
  validateId(context.runAsGroup, "runAsGroup", path, errors);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    if (!isId(group)) errors.invalid(path.child("supplementalGroups").index(index), group, rangeReason(0, maxId));
  }
  // Upstream keeps these beside the security context, hence the path.
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    errors.invalid(path.child("shareProcessNamespace"), true, "ShareProcessNamespace and HostPID cannot both be enabled");
  }
  if (context.sysctls !== undefined) validateSysctls(spec, context.sysctls, path.child("sysctls"), errors);
  validateChoice(context.fsGroupChangePolicy, ["Always", "OnRootMismatch"], path, "fsGroupChangePolicy", errors);
  if (context.seccompProfile !== undefined) validateSeccomp(context.seccompProfile, path.child("seccompProfile"), errors);
  validateWindowsOptions(context, path, errors);
  if (context.appArmorProfile !== undefined) validateAppArmor(context.appArmorProfile, path.child("appArmorProfile"), errors);
  validateChoice(context.supplementalGroupsPolicy, ["Merge", "Strict"], path, "supplementalGroupsPolicy", errors);
  validateChoice(context.seLinuxChangePolicy, ["MountOption", "Recursive"], path, "seLinuxChangePolicy", errors);
}

export function validateContainerSecurity(context: SecurityContext, hostUsers: boolean, path: Path, errors: FieldErrors): void {
  validateId(context.runAsUser, "runAsUser", path, errors);
  validateId(context.runAsGroup, "runAsGroup", path, errors);
  validateChoice(context.procMount, ["Default", "Unmasked"], path, "procMount", errors);
  if (hostUsers && context.procMount === "Unmasked") {
    errors.invalid(path.child("procMount"), "Unmasked", "`hostUsers` must be false to use `Unmasked`");
  }
  if (context.seccompProfile !== undefined) validateSeccomp(context.seccompProfile, path.child("seccompProfile"), errors);
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (detail: string) => errors.invalid(path, latePodRules.code.internalForm("SecurityContext", context), detail);
    if (context.privileged === true) refuse("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    for (const capability of context.capabilities?.add ?? []) {
      if (capability === "CAP_SYS_ADMIN")
        refuse("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
    }
  }
  validateWindowsOptions(context, path, errors);
  if (context.appArmorProfile !== undefined) validateAppArmor(context.appArmorProfile, path.child("appArmorProfile"), errors);
}

function validateId(id: Int64 | undefined, name: string, path: Path, errors: FieldErrors): void {
  if (id !== undefined && !isId(id)) errors.invalid(path.child(name), id, rangeReason(0, maxId));
}

function isId(id: Int64): boolean {
  return id >= 0 && id <= maxId;
}

function validateChoice(
  value: string | undefined,
  allowed: readonly string[],
  path: Path,
  name: string,
  errors: FieldErrors,
): void {
  if (value !== undefined && !allowed.includes(value)) errors.notSupported(path.child(name), value, allowed);
}

function validateSysctls(spec: PodSpec, sysctls: readonly Sysctl[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, { name = "" }] of sysctls.entries()) {
    const at = path.index(index).child("name");
    if (name === "") errors.required(at);
    else if (name.length > maxSysctlLength || !sysctlRegex.test(name)) {
      errors.invalid(at, name, `must have at most ${maxSysctlLength} characters and match regex ${sysctlPattern}`);
    } else if (seen.has(name)) errors.duplicate(at, name);
    const namespace = sysctlNamespace(name);
    if (namespace === "net" && spec.hostNetwork === true) {
      errors.invalid(at, name, "may not be specified when 'hostNetwork' is true");
    } else if (namespace === "ipc" && spec.hostIPC === true) {
      errors.invalid(at, name, "may not be specified when 'hostIPC' is true");
    }
    seen.add(name);
  }
}

/** Which of the kernel's namespaces a setting belongs to (component-helpers/node/util/sysctl). */
function sysctlNamespace(name: string): "ipc" | "net" | "uts" | undefined {
  const separator = /[./]/.exec(name)?.[0];
  const dotted = separator === "/" ? name.replaceAll("/", ".") : name;
  if (dotted.startsWith("net.")) return "net";
  if (["kernel.shm", "kernel.msg", "fs.mqueue."].some((prefix) => dotted.startsWith(prefix)) || dotted === "kernel.sem")
    return "ipc";
  return dotted === "kernel.domainname" || dotted === "kernel.hostname" ? "uts" : undefined;
}

function validateSeccomp(profile: SeccompProfile, path: Path, errors: FieldErrors): void {
  const { type = "", localhostProfile } = profile;
  if (type === "") errors.required(path.child("type"), "type is required when seccompProfile is set");
  else if (!profileTypes.includes(type)) errors.notSupported(path.child("type"), type, profileTypes);
  const at = path.child("localhostProfile");
  if (type === "Localhost") {
    if (localhostProfile === undefined) errors.required(at, "must be set when seccomp type is Localhost");
    else validateDescendingPath(localhostProfile, at, errors);
  } else if (localhostProfile !== undefined) {
    errors.invalid(at, latePodRules.code.internalForm("SeccompProfile", profile), "can only be set when seccomp type is Localhost");
  }
}

export function validateAppArmor({ type = "", localhostProfile }: AppArmorProfile, path: Path, errors: FieldErrors): void {
  const at = path.child("localhostProfile");
  if (type === "Localhost") {
    const profile = localhostProfile ?? "";
    if (profile !== profile.trim()) errors.invalid(at, profile, "must not be padded with whitespace");
    else if (profile === "") errors.required(at, "must be set when AppArmor type is Localhost");
    if (profile.length > maxProfileLength) errors.tooLong(at, maxProfileLength);
  } else if (type === "RuntimeDefault" || type === "Unconfined") {
    if (localhostProfile !== undefined) errors.invalid(at, localhostProfile, "can only be set when AppArmor type is Localhost");
  } else if (type === "") errors.required(path.child("type"), "type is required when appArmorProfile is set");
  else errors.notSupported(path.child("type"), type, profileTypes);
}

/** A pod in a user namespace shares no namespace with its host, and cannot use raw devices. */
export function validateUserNamespace(spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (spec.hostUsers !== false) return;
  const detail = "when `hostUsers` is false";
  if (spec.hostNetwork === true) errors.forbidden(path.child("hostNetwork"), detail);
  if (spec.hostPID === true) errors.forbidden(path.child("HostPID"), detail);
  if (spec.hostIPC === true) errors.forbidden(path.child("HostIPC"), detail);
  forEachContainer(spec, path, (container, at) => {
    if ((container.volumeDevices?.length ?? 0) > 0) errors.forbidden(at().child("volumeDevices"), detail);
  });
}

function validateWindowsOptions({ windowsOptions }: PodSecurityContext | SecurityContext, path: Path, errors: FieldErrors): void {
  if (windowsOptions !== undefined) latePodRules.code.validateWindowsOptions(windowsOptions, path.child("windowsOptions"), errors);
}
