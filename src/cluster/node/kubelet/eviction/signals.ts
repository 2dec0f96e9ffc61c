// What the eviction manager sees of a node: how much of each resource there is, and how much of it is left.

import type { Machine } from "../../host/machine.ts";
import { type Signal, type Threshold, unitsOf } from "./thresholds.ts";

/** As messages name it. */
export type StarvedResource = "memory" | "ephemeral-storage" | "inodes" | "pids";

export type PressureCondition = "MemoryPressure" | "DiskPressure" | "PIDPressure";

export interface Observation {
  readonly available: number;
  readonly capacity: number;
}

export type Observations = { readonly [signal in Signal]: Observation };

export const signalFacts: {
  readonly [signal in Signal]: { readonly resource: StarvedResource; readonly condition: PressureCondition };
} = {
  "memory.available": { resource: "memory", condition: "MemoryPressure" },
  "allocatableMemory.available": { resource: "memory", condition: "MemoryPressure" },
  "nodefs.available": { resource: "ephemeral-storage", condition: "DiskPressure" },
  "nodefs.inodesFree": { resource: "inodes", condition: "DiskPressure" },
  "imagefs.available": { resource: "ephemeral-storage", condition: "DiskPressure" },
  "imagefs.inodesFree": { resource: "inodes", condition: "DiskPressure" },
  "pid.available": { resource: "pids", condition: "PIDPressure" },
};

/** Images, containers' layers and all else lie on one disk. `reservedBytes`: of kubeReserved and systemReserved. */
export function observe(machine: Machine, reservedBytes: number): Observations {
  const disk = { available: machine.disk.roomBytes, capacity: machine.diskBytes };
  const inodes = { available: machine.disk.freeInodes, capacity: machine.disk.inodes ?? 0 };
  const forPods = machine.memoryBytes - reservedBytes;
  return {
    "memory.available": { available: machine.availableMemoryBytes, capacity: machine.memoryBytes },
    "allocatableMemory.available": {
      available: Math.max(0, forPods - machine.podGroups.Guaranteed.memoryBytes),
      capacity: forPods,
    },
    "nodefs.available": disk,
    "nodefs.inodesFree": inodes,
    "imagefs.available": disk,
    "imagefs.inodesFree": inodes,
    "pid.available": { available: machine.maximumPids - machine.group.processCount, capacity: machine.maximumPids },
  };
}

/** `withReclaim`: what is wanted is more than the threshold by its minimum reclaim. */
export function isMet({ signal, value, minimumReclaim }: Threshold, observations: Observations, withReclaim: boolean): boolean {
  const { available, capacity } = observations[signal];
  const extra = withReclaim && minimumReclaim !== undefined ? unitsOf(minimumReclaim, capacity) : 0;
  return available < unitsOf(value, capacity) + extra;
}
