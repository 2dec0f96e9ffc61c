// Unexpected errors: mistakes of the simulator, not refusals it means to give. Whoever calls foreign code at a boundary (a
// handler, a loop, a pod's worker, the queue itself) catches them there, notes them here, and goes on as a real component
// would. Unless somebody has said that they are to be contained, a fault is thrown on, so that tests fail by it.

import { isOwnError, wordsOf } from "./errors.ts";

export interface Fault {
  /** Virtual time. */
  readonly timeMs: number;
  /** The component whose boundary it met: `kube-apiserver`, `kubelet node-1`, `deployment-controller`. */
  readonly room: string;
  /** What it was about: a key, a request, a command line. */
  readonly subject: string;
  readonly error: Error;
}

/** Of one room and message this many are told; the rest is counted. */
const toldOfEach = 3;

export class Faults {
  readonly #now: () => number;
  #listener: ((fault: Fault) => void) | undefined;
  readonly #seen = new Map<string, number>();
  /** All that were contained, told or not. */
  count = 0;

  /** @param now virtual time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** From now on the world goes on after a fault, and `listener` is told of it. */
  contain(listener: (fault: Fault) => void): void {
    this.#listener = listener;
  }

  /** Notes what was caught; returns it as an Error that the world may tell. Throws it where faults are not contained. */
  note(room: string, subject: string, thrown: unknown): Error {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (this.#listener === undefined) throw error;
    this.count += 1;
    const kind = `${room}\n${error.message}`;
    const before = this.#seen.get(kind) ?? 0;
    this.#seen.set(kind, before + 1);
    if (before < toldOfEach) this.#listener({ timeMs: this.#now(), room, subject, error });
    return isOwnError(error) ? error : new Error(wordsOf(error));
  }
}
