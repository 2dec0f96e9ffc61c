// Children of a shell that ended or stopped while it did something else.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { jobLine } from "./jobs.ts";
import type { Shell } from "./shell.ts";
import { handleSignals } from "./signals.ts";

/** Collects children that ended or stopped, without waiting. */
export function* reapJobs(shell: Shell): Sys<void> {
  for (let count = 0; count < 1000; count += 1) {
    try {
      const status = yield* shell.self.wait(-1, { noHang: true, untraced: true });
      if (status === undefined) return;
      shell.jobs.note(status.pid, status.code, status.stopped);
    } catch (error) {
      if (error instanceof SysError && error.code === "ECHILD") return;
      if (!(error instanceof SysError && error.code === "EINTR")) throw error;
      yield* handleSignals(shell);
    }
  }
}

/** Tells of jobs that ended, before a prompt. */
export function* notifyJobs(shell: Shell): Sys<void> {
  yield* reapJobs(shell);
  for (const job of [...shell.jobs.list]) {
    if (job.state === "done") {
      if (shell.interactive) yield* shell.writeError(jobLine(shell.jobs, job));
      shell.jobs.remove(job);
    } else if (job.state === "stopped" && !job.notified) job.notified = true;
  }
}
