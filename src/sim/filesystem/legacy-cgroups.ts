// Control groups of version 1, as far as people look at them: a tree for each controller, each with the same groups. What systemd
// mounts when it is asked for them is its hybrid layout: these trees, one of its own, and one of version 2 without controllers.

import type { ControlGroup } from "../process/control-group.ts";
import { cgroupPlace } from "./cgroup-mounts.ts";
import { CgroupRoot, type GroupFile, type GroupFiles, type Hierarchy, periodsOf, periodUs, pidsOf } from "./cgroups.ts";
import { FileSystem } from "./file-system.ts";
import { DirectoryInode, kernelAttributes, SymlinkInode } from "./inode.ts";
import type { Mount } from "./mounts.ts";

/** Directories of version 1, in the order of their mounts: systemd's own, then the controllers'. */
const legacyTrees = [
  "systemd",
  "cpu,cpuacct",
  "memory",
  "blkio",
  "cpuset",
  "devices",
  "freezer",
  "hugetlb",
  "misc",
  "net_cls,net_prio",
  "perf_event",
  "pids",
  "rdma",
] as const;
type LegacyTree = (typeof legacyTrees)[number];

/** Other names of trees with two controllers. */
const links: { readonly [name: string]: LegacyTree } = {
  cpu: "cpu,cpuacct",
  cpuacct: "cpu,cpuacct",
  net_cls: "net_cls,net_prio",
  net_prio: "net_cls,net_prio",
};

/** What memory.limit_in_bytes says without a limit: the largest number of whole pages. */
const noMemoryLimit = "9223372036854771712";

/** Of the machine's own group nobody reads a limit. */
function limitsOf(group: ControlGroup): ControlGroup["limits"] {
  return group.machine === group ? {} : group.limits;
}

const common: GroupFiles = {
  "cgroup.clone_children": () => "0\n",
  "cgroup.procs": (group, looker) => pidsOf(group, looker),
  notify_on_release: () => "0\n",
  tasks: (group, looker) => pidsOf(group, looker),
};

const onTop: GroupFiles = { ...common, "cgroup.sane_behavior": () => "0\n", release_agent: () => "\n" };

const cpu: GroupFiles = {
  "cpu.cfs_period_us": () => `${periodUs}\n`,
  "cpu.cfs_quota_us": (group) => {
    const { cpuMillicores } = limitsOf(group);
    return `${cpuMillicores === undefined ? -1 : Math.round((cpuMillicores * periodUs) / 1000)}\n`;
  },
  "cpu.shares": (group) => `${(group.machine === group ? undefined : group.cpuShares) ?? 1024}\n`,
  "cpu.stat": (group) => {
    if (group.machine === group) return "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n";
    const { counted, limited } = periodsOf(group);
    return `nr_periods ${counted}\nnr_throttled ${limited}\nthrottled_time ${Math.round(group.throttledMs * 1e6)}\n`;
  },
  "cpuacct.usage": (group) => `${Math.round(group.cpuMs * 1e6)}\n`,
};

const memory: GroupFiles = {
  "memory.failcnt": (group) => `${group.outOfMemoryKills}\n`,
  "memory.limit_in_bytes": (group) => `${limitsOf(group).memoryBytes ?? noMemoryLimit}\n`,
  "memory.max_usage_in_bytes": (group) => `${group.peakMemoryBytes}\n`,
  "memory.oom_control": (group) => `oom_kill_disable 0\nunder_oom 0\noom_kill ${group.outOfMemoryKills}\n`,
  "memory.usage_in_bytes": (group) => `${group.memoryBytes}\n`,
};

const pids: GroupFiles = {
  "pids.current": (group) => `${group.processCount}\n`,
  "pids.max": (group) => `${limitsOf(group).pids ?? "max"}\n`,
};

/** A controller's files of groups below the machine's; those of others are not here. */
const files: { readonly [tree: string]: GroupFiles } = { "cpu,cpuacct": cpu, memory, pids };

const procs: { readonly [name: string]: GroupFile } = {
  "cgroup.controllers": () => "\n",
  "cgroup.procs": (group, looker) => pidsOf(group, looker),
};

/** `unified`, beside the controllers. */
export const withoutControllers: Hierarchy = { top: procs, below: procs };

export function hierarchyOf(tree: LegacyTree): Hierarchy {
  const own = files[tree] ?? {};
  return { top: { ...onTop, ...(tree === "pids" ? {} : own) }, below: { ...common, ...own } };
}

/** As the kernel counts the mounts: systemd's own first. */
function numberOf(tree: LegacyTree): number {
  return legacyTrees.indexOf(tree) + 1;
}

/** /proc/<pid>/cgroup */
export function membershipText(path: string): string {
  const lines = legacyTrees.map((tree) => `${numberOf(tree)}:${tree === "systemd" ? "name=systemd" : tree}:${path}\n`);
  return `${lines.reverse().join("")}0::${path}\n`;
}

/** In the kernel's order (include/linux/cgroup_subsys.h). */
const controllers: { readonly [controller: string]: LegacyTree } = {
  cpuset: "cpuset",
  cpu: "cpu,cpuacct",
  cpuacct: "cpu,cpuacct",
  blkio: "blkio",
  memory: "memory",
  devices: "devices",
  freezer: "freezer",
  net_cls: "net_cls,net_prio",
  perf_event: "perf_event",
  net_prio: "net_cls,net_prio",
  hugetlb: "hugetlb",
  pids: "pids",
  rdma: "rdma",
  misc: "misc",
};

function countOf(group: ControlGroup): number {
  let count = 1;
  for (const child of group.children()) count += countOf(child);
  return count;
}

/** /proc/cgroups */
export function controllersText(machine: ControlGroup): string {
  const count = countOf(machine);
  const rows = Object.entries(controllers).map(([name, tree]) =>
    [name, machine.cgroupVersion === 1 ? numberOf(tree) : 0, count, 1].join("\t"),
  );
  return ["#subsys_name\thierarchy\tnum_cgroups\tenabled", ...rows, ""].join("\n");
}

function mount(place: string, fileSystem: FileSystem): Mount {
  return { path: place, fileSystem, readOnly: true };
}

function tree(source: "cgroup" | "cgroup2", hierarchy: () => Hierarchy, controllers = ""): FileSystem {
  return new FileSystem({
    type: source,
    source,
    lower: new CgroupRoot(hierarchy),
    ...(controllers === "" ? {} : { mountOptions: controllers }),
  });
}

/** Of a machine: the directory, what version 2 keeps, and the trees. */
export function legacyMounts(): readonly Mount[] {
  const top = new DirectoryInode(kernelAttributes(0o755));
  for (const [name, target] of Object.entries(links)) top.set(name, new SymlinkInode(kernelAttributes(0o777), target));
  const trees = legacyTrees.map((name) =>
    mount(
      `${cgroupPlace}/${name}`,
      tree("cgroup", () => hierarchyOf(name), name === "systemd" ? "xattr,name=systemd" : name),
    ),
  );
  const rest = tree("cgroup2", () => withoutControllers, "nsdelegate");
  return [mount(cgroupPlace, new FileSystem({ type: "tmpfs", lower: top })), mount(`${cgroupPlace}/unified`, rest), ...trees];
}
