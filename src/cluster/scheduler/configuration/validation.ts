// What is wrong with a configuration as a whole (apis/config/validation/validation.go).

import { formatGoDuration } from "#cluster/api/duration.ts";
import { FieldFaults } from "#cluster/api/field-faults.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { argumentChecks } from "./plugin-args.ts";
import type { MergedPlugins } from "./plugin-sets.ts";
import {
  type ConfigurationFields,
  type ExtenderFields,
  type LeaderElectionFields,
  type PluginArgs,
  type PluginSet,
  pointNames,
} from "./shapes.ts";

/** A profile with everything that is so by default. */
export interface WholeProfile {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore?: number | undefined;
  readonly plugins: MergedPlugins;
  /** In their order; arguments that no plugin of ours has are undefined. */
  readonly pluginConfig: readonly { readonly name: string; readonly args: PluginArgs[keyof PluginArgs] | undefined }[];
}

export interface WholeConfiguration extends Omit<ConfigurationFields, "profiles" | "leaderElection"> {
  readonly parallelism: number;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly leaderElection: Required<LeaderElectionFields>;
  readonly profiles: readonly WholeProfile[];
}

/** The messages, in upstream's order. */
export function faultsOf(configuration: WholeConfiguration): readonly string[] {
  const faults = new FieldFaults();
  const burst = configuration.clientConnection?.burst ?? 0;
  if (burst < 0) faults.invalid("clientConnection.burst", burst, "must be non-negative");
  checkLeaderElection(configuration.leaderElection, faults);
  if (configuration.parallelism <= 0)
    faults.invalid("parallelism", configuration.parallelism, "should be an integer value greater than zero");
  checkProfiles(configuration.profiles, faults);
  checkPercentage("percentageOfNodesToScore", configuration.percentageOfNodesToScore, faults);
  const { podInitialBackoffSeconds: first, podMaxBackoffSeconds: most } = configuration;
  if (first <= 0) faults.invalid("podInitialBackoffSeconds", first, "must be greater than 0");
  if (most < first) faults.invalid("podMaxBackoffSeconds", most, "must be greater than or equal to PodInitialBackoffSeconds");
  checkExtenders(configuration.extenders ?? [], faults);
  return faults.messages;
}

function checkLeaderElection(election: Required<LeaderElectionFields>, faults: FieldFaults): void {
  const { leaderElect, leaseDuration, renewDeadline, retryPeriod, resourceLock } = election;
  if (!leaderElect) return;
  for (const [name, ms] of Object.entries({ leaseDuration, renewDeadline, retryPeriod }))
    if (ms <= 0) faults.invalid(`leaderElection.${name}`, formatGoDuration(ms), "must be greater than zero");
  if (leaseDuration <= renewDeadline)
    faults.invalid("leaderElection.leaseDuration", formatGoDuration(renewDeadline), "must be greater than `RenewDeadline`");
  if (resourceLock !== "leases") faults.invalid("leaderElection.resourceLock", resourceLock, 'resourceLock value must be "leases"');
}

function checkPercentage(path: string, percentage: number | undefined, faults: FieldFaults): void {
  if (percentage !== undefined && (percentage < 0 || percentage > 100))
    faults.invalid(path, percentage, "not in valid range [0-100]");
}

function checkProfiles(profiles: readonly WholeProfile[], faults: FieldFaults): void {
  const names = new Set<string>();
  for (const [index, profile] of profiles.entries()) {
    const path = `profiles[${index}]`;
    if (profile.schedulerName === "") faults.required(`${path}.schedulerName`);
    checkPercentage(`${path}.percentageOfNodesToScore`, profile.percentageOfNodesToScore, faults);
    checkPluginConfig(path, profile, faults);
    // Upstream gives the path of the first one for its value, and a path prints as nothing.
    if (names.has(profile.schedulerName)) faults.duplicate(`${path}.schedulerName`, {});
    names.add(profile.schedulerName);
  }
  checkQueueSort(profiles, faults);
}

