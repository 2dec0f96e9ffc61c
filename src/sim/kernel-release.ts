// What machines say of their kernel. Containers on one share it, but for those whose runtime brings another.

/** Of a machine's processors, as Debian names it. */
export type MachineArchitecture = "amd64" | "arm64";

/** `uname -m` */
export const machineNames: { readonly [architecture in MachineArchitecture]: string } = { amd64: "x86_64", arm64: "aarch64" };

export interface KernelRelease {
  /** `uname -r` */
  readonly release: string;
  /** `uname -v` */
  readonly build: string;
  /** Who built it with what, in /proc/version. */
  readonly compiler: string;
}

function debianKernel(architecture: MachineArchitecture): KernelRelease {
  const gcc = `${machineNames[architecture]}-linux-gnu-gcc-14 (Debian 14.2.0-19) 14.2.0`;
  return {
    release: `6.12.48+deb13-${architecture}`,
    build: "#1 SMP PREEMPT_DYNAMIC Debian 6.12.48-1 (2025-09-20)",
    compiler: `(debian-kernel@lists.debian.org) (${gcc}) `,
  };
}

/** Of the machines themselves. */
export const hostKernels: { readonly [architecture in MachineArchitecture]: KernelRelease } = {
  amd64: debianKernel("amd64"),
  arm64: debianKernel("arm64"),
};
