// The command line of kube-controller-manager. Names of all of upstream's flags are known, so that a wrong one is refused;
// those that act here: --controllers, --cluster-cidr, --terminated-pod-gc-threshold.

import { commonFlags, flagValues, type KnownFlags, WrongCommandLine, words } from "../component-flags.ts";
import { controllerNames, controllerNamesOfOld } from "./controller-names.ts";

export interface ManagerFlags {
  /** Canonical names, `*`, and names with `-` before them. */
  readonly controllers: readonly string[];
  readonly clusterCidr: string | undefined;
  readonly terminatedPodThreshold: number;
}

const ownFlags: KnownFlags = {
  names: words(`
  allocate-node-cidrs attach-detach-reconcile-sync-period cidr-allocator-type cloud-config cloud-provider cluster-cidr
  cluster-name cluster-signing-cert-file cluster-signing-duration cluster-signing-key-file
  cluster-signing-kube-apiserver-client-cert-file cluster-signing-kube-apiserver-client-key-file
  cluster-signing-kubelet-client-cert-file cluster-signing-kubelet-client-key-file cluster-signing-kubelet-serving-cert-file
  cluster-signing-kubelet-serving-key-file cluster-signing-legacy-unknown-cert-file cluster-signing-legacy-unknown-key-file
  concurrent-cron-job-syncs concurrent-daemonset-syncs concurrent-deployment-syncs concurrent-endpoint-syncs
  concurrent-ephemeralvolume-syncs concurrent-gc-syncs concurrent-horizontal-pod-autoscaler-syncs concurrent-job-syncs
  concurrent-namespace-syncs concurrent-rc-syncs concurrent-replicaset-syncs concurrent-resource-quota-syncs
  concurrent-service-endpoint-syncs concurrent-service-syncs concurrent-serviceaccount-token-syncs concurrent-statefulset-syncs
  concurrent-ttl-after-finished-syncs concurrent-validating-admission-policy-status-syncs configure-cloud-routes
  controller-shutdown-timeout controller-start-interval controllers disable-attach-detach-reconcile-sync
  disable-force-detach-on-timeout enable-dynamic-provisioning enable-garbage-collector enable-hostpath-provisioner
  enable-leader-migration endpoint-updates-batch-period endpointslice-updates-batch-period external-cloud-volume-plugin
  flex-volume-plugin-dir horizontal-pod-autoscaler-cpu-initialization-period horizontal-pod-autoscaler-downscale-stabilization
  horizontal-pod-autoscaler-initial-readiness-delay horizontal-pod-autoscaler-sync-period horizontal-pod-autoscaler-tolerance
  large-cluster-size-threshold leader-migration-config legacy-service-account-token-clean-up-period max-endpoints-per-slice
  min-resync-period mirroring-concurrent-service-endpoint-syncs mirroring-endpointslice-updates-batch-period
  mirroring-max-endpoints-per-subset namespace-sync-period node-cidr-mask-size node-cidr-mask-size-ipv4 node-cidr-mask-size-ipv6
  node-eviction-rate node-monitor-grace-period node-monitor-period node-startup-grace-period node-sync-period
  pv-recycler-increment-timeout-nfs pv-recycler-minimum-timeout-hostpath pv-recycler-minimum-timeout-nfs
  pv-recycler-pod-template-filepath-hostpath pv-recycler-pod-template-filepath-nfs pv-recycler-timeout-increment-hostpath
  pvclaimbinder-sync-period resource-quota-sync-period root-ca-file route-reconciliation-period secondary-node-eviction-rate
  service-account-private-key-file service-cluster-ip-range terminated-pod-gc-threshold unhealthy-zone-threshold
  use-service-account-credentials`),
  boolean: words(`
  allocate-node-cidrs configure-cloud-routes disable-attach-detach-reconcile-sync disable-force-detach-on-timeout
  enable-dynamic-provisioning enable-garbage-collector enable-hostpath-provisioner enable-leader-migration
  use-service-account-credentials`),
};

/** `argv` with the program's name first. Throws WrongCommandLine. */
export function managerFlags(argv: readonly string[]): ManagerFlags {
  const given = flagValues(argv, commonFlags, ownFlags);
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
