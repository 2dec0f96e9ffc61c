// The command line of kube-controller-manager. Names of all of upstream's flags are known, so that a wrong one is refused;
// those that act here: --controllers, --cluster-cidr, --terminated-pod-gc-threshold.

import { controllerNames, controllerNamesOfOld } from "./controller-names.ts";

export interface ManagerFlags {
  /** Canonical names, `*`, and names with `-` before them. */
  readonly controllers: readonly string[];
  readonly clusterCidr: string | undefined;
  readonly terminatedPodThreshold: number;
}

/** A command line that the process ends with; `logged` when upstream says it in its log rather than plainly. */
export class WrongCommandLine extends Error {
  readonly logged: boolean;

  constructor(message: string, logged: boolean) {
    super(message);
    this.logged = logged;
  }
}

const flagNames: ReadonlySet<string> = new Set(
  `allocate-node-cidrs allow-metric-labels allow-metric-labels-manifest attach-detach-reconcile-sync-period
  authentication-kubeconfig authentication-skip-lookup authentication-token-webhook-cache-ttl
  authentication-tolerate-lookup-failure authorization-always-allow-paths authorization-kubeconfig
  authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl bind-address cert-dir
  cidr-allocator-type client-ca-file cloud-config cloud-provider cluster-cidr cluster-name cluster-signing-cert-file
  cluster-signing-duration cluster-signing-key-file cluster-signing-kube-apiserver-client-cert-file
  cluster-signing-kube-apiserver-client-key-file cluster-signing-kubelet-client-cert-file
  cluster-signing-kubelet-client-key-file cluster-signing-kubelet-serving-cert-file cluster-signing-kubelet-serving-key-file
  cluster-signing-legacy-unknown-cert-file cluster-signing-legacy-unknown-key-file concurrent-cron-job-syncs
  concurrent-daemonset-syncs concurrent-deployment-syncs concurrent-endpoint-syncs concurrent-ephemeralvolume-syncs
  concurrent-gc-syncs concurrent-horizontal-pod-autoscaler-syncs concurrent-job-syncs concurrent-namespace-syncs
  concurrent-rc-syncs concurrent-replicaset-syncs concurrent-resource-quota-syncs concurrent-service-endpoint-syncs
  concurrent-service-syncs concurrent-serviceaccount-token-syncs concurrent-statefulset-syncs
  concurrent-ttl-after-finished-syncs concurrent-validating-admission-policy-status-syncs configure-cloud-routes
  contention-profiling controller-shutdown-timeout controller-start-interval controllers
  disable-attach-detach-reconcile-sync disable-force-detach-on-timeout disable-http2-serving disabled-metrics
  emulated-version emulation-forward-compatible enable-dynamic-provisioning enable-garbage-collector
  enable-hostpath-provisioner enable-leader-migration endpoint-updates-batch-period endpointslice-updates-batch-period
  external-cloud-volume-plugin feature-gates flex-volume-plugin-dir horizontal-pod-autoscaler-cpu-initialization-period
  horizontal-pod-autoscaler-downscale-stabilization horizontal-pod-autoscaler-initial-readiness-delay
  horizontal-pod-autoscaler-sync-period horizontal-pod-autoscaler-tolerance http2-max-streams-per-connection kube-api-burst
  kube-api-content-type kube-api-qps kubeconfig large-cluster-size-threshold leader-elect leader-elect-lease-duration
  leader-elect-renew-deadline leader-elect-resource-lock leader-elect-resource-name leader-elect-resource-namespace
  leader-elect-retry-period leader-migration-config legacy-service-account-token-clean-up-period log-flush-frequency
  log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size log-text-split-stream logging-format master
  max-endpoints-per-slice min-resync-period mirroring-concurrent-service-endpoint-syncs
  mirroring-endpointslice-updates-batch-period mirroring-max-endpoints-per-subset namespace-sync-period node-cidr-mask-size
  node-cidr-mask-size-ipv4 node-cidr-mask-size-ipv6 node-eviction-rate node-monitor-grace-period node-monitor-period
  node-startup-grace-period node-sync-period permit-address-sharing permit-port-sharing profiling
  pv-recycler-increment-timeout-nfs pv-recycler-minimum-timeout-hostpath pv-recycler-minimum-timeout-nfs
  pv-recycler-pod-template-filepath-hostpath pv-recycler-pod-template-filepath-nfs pv-recycler-timeout-increment-hostpath
  pvclaimbinder-sync-period requestheader-allowed-names requestheader-client-ca-file requestheader-extra-headers-prefix
  requestheader-group-headers requestheader-uid-headers requestheader-username-headers resource-quota-sync-period
  root-ca-file route-reconciliation-period secondary-node-eviction-rate secure-port service-account-private-key-file
  service-cluster-ip-range show-hidden-metrics-for-version terminated-pod-gc-threshold tls-cert-file tls-cipher-suites
  tls-curve-preferences tls-min-version tls-private-key-file tls-sni-cert-key unhealthy-zone-threshold
  use-service-account-credentials v version vmodule`.split(/\s+/),
);

