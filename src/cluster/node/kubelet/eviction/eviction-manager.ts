// Ends Pods that write more than they may, and Pods of a node that is low on memory, disk or process numbers
// (pkg/kubelet/eviction/eviction_manager.go). Looks every ten seconds; after an eviction as soon as the Pod has ended.

import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { isTolerated } from "#cluster/scheduler/tolerations.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { Machine } from "../../host/machine.ts";
import type { ContainerRuntime } from "../../runtime/cri.ts";
import type { Refusal } from "../admission.ts";
import { latePreemption } from "../late-preemption.ts";
import { goList, isCritical, type StoredPod } from "../pod-spec.ts";
import type { Verdict } from "../status/pod-status.ts";
import { qosClassOf } from "../status/qos.ts";
import type { VolumeUse } from "../volumes/volume-manager.ts";
import { excessOf, storageLimitsOf } from "./local-storage.ts";
import { type PodUsage, podUsage } from "./pod-usage.ts";
import { isMet, type Observations, observe, type PressureCondition, signalFacts } from "./signals.ts";
import type { EvictionPolicy, Threshold } from "./thresholds.ts";

export interface EvictionOptions {
  readonly simulation: Simulation;
  readonly machine: Machine;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  readonly policy: EvictionPolicy;
  /** Of kubeReserved and systemReserved. */
  readonly reservedMemoryBytes: number;
  /** Whether limits of local storage count (localStorageCapacityIsolation). */
  readonly limitsLocalStorage: boolean;
  /** Those that have not ended. */
  readonly activePods: () => readonly StoredPod[];
  /** Of these, those that have limits of local storage. */
  readonly limitedPods: () => readonly StoredPod[];
  /** Nothing of the Pod runs any more. */
  readonly hasEnded: (podUid: string) => boolean;
  /** What its volumes on the disk take now. */
  readonly volumesOf: (podUid: string) => readonly VolumeUse[];
  readonly evict: (pod: StoredPod, verdict: Verdict, graceSeconds: number) => void;
  /** Removes dead containers and unused images. */
  readonly freeDisk: () => void;
  /** Nothing of an evicted Pod is kept on the node. */
  readonly removeContainers: (podUid: string) => void;
}

export type Pressure = { readonly memory: boolean; readonly disk: boolean; readonly pid: boolean };

