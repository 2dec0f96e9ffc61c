// The output of something that was started elsewhere, for a program that hands it on.

import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys, Thread } from "#sim/program.ts";

/** What a started process gives, for a program that waits for it. */
export class Output {
  exit: number | undefined;
  #pending: { readonly fd: number; readonly bytes: Bytes }[] = [];
  #waiting: Thread | undefined;

  add(fd: number, bytes: Bytes): void {
    this.#pending.push({ fd, bytes: bytes.slice() });
    this.wake();
  }

  wake(): void {
    const thread = this.#waiting;
    this.#waiting = undefined;
    thread?.resume(undefined);
  }

  take(): readonly { readonly fd: number; readonly bytes: Bytes }[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** Until there is output, or the process has ended. Throws SysError EINTR. */
  *wait(): Sys<void> {
    if (!this.isEmpty || this.exit !== undefined) return;
    yield (thread) => {
      this.#waiting = thread;
      thread.onInterrupt = () => {
        this.#waiting = undefined;
      };
    };
  }
}

/** Writes what comes until the process has ended; its exit code. */
export function* relay(self: Process, output: Output, onInterrupt: () => void): Sys<number> {
  for (;;) {
    for (const { fd, bytes } of output.take()) yield* self.write(fd, bytes);
    if (output.exit !== undefined && output.isEmpty) return output.exit;
    try {
      yield* output.wait();
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
      onInterrupt();
    }
  }
}
