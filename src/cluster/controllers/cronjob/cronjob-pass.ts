// One pass over a CronJob: counts its Jobs, starts the one that is due, and clears away old ones.

import { ApiError } from "#cluster/api/errors.ts";
import type { CronJob, CronJobStatus, Job } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { formatTime, parseTime } from "#cluster/api/time.ts";
import { hasCause, isReason } from "#cluster/client/retry.ts";
import { parseSchedule, type Schedule } from "#cluster/cron/schedule.ts";
import { isTimeZone, zoneOffsetMs } from "#cluster/cron/time-zones.ts";
import { httpDate } from "#cluster/images/http-dates.ts";
import type { ControllerContext } from "../context.ts";
import { holds, isFinished } from "../job/conditions.ts";
import { controllerReference, isControlledBy } from "../ownership.ts";
import { missedTimes, nextWakeMs } from "./schedule-times.ts";

const scheduledAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

export class CronJobPass {
  readonly #context: ControllerContext;
  readonly #cronJob: Stored<CronJob>;
  readonly #jobs: readonly Stored<Job>[];
  readonly #nowMs: number;
  #status: CronJobStatus;

  constructor(context: ControllerContext, cronJob: Stored<CronJob>, jobs: readonly Stored<Job>[]) {
    this.#context = context;
    this.#cronJob = cronJob;
    this.#jobs = jobs;
    this.#nowMs = context.simulation.nowMs;
    this.#status = { ...cronJob.status };
  }

  /** When to look again. What was done is written also where the rest is refused. */
  run(): number | undefined {
    const { client } = this.#context;
    this.#countJobs();
    this.#dropMissing();
    let refusal: unknown;
    let wakeMs: number | undefined;
    try {
      wakeMs = this.#schedule();
    } catch (error) {
      refusal = error;
    }
    this.#cleanUp();
    if (this.#isChanged) client.updateStatus(kinds.cronJobs, { ...this.#cronJob, status: this.#status });
    if (refusal !== undefined) throw refusal;
    return wakeMs;
  }

  get #isChanged(): boolean {
    const before = this.#cronJob.status ?? {};
    const uids = ({ active = [] }: CronJobStatus): string => active.map(({ uid }) => uid).join();
    return (
      uids(before) !== uids(this.#status) ||
      before.lastScheduleTime !== this.#status.lastScheduleTime ||
      before.lastSuccessfulTime !== this.#status.lastSuccessfulTime
    );
  }

  #isActive(uid: string): boolean {
    return this.#status.active?.some((reference) => reference.uid === uid) === true;
  }

