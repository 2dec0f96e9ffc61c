// What a CronJob must be (pkg/apis/batch/validation: ValidateCronJobCreate, ValidateCronJobUpdate).

import type { CronJob, CronJobSpec, JobSpec } from "#cluster/api/generated/types.ts";
import { maxLengthReason } from "#cluster/api/names.ts";
import { scheduleFault } from "#cluster/cron/schedule-faults.ts";
import { isTimeZone } from "#cluster/cron/time-zones.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { validateCounts, validateNonnegative } from "../workload-validation.ts";
import { validateJobSpec } from "./job-validation.ts";

/** A Job's name is the CronJob's with a dash and ten digits. */
const maxNameLength = 52;
const concurrencyPolicies = ["Allow", "Forbid", "Replace"];

const specPath = field("spec");

export function validateCronJob(cronJob: Typed<CronJob>, old: Typed<CronJob> | undefined, errors: FieldErrors): void {
  if (old !== undefined && cronJob.spec === old.spec) return;
  const spec = cronJob.spec ?? ({} as CronJobSpec);
  validateSchedule(spec, old?.spec, specPath.child("schedule"), errors);
  validateNonnegative(spec.startingDeadlineSeconds, specPath.child("startingDeadlineSeconds"), errors);
  if (old === undefined || old.spec?.timeZone !== spec.timeZone) {
    validateTimeZone(spec.timeZone, specPath.child("timeZone"), errors);
  }
  const { concurrencyPolicy = "" } = spec;
  const at = specPath.child("concurrencyPolicy");
  if (concurrencyPolicy === "") errors.required(at);
  else if (!concurrencyPolicies.includes(concurrencyPolicy)) errors.notSupported(at, concurrencyPolicy, concurrencyPolicies);
  validateJobTemplate(spec.jobTemplate?.spec ?? ({} as JobSpec), specPath.child("jobTemplate", "spec"), errors);
  validateCounts(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], specPath, errors);
  const { name = "" } = cronJob.metadata;
  if (old === undefined && name.length > maxNameLength) {
    errors.invalid(field("metadata", "name"), name, maxLengthReason(maxNameLength));
  }
}

/** A zone in the schedule is left to those that have had one. */
function validateSchedule(spec: CronJobSpec, old: CronJobSpec | undefined, path: Path, errors: FieldErrors): void {
  const { schedule = "", timeZone } = spec;
  if (schedule === "") {
    errors.required(path);
    return;
  }
  const fault = scheduleFault(schedule);
  if (fault !== undefined) errors.invalid(path, schedule, fault);
  if (!schedule.includes("TZ")) return;
  if (old?.schedule?.includes("TZ") !== true) {
    errors.invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (timeZone !== undefined) {
    errors.invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

function validateTimeZone(zone: string | undefined, path: Path, errors: FieldErrors): void {
  if (zone === undefined) return;
  if (zone === "") {
    errors.invalid(path, zone, "timeZone must be nil or non-empty string");
    return;
  }
  const unknown = `unknown time zone ${zone}`;
  if (zone.split("/").some((part) => !/^(?!\.{1,2}$|-)[A-Za-z.\-_0-9+]{1,14}$/.test(part))) {
    errors.invalid(path, zone, unknown);
    return;
  }
  if (asciiLowerCase(zone) === "local") {
    errors.invalid(path, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  if (zone !== "Local" && !isTimeZone(zone)) errors.invalid(path, zone, unknown);
}

function validateJobTemplate(spec: JobSpec, path: Path, errors: FieldErrors): void {
  validateJobSpec(spec, path, errors);
  if (spec.selector !== undefined) errors.invalid(path.child("selector"), spec.selector, "`selector` will be auto-generated");
  if (spec.manualSelector === true) errors.notSupported(path.child("manualSelector"), true, ["nil", "false"]);
}
