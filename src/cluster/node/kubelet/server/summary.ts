// /stats/summary: use of the node and its pods as JSON (k8s.io/kubelet/pkg/apis/stats/v1alpha1), as far as it is metered.
// Not there: systemContainers, network, runtime, rlimit, logs, volumes and page faults.

import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Machine } from "../../host/machine.ts";
import type { ContainerUsage, NodeUsage, PodUsage, Use } from "./usage.ts";

/** Of the node's disk. */
export interface DiskUse {
  readonly diskBytes: number;
  readonly inodes: number;
}

/** `storage`: by a pod's uid; undefined where only processor and memory are asked for (`?only_cpu_and_memory=true`). */
export function statsSummary(
  { name: nodeName, disk, diskBytes: capacityBytes }: Machine,
  usage: NodeUsage,
  storage: ReadonlyMap<string, DiskUse> | undefined,
): JsonValue {
  const time = formatTime(usage.timeMs);
  const swap = { swap: { time, swapUsageBytes: 0 } };
  const parts = (use: Use, limitBytes?: number) => ({ cpu: cpuOf(use, time), memory: memoryOf(use, time, limitBytes) });
  const { inodes = 0, freeInodes: inodesFree } = disk;
  const availableBytes = Math.max(0, disk.roomBytes);
  const files = (name: string, use: DiskUse | undefined): { [name: string]: JsonValue } =>
    use === undefined
      ? {}
      : { [name]: { time, availableBytes, capacityBytes, usedBytes: use.diskBytes, inodesFree, inodes, inodesUsed: use.inodes } };
  const ofNode = { diskBytes: capacityBytes - availableBytes, inodes: inodes - inodesFree };
  const container = (each: ContainerUsage): JsonValue => ({
    name: each.name,
    startTime: formatTime(each.startedMs),
    ...parts(each, each.memoryLimitBytes),
    ...(storage === undefined ? {} : { rootfs: { time, usedBytes: each.writableLayerBytes } }),
    swap: { time, swapAvailableBytes: 0, swapUsageBytes: 0 },
  });
  const pod = (each: PodUsage): JsonValue => ({
    podRef: { name: each.name, namespace: each.namespace, uid: each.uid },
    startTime: formatTime(each.startedMs),
    containers: each.containers.map(container),
    ...parts(each),
    ...files("ephemeral-storage", storage?.get(each.uid)),
    ...swap,
  });
  return {
    node: {
      nodeName,
      startTime: formatTime(usage.startedMs),
      ...parts(usage, usage.capacityBytes),
      ...files("fs", storage && ofNode),
      ...swap,
    },
    pods: usage.pods.map(pod),
  };
}

function cpuOf(use: Use, time: string): JsonValue {
  return { time, usageNanoCores: use.cpuNanoCores, usageCoreNanoSeconds: use.cpuNanoSeconds };
}

function memoryOf({ memoryBytes }: Use, time: string, limitBytes: number | undefined): JsonValue {
  const available = limitBytes === undefined ? {} : { availableBytes: Math.max(0, limitBytes - memoryBytes) };
  return { time, ...available, usageBytes: memoryBytes, workingSetBytes: memoryBytes, rssBytes: memoryBytes };
}
