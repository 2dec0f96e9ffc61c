// What a node's services and its kernel have logged, as systemd's journal keeps it: the last entries of each unit. Entries are
// kept as they were told and put into words when somebody reads them, so that writing costs little.

import type { Simulation } from "#sim/simulation.ts";

export type JournalUnit = "kernel" | "kubelet" | "containerd";
/** Those that systemd starts and stops. */
export type ServiceUnit = Exclude<JournalUnit, "kernel">;

export const unitDescriptions: { readonly [unit in ServiceUnit]: string } = {
  kubelet: "kubelet: The Kubernetes Node Agent",
  containerd: "containerd container runtime",
};

export interface JournalEntry {
  /** Over all units, in the order of writing. */
  readonly sequence: number;
  readonly timeMs: number;
  readonly unit: JournalUnit;
  /** Who wrote it: the unit's program, or systemd about the unit. */
  readonly identifier: string;
  /** 0 for the kernel. */
  readonly pid: number;
  readonly form: JournalForm;
  readonly values: readonly string[];
}

/** Of a machine: its ID, a UUID, and the sequence number of its first entry. */
export interface Boot {
  readonly id: string;
  readonly from: number;
}

/** Puts an entry into words. */
export type JournalForm = (entry: JournalEntry) => string;

/** Entries of one unit that are kept. */
const maximumEntries = 256;
const firstPids = { kernel: 0, containerd: 611, kubelet: 742 } as const;
/** Between the process IDs of a service and of the same one started anew. */
const pidStep = 1013;

/** The entries of a unit, the parts of each at one place of these lists: there are a dozen for each pod, and objects take twice the room. */
class Kept {
  readonly sequences: number[] = [];
  readonly times: number[] = [];
  readonly writers: Pick<JournalEntry, "identifier" | "pid">[] = [];
  readonly forms: JournalForm[] = [];
  readonly values: (readonly string[])[] = [];
  /** Of the last entry. */
  writer: Pick<JournalEntry, "identifier" | "pid"> = { identifier: "", pid: 0 };

  entries(unit: JournalUnit): readonly JournalEntry[] {
    return this.times.map((timeMs, at) => ({
      sequence: this.sequences[at] as number,
      timeMs,
      unit,
      ...(this.writers[at] as Kept["writer"]),
      form: this.forms[at] as JournalForm,
      values: this.values[at] as readonly string[],
    }));
  }

  forgetOldest(count: number): void {
    for (const list of [this.sequences, this.times, this.writers, this.forms, this.values]) list.splice(0, count);
  }
}

export class Journal {
  readonly #simulation: Simulation;
  readonly #kept: { readonly [unit in JournalUnit]: Kept } = { kernel: new Kept(), kubelet: new Kept(), containerd: new Kept() };
  readonly #pids: { [unit in JournalUnit]: number } = {
    kernel: firstPids.kernel,
    containerd: firstPids.containerd,
    kubelet: firstPids.kubelet,
  };
  readonly #boots: Boot[];
  #sequence = 0;

  /** `bootId`: a UUID, as of the machine. */
  constructor(simulation: Simulation, bootId: string) {
    this.#simulation = simulation;
    this.#boots = [{ id: bootId, from: 0 }];
  }

  /** The machine has booted: what is written from now on belongs to another boot. */
  boot(bootId: string): void {
    this.#boots.push({ id: bootId, from: this.#sequence });
    for (const unit of Object.keys(firstPids) as JournalUnit[]) this.#pids[unit] = firstPids[unit];
  }

  /** Of an entry: the boot in which it was written. */
  bootOf({ sequence }: Pick<JournalEntry, "sequence">): Boot {
    return this.#boots.findLast(({ from }) => from <= sequence) as Boot;
  }

  write(unit: JournalUnit, form: JournalForm, ...values: readonly string[]): void {
    this.#add(unit, unit, this.#pids[unit], form, values);
  }

  /** systemd has started a unit, or stopped it. */
  unitChanged(unit: ServiceUnit, change: "started" | "stopped"): void {
    const text = `${unit}.service - ${unitDescriptions[unit]}`;
    if (change === "started") this.#add(unit, "systemd", 1, plain, [`Started ${text}.`]);
    else {
      for (const line of [`Stopping ${text}...`, `${unit}.service: Deactivated successfully.`, `Stopped ${text}.`])
        this.#add(unit, "systemd", 1, plain, [line]);
      this.#pids[unit] += pidStep;
    }
  }

  /** A unit's program has ended by itself, with a code that is not 0; systemd starts it again after a while. */
  unitFailed(unit: ServiceUnit, code: number): void {
    const ended = `Main process exited, code=exited, status=${code}/FAILURE`;
    for (const text of [ended, "Failed with result 'exit-code'."])
      this.#add(unit, "systemd", 1, plain, [`${unit}.service: ${text}`]);
    this.#pids[unit] += pidStep;
  }

  /** The `count`th time in a row. */
  unitRestarts(unit: ServiceUnit, count: number): void {
    this.#add(unit, "systemd", 1, plain, [`${unit}.service: Scheduled restart job, restart counter is at ${count}.`]);
  }

  /** What is kept of some units, oldest first, from a sequence number on. */
  entries(units: readonly JournalUnit[], from = 0): readonly JournalEntry[] {
    const all = units.flatMap((unit) => this.#kept[unit].entries(unit).slice(-maximumEntries));
    return all.filter(({ sequence }) => sequence >= from).sort((a, b) => a.sequence - b.sequence);
  }

  /** The sequence number of the next entry. */
  get next(): number {
    return this.#sequence;
  }

  #add(unit: JournalUnit, identifier: string, pid: number, form: JournalForm, values: readonly string[]): void {
    const kept = this.#kept[unit];
    kept.sequences.push(this.#sequence);
    kept.times.push(this.#simulation.nowMs);
    const { writer } = kept;
    kept.writer = writer.identifier === identifier && writer.pid === pid ? writer : { identifier, pid };
    kept.writers.push(kept.writer);
    kept.forms.push(form);
    kept.values.push(values);
    this.#sequence += 1;
    if (kept.times.length >= 2 * maximumEntries) kept.forgetOldest(maximumEntries);
  }
}

export const plain: JournalForm = ({ values }) => values.join("");
