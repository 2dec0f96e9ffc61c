// How far a Job has come, in the words of its table.

import type { Job } from "#cluster/api/generated/types.ts";
import type { Typed } from "../definition.ts";

/** As under STATUS. */
export function jobStatus(job: Typed<Job>): string {
  const holds = (type: string): boolean =>
    job.status?.conditions?.some((one) => one.type === type && one.status === "True") === true;
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  if (holds("Suspended")) return "Suspended";
  if (holds("FailureTarget")) return "FailureTarget";
  return holds("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

/** As under COMPLETIONS. */
export function jobCompletions(job: Typed<Job>): string {
  const succeeded = job.status?.succeeded ?? 0;
  const { completions, parallelism = 0 } = job.spec ?? {};
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}
