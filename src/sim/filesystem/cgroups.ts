// /sys/fs/cgroup (version 2): the control groups as directories, with their limits and use as files. One tree serves all: what is
// its root depends on who looks. Nothing in it can be changed. Trees of version 1 are other files in the same directories
// (`legacy-cgroups.ts`).

import { encodeUtf8 } from "../bytes.ts";
import type { ControlGroup } from "../process/control-group.ts";
import { TextFile } from "../process/open-file.ts";
import type { KernelProcess } from "../process/process.ts";
import { type Caller, DirectoryInode, type Inode, kernelAttributes, SpecialInode } from "./inode.ts";

const controllers = "cpuset cpu io memory hugetlb pids\n";
/** cpu.cfs_period_us */
export const periodUs = 100_000;
const periodMs = 100;

export type GroupFile = (group: ControlGroup, looker: KernelProcess) => string;
export type GroupFiles = { readonly [name: string]: GroupFile };

/** A tree's files, by name: those of the machine's own group, and those of all groups below it. */
export interface Hierarchy {
  readonly top: GroupFiles;
  readonly below: GroupFiles;
}

const limit = (value: number | undefined) => `${value ?? "max"}\n`;

/** Of every group. */
const commonFiles: GroupFiles = {
  "cgroup.controllers": () => controllers,
  "cgroup.procs": (group, looker) => pidsOf(group, looker),
  "cpu.stat": cpuStat,
};

/** Not of the root of a machine's tree: it has no limits. */
const ownFiles: GroupFiles = {
  ...commonFiles,
  "cpu.max": ({ limits }) =>
    `${limits.cpuMillicores === undefined ? "max" : Math.round((limits.cpuMillicores * periodUs) / 1000)} ${periodUs}\n`,
  "cpu.weight": (group) => `${group.cpuWeight}\n`,
  "memory.current": (group) => `${group.memoryBytes}\n`,
  "memory.events": memoryEvents,
  "memory.max": ({ limits }) => limit(limits.memoryBytes),
  "memory.oom.group": ({ policy }) => `${policy.killsWhole ? 1 : 0}\n`,
  "memory.peak": (group) => `${group.peakMemoryBytes}\n`,
  "memory.swap.current": (group) => `${group.swapBytes}\n`,
  "memory.swap.max": ({ limits }) => limit(limits.swapBytes),
  "memory.swap.peak": (group) => `${group.peakSwapBytes}\n`,
  "pids.current": (group) => `${group.processCount}\n`,
  "pids.max": ({ limits }) => limit(limits.pids),
};

export const unified: Hierarchy = { top: commonFiles, below: ownFiles };

function cpuStat(group: ControlGroup): string {
  const usedUs = Math.round(group.cpuMs * 1000);
  const rows = [`usage_usec ${usedUs}`, `user_usec ${usedUs}`, "system_usec 0"];
  if (group.parent?.parent !== undefined) {
    const { counted, limited } = periodsOf(group);
    rows.push(`nr_periods ${counted}`, `nr_throttled ${limited}`, `throttled_usec ${Math.round(group.throttledMs * 1000)}`);
  }
  return `${rows.join("\n")}\n`;
}

/** Of a group's processor time: those with a limit, and those in which it held somebody back. Time is given evenly here: so many it would have been. */
export function periodsOf({ limitedMs: { wanted, held } }: ControlGroup): { readonly counted: number; readonly limited: number } {
  const periods = (ms: number) => Math.ceil(ms / periodMs);
  return { counted: periods(wanted), limited: periods(held) };
}

function memoryEvents({ outOfMemoryKills, policy }: ControlGroup): string {
  const kills = outOfMemoryKills;
  return `low 0\nhigh 0\nmax ${kills}\noom ${kills}\noom_kill ${kills}\noom_group_kill ${policy.killsWhole ? kills : 0}\n`;
}

export function pidsOf(group: ControlGroup, looker: KernelProcess): string {
  let text = "";
  for (const process of group.ownProcesses()) {
    const pid = looker.pidNamespace.pidOf(process);
    text += `${pid ?? 0}\n`;
  }
  return text;
}

class GroupDirectory extends DirectoryInode {
  readonly #group: ControlGroup;
  readonly #hierarchy: Hierarchy;
  readonly #files: GroupFiles;

  constructor(group: ControlGroup, hierarchy: Hierarchy) {
    super(kernelAttributes(0o555));
    this.#group = group;
    this.#hierarchy = hierarchy;
    this.#files = group.machine === group ? hierarchy.top : hierarchy.below;
  }

  override lookup(name: string, caller: Caller): Inode | undefined {
    const process = lookerOf(caller);
    const content = Object.hasOwn(this.#files, name) ? this.#files[name] : undefined;
    if (content !== undefined && process !== undefined) {
      const read = () => new TextFile(`/sys/fs/cgroup/${name}`, encodeUtf8(content(this.#group, process)));
      return new SpecialInode(kernelAttributes(0o444), "file", read);
    }
    for (const child of this.#group.children()) if (child.name === name) return new GroupDirectory(child, this.#hierarchy);
    return undefined;
  }

  override names(): readonly string[] {
    const names = Object.keys(this.#files);
    for (const { name } of this.#group.children()) if (name !== "") names.push(name);
    return names.sort();
  }
}

/** Stands for the group that is the root for whoever looks. */
export class CgroupRoot extends DirectoryInode {
  readonly #hierarchy: () => Hierarchy;

  constructor(hierarchy: () => Hierarchy) {
    super(kernelAttributes(0o555));
    this.#hierarchy = hierarchy;
  }

  override lookup(name: string, caller: Caller): Inode | undefined {
    return this.#rootFor(caller)?.lookup(name, caller);
  }

  override names(caller: Caller): readonly string[] {
    return this.#rootFor(caller)?.names() ?? [];
  }

  #rootFor(caller: Caller): GroupDirectory | undefined {
    const process = lookerOf(caller);
    return process === undefined ? undefined : new GroupDirectory(process.controlGroup.visibleRoot, this.#hierarchy());
  }
}

function lookerOf(caller: Caller): KernelProcess | undefined {
  return "pidNamespace" in caller ? (caller as KernelProcess) : undefined;
}

/** As /proc/<pid>/cgroup has it for whoever looks: from the root that they see (with version 1 containers have no namespace for it). */
export function cgroupPath(group: ControlGroup, looker: ControlGroup): string {
  const root = looker.cgroupVersion === 1 ? looker.machine : looker.visibleRoot;
  const names: string[] = [];
  for (let each: ControlGroup | undefined = group; each !== undefined; each = each.parent) {
    if (each === root) return `/${names.join("/")}`;
    if (each === each.machine) break;
    names.unshift(each.name);
  }
  let up = "";
  for (let each: ControlGroup | undefined = root; each !== undefined && each !== each.machine; each = each.parent) up += "/..";
  return names.length === 0 ? up : `${up}/${names.join("/")}`;
}
