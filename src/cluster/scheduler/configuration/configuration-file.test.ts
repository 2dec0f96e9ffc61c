import { expect, it } from "vitest";
import { ConfigurationFault, fileSettings } from "./configuration-code.ts";
import { readConfigurationFile } from "./configuration-file.ts";
import { ProfileFault } from "./plugin-sets.ts";
import { soundProfiles } from "./profiles.ts";

const head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

/** What the scheduler would end with; "" when it starts. */
function faultOf(text: string, files: { readonly [path: string]: string } = {}): string {
  const readFile = (path: string): string => {
    const content = files[path];
    if (content === undefined) throw new ConfigurationFault(`open ${path}: no such file or directory`);
    return content;
  };
  try {
    fileSettings(text, {}, readFile);
    return "";
  } catch (error) {
    if (error instanceof ConfigurationFault || error instanceof ProfileFault) return error.message;
    throw error;
  }
}

const scheme = 'in scheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:30"';

it.each([
  ["nothing but kind and version", head, ""],
  ["no kind", "profiles: []\n", "Object 'Kind' is missing in 'profiles: []\n'"],
  ["no version", "kind: KubeSchedulerConfiguration\n", "Object 'apiVersion' is missing in 'kind: KubeSchedulerConfiguration\n'"],
  [
    "an old version",
    "apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n",
    `no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta3" ${scheme}`,
  ],
  ["a Policy", "apiVersion: v1\nkind: Policy\n", `no kind "Policy" is registered for version "v1" ${scheme}`],
  [
    "unknown fields, by name",
    `${head}profile: []\nalgorithmSource: {}\nprofiles:\n- schedulerName: a\n  plugin: {}\n  plugins:\n    filter:\n      enable: []\n`,
    'strict decoding error: unknown field "algorithmSource", unknown field "profile", unknown field "profiles[0].plugin", unknown field "profiles[0].plugins.filter.enable"',
  ],
  [
    "a field twice",
    `${head}parallelism: 1\nparallelism: 2\n`,
    'strict decoding error: yaml: unmarshal errors:\n  line 4: key "parallelism" already set in map',
  ],
  [
    "a wrong type",
    `${head}parallelism: many\n`,
    "json: cannot unmarshal string into Go struct field KubeSchedulerConfiguration.parallelism of type int32",
  ],
  [
    "a wrong type further down",
    `${head}profiles:\n- plugins:\n    score:\n      enabled:\n      - {name: ImageLocality, weight: 1.5}\n`,
    "json: cannot unmarshal number 1.5 into Go struct field Plugin.profiles.plugins.score.enabled.weight of type int32",
  ],
  ["a duration that is none", `${head}extenders:\n- {urlPrefix: "http://x", httpTimeout: soon}\n`, 'time: invalid duration "soon"'],
  ["parallelism", `${head}parallelism: 0\n`, "parallelism: Invalid value: 0: should be an integer value greater than zero"],
  [
    "several faults at once",
    `${head}parallelism: -1\npercentageOfNodesToScore: 101\npodInitialBackoffSeconds: 0\npodMaxBackoffSeconds: -1\n`,
    "[parallelism: Invalid value: -1: should be an integer value greater than zero, percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100], podInitialBackoffSeconds: Invalid value: 0: must be greater than 0, podMaxBackoffSeconds: Invalid value: -1: must be greater than or equal to PodInitialBackoffSeconds]",
  ],
  [
    "a first backoff beyond the longest",
    `${head}podInitialBackoffSeconds: 20\n`,
    "podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds",
  ],
  [
    "a percentage of one profile",
    `${head}profiles:\n- percentageOfNodesToScore: -1\n`,
    "profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]",
  ],
  [
    "leader election",
    `${head}leaderElection: {leaseDuration: 5s, resourceLock: endpoints}\nclientConnection: {burst: -1}\n`,
    '[clientConnection.burst: Invalid value: -1: must be non-negative, leaderElection.leaseDuration: Invalid value: "10s": must be greater than `RenewDeadline`, leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"]',
  ],
  ["leader election that is off", `${head}leaderElection: {leaderElect: false, leaseDuration: 5s}\n`, ""],
  [
    "a deadline that leaves no time to retry",
    `${head}leaderElection: {renewDeadline: 2s}\n`,
    "couldn't create leader elector: renewDeadline must be greater than retryPeriod*JitterFactor",
  ],
  ["profiles without names", `${head}profiles:\n- {}\n- schedulerName: b\n`, "profiles[0].schedulerName: Required value"],
  ["a name twice", `${head}profiles:\n- schedulerName: b\n- schedulerName: b\n`, "profiles[1].schedulerName: Duplicate value: {}"],
])("a configuration: %s", (_title, text, fault) => {
  expect(faultOf(text)).toBe(fault);
});

