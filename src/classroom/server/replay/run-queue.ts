// Runs that wait to be replayed. Owners take turns, each with one run at a time, so that nobody waits for another's many runs. A run
// that is handed in again, longer, takes the place of what still waits of it: whoever asked before is told what comes of the newer.

import type { Replay } from "./replay-result.ts";
import type { SubmittedRun } from "./submitted-run.ts";

export interface WaitingRun {
  readonly owner: string;
  readonly labId: string;
  readonly run: SubmittedRun;
  readonly tell: (replay: Replay) => void;
}

export interface QueueLimits {
  /** Runs of one owner that may wait. */
  readonly ofOwner: number;
  readonly ofAll: number;
}

export class RunQueue {
  readonly #limits: QueueLimits;
  /** Whose turn comes first stands first. */
  readonly #waiting = new Map<string, Map<string, WaitingRun>>();
  readonly #running = new Set<string>();
  #length = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#length;
  }

  /** False when there is no room for it. */
  put(waiting: WaitingRun): boolean {
    const { owner } = waiting;
    const key = keyOf(waiting);
    const ofOwner = this.#waiting.get(owner) ?? new Map<string, WaitingRun>();
    const older = ofOwner.get(key);
    if (older === undefined) {
      if (ofOwner.size >= this.#limits.ofOwner || this.#length >= this.#limits.ofAll) return false;
      this.#length += 1;
    }
    const tell = (replay: Replay): void => {
      older?.tell(replay);
      waiting.tell(replay);
    };
    ofOwner.set(key, { ...waiting, tell });
    this.#waiting.set(owner, ofOwner);
    return true;
  }

  /** The run whose turn it is, which is running from now on; undefined when nobody waits who has none running. */
  take(): WaitingRun | undefined {
    for (const [owner, ofOwner] of this.#waiting) {
      if (this.#running.has(owner)) continue;
      const [next] = ofOwner.values();
      this.#waiting.delete(owner);
      if (next === undefined) continue;
      ofOwner.delete(keyOf(next));
      if (ofOwner.size > 0) this.#waiting.set(owner, ofOwner);
      this.#running.add(owner);
      this.#length -= 1;
      return next;
    }
    return undefined;
  }

  /** The owner's run is over; whoever waits meanwhile comes before the owner's next. */
  end(owner: string): void {
    this.#running.delete(owner);
    const ofOwner = this.#waiting.get(owner);
    if (ofOwner === undefined) return;
    this.#waiting.delete(owner);
    this.#waiting.set(owner, ofOwner);
  }

  /** Takes all that wait, whoever's turn it is. */
  empty(): readonly WaitingRun[] {
    const all = [...this.#waiting.values()].flatMap((ofOwner) => [...ofOwner.values()]);
    this.#waiting.clear();
    this.#length = 0;
    return all;
  }
}

/** The same for whatever is handed in of one run. A lab that was begun afresh is another run: the steps that the first passed still count. */
function keyOf({ labId, run: { seed, startMs } }: WaitingRun): string {
  return `${labId} ${seed} ${startMs}`;
}
