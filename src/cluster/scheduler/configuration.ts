// What a kube-scheduler process is told: flags, and the KubeSchedulerConfiguration that --config names. What would change decisions and
// is not simulated is refused.

import { parseYaml } from "#cluster/api/yaml-text.ts";

export interface SchedulerSettings {
  /** Names that Pods ask for; the first one signs for the process. */
  readonly profiles: readonly string[];
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseNamespace: string;
  /** "" for none: the process acts as the service account of its Pod. */
  readonly kubeconfig: string;
}

/** The process cannot start; `logged` tells whether its text comes as a log line. */
export class WrongSchedulerSetting extends Error {
  readonly logged: boolean;

  constructor(message: string, logged: boolean) {
    super(message);
    this.logged = logged;
  }
}

const flagNames: ReadonlySet<string> = new Set(
  `allow-metric-labels allow-metric-labels-manifest authentication-kubeconfig authentication-skip-lookup
  authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure authorization-always-allow-paths
  authorization-kubeconfig authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl bind-address
  cert-dir client-ca-file config contention-profiling disable-http2-serving disabled-metrics emulated-version
  emulation-forward-compatible feature-gates h help http2-max-streams-per-connection kube-api-burst kube-api-content-type kube-api-qps
  kubeconfig leader-elect leader-elect-lease-duration leader-elect-renew-deadline leader-elect-resource-lock
  leader-elect-resource-name leader-elect-resource-namespace leader-elect-retry-period log-flush-frequency
  log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size log-text-split-stream logging-format master
  min-compatibility-version permit-address-sharing permit-port-sharing pod-max-in-unschedulable-pods-duration profiling
  requestheader-allowed-names requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
  requestheader-uid-headers requestheader-username-headers secure-port show-hidden-metrics-for-version tls-cert-file tls-cipher-suites
  tls-curve-preferences tls-min-version tls-private-key-file tls-sni-cert-key v version vmodule write-config-to`.split(/\s+/),
);

const booleanFlags: ReadonlySet<string> = new Set(["contention-profiling", "leader-elect", "profiling", "version"]);

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

function flagsOf(argv: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index] as string;
    const [, name, text] = /^--?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) continue;
    if (!flagNames.has(name)) throw new WrongSchedulerSetting(`unknown flag: --${name}`, false);
    if (text === undefined && !booleanFlags.has(name)) index += 1;
    values.set(name, text ?? (booleanFlags.has(name) ? "true" : (argv[index] ?? "")));
  }
  return values;
}

/** `readFile` throws for what is not there. Throws WrongSchedulerSetting. */
export function schedulerSettings(argv: readonly string[], readFile: (path: string) => string): SchedulerSettings {
  const flags = flagsOf(argv);
  const path = flags.get("config");
  const file = path === undefined ? undefined : fileSettings(path, readFile);
  const settings = file ?? {
    profiles: ["default-scheduler"],
    leaderElect: true,
    leaseName: "kube-scheduler",
    leaseNamespace: "kube-system",
    kubeconfig: flags.get("kubeconfig") ?? "",
  };
  // Of the flags beside a file only those of the leader election count, where they are given.
  const elect = flags.get("leader-elect");
  return {
    ...settings,
    leaderElect: elect === undefined ? settings.leaderElect : elect === "true",
    leaseName: flags.get("leader-elect-resource-name") ?? settings.leaseName,
    leaseNamespace: flags.get("leader-elect-resource-namespace") ?? settings.leaseNamespace,
  };
}

type Fields = { readonly [name: string]: unknown };

function fileSettings(path: string, readFile: (path: string) => string): SchedulerSettings {
  const object = fieldsOf(parseYaml(readConfiguration(path, readFile)).value);
  const { apiVersion = "", kind = "" } = object as { readonly apiVersion?: string; readonly kind?: string };
  if (apiVersion !== "kubescheduler.config.k8s.io/v1" || kind !== "KubeSchedulerConfiguration")
    throw new WrongSchedulerSetting(`no kind "${kind}" is registered for version "${apiVersion}"`, true);
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new WrongSchedulerSetting(`strict decoding error: unknown field "${unknown}"`, true);
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
    if (!(error instanceof Error)) throw error;
    throw new WrongSchedulerSetting(`open ${path}: ${error.message.toLowerCase()}`, true);
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function refuse(object: Fields, name: string, usual: unknown): void {
  if (object[name] === undefined || JSON.stringify(object[name]) === JSON.stringify(usual)) return;
  throw new WrongSchedulerSetting(`${name}: this value is not available in this kube-scheduler`, true);
}

function profilesOf(value: unknown): readonly string[] {
  const profiles =
    Array.isArray(value) && value.length > 0 ? value.map(fieldsOf) : [{ schedulerName: "default-scheduler" } as Fields];
  const names: string[] = [];
  for (const [index, profile] of profiles.entries()) {
    const name = profile["schedulerName"] ?? (profiles.length === 1 ? "default-scheduler" : "");
    const where = `profiles[${index}]`;
    if (typeof name !== "string" || name === "") throw new WrongSchedulerSetting(`${where}.schedulerName: Required value`, true);
    if (names.includes(name)) throw new WrongSchedulerSetting(`${where}.schedulerName: Duplicate value: "${name}"`, true);
    const other = Object.keys(profile).find((field) => field !== "schedulerName");
    if (other !== undefined)
      throw new WrongSchedulerSetting(
        `${where}.${other}: profiles with plugins of their own are not available in this kube-scheduler`,
        true,
      );
    names.push(name);
  }
  return names;
}
