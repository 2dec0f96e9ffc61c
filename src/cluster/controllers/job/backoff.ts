// How long a Job waits before it makes another Pod: 10 s after the first failure, twice as long after each further one, 10 min at
// most; a success in between begins anew (pkg/controller/job/backoff_utils.go).

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { finishedMs } from "./job-pods.ts";

const firstMs = 10_000;
const maximumMs = 600_000;

export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailureMs: number;
}

export const noFailures: BackoffRecord = { failures: 0, lastFailureMs: 0 };

export function backoffAfter(
  before: BackoffRecord,
  succeeded: readonly Stored<Pod>[],
  failed: readonly Stored<Pod>[],
): BackoffRecord {
  const ends = failed.map(finishedMs);
  if (succeeded.length === 0) {
    if (ends.length === 0) return before;
    return { failures: before.failures + ends.length, lastFailureMs: Math.max(...ends) };
  }
  const lastSuccessMs = Math.max(...succeeded.map(finishedMs));
  const later = ends.filter((end) => end > lastSuccessMs);
  return later.length === 0 ? noFailures : { failures: later.length, lastFailureMs: Math.max(...later) };
}

export function remainingMs({ failures, lastFailureMs }: BackoffRecord, nowMs: number): number {
  if (failures === 0) return 0;
  const waitMs = Math.min(maximumMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.max(0, lastFailureMs + waitMs - nowMs);
}
