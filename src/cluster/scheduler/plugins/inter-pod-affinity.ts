import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { DomainSums } from "../affinity-counts.ts";
import type { SchedulerCache } from "../cache.ts";
import { maxNodeScore, type NodeFilter, type NodeScorer, type Plugin, rejection, skip } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";

const name = "InterPodAffinity";
const affinityRefused = rejection(name, "node(s) didn't match pod affinity rules", true);
const antiAffinityRefused = rejection(name, "node(s) didn't match pod anti-affinity rules");
const existingRefused = rejection(name, "node(s) didn't satisfy existing pods anti-affinity rules");

export interface InterPodAffinityArgs {
  /** Weight of required affinity of placed Pods when scoring. */
  readonly hardPodAffinityWeight: number;
  /** What placed Pods would like counts only for a Pod that has wishes itself. */
  readonly ignorePreferredTermsOfExistingPods: boolean;
}

const usualArgs: InterPodAffinityArgs = { hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: false };

/** What is summed for a node, over several topologies. */
class NodeSums {
  readonly #parts: { readonly sums: DomainSums; readonly factor: number }[] = [];

  /** Sums to which nothing was added do not count as being there. */
  add(sums: DomainSums, factor: number): void {
    if (sums.additions > 0) this.#parts.push({ sums, factor });
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  of(node: NodeInfo): number {
    let sum = 0;
    for (const { sums, factor } of this.#parts) sum += inDomainOf(node, sums) * factor;
    return sum;
  }
}

function inDomainOf(node: NodeInfo, { topologyKey, byValue }: DomainSums): number {
  const value = node.domain(topologyKey);
  return value === undefined ? 0 : (byValue.get(value) ?? 0);
}

/** Near to some Pods, far from others; and the wishes of Pods that are placed already. */
export const interPodAffinity: Plugin = {
  name,
  prepareFilter(pod, cache) {
    const { requiredAffinity, requiredAntiAffinity } = pod.terms;
    const existing = new NodeSums();
    for (const sums of cache.affinity.wishesOf("requiredAntiAffinity", pod.pod)) existing.add(sums, 1);
    if (requiredAffinity.length === 0 && requiredAntiAffinity.length === 0 && existing.isEmpty) return skip;
    const near = requiredAffinity.map(({ topologyKey }) => cache.affinity.matching(requiredAffinity, topologyKey));
    const far = requiredAntiAffinity.map((term) => cache.affinity.matching([term], term.topologyKey));
    // The first Pod of a group that is near to itself may start anywhere.
    const first =
      near.every(({ additions }) => additions === 0) && requiredAffinity.every((term) => term.matches(pod.pod, cache.namespaces));
    const filter: NodeFilter = (node) => {
      for (const sums of near) {
        if (node.domain(sums.topologyKey) === undefined) return affinityRefused;
        if (!first && inDomainOf(node, sums) <= 0) return affinityRefused;
      }
      for (const sums of far) if (inDomainOf(node, sums) > 0) return antiAffinityRefused;
      return existing.of(node) > 0 ? existingRefused : undefined;
    };
    return { kind: "filter", filter };
  },
  prepareScore(pod, cache) {
    const { preferredAffinity, preferredAntiAffinity } = pod.terms;
    return wishScorer(usualArgs, pod, cache, preferredAffinity.length > 0 || preferredAntiAffinity.length > 0);
  },
  mayHelp: (event, pod, cache) => lateHints.code.affinityMayHelp(event, pod, cache.namespaces),
};

/** The same with arguments of its own. */
export function interPodAffinityWith(args: InterPodAffinityArgs): Plugin {
  return {
    ...interPodAffinity,
    prepareScore(pod, cache) {
      const { preferredAffinity, preferredAntiAffinity } = pod.terms;
      const wishes = preferredAffinity.length > 0 || preferredAntiAffinity.length > 0;
      if (args.ignorePreferredTermsOfExistingPods && !wishes) return undefined;
      return wishScorer(args, pod, cache, wishes);
    },
  };
}

function wishScorer(args: InterPodAffinityArgs, pod: PodInfo, cache: SchedulerCache, wishes: boolean): NodeScorer | undefined {
  if (!wishes && cache.withAffinity.size === 0) return undefined;
  const sums = new NodeSums();
  if (wishes) addOwnWishes(sums, pod, cache);
  addWishesOfPlaced(sums, pod.pod, cache, args.hardPodAffinityWeight);
  return sums.isEmpty ? undefined : { score: (node) => sums.of(node), normalize: normalizeRange };
}

function addOwnWishes(sums: NodeSums, { terms }: PodInfo, { affinity }: SchedulerCache): void {
  for (const term of terms.preferredAffinity) sums.add(affinity.matching([term], term.topologyKey), term.weight);
  for (const term of terms.preferredAntiAffinity) sums.add(affinity.matching([term], term.topologyKey), -term.weight);
}

function addWishesOfPlaced(sums: NodeSums, pod: Stored<Pod>, { affinity }: SchedulerCache, hardAffinityWeight: number): void {
  if (hardAffinityWeight > 0) for (const found of affinity.wishesOf("requiredAffinity", pod)) sums.add(found, hardAffinityWeight);
  for (const found of affinity.wishesOf("preferredAffinity", pod)) sums.add(found, 1);
  for (const found of affinity.wishesOf("preferredAntiAffinity", pod)) sums.add(found, -1);
}

/** Lowest becomes 0, highest 100; all equal become 0. */
function normalizeRange(scores: number[]): void {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    min = Math.min(min, score);
    max = Math.max(max, score);
  }
  const range = max - min;
  for (let index = 0; index < scores.length; index += 1) {
    scores[index] = range === 0 ? 0 : Math.floor((maxNodeScore * ((scores[index] as number) - min)) / range);
  }
}
