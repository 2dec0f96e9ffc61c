// What the node has given its pods. A resize asks for other amounts: they are given at once, put off until there is room, or
// never (kubelet's allocation manager). What a pod is run with is what was given, not what its spec asks for.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Container, PodCondition, PodSpec } from "#cluster/api/generated/types.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { podRequests, resourcesOf } from "#cluster/scheduler/resources.ts";
import { admit, type NodeUsage } from "./admission.ts";
import { containersOf, initContainersOf, type StoredPod } from "./pod-spec.ts";

export interface AllocationsOptions {
  readonly usage: NodeUsage;
  readonly recorder: EventRecorder;
  allocatable(): { readonly [resource: string]: string };
  /** The present time as API objects carry it. */
  now(): string;
}

interface Entry {
  /** The newest version of the pod. */
  wanted: StoredPod;
  /** The same with the resources that the node has given it. */
  given: StoredPod;
  pending: PodCondition | undefined;
  inProgress: PodCondition | undefined;
}

interface Refusal {
  readonly reason: "Deferred" | "Infeasible";
  readonly message: string;
}

export class Allocations {
  readonly #options: AllocationsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: AllocationsOptions) {
    this.#options = options;
  }

  /** A pod begins here; `running` are the resources of containers that an earlier kubelet started. The answer is what to run. */
  add(pod: StoredPod, running: ReadonlyMap<string, Container["resources"]>): StoredPod {
    const given = running.size === 0 ? pod : withResources(pod, ({ name, resources }) => running.get(name) ?? resources);
    this.#entries.set(pod.metadata.uid, { wanted: pod, given, pending: undefined, inProgress: undefined });
    this.#options.usage.add(given);
    return given === pod ? pod : this.update(pod);
  }

  /** A new version of the pod; the answer is what to run. */
  update(pod: StoredPod): StoredPod {
    const entry = this.#entries.get(pod.metadata.uid);
    if (entry === undefined) return pod;
    const isSameWish = entry.pending !== undefined && hasSameResources(entry.wanted, pod);
    entry.wanted = pod;
    entry.given = withResourcesOf(pod, entry.given);
    if (entry.given === pod) entry.pending = undefined;
    else if (!isSameWish) this.#tryToGive(entry);
    return entry.given;
  }

  /** The node has more room than before: the pods whose wishes were put off and which now stand otherwise. */
  retry(): readonly StoredPod[] {
    const changed: StoredPod[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.pending?.reason === "Deferred" && this.#tryToGive(entry)) changed.push(entry.given);
    }
    return changed;
  }

  /** Whether a resize has been given and is not known to be carried out. */
  isInProgress(pod: StoredPod): boolean {
    return this.#entries.get(pod.metadata.uid)?.inProgress !== undefined;
  }

  /** All containers run with what they were given. */
  completed(pod: StoredPod): void {
    const entry = this.#entries.get(pod.metadata.uid);
    if (entry?.inProgress === undefined) return;
    const generation = entry.inProgress.observedGeneration;
    entry.inProgress = undefined;
    this.#options.recorder.normal(pod, "ResizeCompleted", `Pod resize completed: ${summaryOf(pod, generation)}`);
  }

  /** The runtime could not do it; it is tried again. */
  failed(pod: StoredPod, message: string): void {
    const entry = this.#entries.get(pod.metadata.uid);
    if (entry === undefined || entry.inProgress?.message === message) return;
    const generation = entry.inProgress?.observedGeneration ?? pod.metadata.generation;
    entry.inProgress = this.#condition("PodResizeInProgress", entry.inProgress, generation, { reason: "Error", message });
    this.#options.recorder.warning(pod, "ResizeError", `Pod resize error: ${summaryOf(pod, generation, message)}`);
  }

  conditionsOf(uid: string): readonly PodCondition[] {
    const entry = this.#entries.get(uid);
    return [entry?.pending, entry?.inProgress].filter((condition) => condition !== undefined);
  }

  remove(uid: string): void {
    this.#entries.delete(uid);
    this.#options.usage.remove(uid);
  }

  /** True when the pod now has what it wants, or is refused in other words than before. */
  #tryToGive(entry: Entry): boolean {
    const { recorder, usage } = this.#options;
    const { wanted, pending } = entry;
    const { generation } = wanted.metadata;
    const refusal = this.#refusalOf(wanted);
    if (refusal === undefined) {
      entry.given = wanted;
      entry.pending = undefined;
      entry.inProgress = this.#condition("PodResizeInProgress", undefined, generation, undefined);
      usage.add(wanted);
      recorder.normal(wanted, "ResizeStarted", `Pod resize started: ${summaryOf(wanted, generation)}`);
      return true;
    }
    const { reason, message } = refusal;
    if (pending?.reason === reason && pending.message === message && pending.observedGeneration === generation) return false;
    entry.pending = this.#condition("PodResizePending", pending, generation, refusal);
    recorder.warning(wanted, `Resize${reason}`, `Pod resize ${reason}: ${summaryOf(wanted, generation, message)}`);
    return true;
  }

  #refusalOf(pod: StoredPod): Refusal | undefined {
    const { usage } = this.#options;
    const allocatable = this.#options.allocatable();
    const requests = podRequests(pod.spec as PodSpec);
    const limits = resourcesOf(allocatable);
    const tooMuch = (what: string, requested: number, capacity: number): Refusal => ({
      reason: "Infeasible",
      message: `Node didn't have enough capacity: ${what}, requested: ${requested}, capacity: ${capacity}`,
    });
    if (requests.memory > limits.memory) return tooMuch("memory", requests.memory, limits.memory);
    if (requests.milliCpu > limits.milliCpu) return tooMuch("cpu", requests.milliCpu, limits.milliCpu);
    const refusal = usage.without(pod.metadata.uid, () => admit(pod, undefined, allocatable, usage));
    return refusal === undefined ? undefined : { reason: "Deferred", message: refusal.message };
  }

  #condition(
    type: "PodResizePending" | "PodResizeInProgress",
    before: PodCondition | undefined,
    generation: Int64 | undefined,
    refusal: { readonly reason: string; readonly message: string } | undefined,
  ): PodCondition {
    const now = this.#options.now();
    return {
      lastProbeTime: now,
      lastTransitionTime: before?.lastTransitionTime ?? now,
      ...(refusal === undefined ? {} : { message: refusal.message }),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(refusal === undefined ? {} : { reason: refusal.reason }),
      status: "True",
      type,
    };
  }
}

