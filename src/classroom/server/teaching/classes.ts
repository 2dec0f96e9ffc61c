// Classes and who is in them. All teachers of a server see all of its classes.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { type Selectable, sql } from "kysely";
import { Type } from "typebox";
import { type Class, changedClass, type HeldRun, type LearnerDetail, newClass, type Plan } from "../../wire.ts";
import { audit } from "../audit.ts";
import { teacherOf } from "../http/guard.ts";
import { found, Refused } from "../http/refusals.ts";
import { removeLearner } from "../people/learners.ts";
import { hashSecret, newCode, newId } from "../people/secrets.ts";
import { keepWithdrawn } from "../records/withdrawn.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { findRun, heldRun } from "../study/kept-runs.ts";
import { resultsOf } from "../study/results.ts";
import { workOf } from "../study/work.ts";

const id = Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" });
export const classParameter = Type.Object({ class: id });
export const learnerParameter = Type.Object({ class: id, learner: id });
const runParameter = Type.Object({ class: id, learner: id, lab: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$" }) });
const newWord = Type.Object({ word: Type.String({ minLength: 4, maxLength: 100 }) }, { additionalProperties: false });

type Row = Selectable<Tables["classes"]> & { readonly learners: number };

const withCounts = (database: Database) =>
  database
    .selectFrom("classes")
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom("learners")
        .whereRef("learners.class_id", "=", "classes.id")
        .select(({ fn }) => sql<number>`${fn.countAll()}`.as("count"))
        .as("learners"),
    );

function shown({ id: classId, name, locale, code, plan, is_open, revision, made_at, learners }: Row): Class {
  const rest = { code, plan: JSON.parse(plan) as Plan, open: is_open === 1, revision, learners: Number(learners), madeAt: made_at };
  return { id: classId, name, locale: locale as Class["locale"], ...rest };
}

export async function classOf(database: Database, classId: string): Promise<Class> {
  return shown(found((await withCounts(database).where("id", "=", classId).executeTakeFirst()) as Row | undefined));
}

/** The learner, who is in that class. */
export async function learnerIn(database: Database, classId: string, learner: string): Promise<Selectable<Tables["learners"]>> {
  const row = database.selectFrom("learners").selectAll().where("id", "=", learner).where("class_id", "=", classId);
  return found(await row.executeTakeFirst());
}

export function classRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, bus } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "teacher" } as const;

  api.get("/classes", { config }, async () => ((await withCounts(database).orderBy("made_at").execute()) as Row[]).map(shown));

  api.post("/classes", { config, schema: { body: newClass } }, async (request, reply) => {
    const { name, locale, plan = [] } = request.body;
    const by_teacher = teacherOf(request).id;
    const row = {
      id: newId(),
      name,
      locale,
      code: newCode(),
      plan: JSON.stringify(plan),
      is_open: 1,
      revision: 1,
      by_teacher,
      made_at: now(),
    };
    await database.insertInto("classes").values(row).execute();
    await audit(services, request, "class-made", row.id);
    return reply.code(201).send(shown({ ...row, learners: 0 }));
  });

  api.get("/classes/:class", { config, schema: { params: classParameter } }, (request) => classOf(database, request.params.class));

  api.put("/classes/:class", { config, schema: { params: classParameter, body: changedClass } }, async (request) => {
    const { class: classId } = request.params;
    const { revision, name, locale, plan, open } = request.body;
    const change = { name, locale, plan: JSON.stringify(plan), is_open: open ? 1 : 0, revision: revision + 1 };
    const done = await database
      .updateTable("classes")
      .set(change)
      .where("id", "=", classId)
      .where("revision", "=", revision)
      .executeTakeFirst();
    if (done.numUpdatedRows === 0n) {
      await classOf(database, classId);
      throw new Refused("changed-meanwhile");
    }
    await audit(services, request, "class-changed", classId);
    bus.tell({ class: classId, learner: null, kind: "plan" });
    return classOf(database, classId);
  });

  api.delete("/classes/:class", { config, schema: { params: classParameter } }, async (request, reply) => {
    const { class: classId } = request.params;
    await database.transaction().execute(async (change) => {
      const learners = change.selectFrom("learners").select("id").where("class_id", "=", classId);
      await change.deleteFrom("sessions").where("person", "in", learners).execute();
      const ids = (await learners.execute()).map(({ id }) => id);
      await keepWithdrawn(change, ids, { now: now(), isTakenBack: true });
      const done = await change.deleteFrom("classes").where("id", "=", classId).executeTakeFirst();
      if (done.numDeletedRows === 0n) throw new Refused("not-found");
    });
    await audit(services, request, "class-removed", classId);
    bus.tell({ class: classId, learner: null, kind: "gone" });
    return reply.code(204).send();
  });
}

export function learnerRoutes(app: FastifyInstance, services: Services): void {
  const { database, bus, sessions, costs } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "teacher" } as const;
  const path = "/classes/:class/learners/:learner";

  api.get(path, { config, schema: { params: learnerParameter } }, async (request): Promise<LearnerDetail> => {
    const learner = await learnerIn(database, request.params.class, request.params.learner);
    const runs = database.selectFrom("runs").select(["lab", "saved_at", "held"]).where("learner_id", "=", learner.id);
    const [work, results, rows] = await Promise.all([
      workOf(database, learner.id),
      resultsOf(database, learner.id),
      runs.where("exam_id", "=", "").orderBy("saved_at", "desc").execute(),
    ]);
    const held = rows.map(({ lab, saved_at, held: entries }) => ({ lab, savedAt: saved_at, entries }));
    return { id: learner.id, name: learner.name, joinedAt: learner.joined_at, seenAt: learner.seen_at, work, results, runs: held };
  });

  api.get(`${path}/runs/:lab`, { config, schema: { params: runParameter } }, async (request): Promise<HeldRun> => {
    const { class: classId, learner, lab } = request.params;
    await learnerIn(database, classId, learner);
    const run = found(await findRun(database, learner, lab));
    await audit(services, request, "run-opened", `${learner} ${lab}`);
    return heldRun(database, run);
  });

  /** For a learner who has forgotten the word: a new one, told by the teacher. */
  api.put(`${path}/word`, { config, schema: { params: learnerParameter, body: newWord } }, async (request, reply) => {
    const learner = await learnerIn(database, request.params.class, request.params.learner);
    const word = await hashSecret(request.body.word, costs.learner);
    await database.transaction().execute(async (change) => {
      await change.updateTable("learners").set({ word }).where("id", "=", learner.id).execute();
      await change.updateTable("lti_learners").set({ has_word: 1 }).where("learner_id", "=", learner.id).execute();
      await sessions.endAllOf(learner.id, change);
    });
    await audit(services, request, "word-reset", learner.id);
    return reply.code(204).send();
  });

  api.delete(path, { config, schema: { params: learnerParameter } }, async (request, reply) => {
    const learner = await learnerIn(database, request.params.class, request.params.learner);
    await removeLearner(services, learner.id);
    await audit(services, request, "learner-removed", learner.id);
    bus.tell({ class: request.params.class, learner: learner.id, kind: "gone" });
    return reply.code(204).send();
  });
}
