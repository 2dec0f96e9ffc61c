// Spreads a change of spec.replicas over the sets of a rollout under way, in proportion to their sizes, so that the risk
// stays shared (pkg/controller/deployment/sync.go, scale).

import {
  bySizeNewer,
  bySizeOlder,
  desiredReplicas,
  maxReplicasAnnotation,
  numberAnnotation,
  rollingLimits,
  sumDesired,
} from "./replica-sets.ts";
import type { Deployment, ReplicaSet } from "./types.ts";

/** New sizes of the active sets; what rounding leaves over goes to the largest. */
export function proportionalSizes(
  deployment: Deployment,
  active: readonly ReplicaSet[],
): readonly (readonly [ReplicaSet, number])[] {
  const wanted = desiredReplicas(deployment);
  const allowed = wanted > 0 ? wanted + rollingLimits(deployment).maxSurge : 0;
  const change = allowed - sumDesired(active);
  const sorted = [...active].sort(change > 0 ? bySizeNewer : bySizeOlder);
  let given = 0;
  const sizes = sorted.map((set): [ReplicaSet, number] => {
    const share = shareOf(deployment, set, change, given);
    given += share;
    return [set, desiredReplicas(set) + share];
  });
  const [largest] = sizes;
  if (largest !== undefined && change !== 0) largest[1] = Math.max(0, largest[1] + change - given);
  return sizes;
}

function shareOf(deployment: Deployment, set: ReplicaSet, change: number, given: number): number {
  if (desiredReplicas(set) === 0 || change === 0 || change === given) return 0;
  const fraction = fractionOf(deployment, set);
  const left = change - given;
  return change > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

/** What the set would gain or lose on its own. */
function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const wanted = desiredReplicas(deployment);
  const size = desiredReplicas(set);
  if (wanted === 0) return -size;
  const total = wanted + rollingLimits(deployment).maxSurge;
  const former = numberAnnotation(set, maxReplicasAnnotation) ?? deployment.status?.replicas ?? 0;
  if (former === 0) return 0;
  return Math.round((size * total) / former) - size;
}
