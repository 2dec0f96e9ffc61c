// What a kube-scheduler process is told: flags, and the KubeSchedulerConfiguration that --config names. What would change decisions and
// is not simulated is refused.

import { parseYaml } from "#cluster/api/yaml-text.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { wordsOf } from "#sim/errors.ts";
import { flagValues, type GivenFlags, WrongCommandLine, words } from "../component-flags.ts";
import { lateFlagNames } from "../late-flag-names.ts";

export interface SchedulerSettings {
  /** Names that Pods ask for; the first one signs for the process. */
  readonly profiles: readonly string[];
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseNamespace: string;
  /** "" for none: the process acts as the service account of its Pod. */
  readonly kubeconfig: string;
  readonly given: GivenFlags;
}

export const actingSchedulerFlags: readonly string[] = words(`
  config kubeconfig leader-elect leader-elect-resource-name leader-elect-resource-namespace secure-port`);

/** Fields of the file that change nothing here. */
const withoutEffect = ["parallelism", "enableProfiling", "enableContentionProfiling", "delayCacheUntilActive"];
const known = [
  ...withoutEffect,
  "percentageOfNodesToScore",
  "apiVersion",
  "kind",
  "profiles",
  "leaderElection",
  "clientConnection",
  "extenders",
  "podInitialBackoffSeconds",
  "podMaxBackoffSeconds",
];

/** `readFile` throws for what is not there. Throws WrongCommandLine. */
export function schedulerSettings(
  argv: readonly string[],
  readFile: (path: string) => string,
  usual?: ReadonlySet<string>,
): SchedulerSettings {
  const given = flagValues(argv, () => [lateFlagNames.code.commonFlags, lateFlagNames.code.schedulerFlags], usual);
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const path = last("config");
  const file = path === undefined ? undefined : fileSettings(path, readFile);
  const settings: Omit<SchedulerSettings, "given"> = file ?? {
    profiles: ["default-scheduler"],
    leaderElect: true,
    leaseName: "kube-scheduler",
    leaseNamespace: "kube-system",
    kubeconfig: last("kubeconfig") ?? "",
  };
  // Of the flags beside a file only those of the leader election count, where they are given.
  const elect = last("leader-elect");
  return {
    ...settings,
    leaderElect: elect === undefined ? settings.leaderElect : elect === "true",
    leaseName: last("leader-elect-resource-name") ?? settings.leaseName,
    leaseNamespace: last("leader-elect-resource-namespace") ?? settings.leaseNamespace,
    given,
  };
}

type Fields = { readonly [name: string]: unknown };

function fileSettings(path: string, readFile: (path: string) => string): Omit<SchedulerSettings, "given"> {
  const object = fieldsOf(parseYaml(readConfiguration(path, readFile)).value);
  const { apiVersion = "", kind = "" } = object as { readonly apiVersion?: string; readonly kind?: string };
  if (apiVersion !== "kubescheduler.config.k8s.io/v1" || kind !== "KubeSchedulerConfiguration")
    throw new WrongCommandLine(`no kind "${kind}" is registered for version "${apiVersion}"`, true);
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new WrongCommandLine(`strict decoding error: unknown field "${unknown}"`, true);
  refuse(object, "extenders", []);
  refuse(object, "percentageOfNodesToScore", 0);
  refuse(object, "podInitialBackoffSeconds", 1);
  refuse(object, "podMaxBackoffSeconds", 10);
  const election = fieldsOf(object["leaderElection"]);
  const text = (value: unknown, fallback: string): string => (typeof value === "string" && value !== "" ? value : fallback);
  return {
    profiles: profilesOf(object["profiles"]),
    leaderElect: election["leaderElect"] !== false,
    leaseName: text(election["resourceName"], "kube-scheduler"),
    leaseNamespace: text(election["resourceNamespace"], "kube-system"),
    kubeconfig: text(fieldsOf(object["clientConnection"])["kubeconfig"], ""),
  };
}

function readConfiguration(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    throw new WrongCommandLine(`open ${path}: ${asciiLowerCase(wordsOf(error))}`, true);
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function refuse(object: Fields, name: string, usual: unknown): void {
  if (object[name] === undefined || JSON.stringify(object[name]) === JSON.stringify(usual)) return;
  throw new WrongCommandLine(`${name}: this value is not available in this kube-scheduler`, true);
}

function profilesOf(value: unknown): readonly string[] {
  const profiles =
    Array.isArray(value) && value.length > 0 ? value.map(fieldsOf) : [{ schedulerName: "default-scheduler" } as Fields];
  const names: string[] = [];
  for (const [index, profile] of profiles.entries()) {
    const name = profile["schedulerName"] ?? (profiles.length === 1 ? "default-scheduler" : "");
    const where = `profiles[${index}]`;
    if (typeof name !== "string" || name === "") throw new WrongCommandLine(`${where}.schedulerName: Required value`, true);
    if (names.includes(name)) throw new WrongCommandLine(`${where}.schedulerName: Duplicate value: "${name}"`, true);
    const other = Object.keys(profile).find((field) => field !== "schedulerName");
    if (other !== undefined)
      throw new WrongCommandLine(
        `${where}.${other}: profiles with plugins of their own are not available in this kube-scheduler`,
        true,
      );
    names.push(name);
  }
  return names;
}
