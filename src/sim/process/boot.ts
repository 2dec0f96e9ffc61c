// How a machine has booted, as its kernel tells.

/** Which hierarchy of control groups systemd has mounted. */
export type CgroupVersion = 1 | 2;

export interface Boot {
  /** Of the kernel, as in /proc/cmdline. */
  readonly commandLine: string;
  readonly cgroupVersion: CgroupVersion;
}

/** Beside the usual ones, in front of them: systemd 257 mounts version 1 on request only, and not without the second word. */
export const cgroupArguments: { readonly [version in CgroupVersion]: string } = {
  1: "systemd.unified_cgroup_hierarchy=0 SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1",
  2: "",
};

/** Of a machine that nobody has changed, as GRUB starts it. */
export function usualBoot(release: string, cgroupVersion: CgroupVersion): Boot {
  const words = [`BOOT_IMAGE=/boot/vmlinuz-${release}`, "root=/dev/vda1", "ro", cgroupArguments[cgroupVersion], "quiet"];
  return { commandLine: words.filter((word) => word !== "").join(" "), cgroupVersion };
}
