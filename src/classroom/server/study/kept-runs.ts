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

const mostEntries = 200_000;
export type Run = Selectable<Tables["runs"]>;

export async function heldRun(database: Database, run: Run): Promise<HeldRun> {
  const entries = await entriesOf(database, run.id);
  const { lab, seed, start_ms: startMs, now_ms: nowMs, format, world, saved_at: savedAt } = run;
  const help = { hints: JSON.parse(run.hints) as RunPart["hints"], solutions: JSON.parse(run.solutions) as RunPart["solutions"] };
  return { lab, run: { seed, startMs, nowMs, format, world, entries, ...help }, savedAt };
}

export async function findRun(database: Database, learner: string, lab: string, exam = ""): Promise<Run | undefined> {
  const runs = database.selectFrom("runs").selectAll().where("learner_id", "=", learner);
  return runs.where("lab", "=", lab).where("exam_id", "=", exam).executeTakeFirst();
}

/** @returns how many entries are held now; a refusal `gap` when some are missing before `from`. */
export async function addToRun(
  { database, now }: Clocked,
  learner: string,
  lab: string,
  exam: string,
  part: RunPart,
): Promise<number> {
  const { seed, startMs, nowMs, format, world, from, entries, hints, solutions } = part;
  const held = from + entries.length;
  if (held > mostEntries) throw new Refused("too-large");
  return database.transaction().execute(async (change) => {
    // Parts of one learner one after the other.
    await change.updateTable("learners").set({ seen_at: now() }).where("id", "=", learner).execute();
    const kept = await change
      .selectFrom("runs")
      .select(["id", "seed", "start_ms", "held"])
      .where("learner_id", "=", learner)
      .where("lab", "=", lab)
      .where("exam_id", "=", exam)
      .executeTakeFirst();
    const isSame = kept?.seed === seed && kept.start_ms === startMs;
    if (from > (isSame ? kept.held : 0)) throw new Refused("gap", String(isSame ? kept.held : 0));
    const state = { seed, start_ms: startMs, now_ms: nowMs, format, world, held, saved_at: now() };
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
    return held;
  });
}
