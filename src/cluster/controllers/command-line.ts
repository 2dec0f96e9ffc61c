// The command line of kube-controller-manager. Names of all of upstream's flags are known, so that a wrong one is refused; which of them
// act here, `actingManagerFlags` says.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { flagValues, type GivenFlags, isTrue, WrongCommandLine, words } from "../component-flags.ts";
import { lateFlagNames } from "../late-flag-names.ts";
import { controllerNames, controllerNamesOfOld } from "./controller-names.ts";
import { type EvictionRates, usualEvictionRates } from "./nodes/zone-rates.ts";
import { type AutoscalingSettings, usualAutoscaling } from "./podautoscaler/autoscaling-settings.ts";

import { type Tuning, usualTuning } from "./tuning.ts";

export interface ManagerFlags {
  /** Canonical names, `*`, and names with `-` before them. */
  readonly controllers: readonly string[];
  readonly clusterCidr: string | undefined;
  readonly terminatedPodThreshold: number;
  /** `--node-monitor-grace-period`: how long a node may be silent. */
  readonly nodeGraceMs: number;
  /** `--node-eviction-rate` and its like. */
  readonly evictionRates: EvictionRates;
  /** `--cluster-signing-duration`: how long certificates last that ask for no other time. */
  readonly signingMs: number;
  readonly autoscaling: AutoscalingSettings;
  readonly tuning: Tuning;
  /** `--use-service-account-credentials`: each controller acts as an account of its own. */
  readonly useServiceAccountCredentials: boolean;
  readonly given: GivenFlags;
}

const autoscalerPrefix = "horizontal-pod-autoscaler-";
const evictionFlags = words(
  "large-cluster-size-threshold node-eviction-rate secondary-node-eviction-rate unhealthy-zone-threshold",
);

export const actingManagerFlags: readonly string[] = [
  ...words(`
  cloud-provider cluster-cidr cluster-signing-duration controllers node-monitor-grace-period terminated-pod-gc-threshold
  use-service-account-credentials`),
  ...evictionFlags,
  ...words("cpu-initialization-period downscale-stabilization initial-readiness-delay sync-period tolerance").map(
    (name) => autoscalerPrefix + name,
  ),
];

/** `argv` with the program's name first; `usual` words are right. Throws WrongCommandLine. */
export function managerFlags(argv: readonly string[], usual?: ReadonlySet<string>): ManagerFlags {
  const given = flagValues(argv, () => [lateFlagNames.code.knownFlagsOf("kube-controller-manager")], usual);
  const threshold = given.get("terminated-pod-gc-threshold")?.at(-1);
  if (threshold !== undefined && !/^[+-]?\d+$/.test(threshold)) {
    const problem = `strconv.ParseInt: parsing ${JSON.stringify(threshold)}: invalid syntax`;
    throw new WrongCommandLine(
      `invalid argument ${JSON.stringify(threshold)} for "--terminated-pod-gc-threshold" flag: ${problem}`,
      false,
    );
  }
  if (given.has("cloud-provider")) lateFlagNames.code.checkCloudProvider(given);
  const controllers = given.get("controllers")?.flatMap((value) => value.split(",")) ?? ["*"];
  return {
    controllers: controllers.map(canonical),
    clusterCidr: given.get("cluster-cidr")?.at(-1),
    terminatedPodThreshold: threshold === undefined ? 12_500 : Number(threshold),
    nodeGraceMs: duration(given, "node-monitor-grace-period", "50s"),
    evictionRates: evictionRatesOf(given),
    signingMs: duration(given, "cluster-signing-duration", "8760h"),
    autoscaling: autoscalingOf(given),
    tuning: argv.slice(1).every((word) => usual?.has(word)) ? usualTuning : lateFlagNames.code.tuningOf(given),
    useServiceAccountCredentials: isTrue(given, "use-service-account-credentials", false),
    given,
  };
}

/** Reads them only where there are some, as those of autoscaling: the code comes with the names of flags. */
function evictionRatesOf(given: GivenFlags): EvictionRates {
  return evictionFlags.some((name) => given.has(name)) ? lateFlagNames.code.evictionRatesOf(given) : usualEvictionRates;
}

function autoscalingOf(given: GivenFlags): AutoscalingSettings {
  const isGiven = [...given.keys()].some((name) => name.startsWith(autoscalerPrefix));
  return isGiven ? lateFlagNames.code.autoscalingOf(given) : usualAutoscaling;
}

function duration(given: GivenFlags, name: string, usual: string): number {
  const text = given.get(name)?.at(-1) ?? usual;
  const parsed = parseGoDuration(text);
  if ("ms" in parsed) return parsed.ms;
  throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${parsed.error}`, false);
}

function canonical(entry: string): string {
  if (entry === "*") return entry;
  const [, minus = "", name = ""] = /^(-?)(.*)$/.exec(entry) ?? [];
  const known = controllerNamesOfOld.get(name) ?? name;
  if (!controllerNames.has(known))
    throw new WrongCommandLine(`${JSON.stringify(name)} is not in the list of known controllers`, true);
  return `${minus}${known}`;
}
