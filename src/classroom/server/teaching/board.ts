// The board: who is where, at which step, how long, with what help; who is stuck and who is away.

import type { Board, BoardRow, BoardState, LessonWork, Presence } from "../../wire.ts";
import type { Services } from "../services.ts";
import { classOf } from "./classes.ts";

/** A page tells of itself three times in this time. */
const awayMs = 90_000;
/** So long at one step, with so many commands that did not end it, or longer with few. */
const stuckMs = 8 * 60_000;
const stuckAttempts = 3;
const stuckAnywayMs = 15 * 60_000;

export function stateOf(presence: Presence | undefined, seenAt: number, stepSince: number, now: number): BoardState {
  if (presence === undefined) return "new";
  if (now - seenAt > awayMs) return "away";
  if (!presence.active) return "idle";
  const atStepMs = now - stepSince;
  const isStuck =
    presence.step !== null && (atStepMs > stuckAnywayMs || (atStepMs > stuckMs && presence.attempts >= stuckAttempts));
  return isStuck ? "stuck" : "working";
}

export async function boardOf({ database, now }: Pick<Services, "database" | "now">, classId: string): Promise<Board> {
  const shown = await classOf(database, classId);
  const ofClass = database.selectFrom("learners").select("id").where("class_id", "=", classId);
  const [learners, presences, works, results] = await Promise.all([
    database
      .selectFrom("learners")
      .select(["id", "name", "seen_at", "joined_at"])
      .where("class_id", "=", classId)
      .orderBy("name_key")
      .execute(),
    database.selectFrom("presences").selectAll().where("class_id", "=", classId).execute(),
    database.selectFrom("work").select(["learner_id", "done"]).where("learner_id", "in", ofClass).execute(),
    database
      .selectFrom("results")
      .select(["learner_id", "lab", "step", "points"])
      .where("learner_id", "in", ofClass)
      .where("exam_id", "=", "")
      .execute(),
  ]);
  const presenceOf = new Map(presences.map((row) => [row.learner_id, row]));
  const doneBy = Map.groupBy(
    works.filter(({ done }) => (JSON.parse(done) as LessonWork).done),
    ({ learner_id }) => learner_id,
  );
  const resultsBy = Map.groupBy(results, ({ learner_id }) => learner_id);
  const at = now();
  const rows = learners.map(({ id, name, seen_at, joined_at }): BoardRow => {
    const told = presenceOf.get(id);
    const presence = told === undefined ? undefined : (JSON.parse(told.presence) as Presence);
    const own = resultsBy.get(id) ?? [];
    // A clock may have been put back meanwhile.
    const seenAt = Math.min(told?.seen_at ?? seen_at, at);
    const stepSince = Math.min(told?.step_since ?? joined_at, at);
    const here = presence?.lab ?? undefined;
    return {
      learner: id,
      name,
      presence: presence ?? null,
      seenAt,
      stepSince,
      lessonsDone: doneBy.get(id)?.length ?? 0,
      stepsPassed: own.length,
      passedHere: own.filter(({ lab }) => lab === here).map(({ step }) => step),
      points: own.reduce((sum, { points }) => sum + points, 0),
      state: stateOf(presence, seenAt, stepSince, at),
    };
  });
  return { class: shown, rows, at };
}
