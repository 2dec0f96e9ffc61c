// What a writer of a Job's status may say (pkg/apis/batch/validation: ValidateJobStatusUpdate, with the options that the
// registry's strategy chooses: a fault that was there before the update does not stand in its way).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Job, JobStatus } from "#cluster/api/generated/types.ts";
import { parseTime } from "#cluster/api/time.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { goUncountedPods } from "../workload-go-values.ts";
import { validateCounts } from "../workload-validation.ts";
import { countIndexes, overlapOf } from "./job-indexes.ts";

const path = field("status");
const conditions = path.child("conditions");

function holds(job: Typed<Job>, type: string): boolean {
  return job.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
}

function isFinished(job: Typed<Job>): boolean {
  return holds(job, "Complete") || holds(job, "Failed");
}

export function validateJobStatusUpdate(job: Typed<Job>, old: Typed<Job>, errors: FieldErrors): void {
  const change = changesOf(job, old);
  validateCounts(job.status, ["active", "succeeded", "failed", "ready", "terminating"], path, errors);
  validateUncounted(job.status ?? {}, errors);
  validateCompletion(job, change, errors);
  validateFinished(job, change, errors);
  validateIndexes(job, change, errors);
  validateCurrentCounts(job, change, errors);
  validateSuccess(job, errors);
  validateProgress(job, old, errors);
}

interface Changes {
  readonly condition: (type: string) => boolean;
  readonly finished: boolean;
  readonly field: (name: keyof JobStatus) => boolean;
}

function changesOf(job: Typed<Job>, old: Typed<Job>): Changes {
  return {
    condition: (type) => holds(job, type) !== holds(old, type),
    finished: isFinished(job) !== isFinished(old),
    field: (name) => !semanticDeepEqual(job.status?.[name], old.status?.[name]),
  };
}

function validateUncounted(status: JobStatus, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const name of ["succeeded", "failed"] as const) {
    for (const [index, uid] of (status.uncountedTerminatedPods?.[name] ?? []).entries()) {
      const at = path.child("uncountedTerminatedPods", name).index(index);
      if (uid === "") errors.invalid(at, uid, "must not be empty");
      else if (seen.has(uid)) errors.duplicate(at, uid);
      seen.add(uid);
    }
  }
}

