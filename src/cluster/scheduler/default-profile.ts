// The profile `default-scheduler` of v1.36: plugins in the order of upstream's default configuration, and score weights.

import type { Plugin } from "./framework.ts";
import { imageLocality } from "./plugins/image-locality.ts";
import { interPodAffinity } from "./plugins/inter-pod-affinity.ts";
import { nodeAffinity } from "./plugins/node-affinity.ts";
import { nodeName } from "./plugins/node-name.ts";
import { nodePorts } from "./plugins/node-ports.ts";
import { nodeResourcesBalancedAllocation } from "./plugins/node-resources-balanced-allocation.ts";
import { nodeResourcesFit } from "./plugins/node-resources-fit.ts";
import { nodeUnschedulable } from "./plugins/node-unschedulable.ts";
import { type DefaultSelectors, podTopologySpread } from "./plugins/pod-topology-spread.ts";
import { schedulingGates } from "./plugins/scheduling-gates.ts";
import { taintToleration } from "./plugins/taint-toleration.ts";

export interface WeightedPlugin {
  readonly plugin: Plugin;
  /** Factor of its score; 0 when it has none. */
  readonly weight: number;
}

export function defaultProfile(selectors: DefaultSelectors): readonly WeightedPlugin[] {
  return [
    { plugin: schedulingGates, weight: 0 },
    { plugin: nodeUnschedulable, weight: 0 },
    { plugin: nodeName, weight: 0 },
    { plugin: taintToleration, weight: 3 },
    { plugin: nodeAffinity, weight: 2 },
    { plugin: nodePorts, weight: 0 },
    { plugin: nodeResourcesFit, weight: 1 },
    { plugin: podTopologySpread(selectors), weight: 2 },
    { plugin: interPodAffinity, weight: 2 },
    { plugin: nodeResourcesBalancedAllocation, weight: 1 },
    { plugin: imageLocality, weight: 1 },
  ];
}
