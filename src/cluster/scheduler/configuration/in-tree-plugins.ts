// The plugins of kube-scheduler v1.36 and the points that each extends; the default set, in its order (apis/config/v1/default_plugins.go).

import { asciiUpperCase } from "#sim/ascii.ts";
import type { PluginEntry, Point } from "./shapes.ts";

function points(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** In the order in which they are made. */
export const inTreePlugins: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["DynamicResources", points("preEnqueue preFilter filter postFilter score reserve preBind")],
  ["ImageLocality", points("score")],
  ["TaintToleration", points("filter preScore score")],
  ["NodeName", points("filter")],
  ["NodePorts", points("preFilter filter")],
  ["NodeAffinity", points("preFilter filter preScore score")],
  ["NodeDeclaredFeatures", points("preFilter filter")],
  ["PodTopologySpread", points("preFilter filter preScore score")],
  ["NodeUnschedulable", points("filter")],
  ["NodeResourcesFit", points("preFilter filter preScore score placementScore")],
  ["NodeResourcesBalancedAllocation", points("preScore score")],
  ["VolumeBinding", points("preFilter filter preScore score reserve preBind")],
  ["VolumeRestrictions", points("preFilter filter")],
  ["VolumeZone", points("preFilter filter")],
  ["NodeVolumeLimits", points("preFilter filter")],
  ["InterPodAffinity", points("preFilter filter preScore score")],
  ["PrioritySort", points("queueSort")],
  ["DefaultBinder", points("bind")],
  ["DefaultPreemption", points("preEnqueue postFilter")],
  ["SchedulingGates", points("preEnqueue")],
  ["GangScheduling", points("preEnqueue permit")],
  ["TopologyPlacementGenerator", points("placementGenerate")],
  ["PodGroupPodsCount", points("placementScore")],
]);

export const defaultPlugins: readonly PluginEntry[] = [
  { name: "SchedulingGates" },
  { name: "PrioritySort" },
  { name: "NodeUnschedulable" },
  { name: "NodeName" },
  { name: "TaintToleration", weight: 3 },
  { name: "NodeAffinity", weight: 2 },
  { name: "NodePorts" },
  { name: "NodeResourcesFit", weight: 1 },
  { name: "VolumeRestrictions" },
  { name: "NodeVolumeLimits" },
  { name: "VolumeBinding" },
  { name: "VolumeZone" },
  { name: "PodTopologySpread", weight: 2 },
  { name: "InterPodAffinity", weight: 2 },
  { name: "DynamicResources", weight: 2 },
  { name: "DefaultPreemption" },
  { name: "NodeResourcesBalancedAllocation", weight: 1 },
  { name: "ImageLocality", weight: 1 },
  { name: "DefaultBinder" },
  { name: "NodeDeclaredFeatures" },
];

/** `preFilter` is `PreFilterPlugin` in Go's words. */
export function goPoint(point: Point): string {
  return `${asciiUpperCase(point.slice(0, 1))}${point.slice(1)}Plugin`;
}
