// How often each probe of a container has succeeded and failed, and how long it took, for /metrics/probes (pkg/kubelet/prober:
// ProberResults, ProberDuration). Counts outlive the containers that were probed and end with the pod's probes.

import type { StoredPod } from "../pod-spec.ts";

export type ProbeKind = "startup" | "liveness" | "readiness";

export interface ProbeCount {
  readonly kind: ProbeKind;
  readonly pod: StoredPod;
  readonly container: string;
  failed: number;
  /** Of those that succeeded; others have no duration. */
  readonly durationsMs: Map<number, number>;
}

/** Whoever probes. */
export interface CountedProbe {
  /** By `countKey`, once for all its probes. */
  readonly countKey: string;
  readonly kind: ProbeKind;
  readonly pod: StoredPod;
  readonly containerName: string;
}

export function countKey(kind: ProbeKind, pod: StoredPod, container: string): string {
  return `${pod.metadata.uid}/${container}/${kind}`;
}

export class ProbeCounts {
  readonly #counts = new Map<string, ProbeCount>();

  answered({ countKey, kind, pod, containerName: container }: CountedProbe, succeeded: boolean, tookMs: number): void {
    let count = this.#counts.get(countKey);
    if (count === undefined) {
      count = { kind, pod, container, failed: 0, durationsMs: new Map() };
      this.#counts.set(countKey, count);
    }
    if (succeeded) count.durationsMs.set(tookMs, (count.durationsMs.get(tookMs) ?? 0) + 1);
    else count.failed += 1;
  }

  forget(podUid: string, isOver: (kind: ProbeKind) => boolean): void {
    for (const [key, { pod, kind }] of this.#counts) if (pod.metadata.uid === podUid && isOver(kind)) this.#counts.delete(key);
  }

  all(): readonly ProbeCount[] {
    return [...this.#counts.values()];
  }
}
