// Starts a lab's worker. A page does so on the reader's click, before the code has come that talks to the worker: hence small, and what the
// worker says until somebody listens is kept.

import type { PageMessage, WorkerMessage, WorkerStarted } from "./protocol.ts";
import type { WorkerPort } from "./worker-port.ts";

export interface StartedWorker extends WorkerPort {
  /** Resolved once the worker's code runs, or is known not to. */
  readonly started: Promise<void>;
}

export function startWorker(): StartedWorker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const messages = new Outlet<WorkerMessage>();
  const failures = new Outlet<string>();
  const { promise: started, resolve: runs } = Promise.withResolvers<void>();
  const fail = (detail: string): void => {
    runs();
    failures.say(detail);
  };
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage | WorkerStarted>) => {
    runs();
    if (data.kind !== "started") messages.say(data);
  };
  worker.onerror = (event) => fail(event.message || "the worker could not be loaded");
  worker.onmessageerror = () => fail("a message could not be read");
  return {
    started,
    post: (message: PageMessage) => worker.postMessage(message),
    listen: (listener) => messages.listen(listener),
    onFailure: (listener) => failures.listen(listener),
    terminate: () => {
      runs();
      worker.terminate();
    },
  };
}

class Outlet<Said> {
  #listener: ((said: Said) => void) | undefined;
  readonly #unheard: Said[] = [];

  say(said: Said): void {
    if (this.#listener === undefined) this.#unheard.push(said);
    else this.#listener(said);
  }

  listen(listener: (said: Said) => void): void {
    this.#listener = listener;
    for (const said of this.#unheard.splice(0)) listener(said);
  }
}
