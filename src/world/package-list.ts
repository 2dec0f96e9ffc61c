// The Debian packages that a node has of what this course is about: containerd.io of Docker's repository, kubelet and cri-tools of
// Kubernetes'. Everything else on the machine belongs to its image, and no other repository is among its sources.

import type { Machine } from "#cluster/node/host/machine.ts";
import type { Kubelet } from "#cluster/node/kubelet/kubelet.ts";
import { defaultKubeletVersion } from "#cluster/node/kubelet/node-status.ts";
import type { Containerd } from "#cluster/node/runtime/containerd.ts";
import { type ContainerdVersion, containerdReleases, usualContainerd } from "#cluster/node/runtime/releases.ts";

/** What the package programs need of a machine. */
export interface PackageMachine {
  readonly machine: Pick<Machine, "architecture">;
  readonly runtime: Containerd;
  readonly kubelet: Pick<Kubelet, "options">;
}

export interface Package {
  readonly name: string;
  readonly description: string;
  readonly installed: string;
  /** What its repository has: at least as new as what is installed. */
  readonly candidate: string;
  readonly source: Source;
}

export interface Source {
  /** As `apt-get update` names it. */
  readonly release: string;
  /** As `apt-cache policy` names it, without the architecture. */
  readonly suite: string;
  readonly distribution: string;
}

const docker: Source = {
  release: "https://download.docker.com/linux/debian trixie InRelease",
  suite: "https://download.docker.com/linux/debian trixie/stable",
  distribution: "trixie",
};

/** Of the kubelet's minor version. */
function kubernetes(version: string): Source {
  const base = `https://pkgs.k8s.io/core:/stable:/${version.split(".").slice(0, 2).join(".")}/deb `;
  return { release: `${base} InRelease`, suite: base, distribution: "unknown" };
}

export function packagesOf({ runtime, kubelet }: PackageMachine): readonly Package[] {
  const version = kubelet.options.version ?? defaultKubeletVersion;
  const source = kubernetes(version);
  const minor = version.split(".").slice(0, 2).join(".").replace("v", "");
  const current = (name: string, installed: string, description: string): Package => ({
    name,
    description,
    installed,
    candidate: installed,
    source,
  });
  return [
    {
      name: "containerd.io",
      description: "An open and reliable container runtime",
      installed: containerdReleases[runtime.installed].packageVersion,
      candidate: containerdReleases[usualContainerd].packageVersion,
      source: docker,
    },
    current("cri-tools", `${minor}.0-1.1`, "Command-line utility for interacting with a container runtime"),
    current("kubelet", `${version.slice(1)}-1.1`, "Node agent for Kubernetes clusters"),
  ];
}

export function isUpgradable({ installed, candidate }: Package): boolean {
  return installed !== candidate;
}

export function containerdOf(packageVersion: string): ContainerdVersion | undefined {
  return Object.entries(containerdReleases).find(([, release]) => release.packageVersion === packageVersion)?.[0] as
    | ContainerdVersion
    | undefined;
}
