import { humanDuration } from "#cluster/api/duration.ts";
import type { Job, JobSpec } from "#cluster/api/generated/types.ts";
import { jobs as type } from "#cluster/api/kinds.ts";
import { parseTime } from "#cluster/api/time.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource, type TableContext, type Typed } from "../definition.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell, selectorColumn } from "../workload-cells.ts";

const uidLabel = "batch.kubernetes.io/controller-uid";
const nameLabel = "batch.kubernetes.io/job-name";
/** Names of the same two labels before 1.27, still written. */
const oldUidLabel = "controller-uid";
const oldNameLabel = "job-name";

export const jobs = defineResource(type, {
  categories: ["all"],
  generationFields: ["spec"],
  defaultPropagation: "Background",
  subresources: [{ name: "status", kind: "Job", verbs: ["get", "patch", "update"] }],
  selectableFields: { "status.successful": (job) => String(job.status?.succeeded ?? 0) },
  ...specAndStatus,
  prepareForCreate: (job) => withSelector({ ...job, status: {} }),
  defaultedFields: ["spec"],
  defaults: (job) => changed(job, "spec", jobSpecDefaults),
  columns: [
    nameColumn,
    column("Status", "Status of the job."),
    column("Completions", ""),
    column("Duration", "Time required to complete the job."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  row: (job, context) => [
    nameCell(job),
    statusCell(job),
    completionsCell(job),
    durationCell(job, context),
    ageCell(job, context),
    ...containerCells(job.spec?.template),
    selectorCell(job.spec?.selector),
  ],
});

export function jobSpecDefaults(spec: JobSpec): JobSpec {
  let result = spec;
  // Neither given: one pod is enough. One without the other is a work queue.
  if (spec.completions === undefined && spec.parallelism === undefined) result = { ...result, completions: 1 };
  result = filled(result, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed",
  });
  return changed(result, "template", podTemplateDefaults);
}

/** Unless told otherwise a job selects its pods by its own uid. */
function withSelector(job: Typed<Job> & { readonly [field: string]: unknown }): typeof job {
  const { spec } = job;
  if (spec === undefined || spec.manualSelector === true) return job;
  const { uid = "", name = "" } = job.metadata;
  const labels = {
    ...spec.template?.metadata?.labels,
    [uidLabel]: uid,
    [nameLabel]: name,
    [oldUidLabel]: uid,
    [oldNameLabel]: name,
  };
  const selector = spec.selector ?? {};
  return {
    ...job,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [uidLabel]: uid } },
      template: { ...spec.template, metadata: { ...spec.template?.metadata, labels } },
    },
  };
}

function statusCell(job: Typed<Job>): string {
  const holds = (type: string): boolean =>
    job.status?.conditions?.some((one) => one.type === type && one.status === "True") === true;
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  if (holds("Suspended")) return "Suspended";
  return holds("FailureTarget") ? "FailureTarget" : holds("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function completionsCell(job: Typed<Job>): string {
  const succeeded = job.status?.succeeded ?? 0;
  const { completions, parallelism = 0 } = job.spec ?? {};
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell(job: Typed<Job>, context: TableContext): string {
  const { startTime, completionTime } = job.status ?? {};
  if (!startTime) return "";
  return humanDuration((completionTime ? parseTime(completionTime) : context.nowMs) - parseTime(startTime));
}
