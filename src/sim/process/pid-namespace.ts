// Process identifiers. A container's namespace lies inside its node's, where the same processes have other numbers too.

import type { ProcessInfo } from "../program.ts";
import type { Signal } from "../signals.ts";
import type { KernelProcess } from "./process.ts";

export class PidNamespace {
  /** The node's namespace around a container's. */
  readonly parent: PidNamespace | undefined;
  readonly #processes = new Map<number, KernelProcess>();
  #nextPid = 1;

  constructor(parent: PidNamespace | undefined) {
    this.parent = parent;
  }

  register(process: KernelProcess): number {
    const pid = this.#nextPid++;
    this.#processes.set(pid, process);
    return pid;
  }

  use(count: number): void {
    this.#nextPid += count;
  }

  unregister(pid: number): void {
    this.#processes.delete(pid);
  }

  get(pid: number): KernelProcess | undefined {
    return this.#processes.get(pid);
  }

  /** In ascending order of pid. */
  all(): Iterable<KernelProcess> {
    return this.#processes.values();
  }

  get size(): number {
    return this.#processes.size;
  }

  /** The process that adopts orphans, and whose end is everyone's. */
  get init(): KernelProcess | undefined {
    return this.#processes.get(1);
  }

  pidOf(process: KernelProcess): number {
    return process.pidNamespace === this ? process.pid : process.outerPid;
  }

  infos(): readonly ProcessInfo[] {
    const infos: ProcessInfo[] = [];
    for (const process of this.all()) infos.push(this.infoOf(process));
    return infos;
  }

  infoOf(process: KernelProcess): ProcessInfo {
    const info = process.info();
    if (process.pidNamespace === this) return info;
    const leader = process.pidNamespace.get(info.pgid);
    const parent = process.parent;
    // Who sees processes of another PID namespace is on the machine itself.
    const { outerPid: pid, hostUid: uid } = process;
    return { ...info, uid, pid, ppid: parent === undefined ? 0 : this.pidOf(parent), pgid: leader?.outerPid ?? 0 };
  }

  group(pgid: number): readonly KernelProcess[] {
    const members: KernelProcess[] = [];
    for (const process of this.all()) if (process.pidNamespace === this && process.pgid === pgid) members.push(process);
    return members;
  }

  /** Signals every process of a group; false when it has no member. */
  signalGroup(pgid: number, signal: Signal): boolean {
    const members = this.group(pgid);
    for (const member of members) member.raise(signal);
    return members.length > 0;
  }
}
