import type { CronJob, CronJobSpec, JobTemplateSpec } from "#cluster/api/generated/types.ts";
import { cronJobs as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn, sinceCell } from "../columns.ts";
import { defineResource, type TableColumn } from "../definition.ts";
import { field } from "../field-errors.ts";
import { filled, withoutZero } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell } from "../workload-cells.ts";
import { nameWarnings } from "../workload-warnings.ts";
import { validateCronJob } from "./cronjob-validation.ts";
import { jobTemplateSpecDefaults } from "./job-defaults.ts";
import { jobSelectorColumn, jobSpecWarnings } from "./jobs.ts";

const suspendColumn: TableColumn = {
  name: "Suspend",
  type: "boolean",
  description:
    "This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.  Defaults to false.",
};

export const cronJobs = defineResource(type, {
  shortNames: ["cj"],
  categories: ["all"],
  generationFields: ["spec"],
  subresources: [{ name: "status", kind: "CronJob", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  defaults: (cronJob) => {
    const complete = specDefaults(cronJob.spec ?? ({} as CronJobSpec));
    return complete === cronJob.spec ? cronJob : { ...cronJob, spec: complete };
  },
  validate: (cronJob, errors) => validateCronJob(cronJob, undefined, errors),
  validateUpdate: validateCronJob,
  warnings: (cronJob, old) => {
    const ofTemplate = jobSpecWarnings(cronJob.spec?.jobTemplate?.spec, field("spec", "jobTemplate", "spec"));
    if (old === undefined) return [...nameWarnings(cronJob.metadata.name), ...ofTemplate];
    // Updates of the status bring the stored spec along, and warn of nothing.
    if (cronJob.spec === old.spec) return [];
    return [...(cronJob.metadata.generation === old.metadata.generation ? [] : ofTemplate), ...zoneWarnings(cronJob)];
  },
  columns: [
    nameColumn,
    column("Schedule", "The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron."),
    column(
      "Timezone",
      "The time zone name for the given schedule, see https://en.wikipedia.org/wiki/List_of_tz_database_time_zones. If not specified, this will default to the time zone of the kube-controller-manager process. The set of valid time zone names and the time zone offset is loaded from the system-wide time zone database by the API server during CronJob validation and the controller manager during execution. If no system-wide time zone database can be found a bundled version of the database is used instead. If the time zone name becomes invalid during the lifetime of a CronJob or due to a change in host configuration, the controller will stop creating new new Jobs and will create a system event with the reason UnknownTimeZone. More information can be found in https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#time-zones",
    ),
    suspendColumn,
    integerColumn("Active", "A list of pointers to currently running jobs."),
    column("Last Schedule", "Information when was the last time the job was successfully scheduled."),
    ageColumn,
    containersColumn,
    imagesColumn,
    jobSelectorColumn,
  ],
  row: (cronJob, context) => [
    nameCell(cronJob),
    cronJob.spec?.schedule ?? "",
    cronJob.spec?.timeZone ?? "<none>",
    cronJob.spec?.suspend === true ? "True" : "False",
    cronJob.status?.active?.length ?? 0,
    cronJob.status?.lastScheduleTime ? sinceCell(cronJob.status.lastScheduleTime, context) : "<none>",
    ageCell(cronJob, context),
    ...containerCells(cronJob.spec?.jobTemplate?.spec?.template),
    selectorCell(cronJob.spec?.jobTemplate?.spec?.selector),
  ],
});

function specDefaults(given: CronJobSpec): CronJobSpec {
  const timed = filled(withoutZero(given, "concurrencyPolicy"), {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  const template = timed.jobTemplate ?? ({} as JobTemplateSpec);
  const spec = jobTemplateSpecDefaults(template.spec ?? ({} as NonNullable<JobTemplateSpec["spec"]>));
  return spec === template.spec ? timed : { ...timed, jobTemplate: { ...template, spec } };
}

function zoneWarnings(cronJob: Pick<CronJob, "spec">): readonly string[] {
  if (cronJob.spec?.schedule?.includes("TZ") !== true) return [];
  return [
    "CRON_TZ or TZ used in spec.schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
  ];
}
