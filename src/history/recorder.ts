// Keeps what happened in a world: every write with who asked for it, refused writes, scheduling decisions, acts of the
// nodes' runtimes. It listens and keeps references (objects are immutable), nothing more: what people see is made of it by
// `answers.ts` when somebody looks. It never changes the world.

import type { RuntimeAct } from "#cluster/node/runtime/cri.ts";
import type { SchedulingDecision } from "#cluster/scheduler/trace.ts";
import { wordsOf } from "#sim/errors.ts";
import type { Happenings, RecordedRequest, RecordedWrite } from "#world/happenings.ts";
import { Ring } from "./ring.ts";

interface Recorded {
  /** From 1, one number for all kinds of entries, in the order in which things happened. */
  readonly sequence: number;
  readonly timeMs: number;
}

export interface WriteEntry extends Recorded {
  readonly kind: "write";
  /** The table's name: `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly write: RecordedWrite;
  /** Undefined when the server wrote by itself. */
  readonly request: RecordedRequest | undefined;
}

export interface RefusalEntry extends Recorded {
  readonly kind: "refusal";
  readonly request: RecordedRequest;
  readonly message: string;
}

export interface DecisionEntry extends Recorded {
  readonly kind: "decision";
  readonly decision: SchedulingDecision;
}

export interface RuntimeEntry extends Recorded {
  readonly kind: "runtime";
  readonly nodeName: string;
  readonly act: RuntimeAct;
}

export type HistoryEntry = WriteEntry | RefusalEntry | DecisionEntry | RuntimeEntry;

const keptEntries = 20_000;
/** Leases are renewed every few seconds for ever: among themselves, so that they push nothing out. */
const keptBeats = 2000;
const leases = "leases.coordination.k8s.io";
const writeVerbs: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** Whether an entry is kept among `beats`. */
export function isBeat(entry: HistoryEntry): entry is WriteEntry {
  return entry.kind === "write" && entry.resource === leases;
}

export class Recorder {
  readonly entries = new Ring<HistoryEntry>(keptEntries);
  /** Writes of Leases. */
  readonly beats = new Ring<WriteEntry>(keptBeats);
  readonly #happenings: Happenings;
  #sequence = 0;
  #writes = 0;

  /** Listens from now on; to be made before the world boots. */
  constructor(happenings: Happenings) {
    this.#happenings = happenings;
    happenings.onWrite.add((write, resource) => this.#keepWrite(resource, write));
    happenings.onRefused.add((request, error) => this.#keepRefusal(request, error));
    happenings.onDecision.add((decision) =>
      this.entries.push({ kind: "decision", sequence: this.#next(), timeMs: decision.timeMs, decision }),
    );
    happenings.onRuntimeAct.add((nodeName, act) =>
      this.entries.push({ kind: "runtime", sequence: this.#next(), timeMs: this.#nowMs, nodeName, act }),
    );
  }

  get #nowMs(): number {
    return this.#happenings.simulation.nowMs;
  }

  /** Undefined for an entry that is not kept any more. */
  find(sequence: number): HistoryEntry | undefined {
    for (const ring of [this.entries, this.beats]) {
      const entry = ring.at(ring.findFirst((one: HistoryEntry) => one.sequence >= sequence));
      if (entry?.sequence === sequence) return entry;
    }
    return undefined;
  }

  /** Writes since the start, but for those of Leases. */
  get writes(): number {
    return this.#writes;
  }

  #next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** What else a request has the server write, the IPAddress of a Service for one, the server writes by itself. */
  #keepWrite(resource: string, write: RecordedWrite): void {
    const served = this.#happenings.servedRequest;
    const request = served !== undefined && isTableOf(served, resource) ? served : undefined;
    const entry: WriteEntry = { kind: "write", sequence: this.#next(), timeMs: write.timeMs, resource, write, request };
    if (isBeat(entry)) {
      this.beats.push(entry);
      return;
    }
    this.#writes += 1;
    this.entries.push(entry);
  }

  #keepRefusal(request: RecordedRequest, error: unknown): void {
    if (!writeVerbs.has(request.verb) || request.resource === "leases") return;
    this.entries.push({ kind: "refusal", sequence: this.#next(), timeMs: this.#nowMs, request, message: wordsOf(error) });
  }
}

/** Whatever its group: Events have two and one table. */
function isTableOf({ resource }: RecordedRequest, table: string): boolean {
  return table === resource || table.startsWith(`${resource}.`);
}