const periodMs = 10_000;
/** How old what is known of volumes may become (volumeStatsAggPeriod), and how often garbage is collected (ContainerGCPeriod). */
const slowPeriodMs = 60_000;
const cleanupPollMs = 1_000;
const cleanupLimitMs = 30_000;
const immediateGraceSeconds = 1;
const conditionOrder: readonly PressureCondition[] = ["MemoryPressure", "DiskPressure", "PIDPressure"];
const noPressure: Pressure = { memory: false, disk: false, pid: false };
const noVolumes: readonly VolumeUse[] = [];
const nobody: readonly StoredPod[] = [];
const memoryTaint = { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" };

export class EvictionManager {
  readonly #options: EvictionOptions;
  /** When each threshold that is met was first seen to be. */
  #firstSeenMs: ReadonlyMap<Threshold, number> = new Map();
  /** Met for long enough, and not yet made up for. */
  #met: readonly Threshold[] = [];
  readonly #lastSeenMs = new Map<PressureCondition, number>();
  #conditions: readonly PressureCondition[] = [];
  #pressure = noPressure;
  #volumes = new Map<string, readonly VolumeUse[]>();
  readonly #evicted = new Set<string>();
  #slowLookMs = 0;
  #timer: Timer | undefined;

  constructor(options: EvictionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#slowLookMs = this.#options.simulation.nowMs;
    this.#look();
  }

  stop(): void {
    this.#options.simulation.cancel(this.#timer);
  }

  /** The same object until it changes. */
  get pressure(): Pressure {
    return this.#pressure;
  }

  /** Why the node takes no such Pod now; undefined when it does. */
  refusal(pod: StoredPod): Refusal | undefined {
    if (this.#conditions.length === 0 || isCritical(pod)) return undefined;
    if (this.#conditions.length === 1 && this.#pressure.memory) {
      const isBestEffort = qosClassOf(pod) === "BestEffort";
      if (!isBestEffort || isTolerated(memoryTaint, pod.spec?.tolerations)) return undefined;
    }
    return { reason: "Evicted", message: `The node had condition: ${goList(this.#conditions)}. ` };
  }

  #later(delayMs: number, callback: () => void): void {
    this.#timer = this.#options.simulation.after(delayMs, callback, { background: true });
  }

  #look(): void {
    const evicted = this.#safelySynchronize();
    if (evicted.length === 0) this.#later(periodMs, () => this.#look());
    else this.#awaitEnd(evicted, this.#options.simulation.nowMs + cleanupLimitMs);
  }

  #awaitEnd(evicted: readonly StoredPod[], limitMs: number): void {
    this.#later(cleanupPollMs, () => {
      const { simulation, hasEnded } = this.#options;
      const isOver = simulation.nowMs >= limitMs || evicted.every(({ metadata }) => hasEnded(metadata.uid));
      if (isOver) this.#look();
      else this.#awaitEnd(evicted, limitMs);
    });
  }

  /** A surprise is told of; the next look comes all the same. */
  #safelySynchronize(): readonly StoredPod[] {
    const { simulation, machine } = this.#options;
    try {
      return this.#synchronize();
    } catch (error) {
      simulation.faults.note(`kubelet ${machine.name}`, "eviction", error);
      return nobody;
    }
  }

  /** Whom it has evicted. */
  #synchronize(): readonly StoredPod[] {
    const { machine, policy, reservedMemoryBytes } = this.#options;
    this.#lookSlowly();
    const observations = observe(machine, reservedMemoryBytes);
    const due = this.#dueThresholds(policy.thresholds, observations);
    const overLimits = this.#evictOverLimits();
    if (overLimits.length > 0) return overLimits;
    const first = due[0];
    return first === undefined ? nobody : this.#reclaim(first, due, observations);
  }

  /** Updates conditions; what is met for as long as its grace period. */
  #dueThresholds(thresholds: readonly Threshold[], observations: Observations): readonly Threshold[] {
    const { nowMs } = this.#options.simulation;
    const met = thresholds.filter(
      (threshold) =>
        isMet(threshold, observations, false) || (this.#met.includes(threshold) && isMet(threshold, observations, true)),
    );
    if (met.length === 0 && this.#lastSeenMs.size === 0) return met;
    this.#firstSeenMs = new Map(met.map((threshold) => [threshold, this.#firstSeenMs.get(threshold) ?? nowMs]));
    for (const { signal } of met) this.#lastSeenMs.set(signalFacts[signal].condition, nowMs);
    this.#updateConditions();
    this.#met = met.filter((threshold) => nowMs - (this.#firstSeenMs.get(threshold) ?? nowMs) >= threshold.graceMs);
    return this.#met;
  }

  #updateConditions(): void {
    const { simulation, policy } = this.#options;
    for (const [condition, seenMs] of this.#lastSeenMs)
      if (simulation.nowMs - seenMs >= policy.transitionMs) this.#lastSeenMs.delete(condition);
    const conditions = conditionOrder.filter((condition) => this.#lastSeenMs.has(condition));
    if (goList(conditions) === goList(this.#conditions)) return;
    this.#conditions = conditions;
    this.#pressure = {
      memory: conditions.includes("MemoryPressure"),
      disk: conditions.includes("DiskPressure"),
      pid: conditions.includes("PIDPressure"),
    };
  }

  /** Frees disk if that is enough; else one Pod goes. */
  #reclaim(threshold: Threshold, due: readonly Threshold[], observations: Observations): readonly StoredPod[] {
    const { machine, policy, recorder, activePods } = this.#options;
    const { resource, condition } = signalFacts[threshold.signal];
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: machine.name, uid: machine.name } };
    recorder.warning(node, "EvictionThresholdMet", `Attempting to reclaim ${resource}`);
    if (condition === "DiskPressure" && this.#isEnoughWithoutPods()) return [];
    const usages = new Map<StoredPod, PodUsage>();
    const pods = activePods();
    for (const pod of pods) usages.set(pod, this.#usageOf(pod));
    const usageOf = (pod: StoredPod) => usages.get(pod) as PodUsage;
    const victim = latePreemption.code.rankPods(pods, usageOf, resource).find((pod) => !isCritical(pod));
    if (victim === undefined) return [];
    const message = latePreemption.code.evictionMessage(resource, victim, usageOf(victim), due, observations);
    const ownSeconds = Number(victim.spec?.terminationGracePeriodSeconds ?? 30);
    const graceSeconds = threshold.graceMs === 0 ? immediateGraceSeconds : Math.min(ownSeconds, policy.maxPodGraceSeconds);
    this.#evict(victim, message, graceSeconds, message);
    return [victim];
  }

  #isEnoughWithoutPods(): boolean {
    const { machine, policy, reservedMemoryBytes, freeDisk } = this.#options;
    freeDisk();
    const after = observe(machine, reservedMemoryBytes);
    return !policy.thresholds.some((threshold) => isMet(threshold, after, true));
  }

  #evictOverLimits(): readonly StoredPod[] {
    if (!this.#options.limitsLocalStorage) return nobody;
    const evicted: StoredPod[] = [];
    for (const pod of this.#options.limitedPods()) {
      const limits = storageLimitsOf(pod);
      if (limits === undefined) continue;
      const message = excessOf(limits, this.#usageOf(pod), this.#volumesOf(pod));
      if (message === undefined || isCritical(pod)) continue;
      this.#evict(pod, message, immediateGraceSeconds, undefined);
      evicted.push(pod);
    }
    return evicted;
  }

  #evict(pod: StoredPod, message: string, graceSeconds: number, disruption: string | undefined): void {
    const verdict: Verdict = {
      phase: "Failed",
      reason: "Evicted",
      message,
      ...(disruption === undefined ? {} : { disruption: { reason: "TerminationByKubelet", message: disruption } }),
    };
    this.#evicted.add(pod.metadata.uid);
    this.#options.evict(pod, verdict, graceSeconds);
  }

  #usageOf(pod: StoredPod): PodUsage {
    return podUsage(this.#options.runtime, pod, this.#volumesOf(pod));
  }

  #volumesOf(pod: StoredPod): readonly VolumeUse[] {
    return this.#volumes.get(pod.metadata.uid) ?? noVolumes;
  }

  /** Volumes are looked at once a minute; in between the manager goes by what was seen then. */
  #lookSlowly(): void {
    const { simulation, activePods, volumesOf, hasEnded, removeContainers } = this.#options;
    if (simulation.nowMs - this.#slowLookMs < slowPeriodMs) return;
    this.#slowLookMs = simulation.nowMs;
    for (const uid of this.#evicted) {
      if (!hasEnded(uid)) continue;
      removeContainers(uid);
      this.#evicted.delete(uid);
    }
    this.#volumes = new Map();
    for (const { metadata } of activePods()) {
      const volumes = volumesOf(metadata.uid);
      if (volumes.length > 0) this.#volumes.set(metadata.uid, volumes);
    }
  }
}
