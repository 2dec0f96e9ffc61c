// The lab that is open on this page: its run goes to the server as it grows; one that was begun in another browser is offered.

import { checkLabRun } from "#lab/lab-file.ts";
import type { SavedLab } from "#lab/protocol.ts";
import type { LabSession } from "#lab/session.ts";
import { savedRun } from "../../saved-run.ts";
import type { HeldRun } from "../../wire.ts";
import type { ClassroomApi } from "./api.ts";
import type { RunOutbox } from "./run-outbox.ts";
import { Sender, type Sent } from "./sender.ts";

const everyMs = 5000;

export class OpenLab {
  readonly session: LabSession;
  readonly #api: ClassroomApi;
  readonly #outbox: RunOutbox;
  readonly #sender: Sender;
  readonly #stops: (() => void)[] = [];
  /** It is not known yet whether the server has another run, or the learner has not chosen: nothing is sent meanwhile. */
  #isHeldBack = true;
  readonly #isSettled: boolean;
  #isOffered = false;
  #hasBegun = false;
  #passed = 0;

  /** @param isSettled which run goes on was decided before the lab was opened. */
  constructor(session: LabSession, api: ClassroomApi, outbox: RunOutbox, onTurn: (sent: Sent) => void, isSettled = false) {
    this.session = session;
    this.#isSettled = isSettled;
    this.#api = api;
    this.#outbox = outbox;
    this.#sender = new Sender({ gatherMs: everyMs, send: () => this.#send(), onTurn });
    this.#stops.push(
      session.state.subscribe(({ kind }) => {
        if (kind === "ready" && !this.#hasBegun) this.#begin();
      }),
      session.steps.subscribe(() => this.#lookAtSteps()),
      session.journal.offer.subscribe((offer) => {
        if (this.#isOffered && offer === undefined) this.#decided();
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
    // A run that the server does not have is the newest one, wherever another may have come from.
    const isNewest = this.#isSettled || (isTouched(run) && !this.#outbox.has(this.session.labId, run, this.claims));
    if (isNewest) this.#decided();
    else this.#sender.now();
  }

  #decided(): void {
    this.#isOffered = false;
    this.#isHeldBack = false;
    this.#look();
  }

  #look(): void {
    const run = this.session.journal.current();
    if (this.#isSendable(run) && this.#outbox.note(this.session.labId, run, this.claims)) this.#sender.soon();
  }

  #lookAtSteps(): void {
    const passed = this.claims.length;
    const isMore = passed > this.#passed && this.session.state.value.kind === "ready";
    this.#passed = passed;
    if (!isMore || !this.#hasBegun) return;
    // Who goes on here does not want the other run.
    if (this.#isOffered) this.session.journal.answerOffer(false);
    const run = this.session.journal.current();
    if (this.#isSendable(run) && this.#outbox.note(this.session.labId, run, this.claims)) this.#sender.now();
  }

  #isSendable(run: SavedLab): boolean {
    const { state, keeping } = this.session;
    return !this.#isHeldBack && state.value.kind === "ready" && keeping.value !== "elsewhere" && isTouched(run);
  }

  async #send(): Promise<Sent> {
    if (this.#isHeldBack && !this.#isOffered) {
      const sent = await this.#compare();
      if (sent !== "done") return sent;
    }
    const run = this.session.journal.current();
    if (!this.#isSendable(run) || !this.#outbox.note(this.session.labId, run, this.claims)) return "done";
    return this.#outbox.send(this.session.labId, run, this.claims);
  }

  /** Asks what the server has, and offers it where it is more than what is here. */
  async #compare(): Promise<Sent> {
    const { labId, journal } = this.session;
    const answer = await this.#api.ask<HeldRun>("GET", `runs/${labId}`);
    if (answer.kind === "later") return "later";
    if (answer.kind === "refused" && answer.refusal.error !== "not-found") return "ended";
    const other = answer.kind === "ok" ? answer.value.run : undefined;
    const own = journal.current();
    const isSame = other?.seed === own.seed && other.startMs === own.startMs;
    const isMore = other !== undefined && (isSame ? other.entries.length > own.entries.length : isTouched(other));
    // Without a connection until now, a step has passed here.
    const hasGoneOn = this.claims.length > 0 && !this.#outbox.has(labId, own, this.claims);
    if (!isMore || hasGoneOn) {
      this.#decided();
      return "done";
    }
    const read = checkLabRun(labId, savedRun(other));
    // What this version of the simulator cannot replay is no offer.
    if (!read.ok) {
      this.#decided();
      return "done";
    }
    this.#isOffered = true;
    journal.offerRun(read, "class");
    return "done";
  }
}

/** Something was done in it, beyond terminals that opened. */
function isTouched({ entries }: { readonly entries: readonly { readonly input: { readonly kind: string } }[] }): boolean {
  return entries.some(({ input }) => input.kind === "terminal-input" || input.kind === "file-write");
}
