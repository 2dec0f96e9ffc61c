// The profile `default-scheduler` of v1.36: plugins in the order of upstream's default configuration, and score weights.

import type { Client } from "#cluster/client/client.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import type { Plugin } from "./framework.ts";
import { imageLocality } from "./plugins/image-locality.ts";
import { interPodAffinity } from "./plugins/inter-pod-affinity.ts";
import { nodeAffinity } from "./plugins/node-affinity.ts";
import { nodeName } from "./plugins/node-name.ts";
import { nodePorts } from "./plugins/node-ports.ts";
import { nodeResourcesBalancedAllocation } from "./plugins/node-resources-balanced-allocation.ts";
import { nodeResourcesFit } from "./plugins/node-resources-fit.ts";
import { nodeUnschedulable } from "./plugins/node-unschedulable.ts";
import { NodeVolumeLimits } from "./plugins/node-volume-limits.ts";
import { type DefaultSelectors, podTopologySpread } from "./plugins/pod-topology-spread.ts";
import { schedulingGates } from "./plugins/scheduling-gates.ts";
import { taintToleration } from "./plugins/taint-toleration.ts";
import { VolumeBinding } from "./plugins/volume-binding.ts";
import { VolumeRestrictions } from "./plugins/volume-restrictions.ts";
import { VolumeZone } from "./plugins/volume-zone.ts";
import type { Profile, WeightedPlugin } from "./profile.ts";

/** `bindTimeoutSeconds` of VolumeBinding, and DefaultPreemption's nodes, where nobody says otherwise. */
export const usualBindTimeoutMs = 600_000;
export const usualCandidateNodes = { percentage: 10, absolute: 100 };

/** The plugins for Pods with claims; what they know comes from watches. */
export function volumePlugins(client: Client, informers: InformerFactory): readonly Plugin[] {
  return [
    new VolumeRestrictions(informers),
    new NodeVolumeLimits(informers),
    new VolumeBinding(client, informers),
    new VolumeZone(informers),
  ];
}

function defaultPlugins(selectors: DefaultSelectors, forVolumes: readonly Plugin[]): readonly WeightedPlugin[] {
  return [
    { plugin: schedulingGates, weight: 0 },
    { plugin: nodeUnschedulable, weight: 0 },
    { plugin: nodeName, weight: 0 },
    { plugin: taintToleration, weight: 3 },
    { plugin: nodeAffinity, weight: 2 },
    { plugin: nodePorts, weight: 0 },
    { plugin: nodeResourcesFit, weight: 1 },
    ...forVolumes.map((plugin) => ({ plugin, weight: 0 })),
    { plugin: podTopologySpread(selectors), weight: 2 },
    { plugin: interPodAffinity, weight: 2 },
    { plugin: nodeResourcesBalancedAllocation, weight: 1 },
    { plugin: imageLocality, weight: 1 },
  ];
}

export function defaultProfile(selectors: DefaultSelectors, forVolumes: readonly Plugin[]): Profile {
  const weighted = defaultPlugins(selectors, forVolumes);
  const plugins = weighted.map(({ plugin }) => plugin);
  return {
    preEnqueue: plugins.filter((plugin) => plugin.preEnqueue !== undefined),
    filtering: plugins.filter((plugin) => plugin.prepareFilter !== undefined),
    scoring: weighted.filter(({ plugin }) => plugin.prepareScore !== undefined),
    postFilters: ["DynamicResources", "DefaultPreemption"],
    candidateNodes: usualCandidateNodes,
    preBinding: plugins.filter((plugin) => plugin.preBind !== undefined),
    bindTimeoutMs: usualBindTimeoutMs,
    byName: new Map(plugins.map((plugin) => [plugin.name, plugin])),
  };
}