function hasSameResources(a: StoredPod, b: StoredPod): boolean {
  return a.spec === b.spec || withResourcesOf(a, b) === a;
}

/** The pod with the resources that another version of it has; the pod itself when they are the same. */
function withResourcesOf(pod: StoredPod, other: StoredPod): StoredPod {
  if (pod.spec === other.spec || pod.spec === undefined) return pod;
  const known = new Map<string, Container["resources"]>();
  for (const { name, resources } of [...containersOf(other), ...initContainersOf(other)]) known.set(name, resources);
  const held = withResources(pod, ({ name, resources }) => (known.has(name) ? known.get(name) : resources));
  const podLevel = other.spec?.resources;
  if (semanticDeepEqual(pod.spec.resources, podLevel) || held.spec === undefined) return held;
  const { resources: _resources, ...rest } = held.spec;
  return { ...held, spec: { ...rest, ...(podLevel === undefined ? {} : { resources: podLevel }) } };
}

function withResources(pod: StoredPod, resourcesFor: (container: Container) => Container["resources"]): StoredPod {
  if (pod.spec === undefined) return pod;
  const containers = replaced(pod.spec.containers, resourcesFor);
  const initContainers = pod.spec.initContainers && replaced(pod.spec.initContainers, resourcesFor);
  if (containers === pod.spec.containers && initContainers === pod.spec.initContainers) return pod;
  return { ...pod, spec: { ...pod.spec, containers, ...(initContainers === undefined ? {} : { initContainers }) } };
}

function replaced(
  containers: readonly Container[],
  resourcesFor: (container: Container) => Container["resources"],
): readonly Container[] {
  let isChanged = false;
  const result = containers.map((container) => {
    const resources = resourcesFor(container);
    if (resources === container.resources || semanticDeepEqual(resources ?? {}, container.resources ?? {})) return container;
    isChanged = true;
    return { ...container, resources: resources ?? {} };
  });
  return isChanged ? result : containers;
}

/** The JSON that the events carry. */
function summaryOf(pod: StoredPod, generation: Int64 | undefined, error?: string): string {
  const allocations = (containers: readonly Container[]) =>
    containers.map(({ name, resources: { limits, requests, claims } = {} }) => ({
      name,
      resources: { limits, requests, claims },
    }));
  const initContainers = initContainersOf(pod);
  return JSON.stringify({
    initContainers: initContainers.length === 0 ? undefined : allocations(initContainers),
    containers: allocations(containersOf(pod)),
    generation: generation ?? 0,
    error,
  });
}
