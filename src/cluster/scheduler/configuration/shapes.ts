// The fields of KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) and of the arguments of plugins, and what they decode to.

import type { NodeAffinity, TopologySpreadConstraint } from "#cluster/api/generated/types.ts";
import { flag, type GoType, int32, int64, list, type Struct, struct, text } from "#cluster/api/go-fields.ts";

const duration: GoType = { kind: "duration" };
const typeMeta = { apiVersion: text, kind: text };

/** Every point that a plugin can extend, by its field; `multiPoint` stands for all of them. */
export const pointNames = [
  "preFilter",
  "filter",
  "postFilter",
  "reserve",
  "preScore",
  "score",
  "preBind",
  "bind",
  "postBind",
  "permit",
  "preEnqueue",
  "queueSort",
  "placementGenerate",
  "placementScore",
] as const;

export type Point = (typeof pointNames)[number];

export interface PluginEntry {
  readonly name: string;
  readonly weight?: number;
}

export interface PluginSet {
  readonly enabled?: readonly PluginEntry[];
  readonly disabled?: readonly PluginEntry[];
}

export type Plugins = { readonly [point in Point | "multiPoint"]?: PluginSet };

const plugin = struct("v1.Plugin", { name: text, weight: int32 });
const pluginSet = struct("v1.PluginSet", { enabled: list(plugin), disabled: list(plugin) });
const plugins = struct(
  "v1.Plugins",
  Object.fromEntries([...pointNames, "multiPoint"].map((name): [string, GoType] => [name, pluginSet])),
);

export interface PluginConfig {
  readonly name?: string;
  readonly args?: unknown;
}

export interface ProfileFields {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: Plugins;
  readonly pluginConfig?: readonly PluginConfig[];
}

const profile = struct("v1.KubeSchedulerProfile", {
  schedulerName: text,
  percentageOfNodesToScore: int32,
  plugins,
  pluginConfig: list(struct("v1.PluginConfig", { name: text, args: { kind: "any" } })),
});

export interface ExtenderTls {
  readonly insecure?: boolean;
  readonly serverName?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly caFile?: string;
  /** Base64 of PEM, as the other two. */
  readonly certData?: string;
  readonly keyData?: string;
  readonly caData?: string;
}

export interface ExtenderFields {
  readonly urlPrefix?: string;
  readonly filterVerb?: string;
  readonly preemptVerb?: string;
  readonly prioritizeVerb?: string;
  readonly weight?: number;
  readonly bindVerb?: string;
  readonly enableHTTPS?: boolean;
  readonly tlsConfig?: ExtenderTls;
  /** Milliseconds. */
  readonly httpTimeout?: number;
  readonly nodeCacheCapable?: boolean;
  readonly managedResources?: readonly { readonly name?: string; readonly ignoredByScheduler?: boolean }[];
  readonly ignorable?: boolean;
}

const bytes: GoType = { kind: "bytes" };
const extender = struct("v1.Extender", {
  urlPrefix: text,
  filterVerb: text,
  preemptVerb: text,
  prioritizeVerb: text,
  weight: int64,
  bindVerb: text,
  enableHTTPS: flag,
  tlsConfig: struct("v1.ExtenderTLSConfig", {
    insecure: flag,
    serverName: text,
    certFile: text,
    keyFile: text,
    caFile: text,
    certData: bytes,
    keyData: bytes,
    caData: bytes,
  }),
  httpTimeout: duration,
  nodeCacheCapable: flag,
  managedResources: list(struct("v1.ExtenderManagedResource", { name: text, ignoredByScheduler: flag })),
  ignorable: flag,
});

/** Durations in milliseconds. */
export interface LeaderElectionFields {
  readonly leaderElect?: boolean;
  readonly leaseDuration?: number;
  readonly renewDeadline?: number;
  readonly retryPeriod?: number;
  readonly resourceLock?: string;
  readonly resourceName?: string;
  readonly resourceNamespace?: string;
}

export interface ConfigurationFields {
  readonly parallelism?: number;
  readonly leaderElection?: LeaderElectionFields;
  readonly clientConnection?: {
    readonly kubeconfig?: string;
    readonly acceptContentTypes?: string;
    readonly contentType?: string;
    readonly qps?: number;
    readonly burst?: number;
  };
  readonly enableProfiling?: boolean;
  readonly enableContentionProfiling?: boolean;
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
  readonly profiles?: readonly ProfileFields[];
  readonly extenders?: readonly ExtenderFields[];
  readonly delayCacheUntilActive?: boolean;
}

export const configurationShape: Struct = struct("v1.KubeSchedulerConfiguration", {
  ...typeMeta,
  parallelism: int32,
  leaderElection: struct("v1alpha1.LeaderElectionConfiguration", {
    leaderElect: flag,
    leaseDuration: duration,
    renewDeadline: duration,
    retryPeriod: duration,
    resourceLock: text,
    resourceName: text,
    resourceNamespace: text,
  }),
  clientConnection: struct("v1alpha1.ClientConnectionConfiguration", {
    kubeconfig: text,
    acceptContentTypes: text,
    contentType: text,
    qps: { kind: "float32" },
    burst: int32,
  }),
  enableProfiling: flag,
  enableContentionProfiling: flag,
  percentageOfNodesToScore: int32,
  podInitialBackoffSeconds: int64,
  podMaxBackoffSeconds: int64,
  profiles: list(profile),
  extenders: list(extender),
  delayCacheUntilActive: flag,
});

