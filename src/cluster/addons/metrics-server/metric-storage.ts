// The last two readings of every node and container, and the use between them (pkg/storage).

import { addQuantities, formatQuantity, type Quantity } from "#cluster/api/quantity.ts";
import type { Batch, PodPoints, Point } from "./points.ts";

export interface Usage {
  readonly cpu: Quantity;
  readonly memory: Quantity;
}

export interface Measured {
  readonly timeMs: number;
  readonly windowMs: number;
}

export interface MeasuredPod extends Measured {
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

/** A container that is older than this and younger than a resolution is measured from its start. */
const leastWindowMs = 10_000;

export class MetricStorage {
  readonly #resolutionMs: number;
  #last: Batch = { nodes: new Map(), pods: new Map() };
  #before: Batch = this.#last;

  constructor(resolutionMs: number) {
    this.#resolutionMs = resolutionMs;
  }

  /** There is something to serve. */
  get isReady(): boolean {
    return this.#before.nodes.size > 0 || this.#before.pods.size > 0;
  }

  store(batch: Batch): void {
    const nodes = new Map<string, Point>();
    for (const [name, point] of batch.nodes) {
      const before = earlier(point, this.#last.nodes.get(name), this.#before.nodes.get(name));
      if (before !== undefined) nodes.set(name, before);
    }
    const pods = new Map<string, PodPoints>();
    for (const [key, points] of batch.pods) {
      const before = this.#earlierPoints(points, this.#last.pods.get(key), this.#before.pods.get(key));
      if (before.size > 0) pods.set(key, before);
    }
    this.#before = { nodes, pods };
    this.#last = batch;
  }

  node(name: string): (Measured & { readonly usage: Usage }) | undefined {
    const [last, before] = [this.#last.nodes.get(name), this.#before.nodes.get(name)];
    return last === undefined || before === undefined ? undefined : between(last, before);
  }

  /** Undefined also when one of the containers has no earlier point. */
  pod(namespace: string, name: string): MeasuredPod | undefined {
    const key = `${namespace}/${name}`;
    const [last, before] = [this.#last.pods.get(key), this.#before.pods.get(key)];
    if (last === undefined || before === undefined) return undefined;
    const containers: { readonly name: string; readonly usage: Usage }[] = [];
    let earliest: Measured | undefined;
    for (const [container, point] of last) {
      const previous = before.get(container);
      if (previous === undefined) return undefined;
      const measured = between(point, previous);
      if (measured === undefined) continue;
      containers.push({ name: container, usage: measured.usage });
      if (earliest === undefined || measured.timeMs < earliest.timeMs) earliest = measured;
    }
    return earliest === undefined ? undefined : { timeMs: earliest.timeMs, windowMs: earliest.windowMs, containers };
  }

  #earlierPoints(points: PodPoints, last: PodPoints | undefined, before: PodPoints | undefined): PodPoints {
    const result = new Map<string, Point>();
    for (const [container, point] of points) {
      const ageMs = point.timeMs - point.startMs;
      if (ageMs >= leastWindowMs && ageMs < this.#resolutionMs) {
        result.set(container, { ...point, timeMs: point.startMs, cpuNanoSeconds: 0 });
        continue;
      }
      const known = last?.get(container);
      // A container that was started again since has no earlier point.
      if (known === undefined || point.startMs >= known.timeMs) continue;
      const previous = earlier(point, known, before?.get(container));
      if (previous !== undefined) result.set(container, previous);
    }
    return result;
  }
}

/** The point that a new one is measured from: the last one, unless the kubelet told the same again. */
function earlier(point: Point, last: Point | undefined, before: Point | undefined): Point | undefined {
  if (last === undefined) return undefined;
  if (point.timeMs > last.timeMs) return last;
  return before !== undefined && before.timeMs < point.timeMs ? before : undefined;
}

/** Undefined when a count has gone down, which it cannot. */
function between(last: Point, before: Point): (Measured & { readonly usage: Usage }) | undefined {
  if (last.startMs < before.startMs || last.cpuNanoSeconds < before.cpuNanoSeconds) return undefined;
  const windowMs = last.timeMs - before.timeMs;
  const nanoCores = Math.trunc((last.cpuNanoSeconds - before.cpuNanoSeconds) / (windowMs / 1000));
  const usage: Usage = {
    cpu: { amount: BigInt(nanoCores), format: "DecimalSI" },
    memory: { amount: last.memoryBytes * 1000, format: "BinarySI" },
  };
  return { timeMs: last.timeMs, windowMs, usage };
}

export function usageText({ cpu, memory }: Usage): { readonly cpu: string; readonly memory: string } {
  return { cpu: formatQuantity(cpu), memory: formatQuantity(memory) };
}

export function sumOf(usages: readonly Usage[]): Usage {
  const none: Usage = { cpu: { amount: 0, format: "DecimalSI" }, memory: { amount: 0, format: "BinarySI" } };
  return usages.reduce(
    (sum, { cpu, memory }) => ({ cpu: addQuantities(sum.cpu, cpu), memory: addQuantities(sum.memory, memory) }),
    none,
  );
}
