// What a kubelet makes of the version of its machine's control groups when it starts: on version 1 it does not go on unless it is
// told to (pkg/kubelet/apis/config/validation), and then warns of it (pkg/kubelet/kubelet_linux.go).

import type { CgroupVersion } from "#sim/process/boot.ts";
import type { KubeletConfiguration } from "./configuration-fields.ts";
import { StartRefusal } from "./start/start-refusal.ts";

/** Since this minor release of Kubernetes 1 version 1 is deprecated; before it was maintained, and no reason to refuse. */
const deprecatedSince = 35;

function isDeprecated(kubeletVersion: string): boolean {
  return Number(kubeletVersion.split(".")[1]) >= deprecatedSince;
}

/** `kubeletVersion`: `v1.36.0`. */
export function failsOnCgroupV1({ failCgroupV1 }: KubeletConfiguration, kubeletVersion: string): boolean {
  return failCgroupV1 ?? isDeprecated(kubeletVersion);
}

/** Throws StartRefusal. */
export function checkCgroups(version: CgroupVersion, configuration: KubeletConfiguration, kubeletVersion: string): void {
  if (version === 2) return;
  if (failsOnCgroupV1(configuration, kubeletVersion)) {
    const state = isDeprecated(kubeletVersion) ? "unsupported and will be removed in a future release" : "in maintenance mode";
    throw refusal(`kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is ${state}`);
  }
  if (configuration.singleProcessOOMKill === false)
    throw refusal("invalid configuration: singleProcessOOMKill must not be explicitly set to false when using cgroup v1");
}

function refusal(error: string): StartRefusal {
  return new StartRefusal(`failed to validate kubelet configuration, error: ${error}, path: &TypeMeta{Kind:,APIVersion:,}`);
}

/** Of the event and the line in the journal. */
export function cgroupWarning(kubeletVersion: string): string {
  return isDeprecated(kubeletVersion)
    ? "cgroup v1 detected. cgroup v1 support is deprecated and will be removed in a future release. Please migrate to cgroup v2. More information at https://git.k8s.io/enhancements/keps/sig-node/5573-remove-cgroup-v1"
    : "cgroup v1 support is in maintenance mode, please migrate to cgroup v2";
}
