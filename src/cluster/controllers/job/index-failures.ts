// Failures of single indexes, for Jobs with backoffLimitPerIndex. Each Pod carries the number of failures before it in annotations; the
// last failed Pod of an index keeps its finalizer until another one carries the number on (pkg/controller/job/indexed_job_utils.go).

import type { Job, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { isPodActive } from "../pods.ts";
import { remainingMs } from "./backoff.ts";
import { parseIndexes } from "./completion-indexes.ts";
import {
  completionIndex,
  earlierFailures,
  finishedMs,
  indexFailures,
  indexIgnoredFailures,
  isFailed,
  isTracked,
} from "./job-pods.ts";
import { judgeFailure } from "./policies.ts";

export class IndexFailures {
  readonly #job: Stored<Job>;
  readonly #failed: ReadonlySet<number>;
  readonly #activeIndexes: ReadonlySet<number | undefined>;
  /** The Pod of each index that failed last. */
  readonly #last = new Map<number, Stored<Pod>>();

  constructor(job: Stored<Job>, pods: readonly Stored<Pod>[], released: ReadonlySet<string>) {
    const completions = job.spec?.completions ?? 0;
    this.#job = job;
    this.#activeIndexes = new Set(pods.filter(isPodActive).map(completionIndex));
    const failed = new Set(parseIndexes(job.status?.failedIndexes, completions));
    for (const pod of pods) {
      const index = completionIndex(pod);
      if (index === undefined || index >= completions || !isFailed(pod, job)) continue;
      if (!isTracked(pod) || released.has(pod.metadata.uid)) continue;
      if (this.#exhausts(pod)) failed.add(index);
      const known = this.#last.get(index);
      if (known === undefined || absolute(known) < absolute(pod)) this.#last.set(index, pod);
    }
    this.#failed = failed;
  }

  /** Indexes that are given up. */
  failed(succeeded: ReadonlySet<number>): ReadonlySet<number> {
    return new Set([...this.#failed].filter((index) => !succeeded.has(index)));
  }

  /** Whether a failed Pod must keep its finalizer until its index has another one. */
  isKept(pod: Stored<Pod>, succeeded: ReadonlySet<number>): boolean {
    const index = completionIndex(pod);
    if (index === undefined || this.#failed.has(index) || succeeded.has(index) || this.#activeIndexes.has(index)) return false;
    return this.#last.get(index)?.metadata.uid === pod.metadata.uid;
  }

  remainingMs(index: number, nowMs: number): number {
    const last = this.#last.get(index);
    return last === undefined ? 0 : remainingMs({ failures: absolute(last) + 1, lastFailureMs: finishedMs(last) }, nowMs);
  }

  annotationsFor(index: number): { readonly [name: string]: string } {
    const last = this.#last.get(index);
    const { failures, ignored } = last === undefined ? { failures: 0, ignored: 0 } : this.#failuresWith(last);
    return { [indexFailures]: String(failures), ...(ignored === 0 ? {} : { [indexIgnoredFailures]: String(ignored) }) };
  }

  #failuresWith(pod: Stored<Pod>): { readonly failures: number; readonly ignored: number } {
    const { counts } = judgeFailure(this.#job, pod);
    return {
      failures: earlierFailures(pod, indexFailures) + (counts ? 1 : 0),
      ignored: earlierFailures(pod, indexIgnoredFailures) + (counts ? 0 : 1),
    };
  }

  #exhausts(pod: Stored<Pod>): boolean {
    if (judgeFailure(this.#job, pod).action === "FailIndex") return true;
    return this.#failuresWith(pod).failures > (this.#job.spec?.backoffLimitPerIndex ?? 0);
  }
}

function absolute(pod: Stored<Pod>): number {
  return earlierFailures(pod, indexFailures) + earlierFailures(pod, indexIgnoredFailures);
}
