// What a signal does to a process (signal(7)), with the protection of a PID namespace's init (pid_namespaces(7)).

import type { SignalInfo } from "../program.ts";
import type { Signal } from "../signals.ts";
import { signalNumbers } from "../signals.ts";
import { exitProcess, noteChildChange } from "./exit.ts";
import type { KernelProcess } from "./process.ts";

type Disposition = "default" | "ignore" | "catch";

const stopping: ReadonlySet<Signal> = new Set(["STOP", "TSTP", "TTIN", "TTOU"]);
const harmless: ReadonlySet<Signal> = new Set(["CHLD", "WINCH", "CONT"]);
/** Beyond it, further arrivals of a signal that is already pending are dropped, as for all standard signals. */
const maximumPending = 64;

/** Dispositions that differ from the default, and what has been caught and not taken. */
export class SignalState {
  /** A bit for each signal, by its number. */
  #ignored = 0;
  #caught = 0;
  #pending: SignalInfo[] = [];

  add(signal: Signal, from: number): void {
    if (this.#pending.length < maximumPending) this.#pending.push({ signal, from });
  }

  disposition(signal: Signal): Disposition {
    const bit = 1 << signalNumbers[signal];
    if ((this.#ignored & bit) !== 0) return "ignore";
    return (this.#caught & bit) === 0 ? "default" : "catch";
  }

  dispose(signal: Signal, disposition: Disposition): void {
    const bit = 1 << signalNumbers[signal];
    this.#ignored = disposition === "ignore" ? this.#ignored | bit : this.#ignored & ~bit;
    this.#caught = disposition === "catch" ? this.#caught | bit : this.#caught & ~bit;
  }

  take(): readonly SignalInfo[] {
    const taken = this.#pending;
    if (taken.length > 0) this.#pending = [];
    return taken;
  }

  /** exec(2): ignored signals stay ignored, caught ones return to the default. */
  forChild(): SignalState | undefined {
    if (this.#ignored === 0) return undefined;
    const child = new SignalState();
    child.#ignored = this.#ignored;
    return child;
  }
}

/** `origin`: a process of the same namespace, or the kernel, terminal or an outer namespace; `from`: the pid that siginfo tells. */
export function deliverSignal(process: KernelProcess, signal: Signal, origin: "process" | "kernel", from: number): void {
  if (process.ended) return;
  const forced = signal === "KILL" || signal === "STOP";
  const disposition = process.signals?.disposition(signal) ?? "default";
  if (signal === "CONT") continueProcess(process);
  if (process.pid === 1 && disposition === "default" && !(forced && origin === "kernel")) return;
  if (disposition === "ignore" && !forced) return;
  if (disposition === "catch" && !forced) {
    process.signals?.add(signal, from);
    for (const thread of process.threads) if (thread.interrupt()) break;
    return;
  }
  if (harmless.has(signal)) return;
  if (stopping.has(signal)) {
    if (signal !== "STOP" && isOrphanedGroup(process)) return;
    stopProcess(process, signal);
    return;
  }
  exitProcess(process, 128 + signalNumbers[signal], signal);
}

function stopProcess(process: KernelProcess, signal: Signal): void {
  if (process.stopped) return;
  process.stopped = true;
  process.unreportedStop = signal;
  noteChildChange(process);
}

function continueProcess(process: KernelProcess): void {
  if (!process.stopped) return;
  process.stopped = false;
  process.unreportedStop = undefined;
  for (const thread of process.threads) thread.unhold();
  process.continued?.wake();
}

/** Nobody in the session but outside of the group could continue it. */
function isOrphanedGroup(process: KernelProcess): boolean {
  for (const member of process.pidNamespace.group(process.pgid)) {
    const { parent } = member;
    if (parent !== undefined && !parent.ended && parent.sid === member.sid && parent.pgid !== member.pgid) return false;
  }
  return true;
}
