// Control groups: metering and limits for processes that belong together. They form a tree: a machine, its pods, their
// containers. Memory beyond a limit kills (the kernel's out-of-memory killer); processor time beyond a limit makes wait.

import { hostKernels, type KernelRelease, type MachineArchitecture } from "../kernel-release.ts";
import { naturalLog } from "../logarithm.ts";
import type { Simulation } from "../simulation.ts";
import { type Boot, type CgroupVersion, usualBoot } from "./boot.ts";
import { exitProcess } from "./exit.ts";
import type { KernelProcess } from "./process.ts";
import type { Swap } from "./swap.ts";
import { ProcessEnded } from "./thread.ts";

export interface ControlGroupLimits {
  readonly memoryBytes?: number | undefined;
  readonly cpuMillicores?: number | undefined;
  readonly pids?: number | undefined;
  /** Of its memory, how much may lie in swap; undefined: all of it. */
  readonly swapBytes?: number | undefined;
  /** Of processor time where there is not enough for all, as in cpu.shares of version 1. */
  readonly cpuShares?: number | undefined;
}

/** What a machine is, to those that run on it. */
export interface MachineFigures {
  readonly memoryBytes: number;
  readonly cpus: number;
  /** Of the memory, what its services take that are no processes here. */
  readonly systemMemoryBytes?: number;
  /** Of the processors, what these services take. */
  readonly systemMillicores?: number;
  /** Default amd64. */
  readonly architecture?: MachineArchitecture;
}

export interface ControlGroupOptions {
  readonly parent?: ControlGroup;
  readonly policy?: OutOfMemoryPolicy;
  /** Of its directory below /sys/fs/cgroup. */
  readonly name?: string;
  /** It is there when nobody is in it, too. */
  readonly isLasting?: boolean;
  /** Its processes see it as the root (a control-group namespace). */
  readonly isContainer?: boolean;
  /** Its processes run on a kernel of their own; that of the group above unless stated. */
  readonly kernel?: KernelRelease | undefined;
}

/** How the out-of-memory killer deals with a group's processes. */
export interface OutOfMemoryPolicy {
  /** It kills all of them or none (memory.oom.group). */
  readonly killsWhole: boolean;
  /** -1000 (never) to 1000 (first): thousandths of the memory at hand, added to what a process holds. */
  readonly scoreAdjust: number;
}

/** Whom the out-of-memory killer took. */
export interface Victim {
  readonly name: string;
  /** Number in the machine's namespace. */
  readonly pid: number;
  readonly uid: number;
  readonly memoryBytes: number;
  readonly scoreAdjust: number;
  /** Its group died as one. */
  readonly killsWhole: boolean;
}

const plainPolicy: OutOfMemoryPolicy = { killsWhole: false, scoreAdjust: 0 };
/** Processor time that members may be ahead by. */
const slackMs = 1;
/** Less than this is what sums of fractions leave over. */
const slightMillicores = 1e-6;
/** cpu.weight of a group that says nothing. */
const defaultWeight = 100;

export class ControlGroup {
  readonly parent: ControlGroup | undefined;
  readonly policy: OutOfMemoryPolicy;
  /** "" is the machine's own. */
  readonly name: string;
  readonly isContainer: boolean;
  readonly kernel: KernelRelease;
  /** That of the machine. */
  readonly machine: ControlGroup;
  readonly figures: MachineFigures | undefined;
  #limits: ControlGroupLimits;
  readonly #simulation: Simulation;
  /** Most groups have none of their own. */
  #processes: Set<KernelProcess> | undefined;
  /** Groups below that have processes. */
  #children: Set<ControlGroup> | undefined;
  /** Groups below that stay. */
  #lasting: ControlGroup[] | undefined;
  #processCount = 0;
  #memoryBytes = 0;
  #peakMemoryBytes = 0;
  #swapBytes = 0;
  #peakSwapBytes = 0;
  /** What its processes and the groups below want, each of these within its limit. */
  #demandMillicores = 0;
  #cpuMs = 0;
  #throttledMs = 0;
  #limitedMs = 0;
  #atLimitMs = 0;
  #sinceMs: number;
  /** When the processor time that members took will have passed. */
  #busyUntilMs = 0;
  /** Kernel parameters that somebody has set; only of the machine's group. */
  sysctls?: Map<string, string> | undefined;
  /** Only of the machine's group; undefined: as usual. */
  boot?: Boot | undefined;
  /** What swap is turned on; only of the machine's group. */
  swap?: Swap | undefined;
  /** Called after this group's limit had somebody killed. */
  onOutOfMemory: ((victim: Victim) => void) | undefined;
  /** Called after one of the own processes was killed for memory, by whatever limit. */
  onMemberKilled: (() => void) | undefined;
  #outOfMemoryKills = 0;