const removedPlugins = ["AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"];
const version = "kubescheduler.config.k8s.io/v1";
const removed = `was invalid in version "${version}" (KubeSchedulerConfiguration is version "${version}")`;
const checkedPoints = pointNames.filter((point) => !point.startsWith("placement"));

function checkPluginConfig(path: string, { plugins, pluginConfig }: WholeProfile, faults: FieldFaults): void {
  for (const point of checkedPoints) {
    plugins[point].enabled.forEach(({ name }, index) => {
      if (removedPlugins.includes(name)) faults.invalid(`${path}.plugins.${point}.enabled[${index}]`, name, removed);
    });
  }
  const seen = new Set<string>();
  pluginConfig.forEach(({ name, args }, index) => {
    const at = `${path}.pluginConfig[${index}]`;
    if (seen.has(name)) faults.duplicate(at, name);
    seen.add(name);
    if (removedPlugins.includes(name)) faults.invalid(at, name, removed);
    // Those of NodeResourcesFit are looked at when the plugin is made.
    else if (args !== undefined && name !== "NodeResourcesFit")
      checkArguments(`${at}.args`, name as keyof PluginArgs, args, faults);
  });
}

function checkArguments(path: string, name: keyof PluginArgs, args: object, faults: FieldFaults): void {
  const check = argumentChecks[name] as (path: string, args: object, faults: FieldFaults) => void;
  check(path, args, faults);
}

/** One queue serves all profiles. */
function checkQueueSort(profiles: readonly WholeProfile[], faults: FieldFaults): void {
  const [first, ...others] = profiles.map(({ plugins }) => plugins.queueSort);
  const length = first?.enabled.length ?? 0;
  if (length > 1) faults.invalid("profiles[0].plugins.queueSort.Enabled", length, "only one queue sort plugin can be enabled");
  for (const [index, other] of others.entries()) {
    if (goSet(other) === goSet(first)) continue;
    const value = JSON.parse(goSet(other)) as unknown;
    faults.invalid(`profiles[${index + 1}].plugins.queueSort`, value, "must be the same for all profiles");
  }
}

/** As the internal type prints. */
function goSet(set: PluginSet | undefined): string {
  const entries = (list: PluginSet["enabled"]) =>
    (list ?? []).length === 0 ? null : (list ?? []).map(({ name, weight = 0 }) => ({ Name: name, Weight: weight }));
  return JSON.stringify({ Enabled: entries(set?.enabled), Disabled: entries(set?.disabled) });
}

function checkExtenders(extenders: readonly ExtenderFields[], faults: FieldFaults): void {
  const managed = new Set<string>();
  for (const [index, { prioritizeVerb = "", weight = 0, managedResources = [] }] of extenders.entries()) {
    const path = `extenders[${index}]`;
    if (prioritizeVerb !== "" && weight <= 0) faults.invalid(`${path}.weight`, weight, "must have a positive weight applied to it");
    for (const [place, { name = "" }] of managedResources.entries()) {
      const at = `${path}.managedResources[${place}].name`;
      const reasons = qualifiedNameReasons(name);
      faults.reasons(at, name, reasons);
      if (reasons.length === 0 && !isExtendedResource(name)) faults.invalid(at, name, "is an invalid extended resource name");
      if (managed.has(name)) faults.invalid(at, name, "duplicate extender managed resource name");
      managed.add(name);
    }
  }
  const binders = extenders.filter(({ bindVerb = "" }) => bindVerb !== "").length;
  if (binders > 1)
    faults.invalid("extenders", `found ${binders} extenders implementing bind`, "only one extender can implement bind");
}

/** A name with a domain that is not Kubernetes' own (apis/core/v1/helper, IsExtendedResourceName). */
export function isExtendedResource(name: string): boolean {
  if (!name.includes("/") || name.includes("kubernetes.io/") || name.startsWith("requests.")) return false;
  return qualifiedNameReasons(`requests.${name}`).length === 0;
}
