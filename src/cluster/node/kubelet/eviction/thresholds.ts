// When a node is low on something: the eviction fields of KubeletConfiguration, and what they amount to
// (pkg/kubelet/eviction: ParseThresholdConfig; defaults of pkg/kubelet/apis/config/v1beta1).

import { parseGoDuration } from "#cluster/api/duration.ts";
import { parseQuantity, quantitySign, quantityValue } from "#cluster/api/quantity.ts";

export type Signal =
  | "memory.available"
  | "allocatableMemory.available"
  | "nodefs.available"
  | "nodefs.inodesFree"
  | "imagefs.available"
  | "imagefs.inodesFree"
  | "pid.available";

type BySignal = { readonly [signal: string]: string };

/** As in KubeletConfiguration. */
export interface EvictionConfiguration {
  readonly evictionHard?: BySignal | undefined;
  readonly evictionSoft?: BySignal | undefined;
  readonly evictionSoftGracePeriod?: BySignal | undefined;
  readonly evictionMinimumReclaim?: BySignal | undefined;
  readonly evictionMaxPodGracePeriod?: number | undefined;
  readonly evictionPressureTransitionPeriod?: string | undefined;
  readonly mergeDefaultEvictionSettings?: boolean | undefined;
}

/** So much, or a part of what there is (0 to 1). */
export type Amount = { readonly units: number } | { readonly part: number };

export interface Threshold {
  readonly signal: Signal;
  /** The node is low when less than this is available. */
  readonly value: Amount;
  /** For how long it must be low; 0: a hard threshold. */
  readonly graceMs: number;
  /** Once low, so much more than the value must be available. */
  readonly minimumReclaim: Amount | undefined;
}

export interface EvictionPolicy {
  readonly thresholds: readonly Threshold[];
  /** Of Pods that go for a soft threshold. */
  readonly maxPodGraceSeconds: number;
  /** For how long a node condition stays after what it was for. */
  readonly transitionMs: number;
}

export const defaultHard: BySignal = {
  "memory.available": "100Mi",
  "nodefs.available": "10%",
  "nodefs.inodesFree": "5%",
  "imagefs.available": "15%",
  "imagefs.inodesFree": "5%",
};

/** In the order in which they are looked at where several are met. */
const signals: readonly Signal[] = [
  "memory.available",
  "allocatableMemory.available",
  "nodefs.available",
  "nodefs.inodesFree",
  "imagefs.available",
  "imagefs.inodesFree",
  "pid.available",
];

/** Containers' layers lie on the node's file system: what holds there holds for them, whatever is said. */
const overridden = ["containerfs.available", "containerfs.inodesFree"];
const defaultTransitionMs = 300_000;

/** Throws Error with the kubelet's words for what it does not start with. */
export function evictionPolicyOf(configuration: EvictionConfiguration): EvictionPolicy {
  const { evictionHard, evictionSoft = {}, evictionSoftGracePeriod = {}, evictionMinimumReclaim = {} } = configuration;
  const merged = configuration.mergeDefaultEvictionSettings === true ? { ...defaultHard, ...evictionHard } : evictionHard;
  const grace = mapValues(evictionSoftGracePeriod, graceMs);
  const reclaim = mapValues(evictionMinimumReclaim, reclaimOf);
  const thresholds: Threshold[] = [];
  const add = (signal: Signal, value: Amount, ms: number) =>
    thresholds.push({ signal, value, graceMs: ms, minimumReclaim: reclaim.get(signal) });
  const soft = mapValues(evictionSoft, thresholdValue);
  for (const signal of soft.keys())
    if (!grace.has(signal)) throw new Error(`grace period must be specified for the soft eviction threshold ${signal}`);
  for (const [signal, value] of mapValues(merged ?? defaultHard, thresholdValue)) {
    if (value === undefined || overridden.includes(signal)) continue;
    add(signal as Signal, value, 0);
    // The pods' control group is watched as the node is (addAllocatableThresholds).
    if (signal === "memory.available") add("allocatableMemory.available", value, 0);
  }
  for (const [signal, value] of soft)
    if (value !== undefined && !overridden.includes(signal)) add(signal as Signal, value, grace.get(signal) ?? 0);
  thresholds.sort((a, b) => signals.indexOf(a.signal) - signals.indexOf(b.signal));
  const transitionMs = durationMs(configuration.evictionPressureTransitionPeriod ?? "0s");
  return {
    thresholds,
    maxPodGraceSeconds: configuration.evictionMaxPodGracePeriod ?? 0,
    transitionMs: transitionMs === 0 ? defaultTransitionMs : transitionMs,
  };
}

function mapValues<T>(entries: BySignal, read: (signal: string, text: string) => T): ReadonlyMap<string, T> {
  const result = new Map<string, T>();
  for (const [signal, text] of Object.entries(entries)) {
    if (!signals.includes(signal as Signal) && !overridden.includes(signal))
      throw new Error(`unsupported eviction signal ${signal}`);
    result.set(signal, read(signal, text));
  }
  return result;
}

/** Undefined: 0% and 100% switch a threshold off. */
function thresholdValue(signal: string, text: string): Amount | undefined {
  if (text === "0%" || text === "100%") return undefined;
  const part = partOf(text);
  if (part === undefined) {
    const quantity = parseQuantity(text);
    if (quantitySign(quantity) <= 0) throw new Error(`eviction threshold ${signal} must be positive: ${text}`);
    return { units: quantityValue(quantity) };
  }
  if (part < 0) throw new Error(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
  if (part > 1) throw new Error(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
  return { part };
}

function reclaimOf(signal: string, text: string): Amount {
  const part = partOf(text);
  if (part !== undefined) {
    if (part <= 0) throw new Error(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
    return { part };
  }
  const quantity = parseQuantity(text);
  if (quantitySign(quantity) < 0) throw new Error(`negative eviction minimum reclaim specified for ${signal}`);
  return { units: quantityValue(quantity) };
}

/** In the precision of a 32-bit float, as the kubelet reckons. */
function partOf(text: string): number | undefined {
  if (!text.endsWith("%")) return undefined;
  const percent = Number(text.slice(0, -1));
  if (Number.isNaN(percent)) throw new Error(`strconv.ParseFloat: parsing "${text.slice(0, -1)}": invalid syntax`);
  return Math.fround(Math.fround(percent) / 100);
}

function graceMs(_signal: string, text: string): number {
  const ms = durationMs(text);
  if (ms < 0) throw new Error(`invalid eviction grace period specified: ${text}, must be a positive value`);
  return ms;
}

function durationMs(text: string): number {
  const parsed = parseGoDuration(text);
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed.ms;
}

/** In bytes, inodes or process numbers, of so many that there are. */
export function unitsOf(amount: Amount, capacity: number): number {
  return "units" in amount ? amount.units : Math.trunc(capacity * amount.part);
}
