// One line of execution: drives a program's generator from blocking call to blocking call.

import { SysError } from "../errors.ts";
import type { SystemCall, Thread } from "../program.ts";
import type { KernelProcess } from "./process.ts";

/** Calls a thread may make within one virtual millisecond before it is made to use one: a busy loop takes time, as on a real CPU. */
const callsPerMillisecond = 1000;

/** Unwinds a program whose process ended while it was running (it killed itself, or exceeded a limit). Not for programs to catch. */
export class ProcessEnded extends Error {}

export class KernelThread implements Thread {
  readonly process: KernelProcess;
  onInterrupt: (() => void) | undefined;
  readonly #generator: Generator<SystemCall, unknown, unknown>;
  readonly #onReturn: (value: unknown) => void;
  #state: "new" | "running" | "calling" | "blocked" | "ready" | "held" | "ended" = "new";
  #value: unknown;
  #error: Error | undefined;
  /** A call that a stop signal held back. */
  #heldCall: SystemCall | undefined;
  #budgetMs = -1;
  #callsLeft = 0;

  constructor(process: KernelProcess, generator: Generator<SystemCall, unknown, unknown>, onReturn: (value: unknown) => void) {
    this.process = process;
    this.#generator = generator;
    this.#onReturn = onReturn;
  }

  get blocked(): boolean {
    return this.#state === "blocked" || this.#state === "held";
  }

  start(): void {
    this.#state = "ready";
    this.process.kernel.simulation.after(0, this.#run);
  }

  resume(value: unknown): void {
    this.#finishCall(value, undefined);
  }

  fail(error: Error): void {
    this.#finishCall(undefined, error);
  }

  /** Makes the blocking call throw EINTR, if there is one. */
  interrupt(): boolean {
    if (this.#state !== "blocked" || this.onInterrupt === undefined) return false;
    const giveUp = this.onInterrupt;
    this.onInterrupt = undefined;
    giveUp();
    this.fail(new SysError("EINTR"));
    return true;
  }

  /** Gives up what it waits for, for good. */
  end(): void {
    const giveUp = this.onInterrupt;
    this.onInterrupt = undefined;
    this.#state = "ended";
    giveUp?.();
  }

  /** The process goes on after a stop. */
  unhold(): void {
    if (this.#state !== "held") return;
    this.start();
  }

  #finishCall(value: unknown, error: Error | undefined): void {
    if (this.#state !== "blocked" && this.#state !== "calling") return;
    this.onInterrupt = undefined;
    this.#value = value;
    this.#error = error;
    if (this.#state === "blocked") this.process.kernel.simulation.after(0, this.#run);
    this.#state = "ready";
  }

  readonly #run = (): void => {
    if (this.#state !== "ready") return;
    const kernel = this.process.kernel;
    const previous = kernel.running;
    kernel.running = this.process;
    try {
      while (this.#state === "ready") this.#advance();
    } finally {
      kernel.running = previous;
    }
  };

  #advance(): void {
    if (this.process.stopped) {
      this.#state = "held";
      return;
    }
    const held = this.#heldCall;
    if (held !== undefined) {
      this.#heldCall = undefined;
      this.#call(held);
      return;
    }
    const error = this.#error;
    const value = this.#value;
    this.#error = undefined;
    this.#value = undefined;
    this.#state = "running";
    this.process.callsSinceBlock = 0;
    let result: IteratorResult<SystemCall, unknown>;
    try {
      result = error === undefined ? this.#generator.next(value) : this.#generator.throw(error);
    } catch (thrown) {
      this.#fail(thrown);
      return;
    }
    if (this.process.ended) this.#state = "ended";
    else if (result.done === true) {
      this.#state = "ended";
      this.#onReturn(result.value);
    } else this.#call(result.value);
  }

  #fail(thrown: unknown): void {
    this.#state = "ended";
    if (thrown instanceof ProcessEnded || this.process.ended) return;
    this.process.failWith(thrown);
  }

  #call(call: SystemCall): void {
    if (this.process.stopped) {
      this.#heldCall = call;
      this.#state = "held";
      return;
    }
    const { simulation } = this.process.kernel;
    if (this.#budgetMs !== simulation.nowMs) {
      this.#budgetMs = simulation.nowMs;
      this.#callsLeft = callsPerMillisecond;
    }
    this.#callsLeft -= 1;
    if (this.#callsLeft < 0) {
      this.#throttle(call);
      return;
    }
    this.#state = "calling";
    try {
      call(this);
    } catch (thrown) {
      this.fail(thrown as Error);
    }
    if (this.#state === "calling") this.#state = "blocked";
  }

  /** Uses up a millisecond of processor time, then makes the call. */
  #throttle(call: SystemCall): void {
    const { simulation } = this.process.kernel;
    this.process.addCpu(1);
    this.#state = "blocked";
    const timer = simulation.after(1, () => {
      this.onInterrupt = undefined;
      this.#heldCall = call;
      this.#state = "ready";
      this.#run();
    });
    this.onInterrupt = () => simulation.cancel(timer);
  }
}
