// The lab that is open on this page: its run goes to the server as it grows. Where another browser has gone on with it, nothing is sent
// until the learner has chosen which of the two goes on.

import { isTouched } from "#lab/journal-entries.ts";
import { checkLabRun } from "#lab/lab-file.ts";
import type { SavedLab } from "#lab/protocol.ts";
import type { LabSession } from "#lab/session.ts";
import { savedRun } from "../../saved-run.ts";
import type { HeldRun } from "../../wire.ts";
import type { RunOutbox } from "./run-outbox.ts";
import { Sender, type Sent } from "./sender.ts";
import { hasMore } from "./two-runs.ts";

const everyMs = 5000;
/** Of sending at once, where another browser has sent something in between each time. */
const mostTries = 3;

export class OpenLab {
  readonly session: LabSession;
  readonly #outbox: RunOutbox;
  readonly #sender: Sender;
  readonly #stops: (() => void)[] = [];
  /** It is not known yet whether the server has another run, or the learner has not chosen: nothing is sent meanwhile. */
  #isHeldBack = true;
  /** Another browser may have gone on: the server said so. */
  #isToAsk = false;
  readonly #isSettled: boolean;
  /** The run here is the server's newest as far as is known: who goes on with it elsewhere takes it over. */
  #isWriter: boolean;
  /** What the learner chooses about. */
  #offered: HeldRun | undefined;
  /** What the learner has chosen about, until the server has taken it. */
  #decided: HeldRun | undefined;
  #hasBegun = false;
  #passed = 0;

