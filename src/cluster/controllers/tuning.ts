// What flags of the process say of all its controllers, or of how one of them goes about its work. `tuning-flags.ts` reads them.

import { words } from "../component-flags.ts";

export interface Tuning {
  /** `--concurrent-deployment-syncs` and its like: how many keys of a controller are worked on at once, by its name without `-controller`. */
  readonly workers: ReadonlyMap<string, number>;
  /** `--resource-quota-sync-period` */
  readonly quotaSyncMs: number;
  readonly maxEndpointsPerSlice: number;
  /** `--v` */
  readonly verbosity: number;
}

/** Of these controllers, five each. */
const five = words(`
  cronjob deployment endpoints endpointslice endpointslice-mirroring ephemeral-volume horizontal-pod-autoscaler job replicaset
  replicationcontroller resourcequota serviceaccount-token statefulset ttl-after-finished validatingadmissionpolicy-status`);

export const usualTuning: Tuning = {
  workers: new Map([...five.map((name) => [name, 5] as const), ["daemonset", 2], ["garbage-collector", 20], ["namespace", 10]]),
  quotaSyncMs: 300_000,
  maxEndpointsPerSlice: 100,
  verbosity: 0,
};
