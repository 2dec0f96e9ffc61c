// Linux capabilities: what root of a container may do of all that root may. Those that count here: CHOWN, DAC_OVERRIDE,
// DAC_READ_SEARCH and FOWNER for files, KILL, SYS_CHROOT, SYS_ADMIN for mounts, and SYS_PTRACE for what /proc tells.

import type { UserNamespace } from "./user-namespace.ts";

/** In the kernel's order: the number of each is its bit (include/uapi/linux/capability.h). */
const names: readonly string[] = (
  "CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST " +
  "NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE " +
  "SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM " +
  "BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE"
).split(" ");

/** Names without `CAP_`. */
export type Capabilities = ReadonlySet<string>;

export const allCapabilities: Capabilities = new Set(names);
const noCapabilities: Capabilities = new Set();

/** What a process and all that it starts may not do (prctl(2)). */
export interface Restrictions {
  /** Set-user-ID programs run as who starts them. */
  readonly noNewPrivileges: boolean;
  /** Its system calls are filtered; which, counts nowhere. */
  readonly isFiltered: boolean;
}

/** Whose, as far as it matters here. */
interface Capable {
  /** Capabilities count in it, and in no other (capabilities(7)); undefined: the machine's. */
  readonly userNamespace: UserNamespace | undefined;
  readonly uid: number;
  readonly gid: number;
  /** What a program of root has; any other user's has none. */
  readonly bounding: Capabilities;
}

export function capabilitiesOf({ uid, bounding }: Capable): Capabilities {
  return uid === 0 ? bounding : noCapabilities;
}

/** Whether the effective capabilities have one; without a `bounding` set a program of root has all. */
export function isCapable({ uid, bounding }: { readonly uid: number; readonly bounding?: Capabilities }, name: string): boolean {
  return uid === 0 && (bounding === undefined || bounding.has(name));
}

/**
 * Whether one process may look into another: its tree of files, its open files, its environment (ptrace(2),
 * "Ptrace access mode checking", PTRACE_MODE_READ_FSCREDS). Security modules have nothing against it here.
 */
export function mayLookInto(caller: Capable, target: Capable): boolean {
  if (caller === target) return true;
  const own = capabilitiesOf(caller);
  const isSameNamespace = caller.userNamespace === target.userNamespace;
  if (own.has("SYS_PTRACE") && (isSameNamespace || caller.userNamespace === undefined)) return true;
  if (!isSameNamespace || caller.uid !== target.uid || caller.gid !== target.gid) return false;
  for (const each of capabilitiesOf(target)) if (!own.has(each)) return false;
  return true;
}

/** As in /proc/<pid>/status. */
export function capabilityBits(capabilities: Capabilities): string {
  const bits = names.reduce((sum, name, bit) => sum + (capabilities.has(name) ? 2 ** bit : 0), 0);
  return bits.toString(16).padStart(16, "0");
}