  constructor(
    simulation: Simulation,
    options: ControlGroupOptions & { readonly limits?: ControlGroupLimits; readonly figures?: MachineFigures | undefined } = {},
  ) {
    this.#simulation = simulation;
    this.#limits = options.limits ?? {};
    this.parent = options.parent;
    this.policy = options.policy ?? plainPolicy;
    this.name = options.name ?? "";
    this.isContainer = options.isContainer === true;
    const above = options.figures === undefined ? options.parent?.kernel : undefined;
    this.kernel = options.kernel ?? above ?? hostKernels[options.figures?.architecture ?? "amd64"];
    this.figures = options.figures;
    this.machine = options.figures !== undefined || this.parent === undefined ? this : this.parent.machine;
    if (options.isLasting === true && this.parent !== undefined) {
      this.parent.#lasting ??= [];
      this.parent.#lasting.push(this);
    }
    this.#sinceMs = simulation.nowMs;
  }

  /** New limits from now on; processes that already have more memory keep it. */
  limit(limits: ControlGroupLimits): void {
    this.machine.#settleAll();
    const before = this.#claim;
    this.#limits = limits;
    if (this !== this.machine && this.parent !== undefined) this.parent.#want(this.#claim - before);
  }

  /** Of groups that stay and have none of their own: those of the groups below together. */
  get cpuShares(): number | undefined {
    if (this.#limits.cpuShares !== undefined || this.#children === undefined || (this.#processes?.size ?? 0) > 0)
      return this.#limits.cpuShares;
    let sum = 0;
    for (const child of this.#children) sum += child.cpuShares ?? 0;
    return Math.max(2, sum);
  }

  /** What its processes see as the root of all groups. */
  get visibleRoot(): ControlGroup {
    for (let group: ControlGroup | undefined = this; group !== undefined; group = group.parent) if (group.isContainer) return group;
    return this.machine;
  }

  /** Of its machine. */
  get cgroupVersion(): CgroupVersion {
    return this.machine.boot?.cgroupVersion ?? 2;
  }

  /** That its kernel was started with: the machine's, or one of its own. */
  get commandLine(): string {
    if (this.kernel !== this.machine.kernel) return `BOOT_IMAGE=/vmlinuz-${this.kernel.release} quiet`;
    return (this.machine.boot ?? usualBoot(this.kernel.release, 2)).commandLine;
  }

  /** Groups directly below that are there. */
  *children(): Generator<ControlGroup, void, undefined> {
    for (const group of this.#lasting ?? []) yield group;
    for (const group of this.#children ?? []) if (this.#lasting?.includes(group) !== true) yield group;
  }

  ownProcesses(): Iterable<KernelProcess> {
    return this.#processes ?? [];
  }

  get limits(): ControlGroupLimits {
    return this.#limits;
  }

  /** Of its processes, those of groups below, and files in memory that they wrote. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get peakMemoryBytes(): number {
    return this.#peakMemoryBytes;
  }

  /** What lies in swap of its processes and those of groups below, beside `memoryBytes`. */
  get swapBytes(): number {
    return this.#swapBytes;
  }

  get peakSwapBytes(): number {
    return this.#peakSwapBytes;
  }

  get outOfMemoryKills(): number {
    return this.#outOfMemoryKills;
  }

  /** Of this group and those below. */
  get processCount(): number {
    return this.#processCount;
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

  /** Time with a limit in which processor time was wanted, and the part of it in which the limit held somebody back. */
  get limitedMs(): { readonly wanted: number; readonly held: number } {
    this.#settle();
    return { wanted: this.#limitedMs, held: this.#atLimitMs };
  }

  /** Present use: what its limit and those who want processor time beside it leave it. */
  get cpuMillicores(): number {
    const { parent } = this;
    if (parent === undefined || this === this.machine || this.#demandMillicores === 0) return this.#claim;
    return parent.#isShort(0) ? parent.#shareOf(this) : this.#claim;
  }

  /** Fraction of the wanted processor time that its own processes are given. */
  get shareGiven(): number {
    const own = this.#ownMillicores;
    if (own <= 0) return 1;
    return this.#isShort(0) ? this.#shareOf(undefined) / own : 1;
  }

  /** As cpu.weight has it: from the shares of version 1 by runc's curve through (2, 1), (1024, 100) and (262144, 10000) for containers, by the
   * kubelet's line for the groups above them (opencontainers/cgroups ConvertCPUSharesToCgroupV2Value; pkg/kubelet/cm getCPUWeight). */
  get cpuWeight(): number {
    const shares = this.cpuShares;
    if (shares === undefined) return defaultWeight;
    if (shares >= 262_144) return 10_000;
    if (!this.isContainer) return 1 + Math.floor(((shares - 2) * 9999) / 262_142);
    const log = naturalLog(shares) / naturalLog(2);
    return wholePowerOfTen((log * log + 125 * log) / 612 - 7 / 34);
  }

  /** What it wants of the group above. */
  get #claim(): number {
    return Math.min(this.#demandMillicores, this.#mostMillicores);
  }

  get #mostMillicores(): number {
    return (this.#limits.cpuMillicores ?? Number.POSITIVE_INFINITY) - (this.figures?.systemMillicores ?? 0);
  }

  get #ownMillicores(): number {
    let own = this.#demandMillicores;
    for (const child of this.#children ?? []) own -= child.#claim;
    return own < slightMillicores ? 0 : own;
  }

  /** Whether somebody in it gets less than wanted, by its limit or that of a group above, were `more` wanted. */
  #isShort(more: number): boolean {
    for (let group: ControlGroup = this; ; group = group.parent) {
      if (group.#demandMillicores + more > group.#mostMillicores + slightMillicores) return true;
      if (group === group.machine || group.parent === undefined) return false;
    }
  }

  /**
   * What one of the groups below (undefined: the own processes) is given of this group's processor time: by weight, and what somebody does
   * not want is for the others.
   */
  #shareOf(wanted: ControlGroup | undefined): number {
    let left = this.cpuMillicores;
    let rivals: { readonly group: ControlGroup | undefined; readonly claim: number; readonly weight: number }[] = [];
    for (const group of this.#children ?? [])
      if (group.#claim > 0) rivals.push({ group, claim: group.#claim, weight: group.cpuWeight });
    const own = this.#ownMillicores;
    if (own > 0) rivals.push({ group: undefined, claim: own, weight: defaultWeight });
    for (;;) {
      const total = rivals.reduce((sum, { weight }) => sum + weight, 0);
      const hungry: typeof rivals = [];
      let taken = 0;
      for (const rival of rivals) {
        const isServed = rival.claim <= (left * rival.weight) / total;
        if (rival.group === wanted && isServed) return rival.claim;
        if (isServed) taken += rival.claim;
        else hungry.push(rival);
      }
      if (hungry.length === rivals.length) return (left * (rivals.find(({ group }) => group === wanted)?.weight ?? 0)) / total;
      left -= taken;
      rivals = hungry;
    }
  }

  addCpu(cpuMs: number): void {
    this.#cpuMs += cpuMs;
  }

  /** Whether one more process may be started. */
  get hasRoomForProcess(): boolean {
    for (let group: ControlGroup | undefined = this; group !== undefined; group = group.parent)
      if (group.#processCount >= (group.#limits.pids ?? Number.POSITIVE_INFINITY)) return false;
    return true;
  }

  add(process: KernelProcess): void {
    this.#processes ??= new Set();
    this.#processes.add(process);
    for (let group: ControlGroup = this; ; group = group.parent) {
      group.#processCount += 1;
      if (group.parent === undefined) break;
      if (group.#processCount === 1) {
        group.parent.#children ??= new Set();
        group.parent.#children.add(group);
      }
    }
    this.chargeMemory(process.memoryBytes, process);
  }

  remove(process: KernelProcess): void {
    if (this.#processes?.delete(process) !== true) return;
    this.changeCpu(-process.cpuMillicores);
    this.chargeMemory(-process.memoryBytes, undefined);
    for (let group: ControlGroup | undefined = this; group !== undefined; group = group.parent) {
      group.#processCount -= 1;
      if (group.#processCount === 0) group.#leave();
    }
  }

  /** Nobody is left in it. */
  #leave(): void {
    const { parent } = this;
    if (parent !== undefined) parent.#children?.delete(this);
  }

  /** A member wants so much more processor time from now on. */
  changeCpu(millicores: number): void {
    if (millicores === 0) return;
    const { parent } = this;
    // What others are given changes only where there is too little.
    const isShort = parent === undefined ? false : parent.#isShort(Math.max(0, millicores));
    if (isShort) this.machine.#settleAll();
    // Those that wanted nothing so far, too: their time begins now.
    this.#settleUpwards();
    this.#want(millicores);
  }

  #want(millicores: number): void {
    let change = millicores;
    for (let group: ControlGroup = this; change !== 0; group = group.parent) {
      const before = group.#claim;
      group.#demandMillicores += change;
      if (Math.abs(group.#demandMillicores) < slightMillicores) group.#demandMillicores = 0;
      change = group.#claim - before;
      if (group === group.machine || group.parent === undefined) return;
    }
  }

  #settleUpwards(): void {
    this.#settle();
    if (this !== this.machine && this.parent !== undefined) this.parent.#settleUpwards();
  }

  #settleAll(): void {
    this.#settle();
    for (const process of this.ownProcesses()) void process.cpuMs;
    for (const child of this.#children ?? []) if (child.#demandMillicores > 0) child.#settleAll();
  }

  /**
   * Memory that is held from now on (or, negative, no longer). Where it exceeds a limit, here or above, swap takes what it may, and
   * processes are killed until it does not. Throws ProcessEnded when `cause`, which asked for it, is one of them and runs just now.
   */
  chargeMemory(bytes: number, cause: KernelProcess | undefined): void {
    for (let group: ControlGroup | undefined = this; group !== undefined; group = group.parent) {
      group.#memoryBytes += bytes;
      if (group.#memoryBytes > group.#peakMemoryBytes) group.#peakMemoryBytes = group.#memoryBytes;
    }
    if (bytes > 0) this.#enforce(cause);
    else if (this.#swapBytes > 0) this.#dropSwap();
  }

  #enforce(cause: KernelProcess | undefined): void {
    for (let group: ControlGroup | undefined = this; group !== undefined; group = group.parent) {
      const limit = group.#limits.memoryBytes;
      while (limit !== undefined && group.#memoryBytes > limit && (group.#swapOut(group.#memoryBytes - limit) || group.#killOne()));
    }
    if (cause?.ended === true && cause.kernel.running === cause) throw new ProcessEnded();
  }

  /** Of the memory of its processes and those of groups below, as much as may be. False: nothing. */
  #swapOut(bytes: number): boolean {
    const { swap } = this.machine;
    if (swap === undefined) return false;
    let left = bytes;
    for (const group of this.#inhabited()) {
      let room = Math.min(left, swap.freeBytes, group.#ownBytes - group.#ownSwapBytes);
      for (let each: ControlGroup | undefined = group; each !== undefined; each = each.parent)
        room = Math.min(room, (each.#limits.swapBytes ?? Number.POSITIVE_INFINITY) - each.#swapBytes);
      if (room <= 0) continue;
      group.#moveToSwap(room, swap);
      left -= room;
    }
    return left < bytes;
  }

  /** Negative: back into memory. */
  #moveToSwap(bytes: number, swap: Swap): void {
    swap.usedBytes += bytes;
    for (let group: ControlGroup | undefined = this; group !== undefined; group = group.parent) {
      // What has come to be too much never was in memory.
      if (bytes > 0 && group.#peakMemoryBytes === group.#memoryBytes) group.#peakMemoryBytes -= bytes;
      group.#memoryBytes -= bytes;
      group.#swapBytes += bytes;
      if (group.#swapBytes > group.#peakSwapBytes) group.#peakSwapBytes = group.#swapBytes;
    }
  }

  /** What is given back was in memory; only what is more than that lay in swap. */
  #dropSwap(): void {
    const { swap } = this.machine;
    const tooMuch = this.#ownSwapBytes - this.#ownBytes;
    if (swap !== undefined && tooMuch > 0) this.#moveToSwap(-tooMuch, swap);
  }

  /** So much of what lies in swap comes back into memory, of the groups below in turn. */
  swapIn(bytes: number): void {
    const { swap } = this.machine;
    let left = bytes;
    for (const group of [...this.#inhabited()]) {
      const back = Math.min(left, group.#ownSwapBytes);
      if (swap === undefined || back <= 0) continue;
      left -= back;
      group.#moveToSwap(-back, swap);
      group.#enforce(undefined);
    }
  }

  /** This group and those below that have processes of their own. */
  *#inhabited(): Generator<ControlGroup, void, undefined> {
    if ((this.#processes?.size ?? 0) > 0) yield this;
    if (this.#children !== undefined) for (const child of this.#children) yield* child.#inhabited();
  }

  /** Of its own processes, in memory and in swap. */
  get #ownBytes(): number {
    let bytes = 0;
    for (const process of this.ownProcesses()) bytes += process.memoryBytes;
    return bytes;
  }

  get #ownSwapBytes(): number {
    let bytes = this.#swapBytes;
    for (const child of this.#children ?? []) bytes -= child.#swapBytes;
    return bytes;
  }

  /** What is in memory of one of its own processes: swap has as large a part of each. */
  residentBytes({ memoryBytes }: KernelProcess): number {
    if (this.#swapBytes === 0 || memoryBytes === 0) return memoryBytes;
    return Math.round(memoryBytes * (1 - this.#ownSwapBytes / this.#ownBytes));
  }

  /** The out-of-memory killer's choice in this group and those below (oom_badness); false when there is nobody to kill. */
  #killOne(): boolean {
    const total = this.#limits.memoryBytes ?? 0;
    let victim: KernelProcess | undefined;
    let worst = Number.NEGATIVE_INFINITY;
    for (const process of this.members()) {
      const adjust = process.controlGroup.policy.scoreAdjust;
      const score = process.memoryBytes + (adjust * total) / 1000;
      if (adjust === -1000 || score <= worst) continue;
      victim = process;
      worst = score;
    }
    if (victim === undefined) return false;
    this.kill(victim);
    return true;
  }

  /** Kills a member for want of memory in this group, together with those of its group that die as one. */
  kill(victim: KernelProcess): void {
    const own = victim.controlGroup;
    const told: Victim = {
      name: victim.commandName,
      pid: victim.outerPid,
      uid: victim.hostUid,
      memoryBytes: victim.memoryBytes,
      ...own.policy,
    };
    this.#outOfMemoryKills += 1;
    for (const process of own.policy.killsWhole ? [...own.members()] : [victim]) {
      process.outOfMemory = true;
      exitProcess(process, 137, "KILL");
    }
    own.onMemberKilled?.();
    this.onOutOfMemory?.(told);
  }

  /** As systemd ends what runs when a machine shuts down: logins are hung up too. */
  askAllToEnd(): void {
    for (const process of [...this.members()]) {
      process.raise("TERM");
      if (!process.controlGroup.isContainer) process.raise("HUP");
    }
  }

  /** Everything in it and below ends at once, without having a say. */
  endAll(): void {
    for (const process of [...this.members()]) exitProcess(process, 137, "KILL");
  }

  /** Processes of this group and those below. */
  *members(): Generator<KernelProcess, void, undefined> {
    yield* this.ownProcesses();
    if (this.#children !== undefined) for (const child of this.#children) yield* child.members();
  }

  /** A member takes processor time, in thousandths of a millisecond; for how many milliseconds it has to wait now. */
  takeProcessor(units: number): number {
    const now = this.#simulation.nowMs;
    let waitMs = 0;
    for (let group: ControlGroup | undefined = this; group !== undefined; group = group.parent) {
      const millicores = group.#limits.cpuMillicores;
      if (millicores === undefined) continue;
      group.#busyUntilMs = Math.max(group.#busyUntilMs, now) + units / millicores;
      waitMs = Math.max(waitMs, Math.ceil(group.#busyUntilMs - now - slackMs));
    }
    return waitMs;
  }

  #settle(): void {
    const now = this.#simulation.nowMs;
    const elapsedMs = now - this.#sinceMs;
    if (elapsedMs === 0) return;
    this.#sinceMs = now;
    if (this.#demandMillicores === 0) return;
    const given = this.cpuMillicores;
    this.#cpuMs += (given * elapsedMs) / 1000;
    if (this.#limits.cpuMillicores === undefined) return;
    this.#limitedMs += elapsedMs;
    if (given < this.#claim || this.#demandMillicores <= given) return;
    this.#atLimitMs += elapsedMs;
    this.#throttledMs += ((this.#demandMillicores - given) * elapsedMs) / 1000;
  }
}

/** The least whole number that is ten to this power or more, up to 10,000; what only rounding puts above one does not count. */
function wholePowerOfTen(power: number): number {
  const log = power * naturalLog(10) - 1e-12;
  let [low, high] = [1, 10_000];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (naturalLog(middle) < log) low = middle + 1;
    else high = middle;
  }
  return low;
}
