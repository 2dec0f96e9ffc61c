// One cycle: find the nodes that can take a Pod, score them, choose. Nothing is written here.

import type { Random } from "#sim/random.ts";
import type { SchedulerCache } from "./cache.ts";
import { type NodeFilter, type NodeScorer, type Rejection, rejection } from "./framework.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import type { Profile } from "./profile.ts";
import { type PluginScores, ScoresOfPlugin } from "./trace.ts";

/** Pods that preempted others on a node and wait for the room. */
export interface Nominations {
  on(nodeName: string): readonly PodInfo[];
  readonly isEmpty: boolean;
}

export interface FilterOutcome {
  readonly feasible: readonly NodeInfo[];
  readonly refused: Map<string, Rejection>;
  /** Set when a PreFilter refused the Pod as a whole. */
  readonly podRejection: Rejection | undefined;
}

export interface PreparedFilters {
  readonly filters: readonly NodeFilter[];
  readonly only: ReadonlySet<string> | undefined;
  readonly onlyPlugins: readonly string[];
  readonly podRejection: Rejection | undefined;
}

export function prepareFilters({ filtering, filterOrder }: Profile, pod: PodInfo, cache: SchedulerCache): PreparedFilters {
  const filters: NodeFilter[] = [];
  const places: number[] = [];
  const onlyPlugins: string[] = [];
  let only: ReadonlySet<string> | undefined;
  for (const plugin of filtering) {
    const prepared = plugin.prepareFilter?.(pod, cache);
    if (prepared === undefined || prepared.kind === "skip") continue;
    if (prepared.kind === "reject") return { filters, only, onlyPlugins, podRejection: prepared.rejection };
    filters.push(prepared.filter);
    if (filterOrder !== undefined) places.push(filterOrder.indexOf(plugin.name));
    if (prepared.only === undefined) continue;
    only = only === undefined ? prepared.only : intersection(only, prepared.only);
    onlyPlugins.push(plugin.name);
  }
  return { filters: inPlaces(filters, places), only, onlyPlugins, podRejection: undefined };
}

function inPlaces(filters: readonly NodeFilter[], places: readonly number[]): readonly NodeFilter[] {
  if (places.length === 0) return filters;
  const order = filters.map((filter, index) => ({ filter, place: places[index] ?? 0 }));
  return order.sort((a, b) => a.place - b.place).map(({ filter }) => filter);
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((name) => b.has(name)));
}

