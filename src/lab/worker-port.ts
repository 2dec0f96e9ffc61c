// A worker as the page needs it.

import type { PageMessage, WorkerMessage } from "./protocol.ts";

export interface WorkerPort {
  post(message: PageMessage): void;
  listen(listener: (message: WorkerMessage) => void): void;
  /** The worker broke: out of memory, a bug, a script that did not load. */
  onFailure(listener: (detail: string) => void): void;
  terminate(): void;
}
