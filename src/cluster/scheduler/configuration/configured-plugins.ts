// Plugins with arguments of their own, and plugins that act at some of their points only.

import type { NodeAffinity, TopologySpreadConstraint } from "#cluster/api/generated/types.ts";
import { type FilterPreparation, normalizeByMaximum, type Plugin, rejection, SchedulingError } from "../framework.ts";
import { matchesNodeSelector, matchesTerm } from "../node-selector.ts";
import { imageLocality } from "../plugins/image-locality.ts";
import { interPodAffinityWith } from "../plugins/inter-pod-affinity.ts";
import { nodeAffinity } from "../plugins/node-affinity.ts";
import { nodeName } from "../plugins/node-name.ts";
import { nodePorts } from "../plugins/node-ports.ts";
import { nodeResourcesBalancedAllocation } from "../plugins/node-resources-balanced-allocation.ts";
import { fitFilter, nodeResourcesFit } from "../plugins/node-resources-fit.ts";
import { nodeUnschedulable } from "../plugins/node-unschedulable.ts";
import { NodeVolumeLimits } from "../plugins/node-volume-limits.ts";
import { podTopologySpread } from "../plugins/pod-topology-spread.ts";
import { schedulingGates } from "../plugins/scheduling-gates.ts";
import { taintToleration } from "../plugins/taint-toleration.ts";
import { VolumeBinding } from "../plugins/volume-binding.ts";
import { VolumeRestrictions } from "../plugins/volume-restrictions.ts";
import { VolumeZone } from "../plugins/volume-zone.ts";
import type { PluginParts } from "../profile.ts";
import type { Resources } from "../resources.ts";
import { balanceScorer, strategyScorer } from "./scoring-strategies.ts";
import type { PluginArgs } from "./shapes.ts";
import { isExtendedResource } from "./validation.ts";

/**
 * The plugin of a name with its arguments, which are whole. Undefined for those that do nothing here: NodeDeclaredFeatures and
 * DynamicResources find nothing to object to, and PrioritySort, DefaultBinder and DefaultPreemption are the loop's own.
 */
export function makePlugin(name: string, args: PluginArgs, { client, informers, selectors }: PluginParts): Plugin | undefined {
  switch (name) {
    case "SchedulingGates":
      return schedulingGates;
    case "NodeUnschedulable":
      return nodeUnschedulable;
    case "NodeName":
      return nodeName;
    case "TaintToleration":
      return taintToleration;
    case "NodeAffinity":
      return withAddedAffinity(args.NodeAffinity?.addedAffinity);
    case "NodePorts":
      return nodePorts;
    case "NodeResourcesFit":
      return configuredFit(args.NodeResourcesFit ?? {});
    case "VolumeRestrictions":
      return new VolumeRestrictions(informers);
    case "NodeVolumeLimits":
      return new NodeVolumeLimits(informers);
    case "VolumeBinding":
      return new VolumeBinding(client, informers);
    case "VolumeZone":
      return new VolumeZone(informers);
    case "PodTopologySpread":
      return podTopologySpread(selectors, listedConstraints(args.PodTopologySpread));
    case "InterPodAffinity": {
      const { hardPodAffinityWeight = 1, ignorePreferredTermsOfExistingPods = false } = args.InterPodAffinity ?? {};
      return interPodAffinityWith({ hardPodAffinityWeight, ignorePreferredTermsOfExistingPods });
    }
    case "NodeResourcesBalancedAllocation": {
      const { resources = [] } = args.NodeResourcesBalancedAllocation ?? {};
      return { ...nodeResourcesBalancedAllocation, prepareScore: (pod) => balanceScorer(resources, pod) };
    }
    case "ImageLocality":
      return imageLocality;
    default:
      return undefined;
  }
}

function listedConstraints(args: PluginArgs["PodTopologySpread"]): readonly TopologySpreadConstraint[] | undefined {
  return args?.defaultingType === "List" ? (args.defaultConstraints ?? []) : undefined;
}

const enforced = rejection("NodeAffinity", "node(s) didn't match scheduler-enforced node affinity", true);

