// Processor time that a server takes for its answers, outside of any thread: light work is counted and done at once as long as a processor is
// free, more of it waits its turn (those that wait share the processors), and the limits of the container hold for all of it.

import { SysError } from "#sim/errors.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { Process } from "#sim/program.ts";

interface Job {
  /** Microseconds of a processor. */
  left: number;
  readonly done: () => void;
}

const unitsPerMs = 1000;
/** What is left by fractions. */
const slightUnits = 0.01;

export class ProcessorTime {
  readonly #self: Process;
  readonly #processors: number;
  readonly #baseMillicores: number;
  #jobs: Job[] = [];
  /** Done and not yet counted; negative: counted beforehand. */
  #debt = 0;
  #seenMs = 0;

  /** `baseMillicores`: what the process uses without being asked anything. */
  constructor(self: Process, processors: number, baseMillicores = 0) {
    this.#self = self;
    this.#processors = processors;
    this.#baseMillicores = baseMillicores;
  }

  /** Calls `done`, now or later, for work of so many microseconds of a processor. */
  take(units: number, done: () => void): void {
    this.#debt += units;
    const isLight = units < unitsPerMs && this.#jobs.length === 0;
    if (isLight) done();
    if (this.#debt < unitsPerMs && isLight) return;
    this.#settle();
    const isIdle = this.#jobs.length === 0;
    this.#jobs.push({ left: Math.max(0, this.#debt), done: isLight ? () => {} : done });
    this.#debt = Math.min(0, this.#debt);
    this.#declare();
    if (isIdle) this.#begin();
  }

  #begin(): void {
    const self = this.#self;
    const work = this;
    self.startThread(function* () {
      for (;;) {
        work.#settle();
        const next = work.#jobs.filter(({ left }) => left <= slightUnits);
        work.#jobs = work.#jobs.filter(({ left }) => left > slightUnits);
        work.#declare();
        for (const { done } of next) done();
        if (work.#jobs.length === 0) return;
        try {
          yield* self.sleep(work.#waitMs());
        } catch (error) {
          if (!(error instanceof SysError && error.code === "EINTR")) throw error;
        }
      }
    });
  }

  /** Until the first is done, if nothing changes. */
  #waitMs(): number {
    const [count, wanted] = [this.#jobs.length, this.#millicores];
    const least = this.#jobs.reduce((min, { left }) => Math.min(min, left), Number.POSITIVE_INFINITY);
    const given = Math.max(1, wanted * this.#self.shareOfProcessor);
    return Math.max(1, (least * count) / given);
  }

  get #millicores(): number {
    return Math.min(this.#jobs.length, this.#processors) * 1000;
  }

  /** Who waits gets equal parts of what the process was given since. */
  #settle(): void {
    const { cpuMs } = this.#self;
    const given = (cpuMs - this.#seenMs) * unitsPerMs;
    this.#seenMs = cpuMs;
    const count = this.#jobs.length;
    if (count === 0) return;
    for (const job of this.#jobs) {
      job.left -= given / count;
      if (job.left >= 0) continue;
      this.#debt += job.left;
      job.left = 0;
    }
  }

  #declare(): void {
    this.#self.declareUse({ cpuMillicores: this.#baseMillicores + this.#millicores });
  }
}

/** The handler, with so many microseconds of a processor for each answer. */
export function atTheCostOf(units: number, time: ProcessorTime, handler: HttpHandler): HttpHandler {
  return (request, peer, responder) => time.take(units, () => handler(request, peer, responder));
}