function validateCompletion(job: Typed<Job>, change: Changes, errors: FieldErrors): void {
  const { completionTime, startTime } = job.status ?? {};
  const isComplete = holds(job, "Complete");
  if (change.condition("Complete") || change.condition("Failed")) {
    if (isComplete && holds(job, "Failed")) {
      errors.invalidUnnamed(conditions, "cannot set Complete=True and Failed=true conditions");
    }
  }
  if (change.condition("Complete") || change.condition("FailureTarget")) {
    if (isComplete && holds(job, "FailureTarget")) {
      errors.invalidUnnamed(conditions, "cannot set Complete=True and FailureTarget=true conditions");
    }
  }
  const at = path.child("completionTime");
  if (change.condition("Complete") || change.field("completionTime")) {
    if (completionTime && !isComplete) {
      errors.invalid(at, completionTime, "cannot set completionTime when there is no Complete=True condition");
    }
    if (!completionTime && isComplete) errors.required(at, "completionTime is required for Complete jobs");
  }
  if (change.field("startTime") || change.field("completionTime")) {
    if (startTime && completionTime && parseTime(completionTime) < parseTime(startTime)) {
      errors.invalid(at, completionTime, "must be equal to or after `startTime`");
    }
  }
  if ((change.condition("Failed") || change.condition("FailureTarget")) && holds(job, "Failed") && !holds(job, "FailureTarget")) {
    errors.invalidUnnamed(conditions, "cannot set Failed=True condition without the FailureTarget=true condition");
  }
  if (change.condition("Complete") || change.condition("SuccessCriteriaMet")) {
    if (isComplete && !holds(job, "SuccessCriteriaMet")) {
      errors.invalidUnnamed(conditions, "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    }
  }
}

function validateFinished(job: Typed<Job>, change: Changes, errors: FieldErrors): void {
  if (!isFinished(job)) return;
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status ?? {};
  if ((change.finished || change.field("active")) && active > 0) {
    errors.invalid(path.child("active"), active, "active>0 is invalid for finished job");
  }
  if ((change.finished || change.field("startTime")) && !startTime) {
    errors.required(path.child("startTime"), "startTime is required for finished job");
  }
  const left = (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0);
  if ((change.finished || change.field("uncountedTerminatedPods")) && left > 0) {
    errors.invalid(path.child("uncountedTerminatedPods"), goUncountedPods(uncounted ?? {}), "must be empty for finished job");
  }
}

function validateIndexes(job: Typed<Job>, change: Changes, errors: FieldErrors): void {
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {};
  const { completedIndexes = "", failedIndexes } = job.status ?? {};
  const [completedPath, failedPath] = [path.child("completedIndexes"), path.child("failedIndexes")];
  const [completedChanged, failedChanged] = [change.field("completedIndexes"), change.field("failedIndexes")];
  if (completedChanged && completions !== undefined) {
    const counted = countIndexes(completedIndexes, completions);
    if ("fault" in counted) errors.invalid(completedPath, completedIndexes, `error parsing completedIndexes: ${counted.fault}`);
  }
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) {
    const counted = countIndexes(failedIndexes, completions);
    if ("fault" in counted) errors.invalid(failedPath, failedIndexes, `error parsing failedIndexes: ${counted.fault}`);
  }
  if (completedChanged && completedIndexes !== "" && completionMode !== "Indexed") {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.invalid(completedPath, completedIndexes, detail);
  }
  if (failedChanged && backoffLimitPerIndex === undefined && failedIndexes !== undefined) {
    errors.invalid(failedPath, failedIndexes, "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
  }
  if ((failedChanged || completedChanged) && completions !== undefined && failedIndexes !== undefined) {
    const index = overlapOf(completedIndexes, failedIndexes, completions);
    if (index !== undefined) {
      errors.invalid(failedPath, failedIndexes, `failedIndexes and completedIndexes overlap at index: ${index}`);
    }
  }
}

function validateCurrentCounts(job: Typed<Job>, change: Changes, errors: FieldErrors): void {
  const { terminating = 0, ready = 0, active = 0 } = job.status ?? {};
  if ((change.finished || change.field("terminating")) && terminating > 0 && isFinished(job)) {
    errors.invalid(path.child("terminating"), terminating, "terminating>0 is invalid for finished job");
  }
  if ((change.field("ready") || change.field("active")) && ready > active) {
    errors.invalid(path.child("ready"), ready, "cannot set more ready pods than active");
  }
}

function validateSuccess(job: Typed<Job>, errors: FieldErrors): void {
  const isMet = holds(job, "SuccessCriteriaMet");
  if (isMet && holds(job, "Failed")) {
    errors.invalidUnnamed(conditions, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  }
  if (isMet && holds(job, "FailureTarget")) {
    errors.invalidUnnamed(conditions, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }
  if (job.spec?.successPolicy !== undefined && !isMet && holds(job, "Complete")) {
    errors.invalidUnnamed(conditions, "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }
}

/** What has been said of a Job's end is not taken back. */
function validateProgress(job: Typed<Job>, old: Typed<Job>, errors: FieldErrors): void {
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (holds(old, type) && !holds(job, type)) {
      errors.invalidUnnamed(conditions, `cannot disable the terminal ${type}=True condition`);
    }
  }
  const { spec, status = {} } = job;
  const before = old.status ?? {};
  if ((status.failed ?? 0) < (before.failed ?? 0)) {
    errors.invalid(path.child("failed"), status.failed ?? 0, "cannot decrease the failed counter");
  }
  const isScalable = spec?.completionMode === "Indexed" && spec.completions === spec.parallelism;
  if (!isScalable && (status.succeeded ?? 0) < (before.succeeded ?? 0)) {
    errors.invalid(path.child("succeeded"), status.succeeded ?? 0, "cannot decrease the succeeded counter");
  }
  if (status.completionTime && before.completionTime && status.completionTime !== before.completionTime) {
    errors.invalid(path.child("completionTime"), status.completionTime, "field is immutable");
  }
  // A Job that goes on after a pause begins anew (kubernetes/kubernetes#134769).
  const resumes = holds(old, "Suspended") && !holds(job, "Suspended");
  if (before.startTime && before.startTime !== status.startTime && spec?.suspend !== true && !resumes) {
    errors.required(path.child("startTime"), "startTime cannot be removed for unsuspended job");
  }
  if (holds(old, "SuccessCriteriaMet") && !holds(job, "SuccessCriteriaMet")) {
    errors.invalidUnnamed(conditions, "cannot disable the SuccessCriteriaMet=True condition");
  }
  if (holds(old, "Complete") && !holds(old, "SuccessCriteriaMet") && holds(job, "SuccessCriteriaMet")) {
    const detail = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.invalidUnnamed(conditions, detail);
  }
}
