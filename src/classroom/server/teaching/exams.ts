// Exams: a window of time, a set of labs, so many minutes from when a learner begins. Each lab begins from a seed that the server draws, so
// that no journal fits another learner's; help that was taken makes a part of a run one that is refused; what comes after the end is refused
// too. Whether a step was reached the server's own replay says, as in lessons.

import { randomInt } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { Selectable } from "kysely";
import { Type } from "typebox";
import { type Exam, type ExamRow, newExam, type OwnExam, type RunHeld, runPart } from "../../wire.ts";
import { audit } from "../audit.ts";
import { learnerOf } from "../http/guard.ts";
import { found, Refused } from "../http/refusals.ts";
import { newId } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { addToRun } from "../study/kept-runs.ts";
import { mostBytes } from "../study/runs.ts";
import { classOf, classParameter } from "./classes.ts";

const id = Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" });
const examParameter = Type.Object({ exam: id });
const examOfClass = Type.Object({ class: id, exam: id });
const examRun = Type.Object({ exam: id, lab: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$" }) });
const minuteMs = 60_000;
/** What was done in time may take this long to arrive. */
const graceMs = 30_000;
const mostExams = 200;

function shown({ id: exam, title, labs, opens_at, closes_at, minutes }: Selectable<Tables["exams"]>): Exam {
  return { id: exam, title, labs: JSON.parse(labs) as string[], opensAt: opens_at, closesAt: closes_at, minutes };
}

function sittingOf(row: Selectable<Tables["sittings"]> | undefined): OwnExam["sitting"] {
  if (row === undefined) return null;
  return { begunAt: row.begun_at, endsAt: row.ends_at, seeds: JSON.parse(row.seeds) as Record<string, number> };
}

export function examRoutes(app: FastifyInstance, services: Services): void {
  const { database, bus } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "teacher" } as const;

  api.get("/classes/:class/exams", { config, schema: { params: classParameter } }, async (request) => {
    const { class: classId } = request.params;
    await classOf(database, classId);
    return (await database.selectFrom("exams").selectAll().where("class_id", "=", classId).orderBy("opens_at").execute()).map(
      shown,
    );
  });

  api.post("/classes/:class/exams", { config, schema: { params: classParameter, body: newExam } }, async (request, reply) => {
    const { class: class_id } = request.params;
    const { title, labs, opensAt, closesAt, minutes } = request.body;
    await classOf(database, class_id);
    if (closesAt <= opensAt) throw new Refused("bad-request", "body/closesAt must be after opensAt");
    const others = database.selectFrom("exams").select(({ fn }) => fn.countAll<number>().as("count"));
    const { count } = await others.where("class_id", "=", class_id).executeTakeFirstOrThrow();
    if (Number(count) >= mostExams) throw new Refused("too-large");
    const row = { id: newId(), class_id, title, labs: JSON.stringify(labs), opens_at: opensAt, closes_at: closesAt, minutes };
    await database.insertInto("exams").values(row).execute();
    await audit(services, request, "exam-made", row.id);
    bus.tell({ class: class_id, learner: null, kind: "exam" });
    return reply.code(201).send(shown(row));
  });

  api.delete("/classes/:class/exams/:exam", { config, schema: { params: examOfClass } }, async (request, reply) => {
    const { class: classId, exam } = request.params;
    await database.transaction().execute(async (change) => {
      const done = await change.deleteFrom("exams").where("id", "=", exam).where("class_id", "=", classId).executeTakeFirst();
      if (done.numDeletedRows === 0n) throw new Refused("not-found");
      for (const table of ["runs", "results", "refusals"] as const)
        await change.deleteFrom(table).where("exam_id", "=", exam).execute();
    });
    await audit(services, request, "exam-removed", exam);
    bus.tell({ class: classId, learner: null, kind: "exam" });
    return reply.code(204).send();
  });

  api.get("/classes/:class/exams/:exam/results", { config, schema: { params: examOfClass } }, async (request) => {
    const { class: classId, exam } = request.params;
    const own = database.selectFrom("exams").select("id").where("id", "=", exam).where("class_id", "=", classId);
    found(await own.executeTakeFirst());
    return examRows(database, classId, exam);
  });
}

async function examRows(database: Database, classId: string, exam: string): Promise<readonly ExamRow[]> {
  const [learners, sittings, results] = await Promise.all([
    database.selectFrom("learners").select(["id", "name"]).where("class_id", "=", classId).orderBy("name_key").execute(),
    database.selectFrom("sittings").selectAll().where("exam_id", "=", exam).execute(),
    database.selectFrom("results").selectAll().where("exam_id", "=", exam).orderBy("passed_at").execute(),
  ]);
  return learners.map(({ id: learner, name }) => {
    const sitting = sittings.find(({ learner_id }) => learner_id === learner);
    const byLab = Map.groupBy(
      results.filter(({ learner_id }) => learner_id === learner),
      ({ lab }) => lab,
    );
    const own = [...byLab].map(([lab, rows]) => ({
      lab,
      steps: rows.map(({ step, passed_at, hints }) => ({ id: step, passedAt: passed_at, hints })),
      points: rows.reduce((sum, { points }) => sum + points, 0),
    }));
    return { learner, name, begunAt: sitting?.begun_at ?? null, endsAt: sitting?.ends_at ?? null, results: own };
  });
}

export function sittingRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, results } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "learner" } as const;

  const examFor = async (classId: string, exam: string): Promise<Selectable<Tables["exams"]>> =>
    found(await database.selectFrom("exams").selectAll().where("id", "=", exam).where("class_id", "=", classId).executeTakeFirst());
  const sitting = (exam: string, learner: string): Promise<Selectable<Tables["sittings"]> | undefined> =>
    database.selectFrom("sittings").selectAll().where("exam_id", "=", exam).where("learner_id", "=", learner).executeTakeFirst();

  api.get("/exams", { config }, async (request): Promise<readonly OwnExam[]> => {
    const { id: learner, classId } = learnerOf(request);
    const [exams, own] = await Promise.all([
      database.selectFrom("exams").selectAll().where("class_id", "=", classId).orderBy("opens_at").execute(),
      database.selectFrom("sittings").selectAll().where("learner_id", "=", learner).execute(),
    ]);
    return exams.map((row) => ({ ...shown(row), sitting: sittingOf(own.find(({ exam_id }) => exam_id === row.id)) }));
  });

  api.post("/exams/:exam/sitting", { config, schema: { params: examParameter } }, async (request): Promise<OwnExam> => {
    const { id: learner, classId } = learnerOf(request);
    const row = await examFor(classId, request.params.exam);
    const exam = shown(row);
    const begun = await sitting(exam.id, learner);
    // Begun in another browser: the same exam goes on.
    if (begun !== undefined) return { ...exam, sitting: sittingOf(begun) };
    const at = now();
    if (at < exam.opensAt) throw new Refused("not-open");
    if (at >= exam.closesAt) throw new Refused("over");
    const seeds = Object.fromEntries(exam.labs.map((lab) => [lab, randomInt(2 ** 32)]));
    const made = {
      exam_id: exam.id,
      learner_id: learner,
      seeds: JSON.stringify(seeds),
      begun_at: at,
      ends_at: Math.min(at + exam.minutes * minuteMs, exam.closesAt),
    };
    await database
      .insertInto("sittings")
      .values(made)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await audit(services, request, "exam-begun", exam.id);
    return { ...exam, sitting: sittingOf(await sitting(exam.id, learner)) };
  });

  api.put(
    "/exams/:exam/runs/:lab",
    { config, bodyLimit: mostBytes, schema: { params: examRun, body: runPart } },
    async (request): Promise<RunHeld> => {
      const { id: learner, classId } = learnerOf(request);
      const { exam, lab } = request.params;
      const begun = found(await sitting((await examFor(classId, exam)).id, learner));
      const { seed, hints, solutions, claims } = request.body;
      if (now() >= begun.ends_at + graceMs) throw new Refused("over");
      const drawn = (JSON.parse(begun.seeds) as Record<string, number>)[lab];
      if (drawn === undefined) throw new Refused("not-found");
      if (seed !== drawn) throw new Refused("forbidden", "the run does not begin from the exam's seed");
      if (Object.keys(hints).length > 0 || solutions.length > 0) throw new Refused("forbidden", "an exam has no help");
      const held = await addToRun(services, learner, lab, exam, request.body);
      if (claims.length > 0) await results.look({ learner, classId, lab, exam }, claims);
      return { held };
    },
  );
}
