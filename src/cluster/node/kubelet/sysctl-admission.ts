// Kernel parameters of Pods: which the node lets them set (pkg/kubelet/sysctl), and what their sandbox is made with.

import type { Refusal } from "./admission.ts";
import { isHostNetwork, type StoredPod } from "./pod-spec.ts";

/** The kernel keeps these apart for each Pod, and none harms the node. */
const safeSysctls = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.tcp_wmem",
]);

/** Its name with dots, where it may have slashes. */
export function sysctlName(name: string): string {
  const slash = name.indexOf("/");
  const dot = name.indexOf(".");
  if (slash < 0 || (dot >= 0 && dot < slash)) return name;
  return name.replace(/[./]/gu, (sign) => (sign === "/" ? "." : "/"));
}

/** `allowed`: names and beginnings (`net.core.*`) of further ones (allowedUnsafeSysctls). */
export function sysctlRefusal(pod: StoredPod, allowed: readonly string[] = []): Refusal | undefined {
  for (const { name } of pod.spec?.securityContext?.sysctls ?? []) {
    const problem = sysctlProblem(pod, sysctlName(name), allowed);
    if (problem !== undefined)
      return { reason: "SysctlForbidden", message: `forbidden sysctl: ${JSON.stringify(sysctlName(name))} ${problem}` };
  }
  return undefined;
}

function sysctlProblem(pod: StoredPod, name: string, allowed: readonly string[]): string | undefined {
  const isAllowed = allowed.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name));
  if (!safeSysctls.has(name) && !isAllowed) return "not allowlisted";
  if (name.startsWith("net.")) return isHostNetwork(pod) ? "not allowed with host net enabled" : undefined;
  return pod.spec?.hostIPC === true ? "not allowed with host ipc enabled" : undefined;
}

/** By their names with dots. */
export function sysctlsOf(pod: StoredPod): ReadonlyMap<string, string> {
  const wanted = pod.spec?.securityContext?.sysctls ?? [];
  return new Map(wanted.map(({ name, value }) => [sysctlName(name), value]));
}
