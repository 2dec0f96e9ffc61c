// Arguments of plugins: what is so where nothing is said, and what is wrong with them (apis/config/v1/defaults.go,
// apis/config/validation/validation_pluginargs.go).

import { formatGoDuration } from "#cluster/api/duration.ts";
import { aggregate, child, FieldFaults } from "#cluster/api/field-faults.ts";
import type { NodeSelectorRequirement, NodeSelectorTerm, TopologySpreadConstraint } from "#cluster/api/generated/types.ts";
import { type LabelOperator, labelRequirement, SelectorError } from "#cluster/api/labels.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import type { PluginArgs, ResourceSpec, ScoringStrategy, ShapePoint } from "./shapes.ts";

type Args<Name extends keyof PluginArgs> = NonNullable<PluginArgs[Name]>;

const usualResources: readonly ResourceSpec[] = [
  { name: "cpu", weight: 1 },
  { name: "memory", weight: 1 },
];

function withWeights(resources: readonly ResourceSpec[] = []): readonly ResourceSpec[] {
  if (resources.length === 0) return usualResources;
  return resources.map((one) => ({ ...one, weight: (one.weight ?? 0) === 0 ? 1 : (one.weight as number) }));
}

/** Makes arguments whole. */
export const withDefaults: { readonly [name in keyof PluginArgs]-?: (args: Args<name>) => Args<name> } = {
  DefaultPreemption: (args) => ({ minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100, ...args }),
  InterPodAffinity: (args) => ({ hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: false, ...args }),
  NodeAffinity: (args) => args,
  NodeResourcesBalancedAllocation: ({ resources }) => ({ resources: withWeights(resources) }),
  NodeResourcesFit: (args) => {
    const strategy: ScoringStrategy = args.scoringStrategy ?? { type: "LeastAllocated" };
    return { ...args, scoringStrategy: { ...strategy, resources: withWeights(strategy.resources) } };
  },
  PodTopologySpread: ({ defaultingType = "", ...args }) => ({
    ...args,
    defaultingType: defaultingType === "" ? "System" : defaultingType,
  }),
  VolumeBinding: (args) => ({ bindTimeoutSeconds: 600, ...args }),
  DynamicResources: (args) => ({ filterTimeout: 10_000, bindingTimeout: 600_000, ...args }),
};

