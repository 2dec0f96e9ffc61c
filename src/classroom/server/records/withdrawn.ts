// Certificates that no longer hold: those that are kept and were withdrawn, and codes of those that went with their learner.

import { type SqlBool, sql } from "kysely";
import type { Database } from "../storage/open.ts";

/** Before learners go: codes of their certificates stay on the list. With `isTakenBack` all of them, withdrawn with that; else, where
 * learners go by age, those that a teacher had withdrawn. */
export async function keepWithdrawn(
  database: Database,
  learners: readonly string[],
  { now, isTakenBack }: { readonly now: number; readonly isTakenBack: boolean },
): Promise<void> {
  if (learners.length === 0) return;
  await database
    .insertInto("withdrawn_certificates")
    .columns(["code", "withdrawn_at"])
    .expression(({ selectFrom, fn, val, or, eb }) =>
      selectFrom("certificates")
        .select(["code", fn.coalesce("withdrawn_at", sql<number>`cast(${val(now)} as bigint)`).as("withdrawn_at")])
        .where("learner_id", "in", learners)
        .where(or([eb("withdrawn_at", "is not", null), sql<SqlBool>`${isTakenBack ? 1 : 0} = 1`])),
    )
    // Somebody else removes the same learner just now.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** In the order of their codes. */
export async function withdrawnCodes(database: Database): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("certificates")
    .select("code")
    .where("withdrawn_at", "is not", null)
    .union(database.selectFrom("withdrawn_certificates").select("code"))
    .orderBy("code")
    .execute();
  return rows.map(({ code }) => code);
}

/** When one that is no longer kept was withdrawn; undefined: it was not. */
export async function withdrawnAt(database: Database, code: string): Promise<number | undefined> {
  const row = database.selectFrom("withdrawn_certificates").select("withdrawn_at").where("code", "=", code);
  return (await row.executeTakeFirst())?.withdrawn_at;
}