  /** @param isSettled which run goes on was decided before the lab was opened. */
  constructor(session: LabSession, outbox: RunOutbox, onTurn: (sent: Sent) => void, isSettled = false) {
    this.session = session;
    this.#isSettled = isSettled;
    this.#isWriter = isSettled;
    this.#outbox = outbox;
    this.#sender = new Sender({ gatherMs: everyMs, send: () => this.#send(), onTurn });
    this.#stops.push(
      session.state.subscribe(({ kind }) => {
        if (kind !== "ready") return;
        if (this.#hasBegun) this.now();
        else this.#begin();
      }),
      session.steps.subscribe(() => this.#lookAtSteps()),
      session.journal.offer.subscribe((offer) => {
        if (this.#offered !== undefined && offer === undefined) this.#chosen(this.#offered);
      }),
    );
    const looking = setInterval(() => this.#look(), everyMs);
    this.#stops.push(() => clearInterval(looking));
  }

  /** Steps that have passed in this run. */
  get claims(): readonly string[] {
    return this.session.steps.value.filter(({ status }) => status === "passed").map(({ id }) => id);
  }

  again(): void {
    this.#sender.again();
  }

  /** Not a moment later. */
  now(): void {
    this.#look();
    this.#sender.now();
  }

  /** The learner goes on with some run in another browser: it may be this one. */
  hear(): void {
    if (!this.#hasBegun) return;
    this.#isToAsk = true;
    this.#sender.now();
  }

  /** The page goes away. */
  part(): void {
    const run = this.session.journal.current();
    if (this.#isSendable(run)) this.#outbox.part(this.session.labId, run, this.claims);
  }

  close(): void {
    this.part();
    this.#sender.end();
    for (const stop of this.#stops) stop();
  }

  #begin(): void {
    this.#hasBegun = true;
    const run = this.session.journal.current();
    // What the server does not have yet is sent: it says if another browser has gone on meanwhile.
    const isUnsent = this.#isSettled || (isTouched(run.entries) && !this.#outbox.has(this.session.labId, run, this.claims));
    if (isUnsent) this.#goOn();
    else this.#sender.now();
  }

  #goOn(): void {
    this.#isHeldBack = false;
    this.#look();
  }

  /** Whichever it was: the run that is here now takes the place of what the server has. */
  #chosen(other: HeldRun): void {
    this.#offered = undefined;
    this.#decided = other;
    this.#isToAsk = false;
    this.#outbox.takeOver(this.session.labId, other, { isAtOnce: true });
    this.#isHeldBack = false;
    this.now();
  }

  #look(): void {
    const run = this.session.journal.current();
    // While a run is offered it is noted all the same: the reader's place for the class and the next page know that something waits.
    if (this.#offered === undefined ? !this.#isSendable(run) : !this.#isOurs(run)) return;
    if (this.#outbox.note(this.session.labId, run, this.claims) && this.#offered === undefined) this.#sender.soon();
  }

  #lookAtSteps(): void {
    const passed = this.claims.length;
    const isMore = passed > this.#passed && this.session.state.value.kind === "ready";
    this.#passed = passed;
    // While a run is offered a step that passes chooses nothing: who goes on typing need not have seen the question, and the other
    // browser's work would be gone. The step is told of once the learner has chosen.
    if (!isMore || !this.#hasBegun) return;
    const run = this.session.journal.current();
    if (this.#isSendable(run) && this.#outbox.note(this.session.labId, run, this.claims)) this.#sender.now();
  }

  #isSendable(run: SavedLab): boolean {
    return !this.#isHeldBack && this.#isOurs(run);
  }

  /** It is there, something was done in it, and no other tab keeps it. */
  #isOurs(run: SavedLab): boolean {
    const { state, keeping } = this.session;
    return state.value.kind === "ready" && keeping.value !== "elsewhere" && isTouched(run.entries);
  }

  async #send(): Promise<Sent> {
    // Another tab of this browser sends it.
    if (this.session.keeping.value === "elsewhere") return "done";
    for (let tries = 0; tries < mostTries; tries += 1) {
      if ((this.#isHeldBack || this.#isToAsk) && this.#offered === undefined) {
        const asked = await this.#compare();
        if (asked !== "done") return asked;
      }
      const run = this.session.journal.current();
      if (!this.#isSendable(run) || !this.#outbox.note(this.session.labId, run, this.claims)) return "done";
      const sent = await this.#outbox.send(this.session.labId, run, this.claims);
      if (sent !== "elsewhere") {
        if (sent === "done" && !this.#outbox.refused.has(this.session.labId)) {
          this.#isWriter = true;
          this.#decided = undefined;
        }
        return sent;
      }
      this.#isHeldBack = true;
    }
    return "later";
  }

  /** Asks what the server has, and offers it where this run would take something away with it, or was overtaken. */
  async #compare(): Promise<Sent> {
    const { labId, journal } = this.session;
    const answer = await this.#outbox.ask(labId);
    if (answer.kind === "later") return "later";
    if (answer.kind === "refused" && answer.refusal.error !== "not-found") return "ended";
    this.#isToAsk = false;
    const own = journal.current();
    const other = answer.kind === "ok" ? answer.value : undefined;
    const isOurs = other?.writer === this.#outbox.writer;
    // What this version of the simulator cannot replay is no offer.
    const read = other && checkLabRun(labId, savedRun(other.run));
    if (other === undefined || read?.ok !== true || !this.#isToBeOffered(other, own, isOurs)) {
      if (other !== undefined && !isOurs) this.#outbox.takeOver(labId, other, { isAtOnce: false });
      this.#goOn();
      return "done";
    }
    this.#isHeldBack = true;
    this.#isWriter = false;
    this.#offered = other;
    this.#outbox.refused.set(labId, "elsewhere");
    const isWanted = this.#hasOpened(own) && !hasMore(own, other.run);
    journal.offerRun(read, "class");
    if (isWanted) journal.answerOffer(true);
    return "done";
  }

  /** The learner has chosen the other run, nothing was done in it here yet, and it has gone on elsewhere since it was offered: what is
   * wanted is how it is now. */
  #hasOpened(own: SavedLab): boolean {
    const run = this.#decided?.run;
    return run !== undefined && !hasMore(own, run) && !hasMore(run, own);
  }

  #isToBeOffered({ run }: HeldRun, own: SavedLab, isOurs: boolean): boolean {
    // This browser's own, which it has cut or begun again since, or has lost.
    if (isOurs) return !isTouched(own.entries) && isTouched(run.entries);
    return this.#isWriter || hasMore(run, own);
  }
}
