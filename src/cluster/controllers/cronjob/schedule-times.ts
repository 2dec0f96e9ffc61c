// Which times of a CronJob were missed, and when to look again (pkg/controller/cronjob/utils.go: mostRecentScheduleTime,
// nextScheduleTimeDuration).

import type { CronJob } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import type { Schedule } from "#cluster/cron/schedule.ts";

/** The controller wakes that long after a time, so that it lies behind it. */
const deltaMs = 100;
const manyMissed = 100;

export interface MissedTimes {
  /** The newest time that has come; undefined when none has. */
  readonly lastMs: number | undefined;
  readonly isTooMany: boolean;
}

function earliestMs({ metadata, spec, status }: Stored<CronJob>, nowMs: number, minds: "deadline" | "nothing"): number {
  const sinceMs = parseTime(status?.lastScheduleTime ?? metadata.creationTimestamp);
  const deadline = spec?.startingDeadlineSeconds;
  if (minds === "nothing" || deadline === undefined) return sinceMs;
  return Math.max(sinceMs, nowMs - Number(deadline) * 1000);
}

export function missedTimes(cronJob: Stored<CronJob>, schedule: Schedule, nowMs: number): MissedTimes {
  let lastMs: number | undefined;
  let count = 0;
  for (
    let next = schedule.next(earliestMs(cronJob, nowMs, "deadline"));
    next !== undefined && next <= nowMs;
    next = schedule.next(next)
  ) {
    lastMs = next;
    count += 1;
  }
  return { lastMs, isTooMany: count > manyMissed };
}

/** Undefined when there is no further time. */
export function nextWakeMs(cronJob: Stored<CronJob>, schedule: Schedule, nowMs: number): number | undefined {
  const next = schedule.next(Math.max(earliestMs(cronJob, nowMs, "nothing"), nowMs));
  return next === undefined ? undefined : next + deltaMs - nowMs;
}
