// How NodeResourcesFit and NodeResourcesBalancedAllocation score by other resources and strategies than the usual ones
// (plugins/noderesources).

import { maxNodeScore, type NodeScorer } from "../framework.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";
import type { Resources } from "../resources.ts";
import type { ResourceSpec, ScoringStrategy, ShapePoint } from "./shapes.ts";

/** Of one resource on one node: what would be requested, what is, and what there is. */
interface Share {
  readonly requested: number;
  readonly before: number;
  readonly allocatable: number;
  readonly weight: number;
}

/** Whole figures: all of them are of one kind or the other (`scored` has requests where a container says nothing). */
type Figures = "requested" | "scored";

export function strategyScorer(strategy: ScoringStrategy, pod: PodInfo): NodeScorer {
  const { type, resources = [], requestedToCapacityRatio } = strategy;
  const shares = sharesOf(resources, pod, "scored");
  if (type === "MostAllocated") return { score: (node) => weightedMean(shares(node), mostAllocated) };
  if (type === "RequestedToCapacityRatio") {
    const curve = brokenLine(requestedToCapacityRatio?.shape ?? []);
    return { score: (node) => ratioScore(shares(node), curve) };
  }
  return { score: (node) => weightedMean(shares(node), leastAllocated) };
}

/** Undefined for a Pod that requests none of the resources. */
export function balanceScorer(resources: readonly ResourceSpec[], pod: PodInfo): NodeScorer | undefined {
  if (resources.every(({ name = "" }) => amountOf(pod.requests, name) === 0)) return undefined;
  const shares = sharesOf(resources, pod, "requested");
  const half = maxNodeScore / 2;
  return {
    score(node) {
      const known = shares(node);
      const after = balance(known.map(({ requested, allocatable }) => requested / allocatable));
      const before = balance(known.map(({ before: now, allocatable }) => now / allocatable));
      return half + Math.trunc((half + after - before) / 2);
    },
  };
}

/** Without resources that a node does not have, and extended ones that the Pod does not ask for. */
function sharesOf(resources: readonly ResourceSpec[], pod: PodInfo, figures: Figures): (node: NodeInfo) => readonly Share[] {
  const asked = resources.flatMap(({ name = "", weight = 1 }) => {
    const amount = amountOf(figures === "scored" ? pod.scored : pod.requests, name);
    return amount === 0 && isScalar(name) ? [] : [{ name, weight, amount }];
  });
  return (node) =>
    asked.flatMap(({ name, weight, amount }) => {
      const allocatable = amountOf(node.allocatable, name);
      if (allocatable === 0) return [];
      const before = amountOf(node[figures], name);
      return [{ requested: before + amount, before, allocatable, weight }];
    });
}

function amountOf(resources: Resources, name: string): number {
  if (name === "cpu") return resources.milliCpu;
  if (name === "memory") return resources.memory;
  if (name === "ephemeral-storage") return resources.ephemeralStorage;
  return resources.scalars?.get(name) ?? 0;
}

function isScalar(name: string): boolean {
  return name.includes("/") || name.startsWith("hugepages-") || name.startsWith("attachable-volumes-");
}

function weightedMean(shares: readonly Share[], score: (share: Share) => number): number {
  let sum = 0;
  let weights = 0;
  for (const share of shares) {
    sum += score(share) * share.weight;
    weights += share.weight;
  }
  return weights === 0 ? 0 : Math.floor(sum / weights);
}

function leastAllocated({ requested, allocatable }: Share): number {
  return requested > allocatable ? 0 : Math.floor(((allocatable - requested) * maxNodeScore) / allocatable);
}

function mostAllocated({ requested, allocatable }: Share): number {
  return Math.floor((Math.min(requested, allocatable) * maxNodeScore) / allocatable);
}

/** Resources that score 0 do not count at all. */
function ratioScore(shares: readonly Share[], curve: (utilization: number) => number): number {
  let sum = 0;
  let weights = 0;
  for (const { requested, allocatable, weight } of shares) {
    const score = curve(requested > allocatable ? 100 : Math.floor((requested * 100) / allocatable));
    if (score <= 0) continue;
    sum += score * weight;
    weights += weight;
  }
  return weights === 0 ? 0 : Math.round(sum / weights);
}

/** Straight between the points, level before the first and after the last; 10 of a point are 100 here. */
function brokenLine(shape: readonly ShapePoint[]): (utilization: number) => number {
  const points = shape.map(({ utilization = 0, score = 0 }) => ({ x: utilization, y: score * 10 }));
  return (utilization) => {
    const index = points.findIndex(({ x }) => utilization <= x);
    const next = points[index];
    if (next === undefined) return points.at(-1)?.y ?? 0;
    const last = points[index - 1];
    if (last === undefined) return next.y;
    return last.y + Math.trunc(((next.y - last.y) * (utilization - last.x)) / (next.x - last.x));
  };
}

/** 100 for equal shares, less the more they differ. */
function balance(fractions: readonly number[]): number {
  return Math.trunc((1 - deviation(fractions.map((fraction) => Math.min(1, fraction)))) * maxNodeScore);
}

function deviation(fractions: readonly number[]): number {
  const [first = 0, second = 0] = fractions;
  if (fractions.length < 2) return 0;
  if (fractions.length === 2) return Math.abs((first - second) / 2);
  const mean = fractions.reduce((sum, each) => sum + each, 0) / fractions.length;
  return Math.sqrt(fractions.reduce((sum, each) => sum + (each - mean) * (each - mean), 0) / fractions.length);
}