/** The one profile, with these plugins. */
const plugins = (text: string): string => `${head}profiles:\n- plugins:\n${text.replace(/^/gmu, "    ")}\n`;
const creating = "initializing profiles: creating profile for scheduler name default-scheduler: ";

it.each([
  ["an unknown plugin", "filter: {enabled: [{name: Mine}]}", `${creating}FilterPlugin "Mine" does not exist`],
  ["an unknown plugin for all points", "multiPoint: {enabled: [{name: Mine}]}", `${creating}PreFilterPlugin "Mine" does not exist`],
  ["an unknown plugin that is disabled", "filter: {disabled: [{name: Mine}]}", ""],
  [
    "a plugin at a point that it does not extend",
    "filter: {enabled: [{name: ImageLocality}]}",
    `${creating}plugin "ImageLocality" does not extend FilterPlugin plugin`,
  ],
  [
    "a plugin twice at a point",
    "score: {enabled: [{name: ImageLocality}, {name: ImageLocality}]}",
    `${creating}plugin "ImageLocality" already registered as "ScorePlugin"`,
  ],
  [
    "a plugin twice for all points",
    "multiPoint: {enabled: [{name: ImageLocality}, {name: ImageLocality}]}",
    `${creating}plugin "ImageLocality" already registered as "ScorePlugin"`,
  ],
  [
    "no plugin that binds",
    'bind: {disabled: [{name: "*"}]}',
    `${creating}at least one bind plugin is needed for profile with scheduler name "default-scheduler"`,
  ],
  [
    "no plugin that sorts the queue",
    "queueSort: {disabled: [{name: PrioritySort}]}",
    `${creating}only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0`,
  ],
  [
    "a plugin that is no more",
    "filter: {enabled: [{name: EBSLimits}]}",
    'profiles[0].plugins.filter.enabled[0]: Invalid value: "EBSLimits": was invalid in version "kubescheduler.config.k8s.io/v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")',
  ],
  [
    "two that sort the queue",
    "queueSort: {enabled: [{name: PrioritySort}, {name: Mine}]}",
    "profiles[0].plugins.queueSort.Enabled: Invalid value: 2: only one queue sort plugin can be enabled",
  ],
  ["a weight of 0", "score: {enabled: [{name: ImageLocality, weight: 0}]}", ""],
])("plugins: %s", (_title, text, fault) => {
  expect(faultOf(plugins(text))).toBe(fault);
});

it("wants one order of the queue for all profiles", () => {
  const text = `${head}profiles:\n- schedulerName: a\n- schedulerName: b\n  plugins: {queueSort: {enabled: [{name: PrioritySort}]}}\n`;
  expect(faultOf(text)).toBe(
    'profiles[1].plugins.queueSort: Invalid value: {"Enabled":[{"Name":"PrioritySort","Weight":0}],"Disabled":null}: must be the same for all profiles',
  );
});

/** The one profile, with these arguments of a plugin. */
const config = (name: string, args: string): string => `${head}profiles:\n- pluginConfig:\n  - name: ${name}\n    args: ${args}\n`;
const at = "profiles[0].pluginConfig[0].args";
const decoding = (name: string) => `decoding .profiles[0].pluginConfig[0]: decoding args for plugin ${name}: `;

