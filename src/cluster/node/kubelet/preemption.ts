// Which pods a node ends so that a critical one has room (pkg/kubelet/preemption): as few as can be, of the lowest quality of service.

import { requestOf, type Shortage } from "./admission.ts";
import { isCritical, type StoredPod } from "./pod-spec.ts";
import { qosClassOf } from "./status/qos.ts";

/** What is still missing, by resource; nothing that is not. */
type Missing = ReadonlyMap<string, number>;

export type Preemption = { readonly victims: readonly StoredPod[] } | { readonly fault: string };

export function podsToPreempt(pod: StoredPod, active: readonly StoredPod[], shortages: readonly Shortage[]): Preemption {
  const missing: Missing = new Map(
    shortages.map(({ resource, requested, used, capacity }) => [resource, requested + used - capacity]),
  );
  const candidates = active.filter((other) => mayPreempt(pod, other));
  const unmet = without(missing, candidates);
  if (unmet.size > 0) {
    const amounts = [...unmet].map(([resource, amount]) => `(res: ${resource}, q: ${amount}), `).join("");
    return {
      fault: `preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [${amounts}]`,
    };
  }
  const of = (qos: string): StoredPod[] => candidates.filter((other) => qosClassOf(other) === qos);
  const [bestEffort, burstable, guaranteed] = [of("BestEffort"), of("Burstable"), of("Guaranteed")];
  const last = nearest(guaranteed, without(missing, [...bestEffort, ...burstable]));
  const middle = nearest(burstable, without(missing, [...bestEffort, ...last]));
  const first = nearest(bestEffort, without(missing, [...middle, ...last]));
  return { victims: [...first, ...middle, ...last] };
}

/** pkg/kubelet/types: Preemptable. */
function mayPreempt(pod: StoredPod, other: StoredPod): boolean {
  return (isCritical(pod) && !isCritical(other)) || (pod.spec?.priority ?? 0) > (other.spec?.priority ?? 0);
}

function without(missing: Missing, pods: readonly StoredPod[]): Missing {
  const left = new Map<string, number>();
  for (const [resource, amount] of missing) {
    const rest = pods.reduce((sum, pod) => sum - requestOf(pod, resource), amount);
    if (rest > 0) left.set(resource, rest);
  }
  return left;
}

/** One pod after the other that leaves the least missing. */
function nearest(pods: readonly StoredPod[], missing: Missing): readonly StoredPod[] {
  const chosen: StoredPod[] = [];
  for (let left = missing; left.size > 0; left = without(left, chosen.slice(-1))) {
    const others = pods.filter((pod) => !chosen.includes(pod));
    const [first, ...rest] = others;
    if (first === undefined) break;
    chosen.push(rest.reduce((best, pod) => (isNearer(pod, best, left) ? pod : best), first));
  }
  return chosen;
}

function isNearer(pod: StoredPod, best: StoredPod, missing: Missing): boolean {
  const [distance, least] = [distanceOf(pod, missing), distanceOf(best, missing)];
  if (distance !== least) return distance < least;
  const [memory, cpu] = ["memory", "cpu"].map((resource) => requestOf(pod, resource) - requestOf(best, resource));
  return memory === 0 ? (cpu as number) <= 0 : (memory as number) < 0;
}

function distanceOf(pod: StoredPod, missing: Missing): number {
  let distance = 0;
  for (const [resource, amount] of missing) {
    const share = Math.max(0, amount - requestOf(pod, resource)) / amount;
    distance += share * share;
  }
  return distance;
}
