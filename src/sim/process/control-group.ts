// Metering and limits for the processes of one container: what they declare, summed; memory beyond the limit kills.

import type { Simulation } from "../simulation.ts";
import type { KernelProcess } from "./process.ts";

export interface ControlGroupLimits {
  readonly memoryBytes?: number | undefined;
  readonly cpuMillicores?: number | undefined;
  readonly pids?: number | undefined;
}

export class ControlGroup {
  #limits: ControlGroupLimits;
  readonly #simulation: Simulation;
  readonly #processes = new Set<KernelProcess>();
  #memoryBytes = 0;
  #peakMemoryBytes = 0;
  #demandMillicores = 0;
  #cpuMs = 0;
  #throttledMs = 0;
  #sinceMs: number;
  /** Called after a process was killed for memory, with the pid that it had in its own namespace. */
  onOutOfMemory: ((pid: number) => void) | undefined;
  #outOfMemoryKills = 0;

  constructor(simulation: Simulation, limits: ControlGroupLimits) {
    this.#simulation = simulation;
    this.#limits = limits;
    this.#sinceMs = simulation.nowMs;
  }

  /** New limits from now on; processes that already have more memory keep it. */
  limit(limits: ControlGroupLimits): void {
    this.#settle();
    this.#limits = limits;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get peakMemoryBytes(): number {
    return this.#peakMemoryBytes;
  }

  get outOfMemoryKills(): number {
    return this.#outOfMemoryKills;
  }

  get processCount(): number {
    return this.#processes.size;
  }

  /** Processor time used so far. */
  get cpuMs(): number {
    this.#settle();
    return this.#cpuMs;
  }

  /** Processor time that was asked for beyond the limit, and not given. */
  get throttledMs(): number {
    this.#settle();
    return this.#throttledMs;
  }

  /** Present use, after throttling. */
  get cpuMillicores(): number {
    return Math.min(this.#demandMillicores, this.#limits.cpuMillicores ?? Number.POSITIVE_INFINITY);
  }

  /** Fraction of the wanted processor time that is given. */
  get shareGiven(): number {
    return this.#demandMillicores === 0 ? 1 : this.cpuMillicores / this.#demandMillicores;
  }

  addCpu(cpuMs: number): void {
    this.#cpuMs += cpuMs;
  }

  add(process: KernelProcess): void {
    this.#processes.add(process);
    this.change(process, 0, process.memoryBytes, 0, 0);
  }

  remove(process: KernelProcess): void {
    if (!this.#processes.delete(process)) return;
    this.#settle();
    this.#memoryBytes -= process.memoryBytes;
    this.#demandMillicores -= process.cpuMillicores;
  }

  /** A member's declared use went from one amount to another. */
  change(process: KernelProcess, oldMemory: number, newMemory: number, oldCpu: number, newCpu: number): void {
    this.#settle();
    this.#memoryBytes += newMemory - oldMemory;
    this.#demandMillicores += newCpu - oldCpu;
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, this.#memoryBytes);
    const limit = this.#limits.memoryBytes;
    if (limit !== undefined && this.#memoryBytes > limit && newMemory > oldMemory) this.#killForMemory(process);
  }

  #killForMemory(cause: KernelProcess): void {
    let victim = cause;
    for (const process of this.#processes) if (process.memoryBytes > victim.memoryBytes) victim = process;
    this.#outOfMemoryKills += 1;
    const { pid } = victim;
    victim.killForMemory();
    this.onOutOfMemory?.(pid);
  }

  #settle(): void {
    const now = this.#simulation.nowMs;
    const elapsedMs = now - this.#sinceMs;
    if (elapsedMs === 0) return;
    this.#sinceMs = now;
    const given = this.cpuMillicores;
    this.#cpuMs += (given * elapsedMs) / 1000;
    this.#throttledMs += ((this.#demandMillicores - given) * elapsedMs) / 1000;
  }
}
