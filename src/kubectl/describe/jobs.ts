// Jobs and CronJobs.

import { humanDuration } from "#cluster/api/duration.ts";
import type { CronJob, Job } from "#cluster/api/generated/types.ts";
import { formatRequirements, requirementsOf } from "#cluster/api/labels.ts";
import { parseTime } from "#cluster/api/time.ts";
import { type Description, trueOrFalse } from "./description.ts";
import { describeHead, withEvents } from "./from-object.ts";
import { controllerText } from "./owner.ts";
import { describePodTemplate } from "./pod-template.ts";
import { longTime } from "./when.ts";

const unset = "<unset>";
/** Completed indexes are cut at the first comma behind so many characters. */
const indexesLimit = 50;

export const describeJob = withEvents<Job>((out, { metadata, spec, status }) => {
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  out.field("Selector", spec?.selector === undefined ? "" : formatRequirements(requirementsOf(spec.selector)));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  const controller = controllerText(metadata);
  if (controller !== undefined) out.field("Controlled By", controller);
  optional(out, "Parallelism", spec?.parallelism);
  out.field("Completions", spec?.completions ?? unset);
  optional(out, "Completion Mode", spec?.completionMode);
  optional(out, "Suspend", spec?.suspend);
  optional(out, "Backoff Limit", spec?.backoffLimit);
  optional(out, "TTL Seconds After Finished", spec?.ttlSecondsAfterFinished);
  const { startTime, completionTime } = status ?? {};
  if (startTime !== undefined) out.field("Start Time", longTime(startTime));
  if (completionTime !== undefined) out.field("Completed At", longTime(completionTime));
  if (startTime !== undefined && completionTime !== undefined)
    out.field("Duration", humanDuration(parseTime(completionTime) - parseTime(startTime)));
  if (spec?.activeDeadlineSeconds !== undefined) out.field("Active Deadline Seconds", `${spec.activeDeadlineSeconds}s`);
  const ready = status?.ready === undefined ? "" : ` (${status.ready} Ready)`;
  out.field(
    "Pods Statuses",
    `${status?.active ?? 0} Active${ready} / ${status?.succeeded ?? 0} Succeeded / ${status?.failed ?? 0} Failed`,
  );
  if (spec?.completionMode === "Indexed") out.field("Completed Indexes", indexesText(status?.completedIndexes ?? ""));
  if (spec !== undefined) describePodTemplate(out, spec.template);
});

function optional(out: Description, name: string, value: string | number | boolean | undefined): void {
  if (value !== undefined) out.field(name, value);
}

function indexesText(indexes: string): string {
  if (indexes === "") return "<none>";
  const comma = indexes.indexOf(",", indexesLimit);
  return comma < 0 ? indexes : `${indexes.slice(0, comma + 1)}...`;
}

export const describeCronJob = withEvents<CronJob>((out, cronJob) => {
  const { spec, status } = cronJob;
  describeHead(out, cronJob);
  out.field("Schedule", spec?.schedule ?? "");
  out.field("Concurrency Policy", spec?.concurrencyPolicy ?? "");
  out.field("Suspend", trueOrFalse(spec?.suspend, unset));
  out.field("Time Zone", spec?.timeZone ?? unset);
  out.field("Successful Job History Limit", spec?.successfulJobsHistoryLimit ?? unset);
  out.field("Failed Job History Limit", spec?.failedJobsHistoryLimit ?? unset);
  const deadline = spec?.startingDeadlineSeconds;
  out.field("Starting Deadline Seconds", deadline === undefined ? unset : `${deadline}s`);
  const job = spec?.jobTemplate.spec;
  out.field("Selector", job?.selector === undefined ? unset : formatRequirements(requirementsOf(job.selector)));
  out.field("Parallelism", job?.parallelism ?? unset);
  out.field("Completions", job?.completions ?? unset);
  if (job?.activeDeadlineSeconds !== undefined) out.field("Active Deadline Seconds", `${job.activeDeadlineSeconds}s`);
  if (job !== undefined) describePodTemplate(out, job.template);
  out.field("Last Schedule Time", status?.lastScheduleTime === undefined ? unset : longTime(status.lastScheduleTime));
  const active = (status?.active ?? []).map(({ name }) => name ?? "");
  out.field("Active Jobs", active.length === 0 ? "<none>" : active.join(", "));
});
