// What the machine and its pods use now, as the kubelet's stats provider sums it up (pkg/kubelet/stats).

import { systemMillicores } from "../../host/machine.ts";
import type { GroupUse } from "../../runtime/cri.ts";
import type { KubeletOptions } from "../kubelet-options.ts";
import type { StoredPod } from "../pod-spec.ts";

export interface Use {
  /** Processor time since the start, in nanoseconds of one core. */
  readonly cpuNanoSeconds: number;
  /** At this moment, in billionths of a core. */
  readonly cpuNanoCores: number;
  readonly memoryBytes: number;
  readonly swapBytes: number;
}

export interface ContainerUsage extends Use {
  readonly name: string;
  readonly startedMs: number;
  readonly memoryLimitBytes: number | undefined;
  readonly swapLimitBytes: number;
  readonly writableLayerBytes: number;
}

export interface PodUsage extends Use {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly startedMs: number;
  /** Those that run, by name. */
  readonly containers: readonly ContainerUsage[];
}

export interface NodeUsage extends Use {
  readonly timeMs: number;
  readonly startedMs: number;
  readonly capacityBytes: number;
  /** Those with a sandbox that is ready. */
  readonly pods: readonly PodUsage[];
}

function useOf({ cpuMs, cpuMillicores, memoryBytes, swapBytes }: Omit<GroupUse, "processes">): Use {
  return { cpuNanoSeconds: Math.round(cpuMs * 1e6), cpuNanoCores: Math.round(cpuMillicores * 1e6), memoryBytes, swapBytes };
}

export function nodeUsage({ simulation, machine, runtime }: KubeletOptions, pods: Iterable<StoredPod>): NodeUsage {
  const { nowMs } = simulation;
  const inContainers = runtime.nodeUse();
  const systemCpuMs = ((nowMs - machine.startedMs) * systemMillicores) / 1000;
  const use = useOf({
    cpuMs: inContainers.cpuMs + systemCpuMs,
    cpuMillicores: inContainers.cpuMillicores + systemMillicores,
    // Also what programs and files in memory take that belong to no pod, as in the signal memory.available.
    memoryBytes: machine.memoryBytes - machine.availableMemoryBytes,
    swapBytes: machine.group.swapBytes,
  });
  const used: PodUsage[] = [];
  for (const pod of pods) {
    const usage = podUsage(runtime, pod);
    if (usage !== undefined) used.push(usage);
  }
  return { ...use, timeMs: nowMs, startedMs: machine.startedMs, capacityBytes: machine.memoryBytes, pods: used };
}

function podUsage(runtime: KubeletOptions["runtime"], pod: StoredPod): PodUsage | undefined {
  const { name, namespace = "", uid } = pod.metadata;
  const sandbox = runtime.sandboxesOf(uid)[0];
  if (sandbox?.state !== "ready") return undefined;
  const running = runtime.containersOf(uid).filter(({ state }) => state === "running");
  const containers = running.map(({ id, config, resources, createdMs }): ContainerUsage => {
    const use = runtime.use(id);
    return {
      ...useOf(use),
      name: config.name,
      startedMs: createdMs,
      memoryLimitBytes: resources.memoryLimitBytes,
      swapLimitBytes: resources.swapLimitBytes ?? 0,
      writableLayerBytes: use.writableLayerBytes,
    };
  });
  return { ...useOf(runtime.podUse(uid)), name, namespace, uid, startedMs: sandbox.createdMs, containers };
}
