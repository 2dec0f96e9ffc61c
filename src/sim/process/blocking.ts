// The blocking calls on descriptors, time and children.

import { type Bytes, encodeUtf8 } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { WriteBack } from "../filesystem/write-back.ts";
import type { Sys, SystemCall, WaitStatus } from "../program.ts";
import { type Signal, signalNumbers } from "../signals.ts";
import type { OpenFile } from "./descriptors.ts";
import { reap } from "./exit.ts";
import type { FifoFile } from "./fifo.ts";
import type { KernelProcess } from "./process.ts";
import { SignalState } from "./signal-delivery.ts";
import { ProcessEnded, proceed } from "./thread.ts";
import { WaitQueue, waitIn } from "./wait-queue.ts";

/** Reading 4 KiB is a unit of work. */
const pageShift = 12;
/** Longer writes are made piece by piece, so that others come in between. */
const maximumPieceBytes = 65_536;

export function* read(process: KernelProcess, fd: number, maxBytes = 65_536): Sys<Bytes> {
  const file = process.table.get(fd);
  yield proceed;
  for (;;) {
    const bytes = file.tryRead(maxBytes, process);
    if (bytes !== undefined) {
      process.work += bytes.length >> pageShift;
      return bytes;
    }
    // A background read of the terminal has stopped the process: the next try is after CONT.
    yield process.stopped ? proceed : waitIn(file.readers);
  }
}

export function* awaitOtherSide(process: KernelProcess, fd: number): Sys<void> {
  const file: OpenFile & Partial<Pick<FifoFile, "isMet">> = process.table.get(fd);
  while (file.isMet === false) yield waitIn(file.readers);
}

export function* write(process: KernelProcess, fd: number, data: Bytes | string): Sys<void> {
  const file = process.table.get(fd);
  let rest = typeof data === "string" ? encodeUtf8(data) : data;
  const { writeUnitBytes } = file;
  yield proceed;
  while (rest.length > 0) {
    const piece = rest.length > maximumPieceBytes ? rest.subarray(0, maximumPieceBytes) : rest;
    const taken = file.tryWrite(piece, process);
    if (process.ended) throw new ProcessEnded();
    process.work += Math.floor(taken / writeUnitBytes);
    const excess = file.writeBack?.mustReach;
    if (excess !== undefined) yield untilWritten(process, file.writeBack, excess);
    if (taken === rest.length) return;
    rest = rest.subarray(taken);
    yield taken > 0 ? proceed : waitIn(file.writers);
  }
}

/** No signal but KILL ends this wait (`D` in `ps`). */
function untilWritten(process: KernelProcess, writeBack: WriteBack | undefined, mark: number): SystemCall {
  return (thread) => {
    if (writeBack === undefined || writeBack.isReached(mark)) return thread.resume(undefined);
    process.diskWaits += 1;
    writeBack.whenReached(mark, () => {
      process.diskWaits -= 1;
      thread.resume(undefined);
    });
  };
}

/** fsync(2): what was written before, to this disk, is on it. */
export function* fsync(process: KernelProcess, fd: number): Sys<void> {
  const { writeBack } = process.table.get(fd);
  yield proceed;
  if (writeBack !== undefined) yield untilWritten(process, writeBack, writeBack.mark);
}

/** sync(2): of every file system that the process sees. */
export function* sync(process: KernelProcess): Sys<void> {
  yield proceed;
  for (const { fileSystem } of process.mountNamespace.mounts) {
    const { writeBack } = fileSystem;
    if (writeBack !== undefined) yield untilWritten(process, writeBack, writeBack.mark);
  }
}

export function* sleep(process: KernelProcess, delayMs: number): Sys<void> {
  const { simulation } = process.kernel;
  yield proceed;
  yield (thread) => {
    const timer = simulation.after(delayMs, () => thread.resume(undefined), process.background ? { background: true } : undefined);
    thread.onInterrupt = () => simulation.cancel(timer);
  };
}

const nothing = (): void => {};
const forever: SystemCall = (thread) => {
  thread.onInterrupt = nothing;
};

export function* pause(): Sys<never> {
  yield forever;
  throw new SysError("EINTR");
}

export function* wait(
  process: KernelProcess,
  pid: number,
  options: { readonly noHang?: boolean; readonly untraced?: boolean } = {},
): Sys<WaitStatus | undefined> {
  yield proceed;
  for (;;) {
    const candidates = (process.children ?? []).filter((child) => matches(process, child, pid));
    if (candidates.length === 0) throw new SysError("ECHILD");
    for (const child of candidates) {
      const { exit } = child;
      if (exit !== undefined) {
        reap(child);
        return { pid: child.pid, code: exit.code, signal: exit.signal, stopped: false };
      }
      const stop = child.unreportedStop;
      if (options.untraced === true && stop !== undefined) {
        child.unreportedStop = undefined;
        return { pid: child.pid, code: 128 + signalNumbers[stop], signal: stop, stopped: true };
      }
    }
    if (options.noHang === true) return undefined;
    process.childChanges ??= new WaitQueue();
    yield waitIn(process.childChanges);
  }
}

/** -1: any child; 0: of the own group; below: of that group. */
function matches(process: KernelProcess, child: KernelProcess, pid: number): boolean {
  if (pid > 0) return child.pid === pid;
  if (pid === -1) return true;
  return child.pgid === (pid === 0 ? process.pgid : -pid);
}

export function* poll(process: KernelProcess, fds: readonly number[], timeoutMs?: number): Sys<readonly number[]> {
  const files = fds.map((fd) => process.table.get(fd));
  const { simulation } = process.kernel;
  const deadlineMs = timeoutMs === undefined ? undefined : simulation.nowMs + timeoutMs;
  yield proceed;
  for (;;) {
    const ready = fds.filter((_, index) => files[index]?.isReadable() === true);
    if (ready.length > 0 || (deadlineMs !== undefined && simulation.nowMs >= deadlineMs)) return ready;
    yield (thread) => {
      const timer =
        deadlineMs === undefined
          ? undefined
          : simulation.at(deadlineMs, () => finish(), process.background ? { background: true } : undefined);
      const giveUp = (): void => {
        simulation.cancel(timer);
        for (const file of files) file.readers.remove(finish);
      };
      const finish = (): void => {
        giveUp();
        thread.resume(undefined);
      };
      for (const file of files) file.readers.add(finish);
      thread.onInterrupt = giveUp;
    };
  }
}

export function setDisposition(process: KernelProcess, signal: Signal, disposition: "default" | "ignore" | "catch"): void {
  if (signal === "KILL" || signal === "STOP") throw new SysError("EINVAL");
  if (disposition !== "default") process.signals ??= new SignalState();
  process.signals?.dispose(signal, disposition);
}
