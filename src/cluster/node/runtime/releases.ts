// The releases of containerd that a machine may have: what of the Container Runtime Interface each serves, and the package it comes in
// (containerd.io of Docker's repository, as download.docker.com has it for Debian).

export interface ContainerdRelease {
  /** As `containerd --version` and the CRI's Version call tell it. */
  readonly name: string;
  /** What it was built from. */
  readonly revision: string;
  /** Whether its CRI plugin answers runtime.v1, since containerd 1.6; those before know runtime.v1alpha2 alone. */
  readonly servesV1: boolean;
  readonly packageVersion: string;
  /** What the package takes to download, and installed. */
  readonly downloadBytes: number;
  readonly installedBytes: number;
}

export const containerdVersions = ["1.5.11", "2.1.5"] as const;
export type ContainerdVersion = (typeof containerdVersions)[number];

export const usualContainerd: ContainerdVersion = "2.1.5";

export const containerdReleases: { readonly [version in ContainerdVersion]: ContainerdRelease } = {
  "1.5.11": {
    name: "1.5.11",
    revision: "3df54a852345ae127d1fa3092b95168e4a88e2f8",
    servesV1: false,
    packageVersion: "1.5.11-1",
    downloadBytes: 22_900_000,
    installedBytes: 100_000_000,
  },
  "2.1.5": {
    name: "v2.1.5",
    revision: "fcd43222d6b07379a4be9786bda52438f0dd16a1",
    servesV1: true,
    packageVersion: "2.1.5-1~debian.13~trixie",
    downloadBytes: 21_600_000,
    installedBytes: 92_800_000,
  },
};
