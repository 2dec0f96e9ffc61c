// How many replicas a metric asks for (pkg/controller/podautoscaler/replica_calculator.go, metrics/utilization.go). Values are thousandths.

import type { Container, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityMilliValue } from "#cluster/api/quantity.ts";
import { parseTime } from "#cluster/api/time.ts";
import { isPodReady, podCondition, podPhase } from "../pods.ts";
import type { AutoscalingSettings } from "./autoscaling-settings.ts";

/** Why there is no number; the message is what conditions and events say. */
export class MetricFailure extends Error {}

/** What was measured of a Pod. */
export interface Sample {
  /** Thousandths. */
  readonly value: number;
  readonly timeMs: number;
  readonly windowMs: number;
}

/** By the Pod's name. */
export type Samples = ReadonlyMap<string, Sample>;

/** How far from 1 the ratio of use to target may be without consequences. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** What a calculation looks at. */
export interface Scene {
  readonly nowMs: number;
  /** Of the selector, in whatever state. */
  readonly pods: readonly Stored<Pod>[];
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
  readonly settings: Pick<AutoscalingSettings, "cpuInitializationMs" | "readinessDelayMs">;
}

export interface Proposal {
  readonly replicas: number;
  /** Thousandths: the average of the Pods that count, or the value itself. */
  readonly value: number;
  readonly utilization?: number;
}

export function isWithin({ up, down }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

interface Groups {
  readonly readyCount: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  /** Failed, or being deleted. */
  readonly ignored: readonly string[];
}

function groupsOf({ pods, nowMs, settings }: Scene, samples: Samples, resource: string): Groups {
  const groups = { readyCount: 0, unready: [] as string[], missing: [] as string[], ignored: [] as string[] };
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    const sample = samples.get(name);
    if (deletionTimestamp !== undefined || podPhase(pod) === "Failed") groups.ignored.push(name);
    else if (podPhase(pod) === "Pending") groups.unready.push(name);
    else if (sample === undefined) groups.missing.push(name);
    else if (resource === "cpu" && isStartingUp(pod, sample, nowMs, settings)) groups.unready.push(name);
    else groups.readyCount += 1;
  }
  return groups;
}

/** Whether the sample may tell of the Pod's start, when it uses more than later. */
function isStartingUp(
  pod: Stored<Pod>,
  sample: Sample,
  nowMs: number,
  { cpuInitializationMs, readinessDelayMs }: Scene["settings"],
): boolean {
  const ready = podCondition(pod, "Ready");
  const { startTime } = pod.status ?? {};
  if (ready === undefined || startTime === undefined) return true;
  const startMs = parseTime(startTime);
  const changedMs = ready.lastTransitionTime === undefined ? 0 : parseTime(ready.lastTransitionTime);
  const isUnready = ready.status === "False";
  if (startMs + cpuInitializationMs > nowMs) return isUnready || sample.timeMs < changedMs + sample.windowMs;
  return isUnready && startMs + readinessDelayMs > changedMs;
}

/** Use and its ratio to what is wanted, of the samples that count. */
interface Use {
  readonly ratio: number;
  readonly value: number;
  readonly utilization?: number;
}

interface Measure {
  /** "" for metrics that are no resources. */
  readonly resource: string;
  readonly useOf: (samples: Samples) => Use;
  /** What a Pod without a sample is taken to use where the number would go down. */
  readonly fallback: (pod: string) => number;
}

/** A percentage of what the Pods' containers request (or one of their containers). Throws MetricFailure. */
export function utilizationReplicas(
  scene: Scene,
  samples: Samples,
  target: { readonly percent: number; readonly resource: string; readonly container: string },
): Proposal {
  const { percent, resource, container } = target;
  const requests = new Map<string, number>();
  return proposal(scene, samples, {
    resource,
    useOf: (counted) => {
      if (requests.size === 0) for (const pod of scene.pods) requests.set(pod.metadata.name, requestOf(pod, resource, container));
      return utilizationOf(counted, requests, percent);
    },
    fallback: (pod) => Math.trunc(((requests.get(pod) ?? 0) * Math.max(100, percent)) / 100),
  });
}

function utilizationOf(samples: Samples, requests: ReadonlyMap<string, number>, percent: number): Use {
  let used = 0;
  let requested = 0;
  let count = 0;
  for (const [pod, { value }] of samples) {
    const request = requests.get(pod);
    if (request === undefined) continue;
    used += value;
    requested += request;
    count += 1;
  }
  if (requested === 0) throw new MetricFailure("no metrics returned matched known pods");
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / percent, utilization, value: Math.trunc(used / count) };
}