it.each([
  [
    "NodeResourcesFit",
    "{scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 3}, {name: example.com/gpu}]}}",
    "",
  ],
  ["NodeResourcesFit", "{kind: NodeResourcesFitArgs, apiVersion: kubescheduler.config.k8s.io/v1}", ""],
  ["Mine", "{anything: goes}", ""],
  [
    "NodeResourcesFit",
    "{scoringStrategies: {}}",
    'strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: decoding args for plugin NodeResourcesFit: strict decoding error: unknown field "scoringStrategies"',
  ],
  [
    "NodeResourcesFit",
    "{kind: NodeAffinityArgs}",
    "decoding .profiles[0].pluginConfig[0]: args for plugin NodeResourcesFit were not of type NodeResourcesFitArgs.kubescheduler.config.k8s.io, got NodeAffinityArgs.kubescheduler.config.k8s.io",
  ],
  [
    "NodeResourcesFit",
    "{kind: FitArgs}",
    `${decoding("NodeResourcesFit")}no kind "FitArgs" is registered for version "kubescheduler.config.k8s.io/v1" ${scheme}`,
  ],
  [
    "NodeResourcesFit",
    "{scoringStrategy: {resources: [{name: cpu, weight: heavy}]}}",
    `${decoding("NodeResourcesFit")}json: cannot unmarshal string into Go struct field ResourceSpec.scoringStrategy.resources.weight of type int64`,
  ],
  [
    "NodeResourcesFit",
    "{scoringStrategy: {type: BestFit, resources: [{name: cpu, weight: 101}]}, ignoredResourceGroups: [a/b]}",
    `${creating}initializing plugin "NodeResourcesFit": [ignoredResourceGroups[0]: Invalid value: "a/b": resource group name can't contain '/', scoringStrategy.type: Unsupported value: "BestFit": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio", scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100]]`,
  ],
  [
    "NodeResourcesFit",
    "{scoringStrategy: {type: RequestedToCapacityRatio}}",
    `${creating}initializing plugin "NodeResourcesFit": scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is RequestedToCapacityRatio`,
  ],
  [
    "NodeResourcesFit",
    "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 50, score: 11}, {utilization: 50, score: 0}]}}}",
    `${creating}initializing plugin "NodeResourcesFit": [scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: 50: values must be sorted in increasing order, scoringStrategy.requestedToCapacityRatio.shape[0].score: Invalid value: 11: not in valid range [0, 10]]`,
  ],
  [
    "NodeResourcesFit",
    "{scoringStrategy: {type: LeastAllocated, requestedToCapacityRatio: {shape: []}}}",
    `${creating}initializing plugin "NodeResourcesFit": scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when type is not RequestedToCapacityRatio`,
  ],
  [
    "NodeResourcesBalancedAllocation",
    "{resources: [{name: cpu, weight: 2}, {name: cpu}]}",
    `[${at}.resources[0].weight: Invalid value: 2: must be 1, ${at}.resources[1].name: Duplicate value: "cpu"]`,
  ],
  [
    "PodTopologySpread",
    "{defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}",
    `${at}.defaultingType: Invalid value: "System": when .defaultConstraints are not empty`,
  ],
  [
    "PodTopologySpread",
    "{defaultingType: Mine}",
    `${at}.defaultingType: Unsupported value: "Mine": supported values: "System", "List"`,
  ],
  [
    "PodTopologySpread",
    "{defaultingType: List, defaultConstraints: [{topologyKey: '', whenUnsatisfiable: Never, labelSelector: {}}, {maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule}, {maxSkew: 2, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}",
    `[${at}.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf), ${at}.defaultConstraints[0].topologyKey: Required value: can not be empty, ${at}.defaultConstraints[0].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway", ${at}.defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod, ${at}.defaultConstraints[2]: Duplicate value: "{a, DoNotSchedule}"]`,
  ],
  [
    "InterPodAffinity",
    "{hardPodAffinityWeight: 101}",
    `${at}.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]`,
  ],
  [
    "NodeAffinity",
    "{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Equals}]}]}}}",
    `${at}.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Equals": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"`,
  ],
  [
    "NodeAffinity",
    "{addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: a, operator: In}]}}]}}",
    `${at}.addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].matchExpressions[0].values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`,
  ],
  [
    "DefaultPreemption",
    "{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}",
    `[${at}.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute, ${at}.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage]`,
  ],
  [
    "DefaultPreemption",
    "{minCandidateNodesPercentage: 101, minCandidateNodesAbsolute: -1}",
    `[${at}.minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100], ${at}.minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)]`,
  ],
  [
    "VolumeBinding",
    "{bindTimeoutSeconds: -1, shape: [{utilization: 0, score: 1}]}",
    `[${at}.bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value, ${at}.shape: Invalid value: [{"Utilization":0,"Score":1}]: unexpected field \`shape\`, remove it or turn on the feature gate StorageCapacityScoring]`,
  ],
  ["DynamicResources", "{bindingTimeout: 1ms}", `${at}.bindingTimeout: Invalid value: "1ms": must be at least 1 second`],
])("arguments of %s: %s", (name, args, fault) => {
  expect(faultOf(config(name, args))).toBe(fault);
});

it("refuses arguments of one plugin twice", () => {
  const text = `${head}profiles:\n- pluginConfig: [{name: NodeAffinity}, {name: NodeAffinity}]\n`;
  expect(faultOf(text)).toBe('profiles[0].pluginConfig[1]: Duplicate value: "NodeAffinity"');
});

it.each([
  [
    "a score without weight",
    "[{urlPrefix: 'http://a', prioritizeVerb: p}]",
    "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it",
  ],
  [
    "two that bind",
    "[{urlPrefix: 'http://a', bindVerb: b}, {urlPrefix: 'http://b', bindVerb: b}]",
    'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
  ],
  [
    "resources that are none of theirs",
    "[{urlPrefix: 'http://a', managedResources: [{name: cpu}, {name: example.com/foo}, {name: example.com/foo}]}]",
    '[extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name, extenders[0].managedResources[2].name: Invalid value: "example.com/foo": duplicate extender managed resource name]',
  ],
  [
    "a certificate that is not there",
    "[{urlPrefix: 'https://a', enableHTTPS: true, tlsConfig: {caFile: /ca.crt}}]",
    "open /ca.crt: no such file or directory",
  ],
  [
    "an authority that is insecure",
    "[{urlPrefix: 'https://a', tlsConfig: {insecure: true, caData: eA==}}]",
    "couldn't build extenders: specifying a root certificates file with the insecure flag is not allowed",
  ],
  [
    "an authority that is no certificate",
    "[{urlPrefix: 'https://a', tlsConfig: {caData: eA==}}]",
    "couldn't build extenders: unable to load root certificates: unable to parse bytes as PEM block",
  ],
])("extenders: %s", (_title, text, fault) => {
  expect(faultOf(`${head}extenders: ${text}\n`)).toBe(fault);
});

