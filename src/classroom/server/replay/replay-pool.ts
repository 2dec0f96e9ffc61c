// Replays runs that learners hand in, in processes of their own, and says which steps hold. The one file of this folder that the rest of the
// server knows, with the shapes in `replay-result.ts`.

import { ReplayProcess } from "./replay-process.ts";
import { type Replay, refuse } from "./replay-result.ts";
import { RunQueue } from "./run-queue.ts";
import { type RunLimits, readRun, usualLimits } from "./submitted-run.ts";

export interface ReplayPoolOptions {
  readonly processes: number;
  /** Of one replay, from when its process has loaded the code. */
  readonly wallLimitMs: number;
  /** Of one process's JavaScript heap. */
  readonly memoryMib: number;
  /** Folder that holds `labs/`. */
  readonly labs: string;
  readonly limits?: RunLimits;
  /** Runs of one owner that may wait; 8 unless stated. */
  readonly waitingOfOwner?: number;
  /** Runs that may wait; 500 unless stated. */
  readonly waitingOfAll?: number;
  /** What the processes run, where that is not `replayer.ts`. */
  readonly program?: URL;
}

export class ReplayPool {
  readonly #limits: RunLimits;
  readonly #queue: RunQueue;
  readonly #processes: readonly ReplayProcess[];
  #closed = false;

  constructor({ processes, limits = usualLimits, waitingOfOwner = 8, waitingOfAll = 500, ...options }: ReplayPoolOptions) {
    const { program = new URL("./replayer.ts", import.meta.url), ...bounds } = options;
    this.#limits = limits;
    this.#queue = new RunQueue({ ofOwner: waitingOfOwner, ofAll: waitingOfAll });
    this.#processes = Array.from({ length: processes }, () => new ReplayProcess({ ...bounds, program }));
  }

  /** Runs that wait for a process. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * `saved`: a `SavedLab`, as it came. An owner's runs are replayed one at a time; when one is handed in again while it waits, only the
   * newer is replayed, and both calls come to that. Never rejects.
   */
  replay(owner: string, labId: string, saved: unknown): Promise<Replay> {
    const read = readRun(saved, this.#limits);
    if (!read.ok) return Promise.resolve(read);
    return new Promise((tell) => {
      const hasRoom = !this.#closed && this.#queue.put({ owner, labId, run: read.run, tell });
      if (hasRoom) this.#give();
      else tell(refuse("busy", this.#closed ? "the server is being closed" : "too many runs wait"));
    });
  }

  /** What waits and what runs is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { tell } of this.#queue.empty()) tell(refuse("busy", "the server is being closed"));
    await Promise.all(this.#processes.map((process) => process.close()));
  }

  /** Work for processes that have none. */
  #give(): void {
    for (const process of this.#processes) {
      const next = process.isFree && !this.#closed ? this.#queue.take() : undefined;
      if (next === undefined) continue;
      const { owner, labId, run, tell } = next;
      void process.replay({ labId, run }).then((replay) => {
        this.#queue.end(owner);
        tell(replay);
        this.#give();
      });
    }
  }
}
