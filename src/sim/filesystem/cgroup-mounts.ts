// What is mounted at /sys/fs/cgroup: one tree (version 2), or a directory with a tree for each controller (version 1, systemd's hybrid
// layout, `legacy-cgroups.ts`). Each tree is there once for all machines.

import type { CgroupVersion } from "../process/boot.ts";
import { CgroupRoot, unified } from "./cgroups.ts";
import { FileSystem } from "./file-system.ts";
import { lateLegacyCgroups } from "./late-legacy-cgroups.ts";
import type { Mount } from "./mounts.ts";

export const cgroupPlace = "/sys/fs/cgroup";

export class CgroupMounts {
  readonly #unified: readonly Mount[] = [
    {
      path: cgroupPlace,
      fileSystem: new FileSystem({ type: "cgroup2", source: "cgroup", lower: new CgroupRoot(() => unified) }),
      readOnly: true,
    },
  ];
  #legacy: readonly Mount[] | undefined;

  /** Containers see version 2 only where it has controllers. */
  of(version: CgroupVersion, isContainer: boolean): readonly Mount[] {
    if (version === 2) return this.#unified;
    this.#legacy ??= lateLegacyCgroups.code.legacyMounts();
    return isContainer ? this.#legacy.filter(({ path }) => path !== `${cgroupPlace}/unified`) : this.#legacy;
  }
}
