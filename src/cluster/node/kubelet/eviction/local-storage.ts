// Limits of what a Pod may write on its node: sizeLimit of emptyDirs, ephemeral-storage of containers, and the sum of these
// (pkg/kubelet/eviction/eviction_manager.go: localStorageEviction).

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isZeroQuantity,
  parseQuantity,
  type Quantity,
  quantityValue,
} from "#cluster/api/quantity.ts";
import { isSidecar, type StoredPod } from "../pod-spec.ts";
import type { VolumeUse } from "../volumes/volume-manager.ts";
import type { PodUsage } from "./pod-usage.ts";

interface Limit {
  readonly name: string;
  readonly bytes: number;
  /** In canonical form. */
  readonly text: string;
}

export interface StorageLimits {
  readonly emptyDirs: readonly Limit[];
  readonly containers: readonly Limit[];
  readonly pod: Limit | undefined;
}

/** Most Pods have none, and all are asked often. */
const known = new WeakMap<PodSpec, StorageLimits | "none">();

export function storageLimitsOf({ spec }: StoredPod): StorageLimits | undefined {
  if (spec === undefined) return undefined;
  let limits = known.get(spec);
  if (limits === undefined) {
    limits = readLimits(spec);
    known.set(spec, limits);
  }
  return limits === "none" ? undefined : limits;
}

function readLimits(spec: PodSpec): StorageLimits | "none" {
  const emptyDirs: Limit[] = [];
  for (const { name, emptyDir } of spec.volumes ?? []) {
    // One in memory is as large as its file system.
    if (emptyDir?.sizeLimit === undefined || emptyDir.medium === "Memory") continue;
    const limit = limitOf(name, parseQuantity(emptyDir.sizeLimit));
    if (limit.bytes > 0) emptyDirs.push(limit);
  }
  const containers: Limit[] = [];
  for (const container of [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)]) {
    const quantity = storageLimit(container);
    if (quantity !== undefined && !isZeroQuantity(quantity)) containers.push(limitOf(container.name, quantity));
  }
  const sum = podSum(spec);
  if (emptyDirs.length === 0 && sum === undefined) return "none";
  return { emptyDirs, containers, pod: sum === undefined ? undefined : limitOf("", sum) };
}

function limitOf(name: string, quantity: Quantity): Limit {
  return { name, bytes: quantityValue(quantity), text: formatQuantity(quantity) };
}

function storageLimit({ resources }: Container): Quantity | undefined {
  const text = resources?.limits?.["ephemeral-storage"];
  return text === undefined ? undefined : parseQuantity(text);
}

function added(total: Quantity | undefined, more: Quantity | undefined): Quantity | undefined {
  if (total === undefined || more === undefined) return total ?? more;
  return addQuantities(total, more);
}

/** Containers and sidecars together, or the largest step of the initialisation (component-helpers: PodLimits). */
function podSum(spec: PodSpec): Quantity | undefined {
  let total: Quantity | undefined;
  for (const container of spec.containers) total = added(total, storageLimit(container));
  let sidecars: Quantity | undefined;
  let largest: Quantity | undefined;
  for (const container of spec.initContainers ?? []) {
    const own = storageLimit(container);
    if (isSidecar(container)) {
      total = added(total, own);
      sidecars = added(sidecars, own);
    }
    const step = isSidecar(container) ? sidecars : added(own, sidecars);
    if (step !== undefined && (largest === undefined || compareQuantities(step, largest) > 0)) largest = step;
  }
  if (total === undefined || largest === undefined) return total ?? largest;
  return compareQuantities(largest, total) > 0 ? largest : total;
}

/** Why the Pod has to go; undefined while it keeps to its limits. */
export function excessOf(limits: StorageLimits, usage: PodUsage, volumes: readonly VolumeUse[]): string | undefined {
  for (const { name, bytes, text } of limits.emptyDirs) {
    const used = volumes.find((volume) => volume.name === name)?.usedBytes ?? 0;
    if (used > bytes) return `Usage of EmptyDir volume "${name}" exceeds the limit "${text}". `;
  }
  if (limits.pod !== undefined && usage.diskBytes > limits.pod.bytes)
    return `Pod ephemeral local storage usage exceeds the total limit of containers ${limits.pod.text}. `;
  for (const { name, bytes, text } of limits.containers) {
    const used = usage.containers.find((container) => container.name === name)?.diskBytes ?? 0;
    if (used > bytes) return `Container ${name} exceeded its local ephemeral storage limit "${text}". `;
  }
  return undefined;
}
