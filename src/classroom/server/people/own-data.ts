// What is kept of a learner, for the learner: all of it as one file, and its end. (GDPR, articles 15, 17 and 20.)

import { Readable } from "node:stream";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Selectable, sql } from "kysely";
import { ownEnd } from "../../wire.ts";
import { audit } from "../audit.ts";
import { learnerOf } from "../http/guard.ts";
import { found, Refused } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { heldRun } from "../study/kept-runs.ts";
import { failuresOf, hasWord, removeLearner } from "./learners.ts";
import { isSecret } from "./secrets.ts";

/** All tables that have a learner in them: one that is added and not told of here is a mistake that the compiler finds. */
type OfLearner = { [T in keyof Tables]: "learner_id" extends keyof Tables[T] ? T : never }[keyof Tables];
/** Runs come one by one, with their journals. */
type Told = Exclude<OfLearner, "runs">;

const day = (timeMs: number): string => new Date(timeMs).toISOString();

/** A row as its owner is shown it. */
const shown: { readonly [T in Told]: (row: Selectable<Tables[T]>) => object } = {
  work: ({ lesson, done, changed_at }) => ({ lesson, changedAt: day(changed_at), ...(JSON.parse(done) as object) }),
  last_places: ({ place }) => ({ place }),
  presences: ({ presence, step_since, seen_at }) => {
    return { seenAt: day(seen_at), atStepSince: day(step_since), ...(JSON.parse(presence) as object) };
  },
  results: ({ lab, exam_id, step, points, hints, took_ms, passed_at }) => {
    return { lab, exam: exam_id, step, points, hints, seconds: took_ms / 1000, passedAt: day(passed_at) };
  },
  refusals: ({ lab, exam_id, reason, at }) => ({ lab, exam: exam_id, reason, at: day(at) }),
  efforts: ({ lab, step, attempts, hints, first_at, last_at }) => {
    return { lab, step, attempts, hints, firstAt: day(first_at), lastAt: day(last_at) };
  },
  messages: ({ from_teacher, text, sent_at }) => ({ from: from_teacher, text, sentAt: day(sent_at) }),
  sittings: ({ exam_id, seeds, begun_at, ends_at }) => {
    return { exam: exam_id, begunAt: day(begun_at), endsAt: day(ends_at), seeds: JSON.parse(seeds) as object };
  },
  milestones: ({ lesson, what, at }) => ({ lesson, what, at: day(at) }),
  certificates: ({ code, locale, credential, made_at, withdrawn_at }) => {
    return { code, locale, credential, madeAt: day(made_at), withdrawnAt: withdrawn_at === null ? null : day(withdrawn_at) };
  },
  lti_learners: ({ platform, subject, has_word }) => ({ platform, subject, hasWord: has_word === 1 }),
  lti_scores: ({ line_item, given, most, scored_at, sent_scored_at }) => {
    return { column: line_item, given, most, at: day(scored_at), sent: sent_scored_at === scored_at };
  },
};

/** Of an account, however often its owner asks for it. */
const copiesInAMinute = 6;
const minuteMs = 60_000;

export function ownDataRoutes(app: FastifyInstance, services: Services): void {
  const { database, sessions, failures, bus } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const rateLimit = { max: copiesInAMinute, timeWindow: minuteMs };

  api.get("/own", { config: { for: "learner", rateLimit } }, async (request, reply) => {
    const { id } = learnerOf(request);
    await audit(services, request, "data-taken", id);
    void reply.type("application/json; charset=utf-8").header("content-disposition", 'attachment; filename="pilothouse.json"');
    return reply.send(Readable.from(ownData(services, id)));
  });

  api.post("/own/end", { config: { for: "learner" }, schema: { body: ownEnd } }, async (request, reply) => {
    const { id, classId } = learnerOf(request);
    await confirm(request, request.body.word);
    // The cookie goes too, while there is still a session to end.
    await sessions.end(request, reply);
    await removeLearner(services, id);
    await audit(services, request, "learner-left", id);
    bus.tell({ class: classId, learner: id, kind: "gone" });
    return reply.header("clear-site-data", '"cache"').code(204).send();
  });

  /** Who sits at a browser that is open need not be who learns there. */
  const confirm = async (request: FastifyRequest, word: string | null): Promise<void> => {
    const { id, classId, name } = learnerOf(request);
    if (word === null) {
      if (await hasWord(services, id)) throw new Refused("wrong-password");
      if (!(await sessions.isFresh(request))) throw new Refused("over");
      return;
    }
    const who = failuresOf(classId, name);
    failures.check(who);
    const kept = database.selectFrom("learners").select("word").where("id", "=", id);
    if (await isSecret(word, found(await kept.executeTakeFirst()).word)) return failures.forget(who);
    failures.note(who);
    await audit(services, request, "word-wrong", id);
    throw new Refused("wrong-password");
  };
}

