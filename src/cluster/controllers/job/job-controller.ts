// Runs Jobs to their end (pkg/controller/job). Keys: `NAMESPACE/NAME` of a Job, `pod:NAMESPACE/NAME` of a Pod that has lost its Job.

import type { Job, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { Timer } from "#sim/simulation.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { byController, claim, concernedOwners, controllerOf, indexByOwner, ownerKey } from "../ownership.ts";
import { PodControl } from "../pod-control.ts";
import { type BackoffRecord, noFailures } from "./backoff.ts";
import { isFinished } from "./conditions.ts";
import { isTracked, releasePod, trackingFinalizer } from "./job-pods.ts";

export const jobController: ControllerDefinition = {
  name: "job-controller",
  serviceAccount: "job-controller",
  create: (context) => new JobController(context),
};

/** Changes of Pods are gathered for so long (SyncJobBatchPeriod). */
const batchMs = 1_000;
const orphanPrefix = "pod:";

class JobController implements Controller {
  readonly name = "job-controller";
  readonly watches;
  readonly #context: ControllerContext;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #podControl: PodControl;
  readonly #matchers = new SelectorMatchers();
  readonly #backoffs = new Map<string, BackoffRecord>();
  /** Pods whose finalizer was taken away and that the watch has not shown so yet, by Job. */
  readonly #released = new Map<string, Set<string>>();
  readonly #batches = new Map<string, Timer>();
  #enqueue: (key: string) => void = () => {};

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = context.informers.informer(kinds.jobs);
    this.#pods = context.informers.informer(kinds.pods);
    this.#podControl = new PodControl(context);
    indexByOwner(this.#pods);
    this.watches = [
      watchRule<Job>({ resource: kinds.jobs, keys: (job, previous, deleted) => this.#onJob(job, previous, deleted) }),
      watchRule<Pod>({ resource: kinds.pods, keys: (pod, previous, deleted) => this.#onPod(pod, previous, deleted) }),
    ];
  }

  start(enqueue: (key: string) => void): void {
    this.#enqueue = enqueue;
  }

  stop(): void {
    for (const timer of this.#batches.values()) this.#context.simulation.cancel(timer);
    this.#batches.clear();
  }

  reconcile(key: string): Requeue | undefined {
    if (key.startsWith(orphanPrefix)) {
      this.#releaseOrphan(key.slice(orphanPrefix.length));
      return undefined;
    }
    const job = this.#jobs.get(key);
    if (job === undefined || isFinished(job) || isManagedElsewhere(job)) {
      this.#forget(key);
      return undefined;
    }
    this.#podControl.requireSeen(key, job);
    const pods = this.#claimPods(job);
    const released = this.#released.get(key) ?? new Set<string>();
    const backoff = this.#backoffs.get(key) ?? noFailures;
    const pass = new latePasses.code.JobPass({
      context: this.#context,
      podControl: this.#podControl,
      job,
      pods,
      released,
      backoff,
    });
    const result = pass.run();
    this.#backoffs.set(key, result.backoff);
    for (const uid of result.released) released.add(uid);
    this.#released.set(key, released);
    if (result.error !== undefined) throw result.error;
    if (result.requeueAfterMs === undefined) return undefined;
    return { requeueAfterMs: result.requeueAfterMs, background: true };
  }

  #forget(key: string): void {
    this.#podControl.forget(key);
    this.#backoffs.delete(key);
    this.#released.delete(key);
  }

  #claimPods(job: Stored<Job>): readonly Stored<Pod>[] {
    const matches = this.#matchers.of(job.spec?.selector);
    const pods = claim(this.#context.client, this.#pods, job, (pod) => matches(pod.metadata.labels ?? {}));
    return pods.map((pod) => (this.#isAdopted(pod) ? this.#withFinalizer(pod) : pod));
  }

  /** Taken over in this pass: the cache still shows it without owner. */
  #isAdopted(pod: Stored<Pod>): boolean {
    const cached = this.#pods.get(keyOf(pod));
    return cached !== undefined && controllerOf(cached) === undefined && !isTracked(pod);
  }

  /** Adopted Pods are tracked like the Job's own. */
  #withFinalizer(pod: Stored<Pod>): Stored<Pod> {
    const finalizers = [...(pod.metadata.finalizers ?? []), trackingFinalizer];
    return this.#context.client.patch(kinds.pods, splitKey(keyOf(pod)), "strategic", { metadata: { finalizers } });
  }

  // What wakes.

  #onJob(job: Stored<Job>, previous: Stored<Job> | undefined, deleted: boolean): readonly string[] {
    const key = keyOf(job);
    if (deleted) {
      const left = [...this.#pods.byIndex(byController, job.metadata.uid)].filter(isTracked);
      return [key, ...left.map((pod) => `${orphanPrefix}${keyOf(pod)}`)];
    }
    if (previous === undefined || previous.metadata.generation !== job.metadata.generation) return [key];
    this.#batch(key);
    return [];
  }

  #onPod(pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): readonly string[] {
    const owner = ownerKey(pod, this.#jobs);
    if (owner !== undefined) {
      this.#podControl.seen(owner, pod, previous, deleted);
      if (deleted || !isTracked(pod)) this.#released.get(owner)?.delete(pod.metadata.uid);
    }
    const keys = concernedOwners(pod, previous, deleted, this.#jobs, (job) =>
      this.#matchers.of(job.spec?.selector)(pod.metadata.labels ?? {}),
    );
    for (const key of keys) this.#batch(key);
    return !deleted && isTracked(pod) && this.#hasLostItsJob(pod) ? [`${orphanPrefix}${keyOf(pod)}`] : [];
  }

  #batch(key: string): void {
    if (this.#batches.has(key)) return;
    const timer = this.#context.simulation.after(batchMs, () => {
      this.#batches.delete(key);
      this.#enqueue(key);
    });
    this.#batches.set(key, timer);
  }

  // Pods without Job.

  #hasLostItsJob(pod: Stored<Pod>): boolean {
    const owner = ownerKey(pod, this.#jobs);
    const job = owner === undefined ? undefined : this.#jobs.get(owner);
    if (job !== undefined) return isFinished(job);
    const reference = controllerOf(pod);
    return reference === undefined || reference.kind === kinds.jobs.kind;
  }

  #releaseOrphan(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined || !isTracked(pod) || !this.#hasLostItsJob(pod)) return;
    releasePod(this.#context.client, key);
  }
}

function isManagedElsewhere({ spec }: Job): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== "kubernetes.io/job-controller";
}