/** Nodes must match what the scheduler adds, and what the Pod says. */
function withAddedAffinity(added: NodeAffinity | undefined): Plugin {
  const required = added?.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = added?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (required === undefined && preferred.length === 0) return nodeAffinity;
  const matches = (node: Parameters<typeof matchesNodeSelector>[1] | undefined): boolean =>
    required === undefined || (node !== undefined && matchesNodeSelector({ ...required }, node));
  return {
    ...nodeAffinity,
    prepareFilter(pod, cache): FilterPreparation {
      const own = nodeAffinity.prepareFilter?.(pod, cache) ?? { kind: "skip" };
      if (required === undefined || own.kind === "reject") return own;
      if (own.kind === "skip") return { kind: "filter", filter: ({ node }) => (matches(node) ? undefined : enforced) };
      return { ...own, filter: (node) => (matches(node.node) ? own.filter(node) : enforced) };
    },
    prepareScore(pod, cache, feasible) {
      const own = nodeAffinity.prepareScore?.(pod, cache, feasible);
      if (preferred.length === 0) return own;
      return {
        normalize: (scores) => normalizeByMaximum(scores, false),
        score: (info) => {
          const { node } = info;
          if (node === undefined) return 0;
          const sum = preferred.reduce((total, { preference, weight }) => total + (matchesTerm(preference, node) ? weight : 0), 0);
          return sum + (own?.score(info) ?? 0);
        },
      };
    },
    mayHelp: (event, pod, cache) =>
      !(event.kind === "nodeAdded" || event.kind === "nodeUpdated") || matches(event.node)
        ? nodeAffinity.mayHelp?.(event, pod, cache) === true
        : false,
  };
}

function configuredFit({
  ignoredResources = [],
  ignoredResourceGroups = [],
  scoringStrategy = {},
}: NonNullable<PluginArgs["NodeResourcesFit"]>): Plugin {
  const isIgnored = (name: string): boolean =>
    isExtendedResource(name) && (ignoredResources.includes(name) || ignoredResourceGroups.includes(name.split("/")[0] ?? ""));
  const heeded = (requests: Resources): Resources => {
    const left = [...(requests.scalars ?? [])].filter(([name]) => !isIgnored(name));
    return { ...requests, scalars: left.length === 0 ? undefined : new Map(left) };
  };
  return {
    ...nodeResourcesFit,
    prepareFilter: ({ requests }) => fitFilter(requests.scalars === undefined ? requests : heeded(requests)),
    prepareScore: (pod) => strategyScorer(scoringStrategy, pod),
  };
}

/** What a plugin says whose Filter or Score finds nothing prepared: the point before it is switched off. */
const unprepared: { readonly [name: string]: { readonly filter?: string; readonly score?: string } } = {
  DynamicResources: { filter: "not found" },
  InterPodAffinity: {
    filter: 'error reading "PreFilterInterPodAffinity" from cycleState: not found',
    score: 'failed to read "PreScoreInterPodAffinity" from cycleState: not found',
  },
  NodeDeclaredFeatures: { filter: 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found' },
  NodePorts: { filter: 'reading "PreFilterNodePorts" from cycleState: not found' },
  NodeResourcesFit: { filter: 'error reading "PreFilterNodeResourcesFit" from cycleState: not found' },
  PodTopologySpread: {
    filter: 'reading "PreFilterPodTopologySpread" from cycleState: not found',
    score: 'error reading "PreScorePodTopologySpread" from cycleState: not found',
  },
  TaintToleration: { score: 'failed to read "PreScoreTaintToleration" from cycleState: not found' },
  VolumeBinding: { filter: "not found" },
  VolumeRestrictions: { filter: 'cannot read "PreFilterVolumeRestrictions" from cycleState' },
};

/** A Filter whose PreFilter is switched off: some plugins make up for it, others fail. */
export function withoutPreFilter(name: string, plugin: Plugin | undefined): Plugin {
  const failure = unprepared[name]?.filter;
  if (failure !== undefined) {
    const filter = (): never => {
      throw new SchedulingError(`running ${JSON.stringify(name)} filter plugin: ${failure}`);
    };
    return { name, prepareFilter: () => ({ kind: "filter", filter }) };
  }
  return {
    name,
    prepareFilter(pod, cache) {
      const prepared = plugin?.prepareFilter?.(pod, cache) ?? { kind: "skip" };
      if (prepared.kind === "skip") return prepared;
      if (prepared.kind === "filter") return { kind: "filter", filter: prepared.filter };
      const refused = rejection(name, "node(s) didn't match Pod's node affinity/selector", true);
      return { kind: "filter", filter: () => refused };
    },
  };
}

/** A PreFilter whose Filter is switched off: it may still refuse a Pod, or name nodes. */
export function withoutFilter(plugin: Plugin): Plugin {
  return {
    name: plugin.name,
    prepareFilter(pod, cache) {
      const prepared = plugin.prepareFilter?.(pod, cache) ?? { kind: "skip" };
      if (prepared.kind !== "filter") return prepared;
      const { only } = prepared;
      return only === undefined ? { kind: "skip" } : { kind: "filter", filter: () => undefined, only };
    },
  };
}

/** A Score whose PreScore is switched off. */
export function withoutPreScore(plugin: Plugin): Plugin {
  const failure = unprepared[plugin.name]?.score;
  if (failure === undefined) return plugin;
  return {
    name: plugin.name,
    prepareScore() {
      throw new SchedulingError(`running Score plugins: plugin ${JSON.stringify(plugin.name)} failed with: ${failure}`);
    },
  };
}
