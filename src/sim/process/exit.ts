// How processes end: descriptors closed, children handed to init, the parent told, the namespace ended with its init.

import type { Signal } from "../signals.ts";
import type { KernelProcess } from "./process.ts";

export function exitProcess(process: KernelProcess, code: number, signal: Signal | undefined): void {
  if (process.ended) return;
  process.ended = true;
  process.stopped = false;
  process.exit = { code, signal };
  for (const thread of process.threads) thread.end();
  process.threads = [];
  process.controlGroup.remove(process);
  process.kernel.chargeBacking(-process.backedBytes, undefined);
  process.cpuMillicores = 0;
  process.memoryBytes = 0;
  process.backedBytes = 0;
  process.table.closeAll();
  for (const ending of process.endings ?? []) ending();
  if (process.pid === 1) endNamespace(process);
  releaseTerminal(process);
  giveAwayChildren(process);
  const { parent } = process;
  if (parent === undefined || parent.ended) reap(process);
  else if (parent.signals?.disposition("CHLD") === "ignore") {
    reap(process);
    parent.childChanges?.wake();
  } else noteChildChange(process);
}

/** Wakes a waiting parent, and sends it CHLD. */
export function noteChildChange(process: KernelProcess): void {
  const { parent } = process;
  if (parent === undefined || parent.ended) return;
  parent.childChanges?.wake();
  parent.raise("CHLD", process.pidNamespace === parent.pidNamespace ? process.pid : 0);
}

/** Removes an ended process from the tables: its parent knows. */
export function reap(process: KernelProcess): void {
  const { parent, pidNamespace } = process;
  if (parent?.children !== undefined) {
    const index = parent.children.indexOf(process);
    if (index >= 0) parent.children.splice(index, 1);
  }
  pidNamespace.unregister(process.pid);
  pidNamespace.parent?.unregister(process.outerPid);
  const { onExit } = process;
  if (onExit !== undefined) process.kernel.simulation.after(0, onExit);
}

function endNamespace(init: KernelProcess): void {
  for (const process of [...init.pidNamespace.all()]) {
    if (process !== init) exitProcess(process, 137, "KILL");
  }
}

function giveAwayChildren(process: KernelProcess): void {
  const { children } = process;
  if (children === undefined) return;
  process.children = undefined;
  const { init } = process.pidNamespace;
  const heir = init === process || init?.ended === true ? undefined : init;
  for (const child of children) {
    child.parent = heir;
    if (heir === undefined) {
      if (child.ended) reap(child);
      continue;
    }
    heir.children ??= [];
    heir.children.push(child);
    if (child.ended) noteChildChange(child);
  }
}

/** A session leader takes its terminal along: the foreground job gets HUP. */
function releaseTerminal(process: KernelProcess): void {
  const terminal = process.controllingTerminal;
  if (terminal === undefined || process.sid !== process.pid) return;
  process.controllingTerminal = undefined;
  for (const other of process.pidNamespace.all()) {
    if (other.sid !== process.sid || other === process) continue;
    if (other.pgid === terminal.foregroundGroup) {
      other.raise("HUP");
      other.raise("CONT");
    }
    other.controllingTerminal = undefined;
  }
}
