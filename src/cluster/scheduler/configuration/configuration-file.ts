// The file that --config names: decoded strictly, made whole, validated (cmd/kube-scheduler/app/options/configfile.go,
// apis/config/v1/defaults.go).

import { aggregate } from "#cluster/api/field-faults.ts";
import { DecodingError, decode, type Struct } from "#cluster/api/go-fields.ts";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { withDefaults } from "./plugin-args.ts";
import { mergeWithDefaults } from "./plugin-sets.ts";
import {
  argumentShapes,
  type ConfigurationFields,
  configurationShape,
  type LeaderElectionFields,
  type PluginArgs,
  type PluginConfig,
  type ProfileFields,
} from "./shapes.ts";
import { faultsOf, type WholeConfiguration, type WholeProfile } from "./validation.ts";

/** A file that the scheduler ends with. */
export class ConfigurationFault extends Error {}

const version = "kubescheduler.config.k8s.io/v1";
const scheme = 'in scheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:30"';

/** `flags`: those of leader election count beside a file. Throws ConfigurationFault. */
export function readConfigurationFile(text: string, flags: LeaderElectionFields): WholeConfiguration {
  const { document, loose } = parsed(text);
  const { kind, apiVersion } = kindOf(document, text);
  if (kind !== "KubeSchedulerConfiguration" || apiVersion !== version) throw new ConfigurationFault(unregistered(kind, apiVersion));
  const { value, unknown } = decoded(configurationShape, document, "");
  const fields = value as ConfigurationFields;
  const nested = { loose: [...loose, ...unknown.map(String)] };
  const profiles = (fields.profiles ?? []).map((profile, index) => ({
    profile,
    config: (profile.pluginConfig ?? []).map((one, place) =>
      readArguments(one, `decoding .profiles[${index}].pluginConfig[${place}]`, nested.loose),
    ),
  }));
  if (nested.loose.length > 0) throw new ConfigurationFault(`strict decoding error: ${nested.loose.join(", ")}`);
  const whole = wholeConfiguration(fields, profiles, flags);
  const fault = aggregate(faultsOf(whole));
  if (fault !== undefined) throw new ConfigurationFault(fault);
  return whole;
}

function parsed(text: string): { readonly document: JsonValue; readonly loose: readonly string[] } {
  try {
    const { value, duplicates } = parseYaml(text);
    const faults = duplicates.map((fault) => `\n  ${fault}`).join("");
    return { document: value, loose: faults === "" ? [] : [`yaml: unmarshal errors:${faults}`] };
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new ConfigurationFault(error.message);
    throw error;
  }
}

function kindOf(document: JsonValue, text: string): { readonly kind: string; readonly apiVersion: string } {
  const fields: JsonObject = isObject(document) ? document : {};
  const { kind = "", apiVersion = "" } = fields;
  if (typeof kind !== "string" || kind === "") throw new ConfigurationFault(`Object 'Kind' is missing in '${text}'`);
  if (typeof apiVersion !== "string" || apiVersion === "")
    throw new ConfigurationFault(`Object 'apiVersion' is missing in '${text}'`);
  return { kind, apiVersion };
}

function unregistered(kind: string, apiVersion: string): string {
  return `no kind "${kind}" is registered for version "${apiVersion}" ${scheme}`;
}

function decoded(type: Struct, document: JsonValue, before: string): ReturnType<typeof decode> {
  try {
    return decode(type, document);
  } catch (error) {
    if (error instanceof DecodingError) throw new ConfigurationFault(before + error.message);
    throw error;
  }
}

interface ReadArguments {
  readonly name: string;
  readonly args: PluginArgs[keyof PluginArgs] | undefined;
}

/** Of a plugin that has none of ours, whatever is written there is let be. */
function readArguments({ name = "", args = {} }: PluginConfig, at: string, loose: string[]): ReadArguments {
  const known = Object.hasOwn(argumentShapes, name) ? argumentShapes[name as keyof PluginArgs] : undefined;
  if (known === undefined) return { name, args: undefined };
  const before = `${at}: decoding args for plugin ${name}: `;
  const document = args as JsonValue;
  const own = `${name}Args`;
  if (isObject(document)) {
    const { kind = own, apiVersion = version } = document as { readonly kind?: string; readonly apiVersion?: string };
    const isOurs = kind.endsWith("Args") && Object.hasOwn(argumentShapes, kind.slice(0, -4));
    if (apiVersion !== version || !(isOurs || kind === "KubeSchedulerConfiguration"))
      throw new ConfigurationFault(before + unregistered(kind, apiVersion));
    const group = version.slice(0, version.indexOf("/"));
    if (kind !== own)
      throw new ConfigurationFault(`${at}: args for plugin ${name} were not of type ${own}.${group}, got ${kind}.${group}`);
  }
  const { value, unknown } = decoded(known, document, before);
  if (unknown.length > 0)
    loose.push(`${at}: strict decoding error: decoding args for plugin ${name}: strict decoding error: ${unknown.join(", ")}`);
  const { kind: _kind, apiVersion: _apiVersion, ...fields } = value;
  return { name, args: fields as PluginArgs[keyof PluginArgs] };
}

interface ReadProfile {
  readonly profile: ProfileFields;
  readonly config: readonly ReadArguments[];
}

function wholeConfiguration(
  fields: ConfigurationFields,
  read: readonly ReadProfile[],
  flags: LeaderElectionFields,
): WholeConfiguration {
  const profiles = read.length === 0 ? [{ profile: {}, config: [] }] : read;
  const { leaseDuration, renewDeadline, retryPeriod, resourceLock, resourceName, resourceNamespace, leaderElect } =
    fields.leaderElection ?? {};
  // Zero values count as not said.
  const election: Required<LeaderElectionFields> = {
    leaderElect: leaderElect ?? true,
    leaseDuration: leaseDuration || 15_000,
    renewDeadline: renewDeadline || 10_000,
    retryPeriod: retryPeriod || 2_000,
    resourceLock: resourceLock || "leases",
    resourceName: resourceName || "kube-scheduler",
    resourceNamespace: resourceNamespace || "kube-system",
  };
  return {
    ...fields,
    parallelism: fields.parallelism ?? 16,
    podInitialBackoffSeconds: fields.podInitialBackoffSeconds ?? 1,
    podMaxBackoffSeconds: fields.podMaxBackoffSeconds ?? 10,
    leaderElection: { ...election, ...flags },
    profiles: profiles.map((one) => wholeProfile(one, profiles.length === 1)),
  };
}

function wholeProfile({ profile, config }: ReadProfile, isOnly: boolean): WholeProfile {
  const plugins = mergeWithDefaults(profile.plugins);
  const given = config.map(({ name, args }) => ({ name, args: args === undefined ? undefined : whole(name, args) }));
  const enabled = new Set(Object.values(plugins).flatMap((set) => set.enabled.map(({ name }) => name)));
  const further = Object.keys(argumentShapes)
    .filter((name) => enabled.has(name) && !given.some((one) => one.name === name))
    .map((name) => ({ name, args: whole(name, {}) }));
  return {
    // Only a profile that is alone gets a name.
    schedulerName: profile.schedulerName ?? (isOnly ? "default-scheduler" : ""),
    percentageOfNodesToScore: profile.percentageOfNodesToScore,
    plugins,
    pluginConfig: [...given, ...further],
  };
}

function whole(name: string, args: object): PluginArgs[keyof PluginArgs] {
  const complete = withDefaults[name as keyof PluginArgs] as (args: object) => PluginArgs[keyof PluginArgs];
  return complete(args);
}
