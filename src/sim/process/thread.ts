// One line of execution: drives a program's generator from blocking call to blocking call.

import { SysError } from "../errors.ts";
import type { SystemCall, Thread } from "../program.ts";
import type { KernelProcess } from "./process.ts";

/** Work of one processor in a virtual millisecond: a call is a unit, and so are 4 KiB that a call moves. A busy loop takes time, as on a real CPU. */
const unitsPerMillisecond = 1000;
/** Units that a thread takes from its control groups at a time. */
const unitsPerGrant = 100;

/**
 * Yielded at the start of every blocking call, before it looks at anything: here the call is counted, and here a thread that
 * made too many waits. (Never between a look and the wait that follows from it: a wake-up could be missed.)
 */
export const proceed: SystemCall = (thread) => thread.resume(undefined);

/** Unwinds a program whose process ended while it was running (it killed itself, or exceeded a limit). Not for programs to catch. */
export class ProcessEnded extends Error {}

export class KernelThread implements Thread {
  readonly process: KernelProcess;
  onInterrupt: (() => void) | undefined;
  #begin: (() => Generator<SystemCall, unknown, unknown>) | undefined;
  #generator: Generator<SystemCall, unknown, unknown> | undefined;
  readonly #isMain: boolean;
  #state: "new" | "running" | "calling" | "blocked" | "ready" | "held" | "ended" = "new";
  #value: unknown;
  #thrown: unknown;
  /** A call that a stop signal held back. */
  #heldCall: SystemCall | undefined;
  #unitsLeft = 0;
  /** Units taken within one millisecond of virtual time. */
  #takenAtMs = -1;
  #taken = 0;
  /** Units that no processor time has been counted for. */
  #unmetered = 0;

  constructor(process: KernelProcess, begin: () => Generator<SystemCall, unknown, unknown>, isMain: boolean) {
    this.process = process;
    this.#begin = begin;
    this.#isMain = isMain;
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

  fail(thrown: unknown): void {
    this.#finishCall(undefined, thrown);
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

  /**
   * Gives up what it waits for, for good. The program's `finally` blocks run, so that what it had started outside of the kernel can be
   * stopped; system calls in them fail, and nothing in them can wait.
   */
  end(): void {
    const giveUp = this.onInterrupt;
    const isRunning = this.#state === "running";
    this.onInterrupt = undefined;
    this.#state = "ended";
    giveUp?.();
    const generator = this.#generator;
    this.#generator = undefined;
    if (isRunning || generator === undefined) return;
    try {
      generator.return(undefined);
    } catch (thrown) {
      if (!(thrown instanceof ProcessEnded)) this.process.kernel.onProgramError?.(this.process, thrown);
    }
  }

  /** The process goes on after a stop. */
  unhold(): void {
    if (this.#state !== "held") return;
    this.start();
  }

  #finishCall(value: unknown, thrown: unknown): void {
    if (this.#state !== "blocked" && this.#state !== "calling") return;
    this.onInterrupt = undefined;
    this.#value = value;
    this.#thrown = thrown;
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
    const thrown = this.#thrown;
    const value = this.#value;
    this.#thrown = undefined;
    this.#value = undefined;
    this.#state = "running";
    this.process.callsSinceBlock = 0;
    let result: IteratorResult<SystemCall, unknown>;
    try {
      const generator = this.#started();
      result = thrown === undefined ? generator.next(value) : generator.throw(thrown);
    } catch (fault) {
      this.#fail(fault);
      return;
    }
    if (this.process.ended) this.#state = "ended";
    else if (result.done === true) {
      this.#state = "ended";
      this.#generator = undefined;
      if (this.#isMain) this.process.mainReturned(result.value as number);
      else this.process.threadReturned(this);
    } else this.#call(result.value);
  }

  /** A program's first lines, too, run in its own turn. */
  #started(): Generator<SystemCall, unknown, unknown> {
    const begin = this.#begin;
    if (begin !== undefined) {
      this.#begin = undefined;
      this.#generator = begin();
    }
    return this.#generator as Generator<SystemCall, unknown, unknown>;
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
    if (call === proceed) {
      const waitMs = this.#spend();
      if (waitMs > 0) {
        this.#throttle(call, waitMs);
        return;
      }
    }
    this.#state = "calling";
    try {
      call(this);
    } catch (thrown) {
      this.fail(thrown);
    }
    if (this.#state === "calling") this.#state = "blocked";
  }

  /** Counts the work since the last blocking call; for how many milliseconds the thread has to wait for a processor. */
  #spend(): number {
    const { process } = this;
    this.#unitsLeft -= 1 + process.work;
    process.work = 0;
    return this.#unitsLeft >= 0 ? 0 : this.#takeUnits();
  }

  #takeUnits(): number {
    const { controlGroup, kernel } = this.process;
    const { nowMs } = kernel.simulation;
    if (this.#takenAtMs !== nowMs) {
      this.#takenAtMs = nowMs;
      this.#taken = 0;
    }
    const units = Math.ceil(-this.#unitsLeft / unitsPerGrant) * unitsPerGrant;
    if (units > kernel.longestTurn) kernel.longestTurn = units;
    this.#unitsLeft += units;
    this.#taken += units;
    this.#unmetered += units;
    const ownMs = this.#taken > unitsPerMillisecond ? Math.floor(this.#taken / unitsPerMillisecond) : 0;
    return Math.max(ownMs, controlGroup.takeProcessor(units));
  }

  /** Lets the time pass that the work took, or that others' work takes first; then makes the call. */
  #throttle(call: SystemCall, waitMs: number): void {
    const { process } = this;
    const { simulation } = process.kernel;
    const millicores = Math.min(1000, this.#unmetered / waitMs);
    this.#unmetered -= millicores * waitMs;
    process.changeCpu(millicores);
    this.#state = "blocked";
    const finish = (): void => {
      this.onInterrupt = undefined;
      if (!process.ended) process.changeCpu(-millicores);
    };
    const timer = simulation.after(waitMs, () => {
      finish();
      this.#heldCall = call;
      this.#state = "ready";
      this.#run();
    });
    this.onInterrupt = () => {
      simulation.cancel(timer);
      finish();
    };
  }
}
