// The checks of the baseline level: what is known to lead out of a container is forbidden.

import type { Container, LifecycleHandler, Probe, SELinuxOptions } from "#cluster/api/generated/types.ts";
import type { CheckPod, PodCheck, PodView, Violation } from "./pod-security-check.ts";
import { containersText, namesOf, plural, quoted, settersText, sortedSet } from "./pod-security-words.ts";

const safeCapabilities: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);
/** By the minor since which they are allowed. */
const safeSysctls: readonly (readonly [number, readonly string[]])[] = [
  [
    0,
    [
      "kernel.shm_rmid_forced",
      "net.ipv4.ip_local_port_range",
      "net.ipv4.tcp_syncookies",
      "net.ipv4.ping_group_range",
      "net.ipv4.ip_unprivileged_port_start",
    ],
  ],
  [27, ["net.ipv4.ip_local_reserved_ports"]],
  [
    29,
    ["net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes"],
  ],
  [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
];
const selinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t"];
const appArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/";
const seccompAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
const containerSeccompAnnotation = "container.seccomp.security.alpha.kubernetes.io/";

export function isConfinedProfile(type: string | undefined): boolean {
  return type === "RuntimeDefault" || type === "Localhost";
}

function since(minor: number, check: CheckPod): PodCheck["versions"][number] {
  return { since: minor, check };
}

/** In the order of their names. */
export const baselineChecks: readonly PodCheck[] = [
  { id: "appArmorProfile", versions: [since(0, appArmorProfile)] },
  { id: "capabilities_baseline", versions: [since(0, capabilities)] },
  { id: "hostNamespaces", versions: [since(0, hostNamespaces)] },
  { id: "hostPathVolumes", versions: [since(0, hostPathVolumes)] },
  { id: "hostPorts", versions: [since(0, hostPorts)] },
  { id: "hostProbesAndHostLifecycle", versions: [since(34, hostProbes)] },
  { id: "privileged", versions: [since(0, privileged)] },
  {
    id: "procMount",
    versions: [since(0, procMount), since(35, (pod) => (pod.spec.hostUsers === false ? undefined : procMount(pod)))],
  },
  {
    id: "seLinuxOptions",
    versions: [
      since(0, (pod) => seLinuxOptions(pod, selinuxTypes)),
      since(31, (pod) => seLinuxOptions(pod, [...selinuxTypes, "container_engine_t"])),
    ],
  },
  { id: "seccompProfile_baseline", versions: [since(0, seccompAnnotations), since(19, seccompProfile)] },
  { id: "sysctls", versions: safeSysctls.map(([minor]) => since(minor, (pod) => sysctls(pod, minor))) },
  { id: "windowsHostProcess", versions: [since(0, windowsHostProcess)] },
];

function appArmorProfile(pod: PodView): Violation | undefined {
  const bad = (context: Container["securityContext"] | PodView["spec"]["securityContext"]): string | undefined => {
    const type = context?.appArmorProfile?.type;
    return type === undefined || isConfinedProfile(type) ? undefined : type;
  };
  const ofPod = bad(pod.spec.securityContext);
  const names = namesOf(pod, (container) => bad(container.securityContext) !== undefined);
  const types = sortedSet([ofPod, ...pod.containers.map((container) => bad(container.securityContext))].filter(isText));
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(appArmorAnnotation) && !isSafeAppArmor(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const setters = [
    settersText(ofPod !== undefined, names),
    annotations.length === 0 ? "" : plural(annotations.length, "annotation", "annotations"),
  ];
  const values = [...types, ...annotations];
  if (values.length === 0) return undefined;
  return {
    reason: plural(values.length, "forbidden AppArmor profile", "forbidden AppArmor profiles"),
    detail: `${setters.filter((text) => text !== "").join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

function isSafeAppArmor(value: string): boolean {
  return value === "" || value === "runtime/default" || value.startsWith("localhost/");
}

function capabilities(pod: PodView): Violation | undefined {
  const added = (container: Container): readonly string[] =>
    (container.securityContext?.capabilities?.add ?? []).filter((name) => !safeCapabilities.has(name));
  const names = namesOf(pod, (container) => added(container).length > 0);
  if (names.length === 0) return undefined;
  const list = quoted(sortedSet(pod.containers.flatMap(added)));
  return {
    reason: "non-default capabilities",
    detail: `${containersText(names)} must not include ${list} in securityContext.capabilities.add`,
  };
}

function hostNamespaces({ spec }: PodView): Violation | undefined {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((name) => spec[name] === true);
  return used.length === 0 ? undefined : { reason: "host namespaces", detail: used.map((name) => `${name}=true`).join(", ") };
}

function hostPathVolumes({ spec }: PodView): Violation | undefined {
  const names = (spec.volumes ?? []).filter((volume) => volume.hostPath !== undefined).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural(names.length, "volume", "volumes")} ${quoted(names)}` };
}

function hostPorts(pod: PodView): Violation | undefined {
  const used = (container: Container): readonly string[] =>
    (container.ports ?? []).filter((port) => (port.hostPort ?? 0) !== 0).map((port) => String(port.hostPort));
  const names = namesOf(pod, (container) => used(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = sortedSet(pod.containers.flatMap(used));
  const verb = plural(names.length, "uses", "use");
  return {
    reason: "hostPort",
    detail: `${containersText(names)} ${verb} ${plural(ports.length, "hostPort", "hostPorts")} ${ports.join(", ")}`,
  };
}

function hostProbes(pod: PodView): Violation | undefined {
  const hosts = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): readonly string[] =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf);
  const names = sortedSet(namesOf(pod, (container) => hosts(container).length > 0));
  if (names.length === 0) return undefined;
  const list = sortedSet(pod.containers.flatMap(hosts));
  const noun = plural(list.length, "probe or lifecycle host", "probe or lifecycle hosts");
  return {
    reason: "probe or lifecycle host",
    detail: `${containersText(names)} ${plural(names.length, "uses", "use")} ${noun} ${quoted(list)}`,
  };
}

function hostsOf(handler: Probe | LifecycleHandler | undefined): readonly string[] {
  return [handler?.httpGet?.host, handler?.tcpSocket?.host].filter(isText);
}

function isText(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

function privileged(pod: PodView): Violation | undefined {
  const names = namesOf(pod, (container) => container.securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${containersText(names)} must not set securityContext.privileged=true` };
}

export function procMount(pod: PodView): Violation | undefined {
  const masked = (container: Container): string | undefined => container.securityContext?.procMount;
  const isBad = (container: Container): boolean => masked(container) !== undefined && masked(container) !== "Default";
  const names = namesOf(pod, isBad);
  if (names.length === 0) return undefined;
  const types = sortedSet(pod.containers.filter(isBad).map((container) => masked(container) as string));
  return { reason: "procMount", detail: `${containersText(names)} must not set securityContext.procMount to ${quoted(types)}` };
}

function seLinuxOptions(pod: PodView, allowed: readonly string[]): Violation | undefined {
  const isBad = ({ type = "", user, role }: SELinuxOptions): boolean => !allowed.includes(type) || Boolean(user) || Boolean(role);
  const ofPod = pod.spec.securityContext?.seLinuxOptions;
  const ofContainers = pod.containers.map((container) => container.securityContext?.seLinuxOptions);
  const bad = [ofPod, ...ofContainers].filter((options) => options !== undefined && isBad(options)) as readonly SELinuxOptions[];
  if (bad.length === 0) return undefined;
  const setters = settersText(
    ofPod !== undefined && isBad(ofPod),
    namesOf(pod, ({ securityContext }) => securityContext?.seLinuxOptions !== undefined && isBad(securityContext.seLinuxOptions)),
  );
  const types = sortedSet(bad.map(({ type = "" }) => type).filter((type) => !allowed.includes(type)));
  const faults = [
    ...(types.length === 0 ? [] : [`${plural(types.length, "type", "types")} ${quoted(types)}`]),
    ...(bad.some(({ user }) => user) ? ["user may not be set"] : []),
    ...(bad.some(({ role }) => role) ? ["role may not be set"] : []),
  ];
  return { reason: "seLinuxOptions", detail: `${setters} set forbidden securityContext.seLinuxOptions: ${faults.join("; ")}` };
}

/** Before 1.19 the profile was an annotation. */
function seccompAnnotations(pod: PodView): Violation | undefined {
  const keys = [seccompAnnotation, ...pod.containers.map(({ name }) => containerSeccompAnnotation + name)];
  const isSafe = (value: string): boolean =>
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
  const forbidden = sortedSet(
    keys.flatMap((key) => {
      const value = pod.annotations[key];
      return value === undefined || isSafe(value) ? [] : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  const noun = plural(forbidden.length, "annotation", "annotations");
  return { reason: "seccompProfile", detail: `forbidden ${noun} ${forbidden.join(", ")}` };
}

/** A profile that is named must confine. */
export function seccompProfile(pod: PodView): Violation | undefined {
  const ofPod = pod.spec.securityContext?.seccompProfile;
  const isBad = (profile: { readonly type: string } | undefined): boolean =>
    profile !== undefined && !isConfinedProfile(profile.type);
  const names = namesOf(pod, (container) => isBad(container.securityContext?.seccompProfile));
  if (!isBad(ofPod) && names.length === 0) return undefined;
  const profiles = [ofPod, ...pod.containers.map((container) => container.securityContext?.seccompProfile)];
  const types = sortedSet(profiles.filter(isBad).map((profile) => profile?.type ?? ""));
  const setters = settersText(isBad(ofPod), names);
  return { reason: "seccompProfile", detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}` };
}

function sysctls({ spec }: PodView, minor: number): Violation | undefined {
  const allowed = safeSysctls.flatMap(([first, names]) => (first <= minor ? names : []));
  const forbidden = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.includes(name));
  return forbidden.length === 0 ? undefined : { reason: "forbidden sysctls", detail: forbidden.join(", ") };
}

function windowsHostProcess(pod: PodView): Violation | undefined {
  const byPod = pod.spec.securityContext?.windowsOptions?.hostProcess === true;
  const names = namesOf(pod, (container) => container.securityContext?.windowsOptions?.hostProcess === true);
  if (!byPod && names.length === 0) return undefined;
  return {
    reason: "hostProcess",
    detail: `${settersText(byPod, names)} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}
