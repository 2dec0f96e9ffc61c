// A learner's runs of labs on their way to the server. What the server has of a run is kept beside it, so that only what
// was added since is sent; and that something is still to be sent, so that it goes when the next page opens. A run is one
// browser's: what another one has sent stays there until the learner has chosen.

import type { SavedLab } from "#lab/protocol.ts";
import type { HeldRun, RefusalWord, RunHeld, RunPart } from "../../wire.ts";
import type { Answer, ClassroomApi } from "./api.ts";
import { keptWriter, LearnerStore } from "./membership.ts";
import type { Sent } from "./sender.ts";
import { inCommon, isSameRun } from "./two-runs.ts";

type Entry = SavedLab["entries"][number];

/** What the server has of a run. */
interface Held {
  readonly seed: number;
  readonly startMs: number;
  readonly entries: number;
  /** Of those entries. */
  readonly mark: string;
  readonly help: string;
  readonly claims: readonly string[];
}

interface KeptRun {
  readonly held?: Held | undefined;
  /** Steps that passed here and are still to be told; undefined when all is sent. */
  readonly waiting?: readonly string[] | undefined;
}

type KeptRuns = Readonly<Record<string, KeptRun>>;

/** Of which runs: what their notes are kept under, and the path that they go to. */
export interface OutboxPlace {
  readonly kept: string;
  readonly path: string;
}

const ofLessons: OutboxPlace = { kept: "runs", path: "runs/" };

/** Of one part: the server takes 5000 entries and 4 MiB. */
const mostEntries = 2000;
const mostCharacters = 1_000_000;
/** What a browser still sends for a page that has gone is 64 KiB for all its requests together. */
const mostAtParting = 50_000;
const mostClaims = 60;

/** A run of another browser at the server, of which the learner has chosen this browser's: it is said with the next part. */
interface TakenOver {
  readonly revision: number;
  /** Not only once something was added here: the other browser is to hear of it. */
  readonly isAtOnce: boolean;
}

export class RunOutbox {
  readonly #api: ClassroomApi;
  readonly #path: string;
  readonly #kept: LearnerStore<KeptRuns>;
  /** Why the server has not taken a run, by lab. */
  readonly refused = new Map<string, RefusalWord>();
  /** Entries that the server has, of runs that were sent from this page. */
  readonly #sent = new Map<string, readonly Entry[]>();
  /** Claims are told anew by each page: a server that was stopped while it looked has forgotten them. */
  readonly #claimed = new Map<string, ReadonlySet<string>>();
  /** By lab. */
  readonly #takenOver = new Map<string, TakenOver>();
  /** This browser, for this learner: a page that is loaded anew goes on with what the one before sent at parting. */
  readonly writer: string;

  constructor(api: ClassroomApi, learner: string, { kept, path }: OutboxPlace = ofLessons) {
    this.#api = api;
    this.#path = path;
    this.#kept = new LearnerStore(kept, learner);
    this.writer = writerOf(learner);
  }

  /** What the server has of the run. */
  ask(lab: string): Promise<Answer<HeldRun>> {
    return this.#api.ask<HeldRun>("GET", `${this.#path}${lab}`);
  }

  /** The run of this browser takes the place of what another one has sent: just of this, as the learner has seen it. */
  takeOver(lab: string, { run, revision }: HeldRun, { isAtOnce }: { readonly isAtOnce: boolean }): void {
    const { seed, startMs } = run;
    const entries = run.entries as unknown as readonly Entry[];
    this.#takenOver.set(lab, { revision, isAtOnce });
    this.refused.delete(lab);
    this.#sent.set(lab, entries);
    // Steps that were told of before are told once more: the server may have looked for them in the other run.
    this.#claimed.delete(lab);
    const held = { seed, startMs, entries: entries.length, mark: markOf(entries), help: helpOf(run), claims: [] };
    this.#write(lab, { held, waiting: this.#runs()[lab]?.waiting });
  }

  /** How many labs' runs are on their way; what another browser goes on with is not, until the learner has chosen. */
  get underWay(): number {
    return this.waiting.filter((lab) => this.refused.get(lab) !== "elsewhere").length;
  }

