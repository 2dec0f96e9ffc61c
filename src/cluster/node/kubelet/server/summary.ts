// /stats/summary: use of the node and its pods as JSON (k8s.io/kubelet/pkg/apis/stats/v1alpha1), as far as it is metered.
// Not there: systemContainers, network, io, PSI, page faults, inodes of images, and volumes other than emptyDirs on the disk.

import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Machine } from "../../host/machine.ts";
import type { ContainerRuntime } from "../../runtime/cri.ts";
import { podUsage } from "../eviction/pod-usage.ts";
import type { StoredPod } from "../pod-spec.ts";
import type { Asked } from "./server-options.ts";
import { type ContainerUsage, nodeUsage, type PodUsage, type Use } from "./usage.ts";

interface Taken {
  readonly usedBytes: number;
  readonly inodesUsed?: number;
}

/** Everything of a node lies on one disk. */
function disk({ diskBytes, disk: { roomBytes, freeInodes, inodes = 0 } }: Machine, time: string) {
  return ({ usedBytes, inodesUsed }: Taken) => ({
    time,
    availableBytes: Math.max(0, roomBytes),
    capacityBytes: diskBytes,
    usedBytes,
    inodesFree: freeInodes,
    inodes,
    ...(inodesUsed === undefined ? {} : { inodesUsed }),
  });
}

/** `onlyCpuAndMemory`: what `?only_cpu_and_memory=true` asks for. */
export function statsSummary({ kubelet, pods, volumesOf }: Asked, onlyCpuAndMemory: boolean): JsonValue {
  const { machine, runtime } = kubelet;
  const known = new Map(pods().map((pod): [string, StoredPod] => [pod.metadata.uid, pod]));
  const usage = nodeUsage(kubelet, known.values());
  const time = formatTime(usage.timeMs);
  const onDisk = disk(machine, time);
  const swap = ({ swapBytes }: Use) => (onlyCpuAndMemory ? {} : { swap: { time, swapUsageBytes: swapBytes } });
  const parts = (use: Use, limitBytes?: number) => ({ cpu: cpuOf(use, time), memory: memoryOf(use, time, limitBytes) });
  const container = (uid: string, each: ContainerUsage): JsonValue => ({
    name: each.name,
    startTime: formatTime(each.startedMs),
    ...parts(each, each.memoryLimitBytes),
    ...(onlyCpuAndMemory
      ? {}
      : {
          ...filesOf(runtime, uid, each.name, onDisk),
          swap: { time, swapAvailableBytes: each.swapLimitBytes - each.swapBytes, swapUsageBytes: each.swapBytes },
        }),
  });
  const storageOf = (each: PodUsage) => {
    const volumes = volumesOf(each.uid);
    const { diskBytes, inodes, processes } = podUsage(runtime, known.get(each.uid) as StoredPod, volumes);
    const told = volumes.map(({ name, usedBytes, inodes: inodesUsed }) => ({ ...onDisk({ usedBytes, inodesUsed }), name }));
    return {
      ...(told.length === 0 ? {} : { volume: told }),
      "ephemeral-storage": onDisk({ usedBytes: diskBytes, inodesUsed: inodes }),
      process_stats: { process_count: processes },
    };
  };
  const pod = (each: PodUsage): JsonValue => ({
    podRef: { name: each.name, namespace: each.namespace, uid: each.uid },
    startTime: formatTime(each.startedMs),
    containers: each.containers.map((own) => container(each.uid, own)),
    ...parts(each),
    ...(onlyCpuAndMemory ? {} : storageOf(each)),
    ...swap(each),
  });
  const node = {
    nodeName: machine.name,
    startTime: formatTime(usage.startedMs),
    ...parts(usage, usage.capacityBytes),
    ...(onlyCpuAndMemory ? {} : nodeFiles(machine, runtime, time)),
    ...swap(usage),
  };
  return { node, pods: usage.pods.map(pod) };
}

function nodeFiles(machine: Machine, runtime: ContainerRuntime, time: string) {
  const onDisk = disk(machine, time);
  const { freeInodes, inodes = 0, roomBytes } = machine.disk;
  const sizes = new Map(runtime.images().map(({ image }) => [image.digest, image.sizeBytes]));
  const images = onDisk({ usedBytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) });
  return {
    fs: onDisk({ usedBytes: machine.diskBytes - Math.max(0, roomBytes), inodesUsed: inodes - freeInodes }),
    runtime: { imageFs: images, containerFs: images },
    rlimit: { time, maxpid: machine.maximumPids, curproc: machine.group.processCount },
  };
}

/** A container's writable layer, and all its logs. */
function filesOf(runtime: ContainerRuntime, podUid: string, name: string, onDisk: ReturnType<typeof disk>) {
  const found = runtime.containersOf(podUid).find(({ config, state }) => config.name === name && state === "running");
  if (found === undefined) return {};
  const { writableLayerBytes, writableLayerInodes } = runtime.use(found.id);
  const { usedBytes, inodes } = found.config.logFile.account;
  return {
    rootfs: onDisk({ usedBytes: writableLayerBytes, inodesUsed: writableLayerInodes }),
    logs: onDisk({ usedBytes, inodesUsed: inodes }),
  };
}

function cpuOf(use: Use, time: string): JsonValue {
  return { time, usageNanoCores: use.cpuNanoCores, usageCoreNanoSeconds: use.cpuNanoSeconds };
}

function memoryOf({ memoryBytes }: Use, time: string, limitBytes: number | undefined): JsonValue {
  const available = limitBytes === undefined ? {} : { availableBytes: Math.max(0, limitBytes - memoryBytes) };
  return { time, ...available, usageBytes: memoryBytes, workingSetBytes: memoryBytes, rssBytes: memoryBytes };
}
