// The command line of cloud-controller-manager. Names of all of the library's flags are known, so that a wrong one is refused; which of
// them act here, `actingCloudFlags` says.

import type { LeaderElectionTiming } from "../../client/leader-election.ts";
import { flagValues, type GivenFlags, type KnownFlags, WrongCommandLine, words } from "../../component-flags.ts";
import { duration, numberOf } from "../../controllers/number-flags.ts";

export interface CloudManagerFlags {
  readonly cloudProvider: string;
  /** Canonical names, `*`, and names with `-` before them. */
  readonly controllers: readonly string[];
  readonly leaderElect: boolean;
  readonly lease: { readonly name: string; readonly namespace: string };
  readonly timing: LeaderElectionTiming;
  readonly clusterName: string;
  readonly clusterCidr: string;
  readonly configureRoutes: boolean;
  readonly nodeStatusUpdateMs: number;
  readonly nodeMonitorMs: number;
  readonly routePeriodMs: number;
  readonly given: GivenFlags;
}

export const controllerNames = [
  "cloud-node-controller",
  "cloud-node-lifecycle-controller",
  "node-route-controller",
  "service-lb-controller",
] as const;
export type CloudControllerName = (typeof controllerNames)[number];

const namesOfOld: { readonly [name: string]: CloudControllerName } = {
  "cloud-node": "cloud-node-controller",
  "cloud-node-lifecycle": "cloud-node-lifecycle-controller",
  route: "node-route-controller",
  service: "service-lb-controller",
};

/** Those that do nothing upstream either are among them (allocate-node-cidrs: the library reads it nowhere). */
export const actingCloudFlags: readonly string[] = words(`
  allocate-node-cidrs cloud-provider cluster-cidr cluster-name configure-cloud-routes controllers leader-elect
  leader-elect-lease-duration leader-elect-renew-deadline leader-elect-resource-name leader-elect-resource-namespace
  leader-elect-retry-period node-monitor-period node-status-update-frequency route-reconciliation-period secure-port`);

const knownFlags: KnownFlags = {
  names: words(`
  allocate-node-cidrs allow-metric-labels allow-metric-labels-manifest allow-untagged-cloud authentication-kubeconfig
  authentication-skip-lookup authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure
  authorization-always-allow-paths authorization-kubeconfig authorization-webhook-cache-authorized-ttl
  authorization-webhook-cache-unauthorized-ttl bind-address cert-dir cidr-allocator-type client-ca-file cloud-config cloud-provider
  cluster-cidr cluster-name concurrent-node-status-updates concurrent-node-syncs concurrent-service-syncs configure-cloud-routes
  contention-profiling controller-start-interval controllers disabled-metrics emulated-version emulation-forward-compatible
  enable-leader-migration external-cloud-volume-plugin feature-gates http2-max-streams-per-connection kube-api-burst
  kube-api-content-type kube-api-qps kubeconfig leader-elect leader-elect-lease-duration leader-elect-renew-deadline
  leader-elect-resource-lock leader-elect-resource-name leader-elect-resource-namespace leader-elect-retry-period
  leader-migration-config log-flush-frequency log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size
  log-text-split-stream logging-format master min-compatibility-version min-resync-period node-monitor-period
  node-status-update-frequency node-sync-period permit-address-sharing permit-port-sharing profiling requestheader-allowed-names
  requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
  requestheader-username-headers route-reconciliation-period secure-port show-hidden-metrics-for-version tls-cert-file
  tls-cipher-suites tls-min-version tls-private-key-file tls-sni-cert-key use-service-account-credentials v version vmodule
  webhook-bind-address webhook-cert-dir webhook-secure-port webhook-tls-cert-file webhook-tls-private-key-file webhooks`),
  boolean: words(`
  allocate-node-cidrs allow-untagged-cloud authentication-skip-lookup authentication-tolerate-lookup-failure
  configure-cloud-routes contention-profiling emulation-forward-compatible enable-leader-migration leader-elect
  log-json-split-stream log-text-split-stream permit-address-sharing permit-port-sharing profiling use-service-account-credentials
  version`),
};

/** `argv` with the program's name first. Throws WrongCommandLine. */
export function cloudManagerFlags(argv: readonly string[]): CloudManagerFlags {
  const given = flagValues(argv, () => [knownFlags]);
  const text = (name: string, usual: string): string => given.get(name)?.at(-1) ?? usual;
  const ms = (name: string, usualMs: number): number => numberOf(given, name, usualMs, duration);
  const unsimulated = ["kubeconfig", "master", "cloud-config", "leader-migration-config", "version"].find(
    (name) => text(name, "") !== "",
  );
  if (unsimulated !== undefined) throw new WrongCommandLine(`--${unsimulated}=${text(unsimulated, "")}: not simulated`, true);
  const flags: CloudManagerFlags = {
    cloudProvider: text("cloud-provider", ""),
    controllers: (given.get("controllers")?.flatMap((value) => value.split(",")) ?? ["*"]).map(canonical),
    leaderElect: isTrue(given, "leader-elect"),
    lease: {
      name: text("leader-elect-resource-name", "cloud-controller-manager"),
      namespace: text("leader-elect-resource-namespace", "kube-system"),
    },
    timing: {
      leaseDurationMs: ms("leader-elect-lease-duration", 15_000),
      renewDeadlineMs: ms("leader-elect-renew-deadline", 10_000),
      retryPeriodMs: ms("leader-elect-retry-period", 2_000),
    },
    clusterName: text("cluster-name", "kubernetes"),
    clusterCidr: text("cluster-cidr", ""),
    configureRoutes: isTrue(given, "configure-cloud-routes"),
    nodeStatusUpdateMs: ms("node-status-update-frequency", 300_000),
    nodeMonitorMs: ms("node-monitor-period", 5_000),
    routePeriodMs: ms("route-reconciliation-period", 10_000),
    given,
  };
  if (flags.cloudProvider === "") throw new WrongCommandLine("--cloud-provider cannot be empty", true);
  return flags;
}

function isTrue(given: GivenFlags, name: string): boolean {
  const text = given.get(name)?.at(-1) ?? "true";
  if (/^(?:1|t|T|true|True|TRUE)$/.test(text)) return true;
  if (/^(?:0|f|F|false|False|FALSE)$/.test(text)) return false;
  const problem = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${problem}`, false);
}

function canonical(entry: string): string {
  if (entry === "*") return entry;
  const minus = entry.startsWith("-") ? "-" : "";
  const name = entry.slice(minus.length);
  const known = controllerNames.find((each) => each === (namesOfOld[name] ?? name));
  if (known === undefined) throw new WrongCommandLine(`${JSON.stringify(name)} is not in the list of known controllers`, true);
  return minus + known;
}

/** `name` turns on, `-name` off, `*` all others. */
export function isEnabled(controllers: readonly string[], name: CloudControllerName): boolean {
  return controllers.includes(name) || (!controllers.includes(`-${name}`) && controllers.includes("*"));
}
