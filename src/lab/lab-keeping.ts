// What is kept of a lab between visits: the run as it was last saved, and what came in since.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { LabDefinition } from "./definition.ts";
import type { LabJournalEntry, SavedLab } from "./protocol.ts";
import type { LoadedLab } from "./saved-labs.ts";
import type { Keeping, LostReason } from "./session.ts";
import { worldMark } from "./world-mark.ts";

export interface SessionStore {
  load(): LoadedLab;
  /** False when it could not be kept. */
  save(saved: SavedLab): boolean;
  forget(): void;
  /** Whether this page may keep the lab: false while another tab has it. Asked again, it answers again. */
  claim(): Promise<boolean>;
  release(): void;
}

/** Virtual time between saves while nothing is typed: what a reload may lose of an idle lab. */
const saveEveryMs = 5000;

export class LabKeeping {
  readonly #store: SessionStore;
  readonly #newLab: () => SavedLab;
  readonly #state: Signal<Keeping> = signal("kept");
  readonly state: ReadonlySignal<Keeping> = this.#state;
  #run: SavedLab;
  #lost: LostReason | undefined;
  /** The run is of an earlier visit, not one that the learner has just put in place. */
  #isOfEarlierVisit = true;
  #entries: LabJournalEntry[] = [];
  #savedEntries = 0;
  #savedAtMs = 0;

  constructor(store: SessionStore, newLab: () => SavedLab) {
    this.#store = store;
    this.#newLab = newLab;
    const { saved, lost } = store.load();
    this.#run = saved ?? newLab();
    this.#lost = lost;
  }

  /** As it was last saved; a world is made from it. */
  get run(): SavedLab {
    return this.#run;
  }

  /** All that came into the world since its start, once it is ready. */
  get entries(): readonly LabJournalEntry[] {
    return this.#entries;
  }

  /** Another run in place of this one. */
  replace(run: SavedLab): void {
    this.#run = run;
    this.#lost = undefined;
    this.#isOfEarlierVisit = false;
  }

  /**
   * A journal is replayed in the world that it was made in: where the lab has another one now, it starts afresh.
   * False then.
   */
  fit(lab: LabDefinition): boolean {
    const world = worldMark(lab);
    const fits = this.#run.world === undefined || this.#run.world === world;
    if (!fits) this.#lost = "outdated";
    this.#run = { ...(fits ? this.#run : this.#newLab()), world };
    return fits;
  }

  claim(): Promise<boolean> {
    return this.#store.claim();
  }

  /** Another tab has the lab open and keeps its own. */
  leaveToOther(): void {
    this.#state.value = "elsewhere";
  }

  /** A new worker: what comes in is told afresh. */
  beginAgain(): void {
    this.#entries = [];
    this.#savedEntries = 0;
  }

  /** The world has replayed the run; what is told of once. */
  begin(): { readonly resumed: boolean; readonly lost: LostReason | undefined } {
    this.#entries = [...this.#run.entries, ...this.#entries];
    const begun = { resumed: this.#isOfEarlierVisit && this.#run.entries.length > 0, lost: this.#lost };
    this.#lost = undefined;
    return begun;
  }

  add(entry: LabJournalEntry): void {
    this.#entries.push(entry);
  }

  isDue(nowMs: number): boolean {
    return this.#entries.length !== this.#savedEntries || nowMs - this.#savedAtMs >= saveEveryMs;
  }

  save(run: SavedLab): void {
    this.#savedEntries = this.#entries.length;
    this.#savedAtMs = run.nowMs;
    this.#run = run;
    if (this.#state.value !== "elsewhere") this.#state.value = this.#store.save(run) ? "kept" : "refused";
  }

  forget(): void {
    if (this.#state.value !== "elsewhere") this.#store.forget();
  }

  release(): void {
    this.#store.release();
  }
}
