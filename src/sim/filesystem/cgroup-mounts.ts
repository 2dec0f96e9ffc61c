// What is mounted at /sys/fs/cgroup: one tree (version 2), or a directory with a tree for each controller (version 1, systemd's hybrid
// layout). Each tree is there once for all machines.

import type { CgroupVersion } from "../process/boot.ts";
import { CgroupRoot, type Hierarchy, unified } from "./cgroups.ts";
import { FileSystem } from "./file-system.ts";
import { DirectoryInode, kernelAttributes, SymlinkInode } from "./inode.ts";
import { lateLegacyCgroups } from "./late-legacy-cgroups.ts";
import type { Mount } from "./mounts.ts";

/** Directories of version 1, in the order of their mounts: systemd's own, then the controllers'. */
export const legacyTrees = [
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
export type LegacyTree = (typeof legacyTrees)[number];

/** Other names of trees with two controllers. */
const links: { readonly [name: string]: LegacyTree } = {
  cpu: "cpu,cpuacct",
  cpuacct: "cpu,cpuacct",
  net_cls: "net_cls,net_prio",
  net_prio: "net_cls,net_prio",
};

export const cgroupPlace = "/sys/fs/cgroup";

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

export class CgroupMounts {
  readonly #unified = [
    mount(cgroupPlace, new FileSystem({ type: "cgroup2", source: "cgroup", lower: new CgroupRoot(() => unified) })),
  ];
  #legacy: readonly Mount[] | undefined;

  /** Containers see version 2 only where it has controllers. */
  of(version: CgroupVersion, isContainer: boolean): readonly Mount[] {
    if (version === 2) return this.#unified;
    this.#legacy ??= legacyMounts();
    return isContainer ? this.#legacy.filter(({ path }) => path !== `${cgroupPlace}/unified`) : this.#legacy;
  }
}

function legacyMounts(): readonly Mount[] {
  const top = new DirectoryInode(kernelAttributes(0o755));
  for (const [name, target] of Object.entries(links)) top.set(name, new SymlinkInode(kernelAttributes(0o777), target));
  const trees = legacyTrees.map((name) =>
    mount(
      `${cgroupPlace}/${name}`,
      tree("cgroup", () => lateLegacyCgroups.code.hierarchyOf(name), name === "systemd" ? "xattr,name=systemd" : name),
    ),
  );
  const withoutControllers = tree("cgroup2", () => lateLegacyCgroups.code.withoutControllers, "nsdelegate");
  return [
    mount(cgroupPlace, new FileSystem({ type: "tmpfs", lower: top })),
    mount(`${cgroupPlace}/unified`, withoutControllers),
    ...trees,
  ];
}
