// What kube-controller-manager's command line says of its controllers' work; it comes with the names of its flags.

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { type GivenFlags, WrongCommandLine } from "../component-flags.ts";
import { duration, numberOf, type Reading, whole } from "./number-flags.ts";
import { type Tuning, usualTuning } from "./tuning.ts";

type Check = (flag: string, count: number) => string | undefined;

const anything: Check = () => undefined;
const positive: Check = (flag, count) => (count > 0 ? undefined : `${flag} must be greater than 0, but got ${count}`);
const between =
  (least: number, most: number): Check =>
  (flag, count) => {
    if (count < least) return `${flag} must not be less than ${least}, but got ${count}`;
    return count > most ? `${flag} must not be more than ${most}, but got ${count}` : undefined;
  };

/** In the order in which upstream looks at them: controller → flag, and what its number must be. */
const workerFlags: { readonly [controller: string]: readonly [flag: string, check: Check] } = {
  cronjob: ["concurrent-cron-job-syncs", positive],
  daemonset: ["concurrent-daemonset-syncs", positive],
  deployment: ["concurrent-deployment-syncs", anything],
  statefulset: ["concurrent-statefulset-syncs", positive],
  endpoints: ["concurrent-endpoint-syncs", anything],
  endpointslice: ["concurrent-service-endpoint-syncs", between(1, 50)],
  "endpointslice-mirroring": ["mirroring-concurrent-service-endpoint-syncs", between(1, 50)],
  "ephemeral-volume": ["concurrent-ephemeralvolume-syncs", positive],
  "garbage-collector": ["concurrent-gc-syncs", anything],
  "horizontal-pod-autoscaler": ["concurrent-horizontal-pod-autoscaler-syncs", positive],
  job: ["concurrent-job-syncs", positive],
  namespace: ["concurrent-namespace-syncs", anything],
  replicaset: ["concurrent-replicaset-syncs", anything],
  replicationcontroller: ["concurrent-rc-syncs", anything],
  resourcequota: ["concurrent-resource-quota-syncs", anything],
  "serviceaccount-token": ["concurrent-serviceaccount-token-syncs", anything],
  "ttl-after-finished": ["concurrent-ttl-after-finished-syncs", anything],
  "validatingadmissionpolicy-status": [
    "concurrent-validating-admission-policy-status-syncs",
    (_flag, count) => (count > 0 ? undefined : `must be positive, got ${count}`),
  ],
};
const sliceFlag = "max-endpoints-per-slice";

/** Those that act. */
export const tuningFlags: readonly string[] = [
  ...Object.values(workerFlags).map(([flag]) => flag),
  sliceFlag,
  "resource-quota-sync-period",
  "v",
];

const largestInt32 = 2_147_483_647;

const int32: Reading = (text) => {
  const value = whole(text);
  return typeof value === "number" && Math.abs(value) > largestInt32
    ? { error: `strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range` }
    : value;
};

/** Throws WrongCommandLine. */
export function tuningOf(given: GivenFlags): Tuning {
  const usual = usualTuning;
  const faults: string[] = [];
  const counted = (flag: string, count: number, check: Check): number => {
    const value = numberOf(given, flag, count, int32);
    const fault = check(flag, value);
    if (fault !== undefined) faults.push(fault);
    return value;
  };
  const workers = new Map<string, number>();
  let maxEndpointsPerSlice = usual.maxEndpointsPerSlice;
  for (const [controller, [flag, check]] of Object.entries(workerFlags)) {
    workers.set(controller, counted(flag, usual.workers.get(controller) ?? 1, check));
    if (controller === "endpointslice") maxEndpointsPerSlice = counted(sliceFlag, maxEndpointsPerSlice, between(1, 1000));
  }
  if (faults.length > 0) throw new WrongCommandLine(aggregateText(faults), true);
  return {
    workers,
    maxEndpointsPerSlice,
    quotaSyncMs: numberOf(given, "resource-quota-sync-period", usual.quotaSyncMs, duration),
    verbosity: numberOf(given, "v", usual.verbosity, int32),
  };
}
