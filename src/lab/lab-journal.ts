// What a learner may do with the run of a lab as a whole: go back in it, take it away, bring one in. A run is its journal.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { TypedLine } from "#shell/line/interactive.ts";
import { type Checkpoint, checkpointsOf, cutAt, cutBefore } from "./checkpoints.ts";
import { isTouched } from "./journal-entries.ts";
import { linkOf, type ReadLabFile, readLabFile, writeLabFile } from "./lab-file.ts";
import type { StepState } from "./lab-run.ts";
import type { SavedLab } from "./protocol.ts";
import type { ReferenceRun } from "./reference-run.ts";
import type { JournalVerbs, Left, Offer, OfferedFrom, Undone } from "./session.ts";
import { sentences } from "./step-views.ts";
import type { LabBundle } from "./texts.ts";
import { lostBefore } from "./undone-steps.ts";

/** What the journal needs of its session. */
export interface JournalSession {
  readonly labId: string;
  /** The run as it is now. */
  current(): SavedLab;
  /** Puts another run in its place. */
  replace(saved: SavedLab): void;
  lines(): Promise<readonly TypedLine[]>;
  states(): readonly StepState[];
  bundle(): LabBundle | undefined;
  /** The reference solutions, played from the start of this run's world. */
  reference(): Promise<ReferenceRun>;
  /** In an exam there is no way back. */
  mayGoBack(): boolean;
  /** The lab is one of a class's exam. */
  isHeldExam(): boolean;
}

export class LabJournal implements JournalVerbs {
  readonly #session: JournalSession;
  readonly #left: Signal<Left | undefined> = signal(undefined);
  readonly left: ReadonlySignal<Left | undefined> = this.#left;
  readonly #offer: Signal<Offer | undefined> = signal(undefined);
  readonly offer: ReadonlySignal<Offer | undefined> = this.#offer;
  readonly #undone: Signal<Undone | undefined> = signal(undefined);
  readonly undone: ReadonlySignal<Undone | undefined> = this.#undone;
  #leftRun: SavedLab | undefined;
  /** How many entries of the run were brought in with it. */
  #brought = 0;
  #offered: { readonly run: SavedLab; readonly from: OfferedFrom } | undefined;

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

  resetStep(stepId?: string): void {
    const states = this.#session.states();
    const step = states.find(({ id, passed }) => (stepId === undefined ? !passed : id === stepId));
    if (step?.openedMs === undefined) return;
    this.#move(cutAt(this.#session.current(), step.openedMs), { kind: "step", before: "" });
    void this.#tellUndone(states.slice(0, states.indexOf(step) + 1));
  }

  /** Where the reference had something in place that was gone when the step was opened, beginning it again does not bring it back. */
  async #tellUndone(upTo: readonly StepState[]): Promise<void> {
    const moved = this.#left.value;
    if (!this.#session.mayGoBack() || (upTo.at(-1)?.undone.length ?? 0) === 0) return;
    try {
      const lost = lostBefore(upTo, (await this.#session.reference()).undone);
      const steps = this.#session.bundle()?.steps ?? {};
      const title = steps[lost?.from ?? ""]?.title;
      if (lost === undefined || title === undefined || this.#left.value !== moved) return;
      const missing = lost.checks.flatMap((check) => {
        const texts = steps[check.step];
        return texts === undefined ? [] : sentences([check], texts);
      });
      this.#undone.value = { missing, step: { id: lost.from, title } };
    } catch (error) {
      // Without a reference nothing can be said; the step has begun again all the same.
      console.warn(error);
    }
  }

  comeBack(): void {
    const run = this.#leftRun;
    this.forget();
    if (run !== undefined) this.#session.replace(run);
  }

  forget(): void {
    this.#leftRun = undefined;
    this.#left.value = undefined;
    this.#undone.value = undefined;
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

  current(): SavedLab {
    return this.#session.current();
  }

  /** What a link or the classroom holds waits for the learner's word. */
  offerRun(read: ReadLabFile, from: OfferedFrom): void {
    this.#offered = read.ok ? { run: read.saved, from } : undefined;
    this.#offer.value = read.ok ? { kind: "run", from } : { kind: "refused", refusal: read.refusal, lab: read.lab };
  }

  answerOffer(take: boolean): void {
    const offered = this.#offered;
    this.#offered = undefined;
    this.#offer.value = undefined;
    if (!take || offered === undefined) return;
    // An exam of a class goes on as the class has it: that is no way back, and none leads back from there.
    if (offered.from === "class" && this.#session.isHeldExam()) this.#session.replace(offered.run);
    else this.#move(offered.run, { kind: "brought", before: "" });
  }

  #move(run: SavedLab, left: Left): void {
    if (!this.#session.mayGoBack()) return;
    const current = this.#session.current();
    const isUnused = this.#left.value?.kind === "brought" && !isTouched(current.entries.slice(this.#brought));
    this.#undone.value = undefined;
    // Of a run that was brought in and not touched since, nothing needs to come back: what was there before it does.
    if (left.kind !== "brought" || !isUnused) {
      this.#leftRun = current;
      this.#left.value = left;
    }
    this.#brought = run.entries.length;
    this.#session.replace(run);
  }
}
