import type { TopologySpreadConstraint } from "#cluster/api/generated/types.ts";
import { type LabelMatcher, matcherOf } from "#cluster/api/labels.ts";
import { naturalLog } from "#sim/logarithm.ts";
import type { SchedulerCache } from "../cache.ts";
import { maxNodeScore, type NodeScorer, type Plugin, rejection, skip } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import { hostnameLabel, type NodeInfo, zoneLabel } from "../node-info.ts";
import { PodInfo } from "../pod-info.ts";
import { findUntolerated } from "../tolerations.ts";

const name = "PodTopologySpread";
const refused = rejection(name, "node(s) didn't match pod topology spread constraints");
const missingLabel = rejection(name, "node(s) didn't match pod topology spread constraints (missing required label)", true);

/** What Pods count with a Pod that has no constraints of its own: those of its Services and its owner. */
export interface DefaultSelectors {
  selectorFor(pod: PodInfo): Selector | undefined;
}

export interface Selector {
  /** Names the selector within a namespace. */
  readonly id: string;
  readonly matches: LabelMatcher;
}

export interface Constraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: Selector;
  readonly honorAffinity: boolean;
  readonly honorTaints: boolean;
}

/** The figures of the built-in default constraints, both ScheduleAnyway. */
const systemDefaults = [
  { topologyKey: hostnameLabel, maxSkew: 3 },
  { topologyKey: zoneLabel, maxSkew: 5 },
];

/** Spreads Pods that match a selector evenly over the domains of a node label. `listed`: default constraints in place of the built-in ones. */
export function podTopologySpread(defaults: DefaultSelectors, listed?: readonly TopologySpreadConstraint[]): Plugin {
  const hardConstraints = (pod: PodInfo): readonly Constraint[] =>
    listed === undefined || hasOwnConstraints(pod)
      ? ownConstraints(pod, "DoNotSchedule")
      : listedConstraints(listed, "DoNotSchedule", defaults, pod);
  return {
    name,
    prepareFilter(pod, cache) {
      const constraints = hardConstraints(pod);
      if (constraints.length === 0) return skip;
      const domains = constraints.map((constraint) => countDomains(constraint, constraints, pod, cache));
      return {
        kind: "filter",
        filter(node) {
          for (let index = 0; index < constraints.length; index += 1) {
            const constraint = constraints[index] as Constraint;
            const value = node.domain(constraint.topologyKey);
            if (value === undefined) return missingLabel;
            const counts = domains[index] as ReadonlyMap<string, number>;
            const self = constraint.selector.matches(pod.pod.metadata.labels) ? 1 : 0;
            if ((counts.get(value) ?? 0) + self - minimum(counts, constraint.minDomains) > constraint.maxSkew) return refused;
          }
          return undefined;
        },
      };
    },
    prepareScore(pod, cache, feasible) {
      const hasOwn = hasOwnConstraints(pod);
      let constraints: readonly Constraint[];
      if (hasOwn) constraints = ownConstraints(pod, "ScheduleAnyway");
      else if (listed === undefined) constraints = defaultConstraints(defaults.selectorFor(pod));
      else constraints = listedConstraints(listed, "ScheduleAnyway", defaults, pod);
      // Only the built-in constraints let nodes count that lack one of the labels.
      const requireAllKeys = hasOwn || listed !== undefined;
      return constraints.length === 0 ? undefined : scorer(constraints, requireAllKeys, pod, cache, feasible);
    },
    mayHelp: (event, pod) => lateHints.code.spreadMayHelp(event, pod, hardConstraints(new PodInfo(pod))),
  };
}

function hasOwnConstraints(pod: PodInfo): boolean {
  return (pod.pod.spec?.topologySpreadConstraints ?? []).length > 0;
}

