import { cronJobs as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn, sinceCell } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource } from "../definition.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { containerCells, containersColumn, imagesColumn, selectorCell, selectorColumn } from "../workload-cells.ts";

export const cronJobs = defineResource(type, {
  shortNames: ["cj"],
  categories: ["all"],
  generationFields: ["spec"],
  subresources: [{ name: "status", kind: "CronJob", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  defaults: (cronJob) =>
    changed(cronJob, "spec", (spec) =>
      changed(
        filled(spec, { concurrencyPolicy: "Allow", suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
        "jobTemplate",
        (jobTemplate) => changed(jobTemplate, "spec", (jobSpec) => changed(jobSpec, "template", podTemplateDefaults)),
      ),
    ),
  columns: [
    nameColumn,
    column("Schedule", ""),
    column("Timezone", ""),
    column("Suspend", ""),
    integerColumn("Active", ""),
    column("Last Schedule", ""),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
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
