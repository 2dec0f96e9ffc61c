// What flags of the process say of all its controllers, or of how one of them goes about its work. `tuning-flags.ts` reads them.

import { words } from "../component-flags.ts";

export interface Tuning {
  /** `--concurrent-deployment-syncs` and its like: how many keys of a controller are worked on at once, by its name. */
  readonly workers: ReadonlyMap<string, number>;
  /** `--resource-quota-sync-period` */
  readonly quotaSyncMs: number;
  readonly maxEndpointsPerSlice: number;
  /** `--v` */
  readonly verbosity: number;
}

export const usualTuning: Tuning = {
  workers: new Map([
    ...words(`
    cronjob-controller deployment-controller endpoints-controller endpointslice-controller endpointslice-mirroring-controller
    ephemeral-volume-controller horizontal-pod-autoscaler-controller job-controller replicaset-controller
    replicationcontroller-controller resourcequota-controller serviceaccount-token-controller statefulset-controller
    ttl-after-finished-controller validatingadmissionpolicy-status-controller`).map((name) => [name, 5] as const),
    ["daemonset-controller", 2],
    ["garbage-collector-controller", 20],
    ["namespace-controller", 10],
  ]),
  quotaSyncMs: 300_000,
  maxEndpointsPerSlice: 100,
  verbosity: 0,
};