/** Their selector is that of the Pod's Services and owner. */
function listedConstraints(
  listed: readonly TopologySpreadConstraint[],
  whenUnsatisfiable: string,
  defaults: DefaultSelectors,
  pod: PodInfo,
): readonly Constraint[] {
  const meant = listed.filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable);
  const selector = meant.length === 0 ? undefined : defaults.selectorFor(pod);
  return selector === undefined ? [] : meant.map((constraint) => ({ ...compile(constraint, pod), selector }));
}

function ownConstraints(pod: PodInfo, whenUnsatisfiable: string): readonly Constraint[] {
  const all = pod.pod.spec?.topologySpreadConstraints;
  if (all === undefined) return [];
  return all
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map((constraint) => compile(constraint, pod));
}

function compile(constraint: TopologySpreadConstraint, pod: PodInfo): Constraint {
  const { labelSelector, matchLabelKeys = [] } = constraint;
  const added = matchLabelKeys.flatMap((key) => {
    const value = pod.pod.metadata.labels?.[key];
    return value === undefined ? [] : [{ key, operator: "In", values: [value] }];
  });
  const full =
    added.length === 0
      ? labelSelector
      : { ...labelSelector, matchExpressions: [...(labelSelector?.matchExpressions ?? []), ...added] };
  return {
    topologyKey: constraint.topologyKey,
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 1,
    selector: { id: JSON.stringify(full ?? null), matches: matcherOf(full) },
    honorAffinity: (constraint.nodeAffinityPolicy ?? "Honor") === "Honor",
    honorTaints: constraint.nodeTaintsPolicy === "Honor",
  };
}

function defaultConstraints(selector: Selector | undefined): readonly Constraint[] {
  if (selector === undefined) return [];
  return systemDefaults.map((figures) => ({ ...figures, minDomains: 1, selector, honorAffinity: true, honorTaints: false }));
}

function isCounted(constraint: Constraint, pod: PodInfo, node: NodeInfo): boolean {
  if (node.node === undefined) return false;
  if (constraint.honorAffinity && pod.requiredNodes !== undefined && !pod.requiredNodes(node.node)) return false;
  if (!constraint.honorTaints) return true;
  return findUntolerated(node.taints, pod.pod.spec?.tolerations, ["NoSchedule", "NoExecute"]) === undefined;
}

function hasKeys(node: NodeInfo, constraints: readonly Constraint[]): boolean {
  const labels = node.node?.metadata.labels ?? {};
  return constraints.every(({ topologyKey }) => labels[topologyKey] !== undefined);
}

/** By the nodes' slots. */
function countsPerNode(constraint: Constraint, pod: PodInfo, cache: SchedulerCache): readonly (number | undefined)[] {
  const { id, matches } = constraint.selector;
  return cache.counts.perNode(pod.pod.metadata.namespace ?? "", id, matches, cache.nodes);
}

/** Matching Pods by domain, over all nodes that have every key; domains without a match are there with 0. */
function countDomains(
  constraint: Constraint,
  all: readonly Constraint[],
  pod: PodInfo,
  cache: SchedulerCache,
): ReadonlyMap<string, number> {
  const perNode = countsPerNode(constraint, pod, cache);
  const counts = new Map<string, number>();
  for (const node of cache.nodes) {
    if (!hasKeys(node, all) || !isCounted(constraint, pod, node)) continue;
    const value = node.domain(constraint.topologyKey) ?? "";
    counts.set(value, (counts.get(value) ?? 0) + (perNode[node.slot] ?? 0));
  }
  return counts;
}

/** Fewer domains than wanted count as if one were empty. */
function minimum(counts: ReadonlyMap<string, number>, minDomains: number): number {
  if (counts.size < minDomains) return 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (const count of counts.values()) if (count < lowest) lowest = count;
  return Number.isFinite(lowest) ? lowest : 0;
}

interface ScoredConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly weight: number;
  readonly perNode: readonly (number | undefined)[];
  /** Undefined for hostname: each node is its own domain. */
  readonly perDomain: ReadonlyMap<string, number> | undefined;
}