/** Flags that stand alone; all others take the next word where they have no `=`. */
const booleanFlags: ReadonlySet<string> = new Set(
  `allocate-node-cidrs authentication-skip-lookup authentication-tolerate-lookup-failure configure-cloud-routes
  contention-profiling disable-attach-detach-reconcile-sync disable-force-detach-on-timeout disable-http2-serving
  emulation-forward-compatible enable-dynamic-provisioning enable-garbage-collector enable-hostpath-provisioner
  enable-leader-migration leader-elect log-json-split-stream log-text-split-stream permit-address-sharing
  permit-port-sharing profiling use-service-account-credentials version`.split(/\s+/),
);

/** `argv` with the program's name first. Throws WrongCommandLine. */
export function managerFlags(argv: readonly string[]): ManagerFlags {
  const given = valuesOf(argv.slice(1));
  const threshold = given.get("terminated-pod-gc-threshold")?.at(-1);
  if (threshold !== undefined && !/^[+-]?\d+$/.test(threshold)) {
    const problem = `strconv.ParseInt: parsing ${JSON.stringify(threshold)}: invalid syntax`;
    throw new WrongCommandLine(
      `invalid argument ${JSON.stringify(threshold)} for "--terminated-pod-gc-threshold" flag: ${problem}`,
      false,
    );
  }
  const controllers = given.get("controllers")?.flatMap((value) => value.split(",")) ?? ["*"];
  return {
    controllers: controllers.map(canonical),
    clusterCidr: given.get("cluster-cidr")?.at(-1),
    terminatedPodThreshold: threshold === undefined ? 12_500 : Number(threshold),
  };
}

function canonical(entry: string): string {
  if (entry === "*") return entry;
  const [, minus = "", name = ""] = /^(-?)(.*)$/.exec(entry) ?? [];
  const known = controllerNamesOfOld.get(name) ?? name;
  if (!controllerNames.has(known))
    throw new WrongCommandLine(`${JSON.stringify(name)} is not in the list of known controllers`, true);
  return `${minus}${known}`;
}

/** The values of each flag, in their order. */
function valuesOf(args: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    const [, written = "", equals, text = ""] = /^--?([^=]*)(=?)(.*)$/s.exec(word) ?? [];
    if (!word.startsWith("-")) continue;
    // Underscores are taken for hyphens.
    const name = written.replaceAll("_", "-");
    if (!flagNames.has(name)) throw new WrongCommandLine(`unknown flag: --${written}`, false);
    let value = text;
    if (equals === "" && !booleanFlags.has(name)) {
      index += 1;
      const next = args[index];
      if (next === undefined) throw new WrongCommandLine(`flag needs an argument: --${name}`, false);
      value = next;
    }
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}