export function firstRejection(filters: readonly NodeFilter[], node: NodeInfo): Rejection | undefined {
  // By index: an iterator for each of hundreds of nodes would be garbage.
  for (let index = 0; index < filters.length; index += 1) {
    const refused = (filters[index] as NodeFilter)(node);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** As if nominated Pods of at least the same priority were there already; and also without them. */
export function rejectionWithNominated(
  filters: readonly NodeFilter[],
  pod: PodInfo,
  node: NodeInfo,
  nominations: Nominations,
): Rejection | undefined {
  if (nominations.isEmpty) return firstRejection(filters, node);
  const others = nominations
    .on(node.name)
    .filter((other) => other.uid !== pod.uid && other.priority >= pod.priority && !node.pods.has(other.uid));
  if (others.length > 0) {
    for (const other of others) node.addPod(other);
    const refused = firstRejection(filters, node);
    for (const other of others) node.removePod(other);
    if (refused !== undefined) return refused;
  }
  return firstRejection(filters, node);
}

const minFeasibleNodes = 100;
const minPercentage = 5;

/** Up to 100 nodes all are looked at; beyond, so many percent; with 0 50 % less 1 for each 125 nodes, at least 5 %. Never fewer than 100 nodes. */
export function feasibleNodesToFind(totalNodes: number, givenPercentage = 0): number {
  if (totalNodes < minFeasibleNodes) return totalNodes;
  const percentage = givenPercentage === 0 ? Math.max(minPercentage, 50 - Math.floor(totalNodes / 125)) : givenPercentage;
  return Math.max(minFeasibleNodes, Math.floor((totalNodes * percentage) / 100));
}

/** What all profiles share. */
export interface SearchLimits {
  /** `percentageOfNodesToScore` of all profiles that have none of their own. */
  readonly percentageOfNodesToScore: number;
  /** Extenders filter or score: the first node that fits does not do. */
  readonly needsAll: boolean;
}

export interface Choice {
  readonly node: NodeInfo;
  readonly scores: readonly PluginScores[];
}

const noScores: readonly PluginScores[] = [];

export class SchedulingCycle {
  readonly #limits: SearchLimits;
  readonly #cache: SchedulerCache;
  readonly #nominations: Nominations;
  readonly #random: Random;
  /** Where the search begins: each cycle goes on where the last one stopped. */
  #startIndex = 0;
  // What a cycle needs for a moment, one place for each node, is written anew by the next one.
  readonly #raw: number[] = [];
  readonly #normalized: number[] = [];
  #totals = new Float64Array(0);
  /** What a plugin gave that has nothing to say: kept once, for as many nodes as the last time. */
  #zeros: readonly number[] = [];

  constructor(limits: SearchLimits, cache: SchedulerCache, nominations: Nominations, random: Random) {
    this.#limits = limits;
    this.#cache = cache;
    this.#nominations = nominations;
    this.#random = random;
  }

  findFeasible(profile: Profile, pod: PodInfo): FilterOutcome {
    const refused = new Map<string, Rejection>();
    const prepared = prepareFilters(profile, pod, this.#cache);
    if (prepared.podRejection !== undefined) {
      for (const node of this.#cache.nodes) refused.set(node.name, prepared.podRejection);
      return { feasible: [], refused, podRejection: prepared.podRejection };
    }
    // A nominated node is most likely the only one that fits, so no other is looked at if it does (evaluateNominatedNode).
    const nominated = this.#cache.node(pod.pod.status?.nominatedNodeName ?? "");
    if (nominated && rejectionWithNominated(prepared.filters, pod, nominated, this.#nominations) === undefined)
      return { feasible: [nominated], refused, podRejection: undefined };
    const candidates = this.#candidates(prepared, refused);
    const wanted = this.#wanted(profile, candidates.length);
    const feasible = new Array<NodeInfo>(Math.min(wanted, candidates.length));
    let found = 0;
    let looked = 0;
    while (looked < candidates.length && found < wanted) {
      const node = candidates[(this.#startIndex + looked) % candidates.length] as NodeInfo;
      looked += 1;
      const reason = rejectionWithNominated(prepared.filters, pod, node, this.#nominations);
      if (reason !== undefined) refused.set(node.name, reason);
      else feasible[found++] = node;
    }
    feasible.length = found;
    if (candidates.length > 0) this.#startIndex = (this.#startIndex + looked) % candidates.length;
    return { feasible, refused, podRejection: undefined };
  }

  /** Where nothing scores, the first node will do. */
  #wanted(profile: Profile, total: number): number {
    if (profile.scoring.length === 0 && !this.#limits.needsAll) return Math.min(1, total);
    return feasibleNodesToFind(total, profile.percentageOfNodesToScore ?? this.#limits.percentageOfNodesToScore);
  }

  #candidates({ only, onlyPlugins }: PreparedFilters, refused: Map<string, Rejection>): readonly NodeInfo[] {
    const { nodes } = this.#cache;
    if (only === undefined) return nodes;
    const absent = rejection(onlyPlugins[0] ?? "", `node(s) didn't satisfy plugin(s) [${onlyPlugins.join(" ")}]`, true);
    for (const node of nodes) if (!only.has(node.name)) refused.set(node.name, absent);
    return [...only].map((name) => this.#cache.node(name)).filter((node) => node !== undefined);
  }

  /** The node with the highest total; among equals one at random. `further`: what others than plugins give. */
  choose(profile: Profile, pod: PodInfo, feasible: readonly NodeInfo[], further: readonly PluginScores[] = noScores): Choice {
    const [only] = feasible;
    if (only === undefined) throw new RangeError("no node to choose from");
    if (feasible.length === 1) return { node: only, scores: noScores };
    const scorers = this.#scorers(profile, pod, feasible);
    const totals = this.#zeroTotals(feasible.length);
    const scores: PluginScores[] = [];
    for (const { name, weight, scorer } of scorers) {
      const raw = this.#scoreAll(scorer, feasible);
      addWeighted(totals, scorer.normalize === undefined ? raw : this.#normalize(scorer, raw, feasible), weight);
      scores.push(new ScoresOfPlugin(name, weight, raw, scorer, feasible));
    }
    for (const extra of further) {
      addWeighted(totals, extra.normalized, extra.weight);
      scores.push(extra);
    }
    return { node: this.#highest(feasible, totals, only), scores };
  }

  #zeroTotals(length: number): Float64Array {
    if (this.#totals.length < length) this.#totals = new Float64Array(length);
    return this.#totals.fill(0, 0, length);
  }

  #scoreAll(scorer: NodeScorer, nodes: readonly NodeInfo[]): readonly number[] {
    const raw = this.#raw;
    if (raw.length !== nodes.length) raw.length = nodes.length;
    let isZero = true;
    for (let index = 0; index < nodes.length; index += 1) {
      const score = scorer.score(nodes[index] as NodeInfo);
      raw[index] = score;
      if (score !== 0) isZero = false;
    }
    if (!isZero) return raw.slice();
    if (this.#zeros.length !== nodes.length) this.#zeros = raw.slice();
    return this.#zeros;
  }

  #normalize(scorer: NodeScorer, raw: readonly number[], nodes: readonly NodeInfo[]): readonly number[] {
    const scores = this.#normalized;
    if (scores.length !== raw.length) scores.length = raw.length;
    for (let index = 0; index < raw.length; index += 1) scores[index] = raw[index] as number;
    scorer.normalize?.(scores, nodes);
    return scores;
  }

  #scorers(
    profile: Profile,
    pod: PodInfo,
    feasible: readonly NodeInfo[],
  ): readonly { readonly name: string; readonly weight: number; readonly scorer: NodeScorer }[] {
    return profile.scoring.flatMap(({ plugin, weight }) => {
      const scorer = plugin.prepareScore?.(pod, this.#cache, feasible);
      return scorer === undefined ? [] : [{ name: plugin.name, weight, scorer }];
    });
  }

  #highest(nodes: readonly NodeInfo[], totals: Float64Array, first: NodeInfo): NodeInfo {
    let best = first;
    let bestTotal = totals[0] as number;
    let equals = 1;
    for (let index = 1; index < nodes.length; index += 1) {
      const total = totals[index] as number;
      if (total > bestTotal) {
        best = nodes[index] as NodeInfo;
        bestTotal = total;
        equals = 1;
      } else if (total === bestTotal) {
        equals += 1;
        if (this.#random.below(equals) === 0) best = nodes[index] as NodeInfo;
      }
    }
    return best;
  }
}

function addWeighted(totals: Float64Array, scores: readonly number[], weight: number): void {
  for (let index = 0; index < scores.length; index += 1)
    totals[index] = (totals[index] as number) + (scores[index] as number) * weight;
}
