import { humanDuration } from "#cluster/api/duration.ts";
import type { Job, JobSpec } from "#cluster/api/generated/types.ts";
import { jobs as type } from "#cluster/api/kinds.ts";
import { parseTime } from "#cluster/api/time.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type TableContext, type Typed } from "../definition.ts";
import { field, type Path } from "../field-errors.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell, selectorColumnOf } from "../workload-cells.ts";
import { nameWarnings, templateWarnings } from "../workload-warnings.ts";
import { jobCompletions, jobStatus } from "./job-cells.ts";
import { jobDefaults, withGeneratedSelector } from "./job-defaults.ts";
import { validateJobStatusUpdate } from "./job-status-validation.ts";
import { validateJob, validateJobUpdate } from "./job-validation.ts";

/** Of Jobs, and of the Jobs that a CronJob will make. */
export const jobSelectorColumn = selectorColumnOf(
  "A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
);

export const jobs = defineResource(type, {
  categories: ["all"],
  generationFields: ["spec"],
  defaultPropagation: "Orphan",
  propagationWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  subresources: [{ name: "status", kind: "Job", verbs: ["get", "patch", "update"] }],
  selectableFields: { "status.successful": (job) => String(job.status?.succeeded ?? 0) },
  ...specAndStatus,
  prepareForCreate: (job) => withGeneratedSelector({ ...job, status: {} }),
  defaults: jobDefaults,
  validate: (job, errors) => validateJob(job, undefined, errors),
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatusUpdate,
  warnings: (job, old) => {
    if (old === undefined) return [...nameWarnings(job.metadata.name), ...jobSpecWarnings(job.spec, field("spec"))];
    return job.metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(job.spec, field("spec"));
  },
  columns: [
    nameColumn,
    column("Status", "Status of the job."),
    column(
      "Completions",
      "The number of pods which reached phase Succeeded. The value increases monotonically for a given spec. However, it may decrease in reaction to scale down of elastic indexed jobs.",
    ),
    column("Duration", "Time required to complete the job."),
    ageColumn,
    containersColumn,
    imagesColumn,
    jobSelectorColumn,
  ],
  row: (job, context) => [
    nameCell(job),
    jobStatus(job),
    jobCompletions(job),
    durationCell(job, context),
    ageCell(job, context),
    ...containerCells(job.spec?.template),
    selectorCell(job.spec?.selector),
  ],
});

const manyCompletions = 100_000;
const highParallelism = 10_000;

/** `path` is where the specification stands. */
export function jobSpecWarnings(spec: JobSpec | undefined, path: Path): readonly string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  const ofTemplate = templateWarnings(spec?.template, path.child("template"));
  if (completionMode !== "Indexed" || completions <= manyCompletions || parallelism <= highParallelism) return ofTemplate;
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
    ...ofTemplate,
  ];
}

function durationCell(job: Typed<Job>, context: TableContext): string {
  const { startTime, completionTime } = job.status ?? {};
  if (!startTime) return "";
  return humanDuration((completionTime ? parseTime(completionTime) : context.nowMs) - parseTime(startTime));
}