  /** Labs of which something is still to be sent. */
  get waiting(): readonly string[] {
    return Object.entries(this.#runs()).flatMap(([lab, { waiting }]) => (waiting === undefined ? [] : [lab]));
  }

  /** Steps of a waiting run that passed here. */
  claims(lab: string): readonly string[] {
    return this.#runs()[lab]?.waiting ?? [];
  }

  /** Whether the server has all of the run. */
  has(lab: string, run: SavedLab, claims: readonly string[]): boolean {
    const held = this.#runs()[lab]?.held;
    const known = new Set(held?.claims);
    return (
      held !== undefined &&
      this.#takenOver.get(lab)?.isAtOnce !== true &&
      isSameRun(held, run) &&
      held.entries === run.entries.length &&
      held.mark === markOf(run.entries) &&
      held.help === helpOf(run) &&
      claims.every((step) => known.has(step))
    );
  }

  /** Remembers that there is something to send. @returns whether there is. */
  note(lab: string, run: SavedLab, claims: readonly string[]): boolean {
    const waiting = this.has(lab, run, claims) ? undefined : claims;
    this.#write(lab, { held: this.#runs()[lab]?.held, waiting });
    return waiting !== undefined;
  }

  /** `elsewhere`: another browser goes on with the run. */
  async send(lab: string, run: SavedLab, claims: readonly string[]): Promise<Sent | "elsewhere"> {
    for (let from = this.#inCommon(lab, run); ; ) {
      const { entries, isLast } = piece(run.entries, from, mostCharacters);
      const told = isLast ? this.#untold(lab, run, claims) : [];
      const answer = await this.#api.ask<RunHeld>("PUT", `${this.#path}${lab}`, this.#partOf(lab, run, from, entries, told));
      if (answer.kind === "later") return "later";
      if (answer.kind === "refused") {
        const { error, detail } = answer.refusal;
        const held = Number(detail);
        // The server has less than was thought: it says how much.
        if (error === "gap" && Number.isInteger(held) && held >= 0 && held < from) {
          from = held;
          continue;
        }
        this.refused.set(lab, error);
        if (error === "elsewhere") {
          this.#takenOver.delete(lab);
          return "elsewhere";
        }
        return error === "not-signed-in" ? "ended" : "done";
      }
      this.refused.delete(lab);
      this.#takenOver.delete(lab);
      from += entries.length;
      const all = run.entries.slice(0, from);
      this.#sent.set(lab, all);
      const { seed, startMs } = run;
      const before = this.#runs()[lab];
      const known = before?.held !== undefined && isSameRun(before.held, run) ? before.held.claims : [];
      const held = {
        seed,
        startMs,
        entries: from,
        mark: markOf(all),
        help: helpOf(run),
        claims: [...new Set([...known, ...told])],
      };
      if (isLast) this.#claimed.set(lab, new Set([...(this.#claimed.get(lab) ?? []), ...told]));
      this.#write(lab, { held, waiting: isLast && claims.length === before?.waiting?.length ? undefined : before?.waiting });
      if (isLast) return "done";
    }
  }

  /** The page goes away: what is not sent yet goes without an answer, and once more at the next visit. */
  part(lab: string, run: SavedLab, claims: readonly string[]): void {
    if (!this.note(lab, run, claims)) return;
    const from = this.#inCommon(lab, run);
    const { entries, isLast } = piece(run.entries, from, mostAtParting);
    const told = isLast ? this.#untold(lab, run, claims) : [];
    void this.#api.ask("PUT", `${this.#path}${lab}`, this.#partOf(lab, run, from, entries, told), { parting: true });
  }

  #partOf(lab: string, run: SavedLab, from: number, entries: readonly Entry[], claims: readonly string[]): RunPart {
    const { seed, startMs, nowMs, format, world, hints, solutions } = run;
    return {
      ...{ seed, startMs, nowMs, format, world: world ?? null, from, hints },
      entries: [...entries],
      solutions: [...solutions],
      claims: [...claims],
      writer: this.writer,
      takesOver: this.#takenOver.get(lab)?.revision ?? null,
    };
  }

  #untold(lab: string, run: SavedLab, claims: readonly string[]): readonly string[] {
    const held = this.#runs()[lab]?.held;
    const known = held !== undefined && isSameRun(held, run) ? (this.#claimed.get(lab) ?? new Set()) : new Set();
    return claims.filter((step) => !known.has(step)).slice(0, mostClaims);
  }

  /** How many of the run's first entries the server has. */
  #inCommon(lab: string, run: SavedLab): number {
    const held = this.#runs()[lab]?.held;
    if (held === undefined || !isSameRun(held, run)) return 0;
    const { entries } = run;
    if (held.entries <= entries.length && held.mark === markOf(entries.slice(0, held.entries))) return held.entries;
    // The learner went back: what is left of it is in common.
    return Math.min(inCommon(this.#sent.get(lab) ?? [], entries), held.entries);
  }

  #runs(): KeptRuns {
    return this.#kept.read() ?? {};
  }

  #write(lab: string, run: KeptRun): void {
    this.#kept.write({ ...this.#runs(), [lab]: run });
  }
}

function writerOf(learner: string): string {
  const kept = keptWriter(learner);
  const known = kept.read();
  if (known !== undefined) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  kept.write(made);
  return made;
}

function helpOf({ hints, solutions }: Pick<SavedLab, "hints" | "solutions">): string {
  return JSON.stringify([hints, solutions]);
}

/** Entries from a number on, as many as go at once; at least one. */
function piece(
  entries: readonly Entry[],
  from: number,
  most: number,
): { readonly entries: readonly Entry[]; readonly isLast: boolean } {
  let end = from;
  for (let size = 0; end < entries.length && end - from < mostEntries; end += 1) {
    size += JSON.stringify(entries[end]).length;
    if (size > most && end > from) break;
  }
  return { entries: entries.slice(from, end), isLast: end === entries.length };
}

/** Tells apart journals that went different ways: no secret, only a sum (FNV-1a) in two halves. */
function markOf(entries: readonly Entry[]): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (const entry of entries) {
    for (const character of JSON.stringify(entry)) {
      const code = character.codePointAt(0) ?? 0;
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 13);
    }
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
