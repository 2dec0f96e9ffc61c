import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { SchedulerCache } from "../cache.ts";
import { maxNodeScore, type NodeFilter, type NodeScorer, type Plugin, rejection, skip } from "../framework.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo, PodTerm } from "../pod-info.ts";

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

/** Domains by topology key, then value. */
class DomainCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  add(topologyKey: string, node: NodeInfo | undefined, by: number): void {
    const value = node?.domain(topologyKey);
    if (value === undefined) return;
    const domains = this.#counts.get(topologyKey) ?? new Map<string, number>();
    this.#counts.set(topologyKey, domains);
    domains.set(value, (domains.get(value) ?? 0) + by);
  }

  of(topologyKey: string, node: NodeInfo): number {
    const value = node.domain(topologyKey);
    return value === undefined ? 0 : (this.#counts.get(topologyKey)?.get(value) ?? 0);
  }

  sum(node: NodeInfo): number {
    let sum = 0;
    for (const [topologyKey, domains] of this.#counts) {
      const value = node.domain(topologyKey);
      if (value !== undefined) sum += domains.get(value) ?? 0;
    }
    return sum;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }
}

/** Near to some Pods, far from others; and the wishes of Pods that are placed already. */
export const interPodAffinity: Plugin = {
  name,
  prepareFilter(pod, cache) {
    const { requiredAffinity, requiredAntiAffinity } = pod.terms;
    const existing = existingAntiAffinity(pod, cache);
    if (requiredAffinity.length === 0 && requiredAntiAffinity.length === 0 && existing.isEmpty) return skip;
    const near = countMatching(cache, requiredAffinity, (other) =>
      requiredAffinity.every((term) => term.matches(other, cache.namespaces)),
    );
    const far = countEach(cache, requiredAntiAffinity);
    // The first Pod of a group that is near to itself may start anywhere.
    const first = near.isEmpty && requiredAffinity.every((term) => term.matches(pod.pod, cache.namespaces));
    const filter: NodeFilter = (node) => {
      for (const term of requiredAffinity) {
        if (node.domain(term.topologyKey) === undefined) return affinityRefused;
        if (!first && near.of(term.topologyKey, node) <= 0) return affinityRefused;
      }
      for (const term of requiredAntiAffinity) if (far.of(term.topologyKey, node) > 0) return antiAffinityRefused;
      return existing.sum(node) > 0 ? existingRefused : undefined;
    };
    return { kind: "filter", filter };
  },
  prepareScore(pod, cache) {
    const { preferredAffinity, preferredAntiAffinity } = pod.terms;
    return wishScorer(usualArgs, pod, cache, preferredAffinity.length > 0 || preferredAntiAffinity.length > 0);
  },
  mayHelp: (event) => event.kind !== "podScaledDown",
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
  const counts = new DomainCounts();
  if (wishes) addOwnWishes(counts, pod, cache);
  addWishesOfPlaced(counts, pod.pod, cache, args.hardPodAffinityWeight);
  return counts.isEmpty ? undefined : { score: (node) => counts.sum(node), normalize: normalizeRange };
}

function existingAntiAffinity(pod: PodInfo, cache: SchedulerCache): DomainCounts {
  const counts = new DomainCounts();
  for (const { info, nodeName } of cache.withAffinity.values()) {
    for (const term of info.terms.requiredAntiAffinity) {
      if (term.matches(pod.pod, cache.namespaces)) counts.add(term.topologyKey, cache.node(nodeName), 1);
    }
  }
  return counts;
}

function countMatching(cache: SchedulerCache, terms: readonly PodTerm[], matches: (pod: Stored<Pod>) => boolean): DomainCounts {
  const counts = new DomainCounts();
  if (terms.length === 0) return counts;
  for (const node of cache.nodes) {
    for (const { pod } of node.pods.values()) if (matches(pod)) for (const term of terms) counts.add(term.topologyKey, node, 1);
  }
  return counts;
}

function countEach(cache: SchedulerCache, terms: readonly PodTerm[]): DomainCounts {
  const counts = new DomainCounts();
  if (terms.length === 0) return counts;
  for (const node of cache.nodes) {
    for (const { pod } of node.pods.values())
      for (const term of terms) if (term.matches(pod, cache.namespaces)) counts.add(term.topologyKey, node, 1);
  }
  return counts;
}

function addOwnWishes(counts: DomainCounts, pod: PodInfo, cache: SchedulerCache): void {
  const { preferredAffinity, preferredAntiAffinity } = pod.terms;
  for (const node of cache.nodes) {
    for (const { pod: other } of node.pods.values()) {
      for (const term of preferredAffinity)
        if (term.matches(other, cache.namespaces)) counts.add(term.topologyKey, node, term.weight);
      for (const term of preferredAntiAffinity)
        if (term.matches(other, cache.namespaces)) counts.add(term.topologyKey, node, -term.weight);
    }
  }
}

function addWishesOfPlaced(counts: DomainCounts, pod: Stored<Pod>, cache: SchedulerCache, hardAffinityWeight: number): void {
  for (const { info, nodeName } of cache.withAffinity.values()) {
    const node = cache.node(nodeName);
    const { requiredAffinity, preferredAffinity, preferredAntiAffinity } = info.terms;
    for (const term of requiredAffinity)
      if (hardAffinityWeight > 0 && term.matches(pod, cache.namespaces)) counts.add(term.topologyKey, node, hardAffinityWeight);
    for (const term of preferredAffinity) if (term.matches(pod, cache.namespaces)) counts.add(term.topologyKey, node, term.weight);
    for (const term of preferredAntiAffinity)
      if (term.matches(pod, cache.namespaces)) counts.add(term.topologyKey, node, -term.weight);
  }
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