  #forget(uid: string): void {
    const { active = [], ...rest } = this.#status;
    const left = active.filter((reference) => reference.uid !== uid);
    this.#status = left.length === 0 ? rest : { ...rest, active: left };
  }

  #countJobs(): void {
    const { events } = this.#context;
    for (const job of this.#jobs) {
      const { uid, name } = job.metadata;
      if (!isFinished(job)) {
        if (!this.#isActive(uid) && job.metadata.deletionTimestamp === undefined)
          events.warning(this.#cronJob, "UnexpectedJob", `Saw a job that the controller did not create or forgot: ${name}`);
        continue;
      }
      const condition = holds(job, "Complete") === undefined ? "Failed" : "Complete";
      if (this.#isActive(uid)) {
        this.#forget(uid);
        events.normal(this.#cronJob, "SawCompletedJob", `Saw completed job: ${name}, condition: ${condition}`);
      }
      const end = job.status?.completionTime;
      const last = this.#status.lastSuccessfulTime;
      if (condition === "Complete" && end !== undefined && (last === undefined || parseTime(end) > parseTime(last)))
        this.#status = { ...this.#status, lastSuccessfulTime: end };
    }
  }

  /** Jobs on the list that are gone, after a look at the server: the watch may be behind. */
  #dropMissing(): void {
    for (const { uid = "", name = "", namespace = "" } of this.#status.active ?? []) {
      if (this.#jobs.some(({ metadata }) => metadata.uid === uid)) continue;
      try {
        this.#context.client.get(kinds.jobs, { namespace, name });
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
        this.#context.events.normal(this.#cronJob, "MissingJob", `Active job went missing: ${name}`);
        this.#forget(uid);
      }
    }
  }

  #schedule(): number | undefined {
    const { events } = this.#context;
    const { metadata, spec } = this.#cronJob;
    if (metadata.deletionTimestamp !== undefined) return undefined;
    const zone = spec?.timeZone;
    if (zone !== undefined && !isTimeZone(zone)) {
      events.warning(this.#cronJob, "UnknownTimeZone", `invalid timeZone: "${zone}": unknown time zone ${zone}`);
      return undefined;
    }
    if (spec?.suspend === true) return undefined;
    const schedule = parseSchedule(spec?.schedule ?? "", zone);
    if (schedule === undefined) return undefined;
    const { lastMs, isTooMany } = missedTimes(this.#cronJob, schedule, this.#nowMs);
    if (isTooMany) {
      const message = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      events.warning(this.#cronJob, "TooManyMissedTimes", message);
    }
    if (lastMs !== undefined) this.#startAt(lastMs);
    return this.#nextWakeMs(schedule);
  }

  #nextWakeMs(schedule: Schedule): number | undefined {
    return nextWakeMs({ ...this.#cronJob, status: this.#status }, schedule, this.#nowMs);
  }

  #startAt(dueMs: number): void {
    const { events } = this.#context;
    const { startingDeadlineSeconds, concurrencyPolicy } = this.#cronJob.spec ?? {};
    if (startingDeadlineSeconds !== undefined && dueMs + Number(startingDeadlineSeconds) * 1000 < this.#nowMs) {
      events.warning(this.#cronJob, "MissSchedule", `Missed scheduled time to start a job: ${mailDate(dueMs)}`);
      return;
    }
    const { active = [], lastScheduleTime } = this.#status;
    if (active.some(({ name }) => name === this.#jobName(dueMs)) || lastScheduleTime === formatTime(dueMs)) return;
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      const message = "Not starting job because prior execution is running and concurrency policy is Forbid";
      events.normal(this.#cronJob, "JobAlreadyActive", message);
      return;
    }
    if (concurrencyPolicy === "Replace") {
      for (const { namespace = "", name = "" } of active) this.#delete(this.#context.client.get(kinds.jobs, { namespace, name }));
    }
    this.#create(dueMs);
  }

  #jobName(dueMs: number): string {
    return `${this.#cronJob.metadata.name}-${Math.floor(dueMs / 60_000)}`;
  }

  #create(dueMs: number): void {
    const { client, events } = this.#context;
    const draft = this.#jobAt(dueMs);
    let job: Stored<Job>;
    try {
      job = client.create(kinds.jobs, draft);
      events.normal(this.#cronJob, "SuccessfulCreate", `Created job ${job.metadata.name}`);
    } catch (error) {
      if (!(error instanceof ApiError) || hasCause(error, "NamespaceTerminating")) throw error;
      if (error.reason !== "AlreadyExists") {
        events.warning(this.#cronJob, "FailedCreate", `Error creating job: ${error.message}`);
        throw error;
      }
      job = client.get(kinds.jobs, { namespace: this.#cronJob.metadata.namespace ?? "", name: this.#jobName(dueMs) });
      if (!isControlledBy(job, this.#cronJob.metadata.uid)) return;
    }
    const { namespace = "", name, uid, resourceVersion } = job.metadata;
    const reference = { kind: "Job", namespace, name, uid, apiVersion: "batch/v1", resourceVersion };
    this.#status = { ...this.#status, active: [...(this.#status.active ?? []), reference], lastScheduleTime: formatTime(dueMs) };
  }

  #jobAt(dueMs: number): Draft<Job> {
    const { metadata, spec } = this.#cronJob;
    const { metadata: template = {}, spec: jobSpec } = spec?.jobTemplate ?? {};
    return {
      metadata: {
        namespace: metadata.namespace ?? "",
        name: this.#jobName(dueMs),
        labels: { ...template.labels },
        annotations: { ...template.annotations, [scheduledAnnotation]: zonedTime(dueMs, spec?.timeZone) },
        ownerReferences: [controllerReference(this.#cronJob)],
      },
      ...(jobSpec === undefined ? {} : { spec: jobSpec }),
    };
  }

  #delete(job: Stored<Job>): void {
    const { client, events } = this.#context;
    try {
      client.delete(kinds.jobs, splitKey(keyOf(job)), { propagationPolicy: "Background" });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      events.warning(this.#cronJob, "FailedDelete", `Deleted job: ${error.message}`);
      throw error;
    }
    this.#forget(job.metadata.uid);
    events.normal(this.#cronJob, "SuccessfulDelete", `Deleted job ${job.metadata.name}`);
  }

  /** Keeps as many finished Jobs of each kind as the limits say. */
  #cleanUp(): void {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec ?? {};
    const keep = (type: "Complete" | "Failed", limit: number | undefined): void => {
      if (limit === undefined) return;
      const ended = this.#jobs.filter((job) => holds(job, type) !== undefined && job.metadata.deletionTimestamp === undefined);
      for (const job of ended.sort(byStart).slice(0, Math.max(0, ended.length - limit))) this.#delete(job);
    };
    keep("Complete", successfulJobsHistoryLimit);
    keep("Failed", failedJobsHistoryLimit);
  }
}

function byStart(a: Stored<Job>, b: Stored<Job>): number {
  const [left, right] = [a.status?.startTime, b.status?.startTime];
  if (left === right) return compareBytes(a.metadata.name, b.metadata.name);
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  return parseTime(left) - parseTime(right);
}

/** RFC 3339 in the zone: `2026-01-01T09:00:00+09:00`. */
function zonedTime(ms: number, zone = "UTC"): string {
  const offsetMinutes = zoneOffsetMs(zone, ms) / 60_000;
  if (offsetMinutes === 0) return formatTime(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const size = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return formatTime(ms + offsetMinutes * 60_000).replace("Z", offset);
}

/** Go's time.RFC1123Z in UTC: `Thu, 01 Jan 2026 00:01:00 +0000`. */
function mailDate(ms: number): string {
  return httpDate(ms).replace("GMT", "+0000");
}
