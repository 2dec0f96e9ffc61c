// /stats/summary: use of the node and its pods as JSON (k8s.io/kubelet/pkg/apis/stats/v1alpha1), as far as it is metered.
// Not there: systemContainers, network, fs, runtime, rlimit, logs, volumes, ephemeral-storage and page faults.

import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { ContainerUsage, NodeUsage, PodUsage, Use } from "./usage.ts";

/** `onlyCpuAndMemory`: what `?only_cpu_and_memory=true` asks for. */
export function statsSummary(nodeName: string, usage: NodeUsage, onlyCpuAndMemory: boolean): JsonValue {
  const time = formatTime(usage.timeMs);
  const swap = { swap: { time, swapUsageBytes: 0 } };
  const parts = (use: Use, limitBytes?: number) => ({ cpu: cpuOf(use, time), memory: memoryOf(use, time, limitBytes) });
  const container = (each: ContainerUsage): JsonValue => ({
    name: each.name,
    startTime: formatTime(each.startedMs),
    ...parts(each, each.memoryLimitBytes),
    ...(onlyCpuAndMemory ? {} : { rootfs: { time, usedBytes: each.writableLayerBytes } }),
    swap: { time, swapAvailableBytes: 0, swapUsageBytes: 0 },
  });
  const pod = (each: PodUsage): JsonValue => ({
    podRef: { name: each.name, namespace: each.namespace, uid: each.uid },
    startTime: formatTime(each.startedMs),
    containers: each.containers.map(container),
    ...parts(each),
    ...swap,
  });
  return {
    node: { nodeName, startTime: formatTime(usage.startedMs), ...parts(usage, usage.capacityBytes), ...swap },
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
