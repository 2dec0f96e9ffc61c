// /configz of a scheduler without a configuration file: the defaults of v1 (pkg/scheduler/apis/config/v1/defaults.go), and what its flags say.

import type { JsonValue } from "#cluster/api/objects.ts";
import { leaderElectionOf } from "#cluster/zpages/leader-election.ts";

const apiVersion = "kubescheduler.config.k8s.io/v1";

/** Plugins of the default profile with their weights, in their order; none has 0. */
const plugins: readonly (readonly [name: string, weight: number])[] = [
  ["SchedulingGates", 0],
  ["PrioritySort", 0],
  ["NodeUnschedulable", 0],
  ["NodeName", 0],
  ["TaintToleration", 3],
  ["NodeAffinity", 2],
  ["NodePorts", 0],
  ["NodeResourcesFit", 1],
  ["VolumeRestrictions", 0],
  ["NodeVolumeLimits", 0],
  ["VolumeBinding", 0],
  ["VolumeZone", 0],
  ["PodTopologySpread", 2],
  ["InterPodAffinity", 2],
  ["DynamicResources", 2],
  ["DefaultPreemption", 0],
  ["NodeResourcesBalancedAllocation", 1],
  ["ImageLocality", 1],
  ["DefaultBinder", 0],
  ["NodeDeclaredFeatures", 0],
];

const firstPoints = ["preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore"];
const lastPoints = ["score", "reserve", "permit", "preBind", "bind", "postBind"];
const resources = [
  { name: "cpu", weight: 1 },
  { name: "memory", weight: 1 },
];

/** Plugin → its arguments. */
const pluginArguments: { readonly [plugin: string]: { readonly [field: string]: JsonValue } } = {
  DefaultPreemption: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 },
  DynamicResources: { filterTimeout: "10s", bindingTimeout: "10m0s" },
  InterPodAffinity: { hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: false },
  NodeAffinity: {},
  NodeResourcesBalancedAllocation: { resources },
  NodeResourcesFit: { scoringStrategy: { type: "LeastAllocated", resources } },
  PodTopologySpread: { defaultingType: "System" },
  VolumeBinding: { bindTimeoutSeconds: 600 },
};

/** `flags`: all, with the values that pflag prints. */
export function schedulerConfigz(flags: ReadonlyMap<string, string>): JsonValue {
  const text = (name: string): string => flags.get(name) ?? "";
  const empty = (points: readonly string[]) => Object.fromEntries(points.map((point) => [point, {}]));
  const configuration: JsonValue = {
    kind: "KubeSchedulerConfiguration",
    apiVersion,
    parallelism: 16,
    leaderElection: leaderElectionOf(text),
    clientConnection: {
      kubeconfig: text("kubeconfig"),
      acceptContentTypes: "",
      contentType: text("kube-api-content-type"),
      qps: Number(text("kube-api-qps")),
      burst: Number(text("kube-api-burst")),
    },
    enableProfiling: text("profiling") === "true",
    enableContentionProfiling: text("contention-profiling") === "true",
    percentageOfNodesToScore: 0,
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 10,
    profiles: [
      {
        schedulerName: "default-scheduler",
        plugins: {
          ...empty([...firstPoints, ...lastPoints]),
          multiPoint: { enabled: plugins.map(([name, weight]) => ({ name, weight })) },
          ...empty(["placementGenerate", "placementScore"]),
        },
        pluginConfig: Object.entries(pluginArguments).map(([name, fields]) => ({
          name,
          args: { kind: `${name}Args`, apiVersion, ...fields },
        })),
      },
    ],
  };
  return { componentconfig: configuration };
}