/** An average of so many thousandths for each Pod. Throws MetricFailure. */
export function averageReplicas(
  scene: Scene,
  samples: Samples,
  target: { readonly value: number; readonly resource: string },
): Proposal {
  return proposal(scene, samples, {
    resource: target.resource,
    useOf: (counted) => {
      let total = 0;
      for (const { value } of counted.values()) total += value;
      const value = Math.trunc(total / counted.size);
      return { ratio: value / target.value, value };
    },
    fallback: () => target.value,
  });
}

/** Pods that have no sample, or are not ready, hold back: they never turn the direction round. */
function proposal(scene: Scene, samples: Samples, { resource, useOf, fallback }: Measure): Proposal {
  const { pods, specReplicas, tolerances } = scene;
  if (pods.length === 0) throw new MetricFailure("no pods returned by selector while calculating replica count");
  const { readyCount, unready, missing, ignored } = groupsOf(scene, samples, resource);
  const counted = new Map(samples);
  for (const name of [...ignored, ...unready]) counted.delete(name);
  if (counted.size === 0) throw new MetricFailure("did not receive metrics for targeted pods (pods might be unready)");
  const { ratio, ...use } = useOf(counted);
  const stay = { ...use, replicas: specReplicas };
  const isHeldBack = unready.length > 0 && ratio > 1;
  if (!isHeldBack && missing.length === 0)
    return isWithin(tolerances, ratio) ? stay : { ...use, replicas: Math.ceil(ratio * readyCount) };
  const assume = (names: readonly string[], used: (name: string) => number): void => {
    for (const name of names) counted.set(name, { value: used(name), timeMs: 0, windowMs: 0 });
  };
  if (ratio < 1) assume(missing, fallback);
  else if (ratio > 1) assume(missing, () => 0);
  if (isHeldBack) assume(unready, () => 0);
  const { ratio: all } = useOf(counted);
  if (isWithin(tolerances, all) || (ratio < 1 && all > 1) || (ratio > 1 && all < 1)) return stay;
  const replicas = Math.ceil(all * counted.size);
  const isTurned = (all < 1 && replicas > specReplicas) || (all > 1 && replicas < specReplicas);
  return isTurned ? stay : { ...use, replicas };
}

const mostReplicas = 2 ** 31 - 1;

/** One value for all, which shall be near the target. Throws MetricFailure. */
export function valueReplicas({ pods, specReplicas, tolerances }: Scene, value: number, target: number): Proposal {
  const ratio = value / target;
  if (specReplicas === 0) return { replicas: Math.ceil(ratio), value };
  if (isWithin(tolerances, ratio)) return { replicas: specReplicas, value };
  if (pods.length === 0)
    throw new MetricFailure("unable to calculate ready pods: no pods returned by selector while calculating replica count");
  const ready = pods.filter((pod) => podPhase(pod) === "Running" && isPodReady(pod)).length;
  return { replicas: Math.min(mostReplicas, Math.ceil(ratio * ready)), value };
}

/** One value that the Pods share: so much for each. */
export function sharedReplicas({ statusReplicas, tolerances }: Scene, value: number, target: number): Proposal {
  const isNear = isWithin(tolerances, value / (target * statusReplicas));
  return {
    replicas: isNear ? statusReplicas : Math.min(mostReplicas, Math.ceil(value / target)),
    value: statusReplicas === 0 ? 0 : Math.ceil(value / statusReplicas),
  };
}

/** Thousandths. Throws MetricFailure. */
function requestOf({ spec, metadata }: Stored<Pod>, resource: string, container: string): number {
  const { name: pod } = metadata;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const all: readonly Container[] = [...(spec?.containers ?? []), ...sidecars];
  const whole = spec?.resources?.requests;
  if (container === "" && whole !== undefined && Object.keys(whole).length > 0) {
    const own = whole[resource];
    const requests = own === undefined ? all.flatMap(({ resources }) => resources?.requests?.[resource] ?? []) : [own];
    if (requests.length === 0) throw new MetricFailure(`missing pod-level request for ${resource} in Pod ${pod}`);
    return requests.reduce((sum, request) => sum + quantityMilliValue(parseQuantity(request)), 0);
  }
  const wanted = container === "" ? all : all.filter(({ name }) => name === container);
  if (wanted.length === 0) throw new MetricFailure(`container ${container} not found in Pod ${pod}`);
  return wanted.reduce((sum, { name, resources }) => {
    const request = resources?.requests?.[resource];
    if (request === undefined) throw new MetricFailure(`missing request for ${resource} in container ${name} of Pod ${pod}`);
    return sum + quantityMilliValue(parseQuantity(request));
  }, 0);
}
