// Joins one controller to its watches and its queue.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { defaultPassMs, WorkQueue } from "#cluster/client/work-queue.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type Controller, TryAgain } from "./controller.ts";

export interface RunnerOptions {
  /** How many keys are worked on at once; undefined: as many as there are. */
  readonly workers?: number | undefined;
  /** Told of each pass, and how long it takes. */
  readonly onPass?: (key: string, tookMs: number) => void;
}

export class ControllerRunner {
  readonly controller: Controller;
  readonly #simulation: Simulation;
  readonly #queue: WorkQueue;
  readonly #informers: InformerFactory;
  /** Passes made since the start; a settled cluster makes none. */
  passes = 0;
  #running = false;
  /** The last error of a pass, for people who look into the simulation. */
  lastError: Error | undefined;

  constructor(simulation: Simulation, informers: InformerFactory, controller: Controller, options: RunnerOptions = {}) {
    const passMs = (key: string): number => controller.passMs?.(key) ?? defaultPassMs;
    this.controller = controller;
    this.#simulation = simulation;
    this.#informers = informers;
    const work = (key: string): void => {
      this.#pass(key);
      options.onPass?.(key, passMs(key));
    };
    this.#queue = new WorkQueue(simulation, work, {
      passMs,
      workers: options.workers,
      ...(controller.longestRetryMs === undefined ? {} : { maxDelayMs: controller.longestRetryMs }),
      ...(controller.retryMs === undefined ? {} : { baseDelayMs: controller.retryMs }),
    });
  }

  start(): void {
    this.#running = true;
    this.controller.start?.((key) => {
      if (this.#running) this.#queue.add(key);
    });
    for (const rule of this.controller.watches) {
      this.#informers.informer(rule.resource).addHandler((object, previous, deleted) => {
        if (!this.#running) return;
        for (const key of rule.keys(object, previous, deleted)) this.#queue.addAfter(key, rule.delayMs ?? 0);
      });
    }
  }

  stop(): void {
    this.#running = false;
    this.#queue.stop();
    this.controller.stop?.();
  }

  #pass(key: string): void {
    this.passes += 1;
    try {
      const requeue = this.controller.reconcile(key);
      this.#queue.forget(key);
      if (requeue !== undefined) this.#queue.addAfter(key, requeue.requeueAfterMs, { background: requeue.background === true });
    } catch (error) {
      // Refusals, outages and copies that lag are retried; so is what nobody expected, as a panic is recovered from.
      const isExpected = error instanceof ApiError || error instanceof ApiUnreachable || error instanceof TryAgain;
      this.lastError = isExpected ? error : this.#simulation.faults.note(this.controller.name, key, error);
      this.#queue.addRateLimited(key);
    }
  }
}
