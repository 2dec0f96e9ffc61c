// Results that hold: a run is replayed in a world of the server's own, and what that world reaches is written down. Nobody
// waits for it: a page learns of a result by the class's happenings.

import type { Selectable } from "kysely";
import { savedRun } from "../../saved-run.ts";
import type { Result } from "../../wire.ts";
import type { Bus } from "../bus.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { claimedRuns, findRun, heldRun, type RunOf, settleClaims } from "./kept-runs.ts";

/** A run that was replayed, or why it was not. */
export type Replayed =
  | {
      readonly ok: true;
      readonly steps: readonly {
        readonly id: string;
        readonly points: number;
        /** Virtual times; undefined while it has not opened or passed. */
        readonly openedMs: number | undefined;
        readonly passedMs: number | undefined;
      }[];
    }
  /** `busy`: it is to be tried again. `detail`: for whoever runs the server. */
  | { readonly ok: false; readonly reason: string; readonly detail?: string };

/** `saved` is what came from outside. */
export type Replay = (owner: string, lab: string, saved: unknown) => Promise<Replayed>;

export interface ResultsOptions {
  readonly database: Database;
  readonly now: () => number;
  readonly bus: Bus;
  readonly replay: Replay;
  /** Something of ours went wrong. */
  readonly complain: (error: unknown) => void;
}

export class Results {
  readonly #options: ResultsOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: ResultsOptions) {
    this.#options = options;
  }

  /** Replays the run when one of the claimed steps has not been written down yet. */
  async look(of: RunOf, claims: readonly string[]): Promise<void> {
    const known = new Set((await this.#rows(of)).map(({ step }) => step));
    const run = await findRun(this.#options.database, of.learner, of.lab, of.exam);
    if (run === undefined) return;
    if (claims.every((step) => known.has(step))) await settleClaims(this.#options.database, run);
    else this.#begin(of);
  }

  /** Looks at claims that wait since before: the server was ended, or had too much to do. */
  async resume(): Promise<void> {
    for (const of of await claimedRuns(this.#options.database)) this.#begin(of);
  }

  /** When all that was asked for has been looked at. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #begin(of: RunOf): void {
    const work = this.#replay(of)
      .catch((error: unknown) => this.#complain(of, error))
      .finally(() => void this.#running.delete(work));
    this.#running.add(work);
  }

  /** Not of what cannot be written down for somebody who has gone meanwhile. */
  async #complain({ learner, lab, exam }: RunOf, error: unknown): Promise<void> {
    const { database, complain } = this.#options;
    const isThere = await findRun(database, learner, lab, exam).catch(() => true);
    if (isThere !== undefined) complain(error);
  }

  #rows({ learner, lab, exam }: RunOf): Promise<readonly { readonly step: string }[]> {
    const rows = this.#options.database.selectFrom("results").select("step").where("learner_id", "=", learner);
    return rows.where("lab", "=", lab).where("exam_id", "=", exam).execute();
  }

  async #replay(of: RunOf): Promise<void> {
    const { database, replay } = this.#options;
    const run = await findRun(database, of.learner, of.lab, of.exam);
    if (run === undefined) return;
    const { run: held } = await heldRun(database, run);
    const replayed = await replay(of.learner, of.lab, savedRun(held));
    // Its class, its exam or its learner may have been removed meanwhile.
    if ((await findRun(database, of.learner, of.lab, of.exam)) === undefined) return;
    if (replayed.ok) await this.#write(of, replayed.steps, held.hints);
    else await this.#refuse(of, replayed.reason);
    // A mistake of ours, or of how the server was set up: nothing that a learner could mend.
    if (!replayed.ok && replayed.reason === "failed")
      this.#options.complain(new Error(`a run of ${of.lab} could not be replayed: ${replayed.detail ?? ""}`));
    if (replayed.ok || replayed.reason !== "busy") await settleClaims(database, run);
    this.#options.bus.tell({ class: of.classId, learner: of.learner, kind: of.exam === "" ? "results" : "exam" });
  }

  async #write(
    { learner, lab, exam }: RunOf,
    steps: Extract<Replayed, { readonly ok: true }>["steps"],
    hints: { readonly [step: string]: number },
  ): Promise<void> {
    const { database, now } = this.#options;
    const passed_at = now();
    const rows = steps.flatMap(({ id, points, openedMs, passedMs }) =>
      passedMs === undefined
        ? []
        : [
            {
              learner_id: learner,
              lab,
              exam_id: exam,
              step: id,
              points,
              hints: hints[id] ?? 0,
              took_ms: passedMs - (openedMs ?? passedMs),
              passed_at,
            },
          ],
    );
    // What was reached once stays reached, also when the learner begins again.
    if (rows.length > 0)
      await database
        .insertInto("results")
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await database
      .deleteFrom("refusals")
      .where("learner_id", "=", learner)
      .where("lab", "=", lab)
      .where("exam_id", "=", exam)
      .execute();
  }

  async #refuse({ learner, lab, exam }: RunOf, reason: string): Promise<void> {
    const { database, now } = this.#options;
    const at = now();
    await database
      .insertInto("refusals")
      .values({ learner_id: learner, lab, exam_id: exam, reason, at })
      .onConflict((conflict) => conflict.columns(["learner_id", "lab", "exam_id"]).doUpdateSet({ reason, at }))
      .execute();
  }
}

/** Of one learner, by lab; `exam` is "" outside exams. */
export async function resultsOf(database: Database, learner: string, exam = ""): Promise<readonly Result[]> {
  const [rows, refusals] = await Promise.all([
    database
      .selectFrom("results")
      .selectAll()
      .where("learner_id", "=", learner)
      .where("exam_id", "=", exam)
      .orderBy("passed_at")
      .execute(),
    database.selectFrom("refusals").selectAll().where("learner_id", "=", learner).where("exam_id", "=", exam).execute(),
  ]);
  return byLab(rows, refusals);
}

/** What one learner has reached, and was refused. */
export function byLab(
  rows: readonly Selectable<Tables["results"]>[],
  refusals: readonly Selectable<Tables["refusals"]>[],
): readonly Result[] {
  const labs = [...new Set([...rows, ...refusals].map(({ lab }) => lab))].sort();
  return labs.map((lab) => {
    const own = rows.filter((row) => row.lab === lab);
    return {
      lab,
      steps: own.map(({ step, passed_at, hints }) => ({ id: step, passedAt: passed_at, hints })),
      points: own.reduce((sum, { points }) => sum + points, 0),
      refusal: refusals.find((refusal) => refusal.lab === lab)?.reason ?? null,
    };
  });
}
