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

export class ProbeCounts {
  readonly #counts = new Map<string, ProbeCount>();

  answered(kind: ProbeKind, pod: StoredPod, container: string, succeeded: boolean, tookMs: number): void {
    const key = `${pod.metadata.uid}/${container}/${kind}`;
    let count = this.#counts.get(key);
    if (count === undefined) {
      count = { kind, pod, container, failed: 0, durationsMs: new Map() };
      this.#counts.set(key, count);
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
