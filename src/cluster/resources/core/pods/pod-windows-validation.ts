// Operating systems: the options of Windows containers, and what a pod of one system may not have of the other's
// (pkg/apis/core/validation: validateWindowsSecurityContextOptions, validateWindowsHostProcessPod, validateOS).

import type { PodSecurityContext, PodSpec, SecurityContext, WindowsSecurityContextOptions } from "#cluster/api/generated/types.ts";
import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";
import { forEachContainer } from "./container-visiting.ts";

const maxSpecKiB = 64;
const maxDomainLength = 256;
const maxUserLength = 104;
const controlCharacters = /[\u0000-\u001f\u007f]/;
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);

export function validateWindowsOptions(options: WindowsSecurityContextOptions, path: Path, errors: FieldErrors): void {
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName !== undefined) {
    validateBy(dns1123SubdomainReasons, gmsaCredentialSpecName, path.child("gmsaCredentialSpecName"), errors);
  }
  if (gmsaCredentialSpec === "") {
    errors.invalid(path.child("gmsaCredentialSpec"), "", "gmsaCredentialSpec cannot be an empty string");
  } else if (gmsaCredentialSpec !== undefined && gmsaCredentialSpec.length > maxSpecKiB * 1024) {
    errors.invalid(path.child("gmsaCredentialSpec"), gmsaCredentialSpec, `gmsaCredentialSpec size must be under ${maxSpecKiB} KiB`);
  }
  if (runAsUserName === undefined) return;
  for (const reason of userNameReasons(runAsUserName)) errors.invalid(path.child("runAsUserName"), runAsUserName, reason);
}

function userNameReasons(name: string): readonly string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (controlCharacters.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts[parts.length - 1] as string;
  const domain = parts.length === 2 ? (parts[0] as string) : undefined;
  const reasons: string[] = [];
  if (domain !== undefined && domain.length >= maxDomainLength)
    reasons.push(`runAsUserName's Domain length must be under ${maxDomainLength} characters`);
  if (domain !== undefined && !netBiosDomain.test(domain) && !dnsDomain.test(domain))
    reasons.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === "") reasons.push("runAsUserName's User cannot be empty");
  else if (user.length > maxUserLength)
    reasons.push(`runAsUserName's User length must not be longer than ${maxUserLength} characters`);
  if (/^[. ]+$/.test(user)) reasons.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    reasons.push("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  return reasons;
}

/** Host processes come all together, and with the host's network. Of a Pod that asks for some. */
export function validateHostProcesses(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let [containers, hostProcesses] = [0, 0];
  forEachContainer(spec, path, (container, at) => {
    containers += 1;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.invalid(at().child("securityContext", "windowsOptions", "hostProcess"), own, detail);
    }
    if (own ?? ofPod === true) hostProcesses += 1;
  });
  if (hostProcesses === 0) return;
  if (hostProcesses !== containers) {
    errors.invalid(path, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers");
  }
  if (spec.hostNetwork !== true) {
    errors.invalid(path.child("hostNetwork"), false, "hostNetwork must be true if pod contains any hostProcess containers");
  }
}

export function validateOs(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const { name = "" } = spec.os ?? {};
  if (name === "") errors.required(path.child("os", "name"));
  else if (name === "linux") validateLinux(spec, path, errors);
  else if (name === "windows") validateWindows(spec, path, errors);
  else errors.notSupported(path.child("os"), name, ["linux", "windows"]);
}

function validateLinux(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const detail = "windows options cannot be set for a linux pod";
  if (spec.securityContext?.windowsOptions !== undefined) errors.forbidden(path.child("securityContext", "windowsOptions"), detail);
  forEachContainer(spec, path, (container, at) => {
    if (container.securityContext?.windowsOptions !== undefined)
      errors.forbidden(at().child("securityContext", "windowsOptions"), detail);
  });
}

/** In upstream's order: those between are fields of the pod that upstream keeps in the security context. */
const linuxPodFields: readonly (keyof PodSecurityContext | "hostUsers" | "hostPID" | "hostIPC" | "shareProcessNamespace")[] = [
  "appArmorProfile",
  "seLinuxOptions",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "shareProcessNamespace",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
];

const linuxContainerFields: readonly (keyof SecurityContext)[] = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

function validateWindows(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const detail = "cannot be set for a windows pod";
  for (const name of linuxPodFields) {
    if (name === "hostPID" || name === "hostIPC") {
      if (spec[name] === true) errors.forbidden(path.child(name), detail);
    } else if (name === "hostUsers" || name === "shareProcessNamespace") {
      if (spec[name] !== undefined) errors.forbidden(path.child(name), detail);
    } else {
      const value = spec.securityContext?.[name];
      const isEmptyList = name === "sysctls" && (value as readonly unknown[] | undefined)?.length === 0;
      if (value !== undefined && !isEmptyList) errors.forbidden(path.child("securityContext", name), detail);
    }
  }
  forEachContainer(spec, path, (container, at) => {
    for (const name of linuxContainerFields) {
      if (container.securityContext?.[name] !== undefined) errors.forbidden(at().child("securityContext", name), detail);
    }
  });
}
