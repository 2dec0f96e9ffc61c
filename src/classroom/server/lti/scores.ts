// What platforms' gradebooks should hold: the newest score of each learner in each column, written down until the platform has taken it.

import type { LtiState } from "../../wire.ts";
import type { Course } from "../course.ts";
import type { Database } from "../storage/open.ts";
import { pointsOf, readTarget } from "./targets.ts";

interface Holder {
  readonly database: Database;
  readonly course: Course;
  readonly now: () => number;
}

/** A link's column, as a launch names it. What earlier learners have reached counts too. */
export async function noteLineItem(
  holder: Holder,
  { url, platform, classId, target }: { url: string; platform: string; classId: string; target: string },
): Promise<void> {
  const { database } = holder;
  const made = await database
    .insertInto("lti_line_items")
    .values({ url, platform, class_id: classId, target })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows !== 1n) return;
  const learners = await database
    .selectFrom("lti_learners")
    .select("learner_id")
    .where("platform", "=", platform)
    .where("class_id", "=", classId)
    .execute();
  for (const { learner_id } of learners) await noteScores(holder, learner_id);
}

/** Whose points have come since a time. */
export async function learnersSince({ database }: Holder, since: number): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("lti_learners")
    .innerJoin("results", "results.learner_id", "lti_learners.learner_id")
    .select("lti_learners.learner_id")
    .distinct()
    .where("results.passed_at", ">=", since)
    .execute();
  return rows.map(({ learner_id }) => learner_id);
}

/** What has changed is to be sent. */
export async function noteScores({ database, course, now }: Holder, learner: string): Promise<void> {
  const items = await database
    .selectFrom("lti_line_items")
    .innerJoin("lti_learners", (join) =>
      join
        .onRef("lti_learners.platform", "=", "lti_line_items.platform")
        .onRef("lti_learners.class_id", "=", "lti_line_items.class_id"),
    )
    .select(["lti_line_items.url", "lti_line_items.class_id", "lti_line_items.target"])
    .where("lti_learners.learner_id", "=", learner)
    .execute();
  for (const { url, class_id: classId, target } of items) {
    const points = await pointsOf({ database, course }, { classId, learner }, readTarget(target));
    if (points === undefined) continue;
    const key = { line_item: url, learner_id: learner };
    await database.transaction().execute(async (change) => {
      const kept = await change
        .selectFrom("lti_scores")
        .selectAll()
        .where("line_item", "=", url)
        .where("learner_id", "=", learner)
        .executeTakeFirst();
      if (kept === undefined ? points.given === 0 : kept.given === points.given && kept.most === points.most) return;
      // A platform refuses what is not newer than what it has.
      const scored_at = Math.max(now(), (kept?.scored_at ?? 0) + 1);
      const score = { ...points, scored_at, due_at: now(), tries: 0, trouble: null };
      await change
        .insertInto("lti_scores")
        .values({ ...key, ...score, sent_scored_at: null })
        .onConflict((conflict) => conflict.columns(["line_item", "learner_id"]).doUpdateSet(score))
        .execute();
    });
  }
}

/** How it stands with a class and its platforms. */
export async function ltiStateOf(
  { database }: Pick<Holder, "database">,
  names: ReadonlyMap<string, string>,
  classId: string,
): Promise<LtiState> {
  const [courses, scores] = await Promise.all([
    database.selectFrom("lti_contexts").select(["platform", "title"]).where("class_id", "=", classId).execute(),
    database
      .selectFrom("lti_scores")
      .innerJoin("lti_line_items", "lti_line_items.url", "lti_scores.line_item")
      .innerJoin("learners", "learners.id", "lti_scores.learner_id")
      .select([
        "learners.name",
        "lti_line_items.target",
        "lti_scores.scored_at",
        "lti_scores.sent_scored_at",
        "lti_scores.due_at",
        "lti_scores.trouble",
      ])
      .where("lti_line_items.class_id", "=", classId)
      .orderBy("learners.name_key")
      .execute(),
  ]);
  const isSent = ({ scored_at, sent_scored_at }: (typeof scores)[number]): boolean => scored_at === sent_scored_at;
  return {
    isOffered: names.size > 0,
    courses: courses.map(({ platform, title }) => ({ platform: names.get(platform) ?? platform, title })),
    sent: scores.filter(isSent).length,
    waiting: scores.filter((row) => !isSent(row)).length,
    troubles: scores
      .filter((row) => !isSent(row) && row.trouble !== null)
      .map(({ name, target, due_at, trouble }) => ({ name, target, isGivenUp: due_at === null, trouble: trouble ?? "" })),
  };
}

/** All that a platform has not taken is tried at once. */
export async function retryScores({ database, now }: Pick<Holder, "database" | "now">, classId: string): Promise<void> {
  const ofClass = database.selectFrom("lti_line_items").select("url").where("class_id", "=", classId);
  await database
    .updateTable("lti_scores")
    .set({ due_at: now(), tries: 0 })
    .where("line_item", "in", ofClass)
    .where(({ eb, or }) => or([eb("sent_scored_at", "is", null), eb("sent_scored_at", "!=", eb.ref("scored_at"))]))
    .execute();
}