function scorer(
  constraints: readonly Constraint[],
  requireAllKeys: boolean,
  pod: PodInfo,
  cache: SchedulerCache,
  feasible: readonly NodeInfo[],
): NodeScorer {
  const ignored = new Set(requireAllKeys ? feasible.filter((node) => !hasKeys(node, constraints)) : []);
  // Mostly nothing is, and hundreds of nodes are asked about.
  const isIgnored = ignored.size === 0 ? undefined : (node: NodeInfo) => ignored.has(node);
  const weighing = { required: requireAllKeys ? constraints : [], ignored, pod, cache, feasible };
  const scored = constraints.flatMap((constraint) => weigh(constraint, weighing));
  return {
    score(node) {
      if (isIgnored?.(node) === true) return 0;
      let sum = 0;
      for (let index = 0; index < scored.length; index += 1) {
        const { topologyKey, perNode, perDomain, weight, maxSkew } = scored[index] as ScoredConstraint;
        const value = node.domain(topologyKey);
        if (value === undefined) continue;
        const count = perDomain === undefined ? (perNode[node.slot] ?? 0) : (perDomain.get(value) ?? 0);
        sum += count * weight + (maxSkew - 1);
      }
      return Math.round(sum);
    },
    normalize(scores, nodes) {
      let min = Number.POSITIVE_INFINITY;
      let max = 0;
      for (let index = 0; index < scores.length; index += 1) {
        if (isIgnored?.(nodes[index] as NodeInfo) === true) continue;
        min = Math.min(min, scores[index] as number);
        max = Math.max(max, scores[index] as number);
      }
      for (let index = 0; index < scores.length; index += 1) {
        if (isIgnored?.(nodes[index] as NodeInfo) === true) scores[index] = 0;
        else scores[index] = max === 0 ? maxNodeScore : Math.floor((maxNodeScore * (max + min - (scores[index] as number))) / max);
      }
    },
  };
}

interface Weighing {
  /** Nodes that lack the key of one of these do not count. */
  readonly required: readonly Constraint[];
  readonly ignored: ReadonlySet<NodeInfo>;
  readonly pod: PodInfo;
  readonly cache: SchedulerCache;
  readonly feasible: readonly NodeInfo[];
}

function weigh(constraint: Constraint, { required, ignored, pod, cache, feasible }: Weighing): readonly ScoredConstraint[] {
  const { topologyKey, maxSkew } = constraint;
  const perNode = countsPerNode(constraint, pod, cache);
  if (topologyKey === hostnameLabel) {
    return [{ topologyKey, maxSkew, weight: naturalLog(feasible.length - ignored.size + 2), perNode, perDomain: undefined }];
  }
  const perDomain = new Map<string, number>();
  for (let index = 0; index < feasible.length; index += 1) {
    const node = feasible[index] as NodeInfo;
    const value = node.domain(topologyKey);
    if (value !== undefined && !perDomain.has(value) && !ignored.has(node)) perDomain.set(value, 0);
  }
  if (perDomain.size === 0) return [];
  const weight = naturalLog(perDomain.size + 2);
  // When every node counts, the sums are kept from one Pod to the next.
  if (required.length === 0 && pod.requiredNodes === undefined && !constraint.honorTaints) {
    const { id, matches } = constraint.selector;
    const domains = cache.counts.perDomain(pod.pod.metadata.namespace ?? "", id, matches, topologyKey, cache.nodes);
    return [{ topologyKey, maxSkew, weight, perNode, perDomain: domains }];
  }
  for (const node of cache.nodes) {
    const count = perNode[node.slot] ?? 0;
    if (count === 0 || !hasKeys(node, required) || !isCounted(constraint, pod, node)) continue;
    const value = node.domain(topologyKey);
    const known = value === undefined ? undefined : perDomain.get(value);
    if (value !== undefined && known !== undefined) perDomain.set(value, known + count);
  }
  return [{ topologyKey, maxSkew, weight, perNode, perDomain }];
}
