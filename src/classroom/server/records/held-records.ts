// What the database holds of learners for their records, a learner at a time: a class is never whole in memory.

import type { Database } from "../storage/open.ts";
import type { HeldSitting, LearnerRecord } from "./statements.ts";

const pageSize = 50;
/** A run that was handed in at the last moment has been looked at by then. */
const settledMs = 10 * 60_000;

/** In the order of their ids. */
export async function* recordsOfClass(database: Database, classId: string, now: number): AsyncGenerator<LearnerRecord> {
  let last = "";
  for (;;) {
    const page = await database
      .selectFrom("learners")
      .select(["id", "name"])
      .where("class_id", "=", classId)
      .where("id", ">", last)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    for (const { id, name } of page) {
      yield await recordOf(database, { id, name }, now);
      last = id;
    }
    if (page.length < pageSize) return;
  }
}

export async function recordOf(
  database: Database,
  { id, name }: { readonly id: string; readonly name: string },
  now: number,
): Promise<LearnerRecord> {
  const [milestones, begun, results, sittings] = await Promise.all([
    database.selectFrom("milestones").select(["lesson", "what", "at"]).where("learner_id", "=", id).execute(),
    database
      .selectFrom("efforts")
      .select(({ fn }) => ["lab", fn.min<number>("first_at").as("at")])
      .where("learner_id", "=", id)
      .groupBy("lab")
      .execute(),
    database
      .selectFrom("results")
      .selectAll()
      .where("learner_id", "=", id)
      .orderBy("passed_at")
      .orderBy("lab")
      .orderBy("step")
      .execute(),
    database
      .selectFrom("sittings")
      .innerJoin("exams", "exams.id", "sittings.exam_id")
      .select(["exams.id", "exams.title", "exams.labs", "sittings.begun_at", "sittings.ends_at"])
      .where("sittings.learner_id", "=", id)
      .orderBy("sittings.begun_at")
      .execute(),
  ]);
  return {
    id,
    name,
    milestones,
    begun: begun.map(({ lab, at }) => ({ lab, at: Number(at) })),
    results: results.map((row) => ({
      lab: row.lab,
      exam: row.exam_id,
      step: row.step,
      points: row.points,
      tookMs: row.took_ms,
      passedAt: row.passed_at,
    })),
    sittings: sittings.map(
      (row): HeldSitting => ({
        exam: row.id,
        title: row.title,
        labs: JSON.parse(row.labs) as string[],
        begunAt: row.begun_at,
        endsAt: row.ends_at,
        isOver: now >= row.ends_at + settledMs,
      }),
    ),
  };
}
