// What one Pod uses of its node, as the summary API would tell the eviction manager: containers that run, all that lies in their
// directories of logs, and volumes on the disk.

import type { ContainerRuntime } from "../../runtime/cri.ts";
import type { StoredPod } from "../pod-spec.ts";
import type { VolumeUse } from "../volumes/volume-manager.ts";

export interface ContainerUsage {
  readonly name: string;
  readonly memoryBytes: number;
  /** Writable layer and logs. */
  readonly diskBytes: number;
  readonly inodes: number;
}

export interface PodUsage {
  readonly containers: readonly ContainerUsage[];
  readonly memoryBytes: number;
  readonly processes: number;
  /** Of containers and volumes. */
  readonly diskBytes: number;
  readonly inodes: number;
}

export function podUsage(runtime: ContainerRuntime, pod: StoredPod, volumes: readonly VolumeUse[]): PodUsage {
  const { uid } = pod.metadata;
  const containers: ContainerUsage[] = [];
  for (const container of runtime.containersOf(uid)) {
    const { name } = container.config;
    if (container.state !== "running") continue;
    const { memoryBytes, writableLayerBytes, writableLayerInodes } = runtime.use(container.id);
    const logs = container.config.logFile.account;
    containers.push({
      name,
      memoryBytes,
      diskBytes: writableLayerBytes + logs.usedBytes,
      inodes: writableLayerInodes + logs.inodes,
    });
  }
  const { memoryBytes, processes } = runtime.podUse(uid);
  let [diskBytes, inodes] = [0, 0];
  for (const each of containers) {
    diskBytes += each.diskBytes;
    inodes += each.inodes;
  }
  for (const each of volumes) {
    diskBytes += each.usedBytes;
    inodes += each.inodes;
  }
  return { containers, memoryBytes, processes, diskBytes, inodes };
}
