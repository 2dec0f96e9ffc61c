// Deletes Jobs some time after their end (pkg/controller/ttlafterfinished).

import type { Job } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerDefinition } from "../context.ts";
import { type Requeue, watchRule } from "../controller.ts";
import { holds } from "../job/conditions.ts";

const name = "ttl-after-finished-controller";

export const ttlAfterFinishedController: ControllerDefinition = {
  name,
  serviceAccount: name,
  create({ simulation, client, informers }) {
    const jobs = informers.informer(kinds.jobs);
    const reconcile = (key: string): Requeue | undefined => {
      const job = jobs.get(key);
      const expiresMs = job === undefined ? undefined : expiryMs(job);
      if (job === undefined || expiresMs === undefined) return undefined;
      const leftMs = expiresMs - simulation.nowMs;
      if (leftMs > 0) return { requeueAfterMs: leftMs, background: true };
      deleteExpired(key, job);
      return undefined;
    };
    /** The time to live may have been changed a moment ago: the server's word counts. */
    const deleteExpired = (key: string, job: Stored<Job>): void => {
      try {
        const current = client.get(kinds.jobs, splitKey(key));
        const expiresMs = expiryMs(current);
        if (expiresMs === undefined || expiresMs > simulation.nowMs) return;
        client.delete(kinds.jobs, splitKey(key), { propagationPolicy: "Foreground", uid: job.metadata.uid });
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
      }
    };
    return {
      name,
      watches: [
        watchRule<Job>({
          resource: kinds.jobs,
          keys: (job, _previous, deleted) => (!deleted && expiryMs(job) !== undefined ? [keyOf(job)] : []),
        }),
      ],
      reconcile,
    };
  },
};

/** Undefined for a Job that has not ended, stays for ever or is being deleted already. */
function expiryMs(job: Stored<Job>): number | undefined {
  const { metadata, spec } = job;
  if (spec?.ttlSecondsAfterFinished === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const end = holds(job, "Complete") ?? holds(job, "Failed");
  if (end?.lastTransitionTime === undefined) return undefined;
  return parseTime(end.lastTransitionTime) + spec.ttlSecondsAfterFinished * 1000;
}
