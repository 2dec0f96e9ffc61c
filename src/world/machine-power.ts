// Power of the cluster's machines: what happens when it goes, when it comes back, and when systemd shuts a machine down.

import type { JournalEntry, ServiceUnit } from "#cluster/node/host/journal.ts";
import { lateGrub } from "#cluster/node/host/late-grub.ts";
import type { Machine, MachineSize } from "#cluster/node/host/machine.ts";
import type { Kubelet } from "#cluster/node/kubelet/kubelet.ts";
import type { Containerd } from "#cluster/node/runtime/containerd.ts";
import type { Timer } from "#sim/simulation.ts";
import { type NodeServices, nodeServices, type ServiceMachine } from "./node-services.ts";

export interface PoweredMachine extends ServiceMachine {
  readonly machine: Machine;
  readonly kubelet: Kubelet;
  readonly runtime: Containerd;
}

/** Bytes a second; 0 is no limit. */
export interface DiskLimits {
  readonly total: number;
  readonly write: number;
}

/** `booting`: it has power, and no service yet. `stopping`: systemd ends what runs. */
export type PowerState = "on" | "off" | "booting" | "stopping";

/** From power on to the boot loader. */
const firmwareMs = 3_000;
/** From the kernel's start to the network and the services. */
const startMs = 10_000;
/** systemd's DefaultTimeoutStopSec: what has not ended on SIGTERM by then is killed. */
const stopLimitMs = 90_000;
const stopLookMs = 250;
/** What systemd needs for itself. */
const stopLeastMs = 1_500;

/** One machine: its services, and whether it has power. */
export class MachinePower {
  readonly services: NodeServices;
  state: PowerState = "on";
  /** What its definition allows it at the most. */
  maximum: MachineSize;
  readonly #node: PoweredMachine;
  #timer: Timer | undefined;
  #diskLimits: DiskLimits;

  constructor(node: PoweredMachine) {
    this.#node = node;
    this.maximum = node.machine.size;
    this.#diskLimits = { total: node.machine.diskBytesPerSecond ?? 0, write: 0 };
    this.services = nodeServices(node);
  }

  /** The last that a unit has logged since the machine's start, the latest last. */
  lastEntries(unit: ServiceUnit, count: number): readonly JournalEntry[] {
    const { journal, startedMs } = this.#node.machine;
    return journal
      .entries([unit])
      .filter(({ timeMs }) => timeMs >= startedMs)
      .slice(-count);
  }

  /** As it boots next. */
  get nextSize(): MachineSize {
    return this.#node.machine.nextSize;
  }

  set nextSize(size: MachineSize) {
    this.#node.machine.nextSize = size;
  }

  /** How many bytes a second the disk may write; both 0: as many as come. */
  get diskLimits(): DiskLimits {
    return this.#diskLimits;
  }

  set diskLimits(limits: DiskLimits) {
    this.#diskLimits = limits;
    this.#node.machine.diskBytesPerSecond = limits.total || limits.write || undefined;
  }

  /** The plug is pulled. */
  off(): void {
    if (this.state === "off") return;
    this.#wait();
    this.state = "off";
    this.services.kubelet.cutPower();
    this.services.containerd.cutPower();
    this.#node.machine.cutPower();
  }

  on(): void {
    if (this.state !== "off") return;
    this.state = "booting";
    this.#wait(firmwareMs, () => this.#load());
  }

  /** GRUB's turn. Where it finds nothing to boot, or systemd does not go on, the machine stays as it is: there is nobody at its keyboard. */
  #load(): void {
    const { machine } = this.#node;
    const plan = lateGrub.code.bootPlan(machine.files);
    if (plan === undefined) return;
    this.#wait(plan.waitMs, () => {
      if (plan.boot === undefined) return;
      machine.boot(plan.boot);
      this.#wait(startMs, () => this.#startServices());
    });
  }

  /** Swap of /etc/fstab first, as before any service. */
  #startServices(): void {
    const { machine } = this.#node;
    this.state = "on";
    machine.network.isOn = true;
    if (!/^[^#\n]*\sswap\s/mu.test(machine.files.textIfThere("/etc/fstab") ?? "")) {
      this.#startUnits();
      return;
    }
    machine.start({ run: "/usr/sbin/swapon", argv: ["swapon", "-a"] }).onExit = () => {
      if (this.state === "on") this.#startUnits();
    };
  }

  #startUnits(): void {
    const { machine } = this.#node;
    for (const service of [this.services.containerd, this.services.kubelet]) {
      service.sinceMs = machine.simulation.nowMs;
      service.start();
    }
  }

  reset(): void {
    this.off();
    this.on();
  }

  /** systemd stops the services and asks every process to end, containers' too, then cuts the power, or resets the machine. */
  shutDown(then: "off" | "reset"): void {
    if (this.state === "off") return;
    if (this.state !== "on") {
      if (then === "off") this.off();
      else this.reset();
      return;
    }
    this.state = "stopping";
    const { machine } = this.#node;
    this.services.kubelet.stop();
    this.services.containerd.stop();
    machine.group.askAllToEnd();
    const limitMs = machine.simulation.nowMs + stopLimitMs;
    const look = (): void => {
      if (machine.group.processCount > 0 && machine.simulation.nowMs < limitMs) this.#wait(stopLookMs, look);
      else this[then]();
    };
    this.#wait(stopLeastMs, look);
  }

  #wait(delayMs?: number, then?: () => void): void {
    const { simulation } = this.#node.machine;
    simulation.cancel(this.#timer);
    this.#timer = delayMs === undefined || then === undefined ? undefined : simulation.after(delayMs, then, { background: true });
  }
}

/** The power of every machine that `find` knows by its host name. */
export function machinePowers(
  find: (hostname: string) => PoweredMachine | undefined,
): (hostname: string) => MachinePower | undefined {
  const known = new Map<PoweredMachine, MachinePower>();
  return (hostname) => {
    const node = find(hostname);
    if (node === undefined) return undefined;
    let power = known.get(node);
    if (power === undefined) {
      power = new MachinePower(node);
      known.set(node, power);
    }
    return power;
  };
}