/** Looks at whole arguments; `path` is where they stand. */
export const argumentChecks: {
  readonly [name in keyof PluginArgs]-?: (path: string, args: Args<name>, faults: FieldFaults) => void;
} = {
  DefaultPreemption(path, { minCandidateNodesPercentage = 0, minCandidateNodesAbsolute = 0 }, faults) {
    const [percentage, absolute] = [child(path, "minCandidateNodesPercentage"), child(path, "minCandidateNodesAbsolute")];
    if (minCandidateNodesPercentage < 0 || minCandidateNodesPercentage > 100)
      faults.invalid(percentage, minCandidateNodesPercentage, "not in valid range [0, 100]");
    if (minCandidateNodesAbsolute < 0) faults.invalid(absolute, minCandidateNodesAbsolute, "not in valid range [0, inf)");
    if (minCandidateNodesPercentage !== 0 || minCandidateNodesAbsolute !== 0) return;
    faults.invalid(percentage, 0, "cannot be zero at the same time as minCandidateNodesAbsolute");
    faults.invalid(absolute, 0, "cannot be zero at the same time as minCandidateNodesPercentage");
  },
  InterPodAffinity(path, { hardPodAffinityWeight = 0 }, faults) {
    if (hardPodAffinityWeight >= 0 && hardPodAffinityWeight <= 100) return;
    faults.invalid(child(path, "hardPodAffinityWeight"), hardPodAffinityWeight, "not in valid range [0, 100]");
  },
  NodeAffinity(path, { addedAffinity = {} }, faults) {
    const at = child(path, "addedAffinity");
    const required = child(at, "requiredDuringSchedulingIgnoredDuringExecution");
    const preferred = child(at, "preferredDuringSchedulingIgnoredDuringExecution");
    addedAffinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.forEach((term, index) => {
      checkTerm(`${required}.nodeSelectorTerms[${index}]`, term, faults);
    });
    addedAffinity.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ weight, preference }, index) => {
      if ((weight ?? 0) !== 0) checkTerm(`${preferred}[${index}]`, preference ?? {}, faults);
    });
  },
  NodeResourcesBalancedAllocation(path, { resources = [] }, faults) {
    const seen = new Set<string>();
    resources.forEach(({ name = "", weight = 0 }, index) => {
      const at = `${child(path, "resources")}[${index}]`;
      if (seen.has(name)) faults.duplicate(`${at}.name`, name);
      seen.add(name);
      if (weight !== 1) faults.invalid(`${at}.weight`, weight, "must be 1");
    });
  },
  NodeResourcesFit(path, { ignoredResources = [], ignoredResourceGroups = [], scoringStrategy = {} }, faults) {
    ignoredResources.forEach((name, index) => {
      faults.reasons(`${child(path, "ignoredResources")}[${index}]`, name, qualifiedNameReasons(name));
    });
    ignoredResourceGroups.forEach((group, index) => {
      const at = `${child(path, "ignoredResourceGroups")}[${index}]`;
      if (group.includes("/")) faults.invalid(at, group, "resource group name can't contain '/'");
      faults.reasons(at, group, qualifiedNameReasons(group));
    });
    checkStrategy(child(path, "scoringStrategy"), scoringStrategy, faults);
  },
  PodTopologySpread(path, { defaultingType = "", defaultConstraints = [] }, faults) {
    const type = child(path, "defaultingType");
    if (defaultingType !== "System" && defaultingType !== "List") faults.notSupported(type, defaultingType, ["System", "List"]);
    else if (defaultingType === "System" && defaultConstraints.length > 0)
      faults.invalid(type, defaultingType, "when .defaultConstraints are not empty");
    defaultConstraints.forEach((_one, index) => {
      checkConstraint(child(path, "defaultConstraints"), defaultConstraints, index, faults);
    });
  },
  VolumeBinding(path, { bindTimeoutSeconds = 0, shape }, faults) {
    if (bindTimeoutSeconds < 0)
      faults.invalid(
        child(path, "bindTimeoutSeconds"),
        bindTimeoutSeconds,
        "invalid BindTimeoutSeconds, should not be a negative value",
      );
    if (shape === undefined) return;
    const shown = shape.map(({ utilization = 0, score = 0 }) => ({ Utilization: utilization, Score: score }));
    const detail = "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring";
    faults.invalid(child(path, "shape"), shown, detail);
  },
  DynamicResources(path, { filterTimeout = 0, bindingTimeout = 600_000 }, faults) {
    if (filterTimeout < 0)
      faults.invalid(child(path, "filterTimeout"), formatGoDuration(filterTimeout), "must be zero or positive");
    if (bindingTimeout < 1000)
      faults.invalid(child(path, "bindingTimeout"), formatGoDuration(bindingTimeout), "must be at least 1 second");
  },
};

function checkStrategy(path: string, strategy: ScoringStrategy, faults: FieldFaults): void {
  const { type = "", resources = [], requestedToCapacityRatio } = strategy;
  const strategies = ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"];
  if (!strategies.includes(type)) faults.notSupported(child(path, "type"), type, strategies);
  resources.forEach(({ name = "", weight = 0 }, index) => {
    if (weight > 0 && weight <= 100) return;
    faults.invalid(`${path}.resources[${index}].weight`, weight, `resource weight of ${name} not in valid range (0, 100]`);
  });
  const at = child(path, "requestedToCapacityRatio");
  if (type === "RequestedToCapacityRatio") {
    if (requestedToCapacityRatio === undefined) faults.required(at, "must be specified when type is RequestedToCapacityRatio");
    else checkShape(child(at, "shape"), requestedToCapacityRatio.shape ?? [], faults);
  } else if (requestedToCapacityRatio !== undefined) faults.forbidden(at, "must be nil when type is not RequestedToCapacityRatio");
}

