// Has the reference solutions played by a worker of its own, so that the learner's world goes on meanwhile.

import type { LabDefinition } from "./definition.ts";
import type { ReferenceRun } from "./reference-run.ts";
import type { WorkerPort } from "./worker-port.ts";

export class ReferencePlayer {
  readonly #startWorker: () => WorkerPort;
  #worker: WorkerPort | undefined;
  /** Of one seed; another seed is another cluster. */
  #played: { readonly seed: number; readonly run: Promise<ReferenceRun> } | undefined;

  constructor(startWorker: () => WorkerPort) {
    this.#startWorker = startWorker;
  }

  /** Played once for a seed. Rejects when the worker fails, or a solution does not lead to the end. */
  play(lab: LabDefinition, at: { readonly startMs: number; readonly seed: number }): Promise<ReferenceRun> {
    if (this.#played?.seed === at.seed) return this.#played.run;
    this.close();
    const run = this.#run(lab, at);
    this.#played = { seed: at.seed, run };
    run.catch(() => {
      // Asked for again, it is tried again.
      if (this.#played?.run === run) this.#played = undefined;
    });
    return run;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#played = undefined;
  }

  #run(lab: LabDefinition, { startMs, seed }: { readonly startMs: number; readonly seed: number }): Promise<ReferenceRun> {
    const worker = this.#startWorker();
    this.#worker = worker;
    return new Promise<ReferenceRun>((resolve, reject) => {
      worker.listen((message) => {
        if (message.kind === "reference") resolve(message.run);
        else if (message.kind === "failed") reject(new Error(message.detail));
      });
      worker.onFailure((detail) => reject(new Error(detail)));
      worker.post({ kind: "reference", lab, startMs, seed });
    }).finally(() => worker.terminate());
  }
}
