// Makes Jobs by the clock (pkg/controller/cronjob). `cronjob-pass.ts` is one pass.

import type { CronJob, Job } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { byController, controllerUids, ownerKey } from "../ownership.ts";

export const cronJobController: ControllerDefinition = {
  name: "cronjob-controller",
  serviceAccount: "cronjob-controller",
  create: (context) => new CronJobController(context),
};

class CronJobController implements Controller {
  readonly name = "cronjob-controller";
  readonly watches;
  readonly #context: ControllerContext;
  readonly #cronJobs: Informer<CronJob>;
  readonly #jobs: Informer<Job>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#cronJobs = context.informers.informer(kinds.cronJobs);
    this.#jobs = context.informers.informer(kinds.jobs);
    this.#jobs.addIndex(byController, controllerUids);
    this.watches = [
      watchRule<CronJob>({ resource: kinds.cronJobs, keys: (cronJob, _previous, deleted) => (deleted ? [] : [keyOf(cronJob)]) }),
      watchRule<Job>({
        resource: kinds.jobs,
        keys: (job) => {
          const owner = ownerKey(job, this.#cronJobs);
          return owner === undefined ? [] : [owner];
        },
      }),
    ];
  }

  reconcile(key: string): Requeue | undefined {
    const cronJob = this.#cronJobs.get(key);
    if (cronJob === undefined) return undefined;
    const jobs = [...this.#jobs.byIndex(byController, cronJob.metadata.uid)];
    const pass = new latePasses.code.CronJobPass(this.#context, cronJob, jobs);
    const wakeMs = pass.run();
    return wakeMs === undefined ? undefined : { requeueAfterMs: wakeMs, background: true };
  }
}