function checkShape(path: string, shape: readonly ShapePoint[], faults: FieldFaults): void {
  if (shape.length === 0) {
    faults.required(path, "at least one point must be specified");
    return;
  }
  const unsorted = shape.findIndex(
    ({ utilization = 0 }, index) => index > 0 && (shape[index - 1]?.utilization ?? 0) >= utilization,
  );
  if (unsorted >= 0)
    faults.invalid(
      `${path}[${unsorted}].utilization`,
      shape[unsorted]?.utilization ?? 0,
      "values must be sorted in increasing order",
    );
  shape.forEach(({ utilization = 0, score = 0 }, index) => {
    if (utilization < 0 || utilization > 100)
      faults.invalid(`${path}[${index}].utilization`, utilization, "not in valid range [0, 100]");
    if (score < 0 || score > 10) faults.invalid(`${path}[${index}].score`, score, "not in valid range [0, 10]");
  });
}

function checkConstraint(path: string, constraints: readonly TopologySpreadConstraint[], index: number, faults: FieldFaults): void {
  const { maxSkew = 0, topologyKey = "", whenUnsatisfiable = "", labelSelector } = constraints[index] as TopologySpreadConstraint;
  const at = `${path}[${index}]`;
  if (maxSkew <= 0) faults.invalid(`${at}.maxSkew`, maxSkew, "not in valid range (0, inf)");
  if (topologyKey === "") faults.required(`${at}.topologyKey`, "can not be empty");
  else faults.reasons(`${at}.topologyKey`, topologyKey, qualifiedNameReasons(topologyKey));
  const actions = ["DoNotSchedule", "ScheduleAnyway"];
  if (whenUnsatisfiable === "") faults.required(`${at}.whenUnsatisfiable`, "can not be empty");
  else if (!actions.includes(whenUnsatisfiable)) faults.notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, actions);
  if (labelSelector !== undefined)
    faults.forbidden(`${at}.labelSelector`, "constraint must not define a selector, as they deduced for each pod");
  const isRepeated = constraints
    .slice(0, index)
    .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
  if (isRepeated) faults.duplicate(at, `{${topologyKey}, ${whenUnsatisfiable}}`);
}

const labelOperators: { readonly [operator: string]: LabelOperator } = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
  Gt: "gt",
  Lt: "lt",
};

/** component-helpers, scheduling/corev1/nodeaffinity. */
function checkTerm(path: string, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm, faults: FieldFaults): void {
  matchExpressions.forEach(({ key = "", operator = "", values }: NodeSelectorRequirement, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const known = Object.hasOwn(labelOperators, operator) ? labelOperators[operator] : undefined;
    if (known === undefined) faults.notSupported(`${at}.operator`, operator, Object.keys(labelOperators));
    else faults.messages.push(...selectorFaults(at, key, known, values));
  });
  matchFields.forEach(({ operator = "", values = [] }: NodeSelectorRequirement, index) => {
    const at = `${path}.matchFields[${index}]`;
    if (operator !== "In" && operator !== "NotIn") faults.notSupported(`${at}.operator`, operator, ["In", "NotIn"]);
    else if (values.length !== 1) faults.invalid(`${at}.values`, values, "must have one element");
  });
}

function selectorFaults(
  path: string,
  key: string,
  operator: LabelOperator,
  values: readonly string[] | undefined,
): readonly string[] {
  try {
    labelRequirement(key, operator, values ?? []);
    return [];
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    // One error, or several in brackets: each is a field of the requirement.
    const list = error.message.startsWith("[")
      ? error.message.slice(1, -1).split(/, (?=(?:key|values|operator)\b)/)
      : [error.message];
    // Where no values are said at all, Go prints none.
    return list.map((one) => child(path, values === undefined ? one.replace("Invalid value: []", "Invalid value: null") : one));
  }
}

/** What is wrong with the arguments that a plugin looks at itself when it is made. */
export function ownFaults(name: keyof PluginArgs, args: PluginArgs): string | undefined {
  const faults = new FieldFaults();
  if (name === "NodeResourcesFit") argumentChecks.NodeResourcesFit("", args.NodeResourcesFit ?? {}, faults);
  return aggregate(faults.messages);
}
