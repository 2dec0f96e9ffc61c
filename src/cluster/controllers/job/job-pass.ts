// One pass over a Job: count the Pods that ended, decide whether the Job is done, make and delete Pods, write the status
// (pkg/controller/job/job_controller.go: syncJob, manageJob, trackJobStatusAndRemoveFinalizers).

import type { Job, JobCondition, JobStatus, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { formatTime, parseTime } from "#cluster/api/time.ts";
import type { ControllerContext } from "../context.ts";
import type { PodControl } from "../pod-control.ts";
import { isPodActive, isPodReady, isPodTerminating, podPhase } from "../pods.ts";
import { rankForDeletion } from "../replicaset/ranking.ts";
import { type BackoffRecord, backoffAfter, remainingMs } from "./backoff.ts";
import { formatIndexes, parseIndexes } from "./completion-indexes.ts";
import { condition, holds, withCondition } from "./conditions.ts";
import { IndexFailures } from "./index-failures.ts";
import { completionIndex, isFailed, isIndexed, isTracked, releasePod, replacesEndedOnly } from "./job-pods.ts";
import { podOfJob } from "./pod-template.ts";
import { judgeFailure, metSuccessRule } from "./policies.ts";

/** Most Pods that one pass makes or deletes, and most that wait to be counted. */
const burst = 500;
const unlimitedBackoff = 2_147_483_647;

export interface PassInput {
  readonly context: ControllerContext;
  readonly podControl: PodControl;
  readonly job: Stored<Job>;
  readonly pods: readonly Stored<Pod>[];
  /** Pods whose finalizer was taken away, which the cache does not know yet. */
  readonly released: ReadonlySet<string>;
  readonly backoff: BackoffRecord;
}

export interface PassResult {
  readonly backoff: BackoffRecord;
  readonly released: readonly string[];
  readonly requeueAfterMs: number | undefined;
  readonly error: Error | undefined;
}

export class JobPass {
  readonly #input: PassInput;
  readonly #key: string;
  readonly #nowMs: number;
  /** As it will be written. */
  #status: JobStatus;
  #stored: Stored<Job>;
  #finish: JobCondition | undefined;
  #active: number;
  #ready: number;
  #terminating: number;
  readonly #activePods: readonly Stored<Pod>[];
  #backoff: BackoffRecord;
  readonly #released: string[] = [];
  #requeueAfterMs: number | undefined;
  #error: Error | undefined;
  #succeeded = 0;
  #previousIndexes: ReadonlySet<number> = new Set();
  #indexes: ReadonlySet<number> = new Set();
  readonly #indexFailures: IndexFailures | undefined;

  constructor(input: PassInput) {
    const { job, pods, context } = input;
    this.#input = input;
    this.#key = keyOf(job);
    this.#nowMs = context.simulation.nowMs;
    this.#stored = job;
    this.#status = { ...job.status, uncountedTerminatedPods: { ...job.status?.uncountedTerminatedPods } };
    this.#activePods = pods.filter(isPodActive);
    this.#active = this.#activePods.length;
    this.#ready = this.#activePods.filter(isPodReady).length;
    this.#terminating = pods.filter(isPodTerminating).length;
    this.#backoff = input.backoff;
    this.#indexFailures = job.spec?.backoffLimitPerIndex === undefined ? undefined : new IndexFailures(job, pods, input.released);
  }

  run(): PassResult {
    const { job } = this.#input;
    const settled = this.#input.podControl.satisfied(this.#key);
    const failed = this.#count();
    if (this.#status.startTime === undefined && job.spec?.suspend !== true)
      this.#status = { ...this.#status, startTime: formatTime(this.#nowMs) };
    this.#finish = this.#judge(failed);
    let flush = false;
    if (this.#finish !== undefined) this.#endActive(settled);
    else {
      const managed = settled && job.metadata.deletionTimestamp === undefined;
      if (managed) this.#manage();
      if (this.#isComplete())
        this.#finish = this.#condition("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods");
      else if (managed) flush = this.#tellSuspension();
    }
    this.#track(flush);
    return { backoff: this.#backoff, released: this.#released, requeueAfterMs: this.#requeueAfterMs, error: this.#error };
  }

  get #isIndexed(): boolean {
    return isIndexed(this.#input.job);
  }

  get #completions(): number {
    return this.#input.job.spec?.completions ?? 0;
  }

  #condition(type: string, reason: string, message: string): JobCondition {
    return condition(type, "True", reason, message, this.#nowMs);
  }

  #later(delayMs: number): void {
    this.#requeueAfterMs = Math.min(this.#requeueAfterMs ?? delayMs, delayMs);
  }

  // Counting.

  /** Pods with finalizer that are not on the lists yet, and have an index where one is needed. */
  #uncounted(list: readonly string[] | undefined, fits: (pod: Stored<Pod>) => boolean): readonly Stored<Pod>[] {
    return this.#input.pods.filter((pod) => {
      if (!this.#isOurs(pod) || list?.includes(pod.metadata.uid) === true) return false;
      return (!this.#isIndexed || this.#validIndex(pod) !== undefined) && fits(pod);
    });
  }

  #isOurs(pod: Stored<Pod>): boolean {
    return isTracked(pod) && !this.#input.released.has(pod.metadata.uid);
  }

  #validIndex(pod: Stored<Pod>): number | undefined {
    const index = completionIndex(pod);
    return index !== undefined && index < this.#completions ? index : undefined;
  }

  /** Sets what has succeeded; the number of failures that count. */
  #count(): number {
    const { job, pods } = this.#input;
    const lists = this.#status.uncountedTerminatedPods;
    const succeeded = this.#uncounted(lists?.succeeded, (pod) => podPhase(pod) === "Succeeded");
    const failed = this.#uncounted(lists?.failed, (pod) => isFailed(pod, job));
    this.#backoff = backoffAfter(this.#backoff, succeeded, failed);
    this.#succeeded = (this.#status.succeeded ?? 0) + succeeded.length + (lists?.succeeded?.length ?? 0);
    if (this.#isIndexed) {
      this.#previousIndexes = parseIndexes(this.#status.completedIndexes, this.#completions);
      const added = pods.filter((pod) => podPhase(pod) === "Succeeded" && this.#isOurs(pod)).map((pod) => this.#validIndex(pod));
      this.#indexes = new Set([...this.#previousIndexes, ...added.filter((index) => index !== undefined)]);
      this.#succeeded = this.#indexes.size;
    }
    const counting = failed.filter((pod) => judgeFailure(job, pod).counts).length;
    return (this.#status.failed ?? 0) + counting + (lists?.failed?.length ?? 0);
  }

  // Deciding.

  /** The condition that ends the Job; undefined while it goes on. */
  #judge(failed: number): JobCondition | undefined {
    const { job, pods } = this.#input;
    const { backoffLimit = unlimitedBackoff, activeDeadlineSeconds } = job.spec ?? {};
    const met = holds(job, "SuccessCriteriaMet");
    if (met !== undefined) return met;
    const target = holds(job, "FailureTarget");
    if (target !== undefined) return this.#condition("Failed", target.reason ?? "", target.message ?? "");
    const message = pods.filter((pod) => isFailed(pod, job)).flatMap((pod) => judgeFailure(job, pod).message ?? [])[0];
    if (message !== undefined) return this.#condition("FailureTarget", "PodFailurePolicy", message);
    if (failed > backoffLimit || this.#restartsExceed(backoffLimit))
      return this.#condition("FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    if (activeDeadlineSeconds !== undefined && job.spec?.suspend !== true && this.#status.startTime !== undefined) {
      const leftMs = parseTime(this.#status.startTime) + Number(activeDeadlineSeconds) * 1000 - this.#nowMs;
      if (leftMs <= 0) return this.#condition("FailureTarget", "DeadlineExceeded", "Job was active longer than specified deadline");
      this.#later(leftMs);
    }
    return this.#isIndexed ? this.#judgeIndexes() : undefined;
  }

  #judgeIndexes(): JobCondition | undefined {
    const { job } = this.#input;
    const failed = this.#indexFailures?.failed(this.#indexes).size ?? 0;
    const { maxFailedIndexes } = job.spec ?? {};
    if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) {
      const message = "Job has exceeded the specified maximal number of failed indexes";
      return this.#condition("FailureTarget", "MaxFailedIndexesExceeded", message);
    }
    if (failed > 0 && failed + this.#indexes.size >= this.#completions)
      return this.#condition("FailureTarget", "FailedIndexes", "Job has failed indexes");
    const met = metSuccessRule(job, this.#indexes);
    return met === undefined ? undefined : this.#condition("SuccessCriteriaMet", "SuccessPolicy", met);
  }

  /** With restartPolicy OnFailure the restarts of running Pods are the failures. */
  #restartsExceed(limit: number): boolean {
    const { job, pods } = this.#input;
    if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
    const running = pods.filter((pod) => podPhase(pod) === "Running" || podPhase(pod) === "Pending");
    const restarts = running.reduce((sum, pod) => sum + restartsOf(pod), 0);
    return limit === 0 ? restarts > 0 : restarts >= limit;
  }

  #isComplete(): boolean {
    const { completions } = this.#input.job.spec ?? {};
    if (this.#active > 0) return false;
    return completions === undefined ? this.#succeeded > 0 : this.#succeeded >= completions;
  }

  #tellSuspension(): boolean {
    const { job, context } = this.#input;
    const before = this.#status.conditions ?? [];
    const suspended = job.spec?.suspend === true;
    const [status, reason, message] = suspended
      ? (["True", "JobSuspended", "Job suspended"] as const)
      : (["False", "JobResumed", "Job resumed"] as const);
    const conditions = withCondition(before, condition("Suspended", status, reason, message, this.#nowMs));
    if (conditions === before) return false;
    context.events.normal(job, suspended ? "Suspended" : "Resumed", message);
    const { startTime: _former, ...others } = this.#status;
    this.#status = { ...others, conditions, ...(suspended ? {} : { startTime: formatTime(this.#nowMs) }) };
    return true;
  }

  // Acting.

  /** The Job ends: so do its Pods. Without all of them it is not declared finished yet. */
  #endActive(settled: boolean): void {
    const before = this.#active;
    this.#delete(this.#activePods);
    if (before !== 0 && this.#active !== 0) this.#finish = undefined;
    if (!settled) this.#finish = undefined;
  }

  #delete(pods: readonly Stored<Pod>[]): void {
    if (pods.length === 0) return;
    const { podControl, job } = this.#input;
    const error = podControl.run(this.#key, job, { create: 0, make: () => this.#draft(undefined), remove: pods });
    if (error !== undefined) {
      this.#error = error;
      return;
    }
    this.#active -= pods.length;
    this.#terminating += pods.length;
    this.#ready -= pods.filter(isPodReady).length;
  }

  #manage(): void {
    const { job } = this.#input;
    const { parallelism = 1, completions, suspend } = job.spec ?? {};
    let wanted = completions === undefined ? parallelism : Math.max(0, Math.min(parallelism, completions - this.#succeeded));
    if (completions === undefined && this.#succeeded > 0) wanted = this.#active;
    if (suspend === true) wanted = 0;
    const surplus = this.#surplus(Math.max(0, this.#active - wanted)).slice(0, suspend === true ? undefined : burst);
    if (surplus.length > 0) {
      // Nobody counts them: they go without a trace in the status.
      for (const pod of surplus) this.#releasePod(pod);
      this.#delete(surplus);
      return;
    }
    if (suspend === true) return;
    const waitsFor = replacesEndedOnly(job) ? this.#terminating : 0;
    const missing = Math.min(burst, wanted - waitsFor - this.#active);
    if (missing > 0) this.#create(missing);
  }

  #create(missing: number): void {
    const { podControl, job } = this.#input;
    if (this.#indexFailures === undefined) {
      const waitMs = remainingMs(this.#backoff, this.#nowMs);
      if (waitMs > 0) {
        this.#later(waitMs);
        return;
      }
    }
    const indexes = this.#isIndexed ? this.#pendingIndexes(missing) : undefined;
    const create = indexes?.length ?? missing;
    if (create === 0) return;
    const error = podControl.run(this.#key, job, { create, make: (number) => this.#draft(indexes?.[number]), remove: [] });
    if (error === undefined) this.#active += create;
    else this.#error = error;
  }

  #draft(index: number | undefined) {
    return podOfJob(this.#input.job, index, index === undefined ? undefined : this.#indexFailures?.annotationsFor(index));
  }

  /** The lowest indexes that nobody works on. */
  #pendingIndexes(count: number): readonly number[] {
    const { job, pods } = this.#input;
    const busy = replacesEndedOnly(job) ? pods.filter((pod) => isPodActive(pod) || isPodTerminating(pod)) : this.#activePods;
    const taken = new Set([...this.#indexes, ...busy.map(completionIndex), ...(this.#indexFailures?.failed(this.#indexes) ?? [])]);
    const found: number[] = [];
    let waitMs: number | undefined;
    for (let index = 0; index < this.#completions && found.length < count; index += 1) {
      if (taken.has(index)) continue;
      const leftMs = this.#indexFailures?.remainingMs(index, this.#nowMs) ?? 0;
      if (leftMs === 0) found.push(index);
      else waitMs = Math.min(waitMs ?? leftMs, leftMs);
    }
    if (waitMs !== undefined) this.#later(waitMs);
    return found;
  }

  /** Pods that are too many, or have an index that another one has or nobody needs. */
  #surplus(atLeast: number): readonly Stored<Pod>[] {
    const seen = new Set<number>();
    const wrong: Stored<Pod>[] = [];
    const left: Stored<Pod>[] = [];
    for (const pod of this.#activePods) {
      const index = this.#validIndex(pod);
      if (this.#isIndexed && (index === undefined || seen.has(index) || this.#indexes.has(index))) wrong.push(pod);
      else left.push(pod);
      if (index !== undefined) seen.add(index);
    }
    if (wrong.length >= atLeast) return wrong;
    return [...wrong, ...rankForDeletion(left, [], this.#nowMs).slice(0, atLeast - wrong.length)];
  }

  // Writing.

  /** Puts ended Pods on the lists of the status, takes their finalizer away, then moves them to the counters. */
  #track(changed: boolean): void {
    let flush = changed || this.#hasOtherNumbers();
    const tracked = new Set(this.#input.pods.filter((pod) => this.#isOurs(pod)).map(({ metadata }) => metadata.uid));
    flush = this.#moveToCounters(tracked) || flush;
    this.#status = { ...this.#status, active: this.#active, ready: this.#ready, terminating: this.#terminating };
    const ended = this.#listEnded();
    flush = ended.changed || flush;
    flush = this.#announceEnd() || flush;
    if (flush) this.#write();
    for (const pod of ended.pods) {
      this.#releasePod(pod);
      tracked.delete(pod.metadata.uid);
    }
    let final = this.#moveToCounters(tracked);
    const finished = ended.all && this.#declareFinished();
    final ||= finished;
    if (!final) return;
    this.#write();
    if (finished) this.#tellEnd();
  }

  #hasOtherNumbers(): boolean {
    const { active = 0, ready, terminating } = this.#status;
    return active !== this.#active || ready !== this.#ready || terminating !== this.#terminating;
  }

  /** Pods on the lists that have lost their finalizer are counted. */
  #moveToCounters(tracked: ReadonlySet<string>): boolean {
    const { succeeded = [], failed = [] } = this.#status.uncountedTerminatedPods ?? {};
    const keptSucceeded = succeeded.filter((uid) => tracked.has(uid));
    const keptFailed = failed.filter((uid) => tracked.has(uid));
    const [won, lost] = [succeeded.length - keptSucceeded.length, failed.length - keptFailed.length];
    if (won === 0 && lost === 0) return false;
    this.#status = {
      ...this.#status,
      ...(won === 0 ? {} : { succeeded: (this.#status.succeeded ?? 0) + won }),
      ...(lost === 0 ? {} : { failed: (this.#status.failed ?? 0) + lost }),
      uncountedTerminatedPods: {
        ...(keptSucceeded.length === 0 ? {} : { succeeded: keptSucceeded }),
        ...(keptFailed.length === 0 ? {} : { failed: keptFailed }),
      },
    };
    return true;
  }

  #listEnded(): { readonly pods: readonly Stored<Pod>[]; readonly changed: boolean; readonly all: boolean } {
    const { job } = this.#input;
    const lists = this.#status.uncountedTerminatedPods;
    const [succeeded, failed] = [[...(lists?.succeeded ?? [])], [...(lists?.failed ?? [])]];
    const before = succeeded.length + failed.length;
    const counted = new Set(this.#previousIndexes);
    const pods: Stored<Pod>[] = [];
    let all = true;
    for (const pod of this.#inIndexOrder()) {
      if (!this.#isOurs(pod) || !this.#isToBeReleased(pod)) continue;
      if (counted.size - this.#previousIndexes.size + succeeded.length + failed.length >= burst) {
        all = false;
        break;
      }
      pods.push(pod);
      const { uid } = pod.metadata;
      const index = this.#validIndex(pod);
      if (podPhase(pod) === "Succeeded" && !failed.includes(uid)) {
        if (this.#isIndexed && index !== undefined) counted.add(index);
        else if (!this.#isIndexed && !succeeded.includes(uid)) succeeded.push(uid);
      } else if (this.#countsAsFailed(pod) && !failed.includes(uid) && (!this.#isIndexed || index !== undefined)) {
        if (judgeFailure(job, pod).counts) failed.push(uid);
      }
    }
    const changed = succeeded.length + failed.length !== before;
    if (changed)
      this.#status = {
        ...this.#status,
        uncountedTerminatedPods: {
          ...(succeeded.length === 0 ? {} : { succeeded }),
          ...(failed.length === 0 ? {} : { failed }),
        },
      };
    return { pods, changed: this.#writeIndexes(counted) || changed, all };
  }

  #inIndexOrder(): readonly Stored<Pod>[] {
    const { pods } = this.#input;
    if (!this.#isIndexed) return pods;
    return [...pods].sort((a, b) => (completionIndex(a) ?? -1) - (completionIndex(b) ?? -1));
  }

  #isToBeReleased(pod: Stored<Pod>): boolean {
    const { job } = this.#input;
    const ends = job.metadata.deletionTimestamp !== undefined || this.#finish !== undefined;
    if (ends || podPhase(pod) === "Succeeded") return true;
    return isFailed(pod, job) && this.#indexFailures?.isKept(pod, this.#indexes) !== true;
  }

  /** When the Job fails, each Pod that has not ended is a failed one. */
  #countsAsFailed(pod: Stored<Pod>): boolean {
    return isFailed(pod, this.#input.job) || (this.#finish !== undefined && this.#finish.type !== "SuccessCriteriaMet");
  }

  #writeIndexes(counted: ReadonlySet<number>): boolean {
    if (!this.#isIndexed) return false;
    const { completedIndexes = "", failedIndexes } = this.#status;
    const text = formatIndexes(counted);
    const failures = this.#indexFailures === undefined ? undefined : formatIndexes(this.#indexFailures.failed(this.#indexes));
    if (text === completedIndexes && failures === failedIndexes) return false;
    this.#status = {
      ...this.#status,
      ...(counted.size === 0 ? {} : { succeeded: counted.size, completedIndexes: text }),
      ...(failures === undefined ? {} : { failedIndexes: failures }),
    };
    return true;
  }

  /** The condition that comes before the last one; `finish` becomes the last one. */
  #announceEnd(): boolean {
    const interim = this.#finish;
    if (interim === undefined || interim.type === "Failed") return false;
    const { reason = "", message = "" } = interim;
    this.#finish = this.#condition(interim.type === "FailureTarget" ? "Failed" : "Complete", reason, message);
    const conditions = this.#status.conditions ?? [];
    if (conditions.some(({ type, status }) => type === interim.type && status === "True")) return false;
    this.#status = { ...this.#status, conditions: [...conditions, interim] };
    return true;
  }

  #declareFinished(): boolean {
    const { succeeded = [], failed = [] } = this.#status.uncountedTerminatedPods ?? {};
    if (this.#finish === undefined || succeeded.length + failed.length > 0 || this.#terminating > 0) return false;
    const conditions = withCondition(this.#status.conditions ?? [], this.#finish);
    const isComplete = this.#finish.type === "Complete";
    this.#status = {
      ...this.#status,
      conditions: [...conditions],
      ...(isComplete ? { completionTime: formatTime(this.#nowMs) } : {}),
    };
    return true;
  }

  #tellEnd(): void {
    const { context, job } = this.#input;
    const { type, reason = "", message = "" } = this.#finish as JobCondition;
    if (type !== "Complete") {
      context.events.warning(job, reason, message);
      return;
    }
    const { completions } = job.spec ?? {};
    if (completions !== undefined && (this.#status.succeeded ?? 0) > completions)
      context.events.warning(job, "TooManySucceededPods", "Too many succeeded pods running after completion count reached");
    context.events.normal(job, "Completed", "Job completed");
  }

  #write(): void {
    const { active, ...others } = this.#status;
    // As upstream sends it: a number of 0 is left out, and so its manager does not own the field.
    const status = active === 0 ? others : this.#status;
    this.#stored = this.#input.podControl.updateStatus(kinds.jobs, { ...this.#stored, status });
    this.#status = { ...this.#status, ...this.#stored.status };
  }

  #releasePod(pod: Stored<Pod>): void {
    if (!isTracked(pod)) return;
    releasePod(this.#input.context.client, keyOf(pod));
    this.#released.push(pod.metadata.uid);
  }
}

function restartsOf(pod: Stored<Pod>): number {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses].reduce((sum, { restartCount }) => sum + restartCount, 0);
}
