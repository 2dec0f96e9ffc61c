// What a learner may do with the run of a lab as a whole: go back in it, take it away, bring one in. A run is its journal.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { TypedLine } from "#shell/line/interactive.ts";
import { type Checkpoint, checkpointsOf, cutAt, cutBefore } from "./checkpoints.ts";
import { linkOf, type ReadLabFile, readLabFile, writeLabFile } from "./lab-file.ts";
import type { SavedLab } from "./protocol.ts";
import type { JournalVerbs, Left, Offer } from "./session.ts";

/** What the journal needs of its session. */
export interface JournalSession {
  readonly labId: string;
  /** The run as it is now. */
  current(): SavedLab;
  /** Puts another run in its place. */
  replace(saved: SavedLab): void;
  lines(): Promise<readonly TypedLine[]>;
  /** Virtual time when the current step was opened. */
  stepOpenedMs(): number | undefined;
  /** In an exam there is no way back. */
  mayGoBack(): boolean;
}

export class LabJournal implements JournalVerbs {
  readonly #session: JournalSession;
  readonly #left: Signal<Left | undefined> = signal(undefined);
  readonly left: ReadonlySignal<Left | undefined> = this.#left;
  readonly #offer: Signal<Offer | undefined> = signal(undefined);
  readonly offer: ReadonlySignal<Offer | undefined> = this.#offer;
  #leftRun: SavedLab | undefined;
  #offeredRun: SavedLab | undefined;

  constructor(session: JournalSession) {
    this.#session = session;
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    const lines = await this.#session.lines();
    return checkpointsOf(this.#session.current().entries, lines);
  }

  goBack({ entries, text }: Checkpoint): void {
    this.#move(cutBefore(this.#session.current(), entries), { kind: "back", before: text });
  }

  resetStep(): void {
    const openedMs = this.#session.stepOpenedMs();
    if (openedMs !== undefined) this.#move(cutAt(this.#session.current(), openedMs), { kind: "step", before: "" });
  }

  comeBack(): void {
    const run = this.#leftRun;
    this.forget();
    if (run !== undefined) this.#session.replace(run);
  }

  forget(): void {
    this.#leftRun = undefined;
    this.#left.value = undefined;
  }

  file(): string {
    return writeLabFile(this.#session.labId, this.#session.current());
  }

  takeFile(text: string): Extract<ReadLabFile, { readonly ok: false }> | undefined {
    const read = readLabFile(this.#session.labId, text);
    if (!read.ok) return read;
    this.#move(read.saved, { kind: "brought", before: "" });
    return undefined;
  }

  link(): Promise<string | undefined> {
    return linkOf(this.#session.labId, this.#session.current());
  }

  /** A link led here: what it holds waits for the learner's word. */
  offerRun(read: ReadLabFile): void {
    this.#offeredRun = read.ok ? read.saved : undefined;
    this.#offer.value = read.ok ? { kind: "run" } : { kind: "refused", refusal: read.refusal, lab: read.lab };
  }

  answerOffer(take: boolean): void {
    const run = this.#offeredRun;
    this.#offeredRun = undefined;
    this.#offer.value = undefined;
    if (take && run !== undefined) this.#move(run, { kind: "brought", before: "" });
  }

  #move(run: SavedLab, left: Left): void {
    if (!this.#session.mayGoBack()) return;
    this.#leftRun = this.#session.current();
    this.#left.value = left;
    this.#session.replace(run);
  }
}
