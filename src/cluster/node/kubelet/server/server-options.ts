// What the server of a kubelet knows of the kubelet.

import type { KubeletOptions } from "../kubelet-options.ts";
import type { StoredPod } from "../pod-spec.ts";
import type { ProbeCount } from "../probes/probe-counts.ts";
import type { VolumeUse } from "../volumes/volume-manager.ts";

export interface KubeletServerOptions {
  readonly kubelet: KubeletOptions;
  /** With the status that the kubelet has. */
  readonly pods: () => readonly StoredPod[];
  /** What a pod's volumes take of the disk. */
  readonly volumesOf: (podUid: string) => readonly VolumeUse[];
  readonly probes: () => readonly ProbeCount[];
  /** `container 139 Error`: how often a container has ended so. */
  readonly terminations: () => ReadonlyMap<string, number>;
}

/** Of a kubelet that runs. */
export interface Asked extends KubeletServerOptions {
  readonly startedMs: number;
  /** How often each check of its health was made. */
  readonly healthCounts: Map<string, number>;
}
