// What a learner has done in lessons. What was passed in any browser counts as passed; whether a lesson is finished is the
// word of the browser that speaks last.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { type LessonWork, type Work, work } from "../../wire.ts";
import { learnerOf } from "../http/guard.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";

/** `given` has come after `kept`. */
export function joinedWork(kept: LessonWork | undefined, given: LessonWork): LessonWork {
  if (kept === undefined) return given;
  const recalls = new Map(kept.recalls.map((recall) => [recall.question, recall]));
  for (const recall of given.recalls)
    if (recall.day >= (recalls.get(recall.question)?.day ?? recall.day)) recalls.set(recall.question, recall);
  return {
    steps: [...new Set([...kept.steps, ...given.steps])],
    questions: [...new Set([...kept.questions, ...given.questions])].sort((a, b) => a - b),
    done: given.done,
    doneDay: given.done ? earlier(kept.done ? kept.doneDay : null, given.doneDay) : null,
    recalls: [...recalls.values()].sort((a, b) => a.question - b.question),
  };
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

export async function workOf(database: Database, learner: string): Promise<Work> {
  const [rows, place] = await Promise.all([
    database.selectFrom("work").select(["lesson", "done"]).where("learner_id", "=", learner).execute(),
    database.selectFrom("last_places").select("place").where("learner_id", "=", learner).executeTakeFirst(),
  ]);
  return {
    lessons: Object.fromEntries(rows.map(({ lesson, done }) => [lesson, JSON.parse(done) as LessonWork])),
    last: place?.place ?? null,
  };
}

/** When the server was first told of it: later exports say the same. */
async function noteMilestones(
  database: Database,
  learner_id: string,
  lesson: string,
  { questions, done }: LessonWork,
  at: number,
): Promise<void> {
  const reached = [...(done ? ["done"] : []), ...new Set(questions.map((question) => `q${question}`))];
  if (reached.length === 0) return;
  await database
    .insertInto("milestones")
    .values(reached.map((what) => ({ learner_id, lesson, what, at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function workRoutes(app: FastifyInstance, { database, now, bus }: Services): void {
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.get("/work", { config: { for: "learner" } }, (request) => workOf(database, learnerOf(request).id));

  api.put("/work", { config: { for: "learner" }, schema: { body: work } }, async (request): Promise<Work> => {
    const { id, classId } = learnerOf(request);
    const { lessons, last } = request.body;
    await database.transaction().execute(async (change) => {
      // Two browsers of one learner, one after the other.
      await change.updateTable("learners").set({ seen_at: now() }).where("id", "=", id).execute();
      const names = Object.keys(lessons);
      const rows =
        names.length === 0
          ? []
          : await change.selectFrom("work").selectAll().where("learner_id", "=", id).where("lesson", "in", names).execute();
      const kept = new Map(rows.map(({ lesson, done }) => [lesson, JSON.parse(done) as LessonWork]));
      for (const [lesson, given] of Object.entries(lessons)) {
        const done = JSON.stringify(joinedWork(kept.get(lesson), given));
        const row = { learner_id: id, lesson, done, changed_at: now() };
        await change
          .insertInto("work")
          .values(row)
          .onConflict((conflict) => conflict.columns(["learner_id", "lesson"]).doUpdateSet({ done, changed_at: row.changed_at }))
          .execute();
        await noteMilestones(change, id, lesson, given, row.changed_at);
      }
      if (last !== null) {
        const place = { learner_id: id, place: last };
        await change
          .insertInto("last_places")
          .values(place)
          .onConflict((conflict) => conflict.column("learner_id").doUpdateSet({ place: last }))
          .execute();
      }
    });
    bus.tell({ class: classId, learner: id, kind: "work" });
    return workOf(database, id);
  });
}
