// Runs of labs in the database: the newest of each lab and learner.

import type { Selectable } from "kysely";
import type { HeldRun, RunPart } from "../../wire.ts";
import { Refused } from "../http/refusals.ts";
import { newId } from "../people/secrets.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { entriesOf, putEntries } from "./pieces.ts";

interface Clocked {
  readonly database: Database;
  readonly now: () => number;
}

/** Whose run of which lab; `exam` is "" outside exams. */
export interface RunOf {
  readonly learner: string;
  readonly classId: string;
  readonly lab: string;
  readonly exam: string;
}

const mostEntries = 200_000;
export type Run = Selectable<Tables["runs"]>;

export async function heldRun(database: Database, run: Run): Promise<HeldRun> {
  const entries = await entriesOf(database, run.id);
  const { lab, seed, start_ms: startMs, now_ms: nowMs, format, world, saved_at: savedAt } = run;
  const help = { hints: JSON.parse(run.hints) as RunPart["hints"], solutions: JSON.parse(run.solutions) as RunPart["solutions"] };
  const { writer, revision } = run;
  return { lab, run: { seed, startMs, nowMs, format, world, entries, ...help }, savedAt, writer, revision };
}

export async function findRun(database: Database, learner: string, lab: string, exam = ""): Promise<Run | undefined> {
  const runs = database.selectFrom("runs").selectAll().where("learner_id", "=", learner);
  return runs.where("lab", "=", lab).where("exam_id", "=", exam).executeTakeFirst();
}

/** What became of a part. */
export interface Added {
  /** How many entries are held now. */
  readonly held: number;
  /** It was another browser's run until now. */
  readonly isTakenOver: boolean;
}

/** Refuses a part with `gap` when entries are missing before `from`, and with `elsewhere` one of another browser, which has not said
 * that it takes the place of just what is held. */
export async function addToRun(
  { database, now }: Clocked,
  learner: string,
  lab: string,
  exam: string,
  part: RunPart,
): Promise<Added> {
  const { seed, startMs, nowMs, format, world, from, entries, hints, solutions, claims, writer, takesOver } = part;
  const held = from + entries.length;
  if (held > mostEntries) throw new Refused("too-large");
  return database.transaction().execute(async (change) => {
    // Parts of one learner one after the other.
    await change.updateTable("learners").set({ seen_at: now() }).where("id", "=", learner).execute();
    const kept = await change
      .selectFrom("runs")
      .select(["id", "seed", "start_ms", "held", "claimed", "writer", "revision"])
      .where("learner_id", "=", learner)
      .where("lab", "=", lab)
      .where("exam_id", "=", exam)
      .executeTakeFirst();
    const isTakenOver = kept !== undefined && kept.writer !== null && kept.writer !== writer;
    if (isTakenOver && kept.revision !== takesOver) throw new Refused("elsewhere");
    const isSame = kept?.seed === seed && kept.start_ms === startMs;
    if (from > (isSame ? kept.held : 0)) throw new Refused("gap", String(isSame ? kept.held : 0));
    const claimed = claims.length > 0 || (isSame && kept.claimed === 1) ? 1 : 0;
    const revision = (kept?.revision ?? 0) + 1;
    const state = { seed, start_ms: startMs, now_ms: nowMs, format, world, held, saved_at: now(), claimed, writer, revision };
    const help = { hints: JSON.stringify(hints), solutions: JSON.stringify(solutions) };
    const id = kept?.id ?? newId();
    if (kept === undefined) {
      const run = { id, learner_id: learner, lab, exam_id: exam, ...state, ...help };
      await change.insertInto("runs").values(run).execute();
    } else
      await change
        .updateTable("runs")
        .set({ ...state, ...help })
        .where("id", "=", id)
        .execute();
    if (!isSame) await change.deleteFrom("run_pieces").where("run_id", "=", id).execute();
    await putEntries(change, id, from, entries);
    return { held, isTakenOver };
  });
}

/** Whose runs hold claims that nobody has looked at: the server was ended meanwhile, or had too much to do. */
export function claimedRuns(database: Database): Promise<readonly RunOf[]> {
  return database
    .selectFrom("runs")
    .innerJoin("learners", "learners.id", "runs.learner_id")
    .select(["runs.learner_id as learner", "learners.class_id as classId", "runs.lab as lab", "runs.exam_id as exam"])
    .where("runs.claimed", "=", 1)
    .orderBy("runs.saved_at")
    .execute();
}

/** The claims of this run, as it was read, have been looked at; what came since has not. */
export async function settleClaims(database: Database, { id, revision }: Run): Promise<void> {
  await database.updateTable("runs").set({ claimed: 0 }).where("id", "=", id).where("revision", "=", revision).execute();
}