function lineup(text: string) {
  const [profile] = soundProfiles(readConfigurationFile(plugins(text), {}).profiles, []);
  return { ...profile?.lineup, weights: Object.fromEntries(profile?.weights ?? []) };
}

const defaultFilters = [
  "NodeUnschedulable",
  "NodeName",
  "TaintToleration",
  "NodeAffinity",
  "NodePorts",
  "NodeResourcesFit",
  "VolumeRestrictions",
  "NodeVolumeLimits",
  "VolumeBinding",
  "VolumeZone",
  "PodTopologySpread",
  "InterPodAffinity",
  "DynamicResources",
  "NodeDeclaredFeatures",
];

it("spreads the default plugins over the points that they extend", () => {
  expect(lineup("multiPoint: {}")).toMatchObject({
    preEnqueue: ["SchedulingGates", "DynamicResources", "DefaultPreemption"],
    queueSort: ["PrioritySort"],
    filter: defaultFilters,
    postFilter: ["DynamicResources", "DefaultPreemption"],
    reserve: ["VolumeBinding", "DynamicResources"],
    permit: [],
    preBind: ["VolumeBinding", "DynamicResources"],
    bind: ["DefaultBinder"],
    postBind: [],
    weights: { TaintToleration: 3, NodeAffinity: 2, PodTopologySpread: 2, ImageLocality: 1 },
  });
});

it.each([
  [
    "a plugin disabled at a point",
    "filter: {disabled: [{name: NodePorts}]}",
    { filter: defaultFilters.filter((name) => name !== "NodePorts") },
  ],
  ["all disabled at a point", 'filter: {disabled: [{name: "*"}]}', { filter: [] }],
  [
    "all disabled and some enabled at a point",
    'filter: {disabled: [{name: "*"}], enabled: [{name: NodePorts}, {name: NodeName}]}',
    { filter: ["NodePorts", "NodeName"], preFilter: expect.arrayContaining(["NodeResourcesFit"]) },
  ],
  [
    "what a point sets anew comes first",
    "filter: {enabled: [{name: NodePorts}]}",
    { filter: ["NodePorts", ...defaultFilters.filter((name) => name !== "NodePorts")] },
  ],
  [
    "disabled everywhere",
    "multiPoint: {disabled: [{name: ImageLocality}, {name: NodePorts}]}",
    { filter: defaultFilters.filter((name) => name !== "NodePorts"), score: expect.not.arrayContaining(["ImageLocality"]) },
  ],
  [
    "disabled everywhere but enabled at a point: behind the others",
    "multiPoint: {disabled: [{name: NodePorts}]}\nfilter: {enabled: [{name: NodePorts}]}",
    { filter: [...defaultFilters.filter((name) => name !== "NodePorts"), "NodePorts"] },
  ],
  [
    "enabled anew everywhere: the place stays",
    "multiPoint: {enabled: [{name: ImageLocality, weight: 7}]}",
    { weights: expect.objectContaining({ ImageLocality: 7 }), bind: ["DefaultBinder"] },
  ],
  [
    "a weight of the point comes before one of all points",
    "multiPoint: {enabled: [{name: ImageLocality, weight: 7}]}\nscore: {enabled: [{name: ImageLocality, weight: 9}]}",
    { weights: expect.objectContaining({ ImageLocality: 9 }) },
  ],
  [
    "only what is named",
    'multiPoint: {disabled: [{name: "*"}], enabled: [{name: PrioritySort}, {name: DefaultBinder}, {name: NodeResourcesFit, weight: 5}]}',
    {
      filter: ["NodeResourcesFit"],
      score: ["NodeResourcesFit"],
      postFilter: [],
      weights: expect.objectContaining({ NodeResourcesFit: 5 }),
    },
  ],
])("merges %s", (_title, text, expected) => {
  expect(lineup(text)).toMatchObject(expected);
});

it("names the fields that are right and do nothing here", () => {
  const text = `${head}parallelism: 4\nenableProfiling: false\nclientConnection: {qps: 100, kubeconfig: /x}\n`;
  const { idle, kubeconfig } = fileSettings(text, {}, () => "");
  expect({ idle, kubeconfig }).toEqual({ idle: ["parallelism", "clientConnection.qps", "enableProfiling"], kubeconfig: "/x" });
});