/** JSON in pieces: a run at a time is held in memory. */
async function* ownData({ database, now, keeping }: Services, learner: string): AsyncGenerator<string> {
  const { head, classId } = await headOf(database, learner);
  yield `{\n"kind": "pilothouse-learner",\n"takenAt": ${JSON.stringify(day(now()))},\n"keeping": ${JSON.stringify(keeping)},\n`;
  yield `"learner": ${JSON.stringify(head)}`;
  for (const table of Object.keys(shown) as Told[]) {
    const rows = await rowsOf(database, table, learner, classId);
    yield `,\n"${table}": ${list(rows)}`;
  }
  yield `,\n"sessions": ${list(await sessionsOf(database, learner))}`;
  yield `,\n"acts": ${list(await actsOf(database, learner))}`;
  yield ',\n"runs": [';
  const runs = await database.selectFrom("runs").select("id").where("learner_id", "=", learner).orderBy("saved_at").execute();
  let isFirst = true;
  for (const { id } of runs) {
    const run = await database.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirst();
    if (run === undefined) continue;
    yield `${isFirst ? "" : ","}\n${JSON.stringify({ exam: run.exam_id, ...(await heldRun(database, run)) })}`;
    isFirst = false;
  }
  yield "]\n}\n";
}

const list = (rows: readonly object[]): string => `[${rows.map((row) => `\n${JSON.stringify(row)}`).join(",")}]`;

async function headOf(database: Database, learner: string): Promise<{ readonly head: object; readonly classId: string }> {
  const row = found(
    await database
      .selectFrom("learners")
      .innerJoin("classes", "classes.id", "learners.class_id")
      .select(["learners.name", "classes.id as classId", "classes.name as className", "joined_at", "seen_at"])
      .where("learners.id", "=", learner)
      .executeTakeFirst(),
  );
  const { name, classId, className, joined_at, seen_at } = row;
  const head = {
    id: learner,
    name,
    class: className,
    joinedAt: day(joined_at),
    seenAt: day(seen_at),
    word: "kept as a hash (scrypt)",
  };
  return { head, classId };
}

async function rowsOf<T extends Told>(database: Database, table: T, learner: string, classId: string): Promise<readonly object[]> {
  // Messages to the class are to each of its learners.
  const isOwn =
    table === "messages"
      ? sql<boolean>`learner_id = ${learner} or (learner_id is null and class_id = ${classId})`
      : sql<boolean>`learner_id = ${learner}`;
  const { rows } = await sql<Selectable<Tables[T]>>`select * from ${sql.table(table)} where ${isOwn}`.execute(database);
  return rows.map(shown[table]);
}

async function sessionsOf(database: Database, learner: string): Promise<readonly object[]> {
  const rows = await database.selectFrom("sessions").selectAll().where("person", "=", learner).orderBy("made_at").execute();
  return rows.map(({ made_at, used_at, expires_at }) => ({ begunAt: day(made_at), usedAt: day(used_at), endsAt: day(expires_at) }));
}

/** What they did, and what was done with what is theirs; a teacher's name and address are the teacher's own. */
async function actsOf(database: Database, learner: string): Promise<readonly object[]> {
  const own = `learner ${learner}`;
  const rows = await database
    .selectFrom("audit")
    .selectAll()
    .where(({ or, eb }) =>
      or([
        eb("who", "=", own),
        eb("about", "=", learner),
        eb(sql<string>`substr(about, 1, ${learner.length + 1})`, "=", `${learner} `),
      ]),
    )
    .orderBy("at")
    .execute();
  return rows.map(({ at, who, what, about, address }) => {
    const isOwn = who === own || what === "learner-joined" || what === "learner-came-back";
    const subject = about.startsWith(learner) ? about.slice(learner.length + 1) : about;
    return { at: day(at), by: who === "" ? "" : who.split(" ")[0], what, about: subject, ...(isOwn ? { address } : {}) };
  });
}