// Arguments.

export interface ShapePoint {
  readonly utilization?: number;
  readonly score?: number;
}

export interface ResourceSpec {
  readonly name?: string;
  readonly weight?: number;
}

export interface ScoringStrategy {
  readonly type?: string;
  readonly resources?: readonly ResourceSpec[];
  readonly requestedToCapacityRatio?: { readonly shape?: readonly ShapePoint[] };
}

export interface PluginArgs {
  readonly DefaultPreemption?: { readonly minCandidateNodesPercentage?: number; readonly minCandidateNodesAbsolute?: number };
  readonly InterPodAffinity?: {
    readonly hardPodAffinityWeight?: number;
    readonly ignorePreferredTermsOfExistingPods?: boolean;
  };
  readonly NodeAffinity?: { readonly addedAffinity?: NodeAffinity };
  readonly NodeResourcesBalancedAllocation?: { readonly resources?: readonly ResourceSpec[] };
  readonly NodeResourcesFit?: {
    readonly ignoredResources?: readonly string[];
    readonly ignoredResourceGroups?: readonly string[];
    readonly scoringStrategy?: ScoringStrategy;
  };
  readonly PodTopologySpread?: {
    readonly defaultConstraints?: readonly TopologySpreadConstraint[];
    readonly defaultingType?: string;
  };
  readonly VolumeBinding?: { readonly bindTimeoutSeconds?: number; readonly shape?: readonly ShapePoint[] };
  /** Milliseconds. */
  readonly DynamicResources?: { readonly filterTimeout?: number; readonly bindingTimeout?: number };
}

const resources = list(struct("v1.ResourceSpec", { name: text, weight: int64 }));
const points = list(struct("v1.UtilizationShapePoint", { utilization: int32, score: int32 }));

const requirements = list(
  struct("v1.NodeSelectorRequirement", {
    key: text,
    operator: { kind: "string", named: "v1.NodeSelectorOperator" },
    values: list(text),
  }),
);
const term = struct("v1.NodeSelectorTerm", { matchExpressions: requirements, matchFields: requirements });
const nodeAffinity = struct("v1.NodeAffinity", {
  requiredDuringSchedulingIgnoredDuringExecution: struct("v1.NodeSelector", { nodeSelectorTerms: list(term) }),
  preferredDuringSchedulingIgnoredDuringExecution: list(struct("v1.PreferredSchedulingTerm", { weight: int32, preference: term })),
});

const policy: GoType = { kind: "string", named: "v1.NodeInclusionPolicy" };
const constraint = struct("v1.TopologySpreadConstraint", {
  maxSkew: int32,
  topologyKey: text,
  whenUnsatisfiable: { kind: "string", named: "v1.UnsatisfiableConstraintAction" },
  labelSelector: struct("v1.LabelSelector", {
    matchLabels: { kind: "texts" },
    matchExpressions: list(
      struct("v1.LabelSelectorRequirement", {
        key: text,
        operator: { kind: "string", named: "v1.LabelSelectorOperator" },
        values: list(text),
      }),
    ),
  }),
  minDomains: int32,
  nodeAffinityPolicy: policy,
  nodeTaintsPolicy: policy,
  matchLabelKeys: list(text),
});

/** By the plugin's name; a plugin without arguments of its own has none. */
export const argumentShapes: { readonly [plugin in keyof PluginArgs]-?: Struct } = {
  DefaultPreemption: struct("v1.DefaultPreemptionArgs", {
    ...typeMeta,
    minCandidateNodesPercentage: int32,
    minCandidateNodesAbsolute: int32,
  }),
  InterPodAffinity: struct("v1.InterPodAffinityArgs", {
    ...typeMeta,
    hardPodAffinityWeight: int32,
    ignorePreferredTermsOfExistingPods: flag,
  }),
  NodeAffinity: struct("v1.NodeAffinityArgs", { ...typeMeta, addedAffinity: nodeAffinity }),
  NodeResourcesBalancedAllocation: struct("v1.NodeResourcesBalancedAllocationArgs", { ...typeMeta, resources }),
  NodeResourcesFit: struct("v1.NodeResourcesFitArgs", {
    ...typeMeta,
    ignoredResources: list(text),
    ignoredResourceGroups: list(text),
    scoringStrategy: struct("v1.ScoringStrategy", {
      type: { kind: "string", named: "v1.ScoringStrategyType" },
      resources,
      requestedToCapacityRatio: struct("v1.RequestedToCapacityRatioParam", { shape: points }),
    }),
  }),
  PodTopologySpread: struct("v1.PodTopologySpreadArgs", {
    ...typeMeta,
    defaultConstraints: list(constraint),
    defaultingType: { kind: "string", named: "v1.PodTopologySpreadConstraintsDefaulting" },
  }),
  VolumeBinding: struct("v1.VolumeBindingArgs", { ...typeMeta, bindTimeoutSeconds: int64, shape: points }),
  DynamicResources: struct("v1.DynamicResourcesArgs", { ...typeMeta, filterTimeout: duration, bindingTimeout: duration }),
};
