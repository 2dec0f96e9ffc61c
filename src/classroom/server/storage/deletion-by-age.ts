// Deletion by age: what a school does not keep for good goes by itself, at the start and each day by the server's clock. A
// transaction deletes what one learner has, or some lines, so that nobody's write waits long; several processes that share a
// database may do it at the same time, for each row is looked at again when it is deleted.

import { setImmediate as letOthers } from "node:timers/promises";
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";
import { removeLearner } from "../people/learners.ts";
import { newId } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import type { Tables } from "./tables.ts";

export const dayMs = 86_400_000;
/** Lines of the audit log that go at once. */
const mostLines = 500;

export interface Deleted {
  readonly runs: number;
  readonly learners: number;
  readonly messages: number;
  readonly auditLines: number;
}

type Needed = Pick<Services, "database" | "now" | "bus" | "log" | "keeping">;

export class DeletionByAge {
  readonly #services: Needed;
  #lastAt: number | undefined;
  #turn: Promise<void> | undefined;
  #isEnding = false;

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Asked every now and then: deletes when a day has passed since it last did, and the first time. */
  async daily(): Promise<void> {
    const at = this.#services.now();
    if (this.#turn !== undefined || (this.#lastAt !== undefined && at < this.#lastAt + dayMs)) return;
    this.#turn = this.#delete().finally(() => {
      this.#turn = undefined;
    });
    await this.#turn;
    this.#lastAt = at;
  }

  /** What is being deleted is deleted, and no more. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#turn?.catch(() => {});
  }

  async #delete(): Promise<void> {
    const { database, now, log, keeping } = this.#services;
    const before = (days: number | null): number | undefined => (days === null ? undefined : now() - days * dayMs);
    const runs = await this.#runs(before(keeping.runsDays));
    const learners = await this.#learners(before(keeping.learnersDays));
    const messages = await this.#messages(before(keeping.learnersDays));
    const auditLines = await this.#auditLines(before(keeping.auditDays));
    await database.deleteFrom("invitations").where("expires_at", "<=", now()).execute();
    const deleted: Deleted = { runs, learners, messages, auditLines };
    const about = Object.entries(deleted).flatMap(([what, count]) => (count === 0 ? [] : [`${what} ${count}`]));
    if (about.length === 0) return;
    log.info({ audit: "deleted-by-age", ...deleted });
    const line = { id: newId(), at: now(), who: "", what: "deleted-by-age", about: about.join(", "), address: "" };
    await database.insertInto("audit").values(line).execute();
  }

  /** The work, one after the other, until the server ends. @returns the sum. */
  async #each<T>(all: readonly T[], act: (one: T) => Promise<number>): Promise<number> {
    let count = 0;
    for (const one of all) {
      if (this.#isEnding) break;
      count += await act(one);
      await letOthers();
    }
    return count;
  }

  async #runs(before: number | undefined): Promise<number> {
    if (before === undefined) return 0;
    const { database, now } = this.#services;
    // What was claimed and has not been looked at waits as long again.
    const isOld = ({ and, or, eb }: ExpressionBuilder<Tables, "runs">): ExpressionWrapper<Tables, "runs", SqlBool> =>
      and([eb("saved_at", "<", before), or([eb("claimed", "=", 0), eb("saved_at", "<", 2 * before - now())])]);
    const owners = await database.selectFrom("runs").select("learner_id").distinct().where(isOld).execute();
    return this.#each(owners, ({ learner_id }) =>
      database.transaction().execute(async (change) => {
        // Parts that come in for this learner wait, as they do for each other.
        await change
          .updateTable("learners")
          .set(({ ref }) => ({ seen_at: ref("seen_at") }))
          .where("id", "=", learner_id)
          .execute();
        const done = await change.deleteFrom("runs").where("learner_id", "=", learner_id).where(isOld).executeTakeFirst();
        return Number(done.numDeletedRows);
      }),
    );
  }

  async #learners(before: number | undefined): Promise<number> {
    if (before === undefined) return 0;
    const { database, bus, now } = this.#services;
    const old = await database.selectFrom("learners").select(["id", "class_id"]).where("seen_at", "<", before).execute();
    return this.#each(old, async ({ id, class_id }) => {
      if (!(await removeLearner({ database, now }, id, before))) return 0;
      bus.tell({ class: class_id, learner: id, kind: "gone" });
      return 1;
    });
  }

  async #messages(before: number | undefined): Promise<number> {
    if (before === undefined) return 0;
    const { database } = this.#services;
    const classes = await database.selectFrom("messages").select("class_id").distinct().where("sent_at", "<", before).execute();
    return this.#each(classes, async ({ class_id }) => {
      const old = database.deleteFrom("messages").where("class_id", "=", class_id).where("sent_at", "<", before);
      return Number((await old.executeTakeFirst()).numDeletedRows);
    });
  }

  async #auditLines(before: number | undefined): Promise<number> {
    if (before === undefined) return 0;
    const { database } = this.#services;
    let count = 0;
    while (!this.#isEnding) {
      const old = database.selectFrom("audit").select("at").where("at", "<", before).orderBy("at").limit(mostLines);
      const until = (await old.execute()).at(-1)?.at;
      if (until === undefined) break;
      // In the order of the index: two processes that do it at the same time wait for each other.
      count += Number((await database.deleteFrom("audit").where("at", "<=", until).executeTakeFirst()).numDeletedRows);
      await letOthers();
    }
    return count;
  }
}
