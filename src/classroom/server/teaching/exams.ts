// Exams, for teachers: a window of time, a set of labs, so many minutes from when a learner begins. What learners do in them is in
// `sittings.ts`.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { Selectable } from "kysely";
import { Type } from "typebox";
import { type Exam, type ExamResults, type ExamRow, type HeldRun, newExam } from "../../wire.ts";
import { audit } from "../audit.ts";
import { found, Refused } from "../http/refusals.ts";
import { newId } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { findRun, heldRun } from "../study/kept-runs.ts";
import { byLab } from "../study/results.ts";
import { classOf, classParameter } from "./classes.ts";
import { csvOf } from "./csv.ts";

const id = Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" });
const examOfClass = Type.Object({ class: id, exam: id });
const runOfExam = Type.Object({ class: id, exam: id, learner: id, lab: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$" }) });
const mostExams = 200;

export function shownExam({ id: exam, title, labs, opens_at, closes_at, minutes }: Selectable<Tables["exams"]>): Exam {
  return { id: exam, title, labs: JSON.parse(labs) as string[], opensAt: opens_at, closesAt: closes_at, minutes };
}

/** The exam, which is that class's. */
export async function examOf(database: Database, classId: string, exam: string): Promise<Selectable<Tables["exams"]>> {
  const row = database.selectFrom("exams").selectAll().where("id", "=", exam).where("class_id", "=", classId);
  return found(await row.executeTakeFirst());
}

export function examRoutes(app: FastifyInstance, services: Services): void {
  const { database, bus, now } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "teacher" } as const;
  const path = "/classes/:class/exams/:exam";

  api.get("/classes/:class/exams", { config, schema: { params: classParameter } }, async (request) => {
    const { class: classId } = request.params;
    await classOf(database, classId);
    return (await database.selectFrom("exams").selectAll().where("class_id", "=", classId).orderBy("opens_at").execute()).map(
      shownExam,
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
    return reply.code(201).send(shownExam(row));
  });

  api.delete(path, { config, schema: { params: examOfClass } }, async (request, reply) => {
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

  api.get(`${path}/results`, { config, schema: { params: examOfClass } }, async (request): Promise<ExamResults> => {
    const { class: classId, exam } = request.params;
    const row = await examOf(database, classId, exam);
    return { exam: shownExam(row), rows: await examRows(database, classId, exam), at: now() };
  });

  api.get(`${path}/results.csv`, { config, schema: { params: examOfClass } }, async (request, reply) => {
    const { class: classId, exam } = request.params;
    const { labs } = shownExam(await examOf(database, classId, exam));
    await audit(services, request, "data-exported", `${classId} ${exam}`);
    void reply.type("text/csv; charset=utf-8").header("content-disposition", 'attachment; filename="exam.csv"');
    return examCsv(labs, await examRows(database, classId, exam));
  });

  api.get(`${path}/learners/:learner/runs/:lab`, { config, schema: { params: runOfExam } }, async (request): Promise<HeldRun> => {
    const { class: classId, exam, learner, lab } = request.params;
    await examOf(database, classId, exam);
    const ofClass = database.selectFrom("learners").select("id").where("id", "=", learner).where("class_id", "=", classId);
    found(await ofClass.executeTakeFirst());
    const run = found(await findRun(database, learner, lab, exam));
    await audit(services, request, "run-opened", `${learner} ${lab} ${exam}`);
    return heldRun(database, run);
  });
}

async function examRows(database: Database, classId: string, exam: string): Promise<readonly ExamRow[]> {
  const [learners, sittings, results, refusals, runs] = await Promise.all([
    database.selectFrom("learners").select(["id", "name"]).where("class_id", "=", classId).orderBy("name_key").execute(),
    database.selectFrom("sittings").selectAll().where("exam_id", "=", exam).execute(),
    database.selectFrom("results").selectAll().where("exam_id", "=", exam).orderBy("passed_at").execute(),
    database.selectFrom("refusals").selectAll().where("exam_id", "=", exam).execute(),
    database.selectFrom("runs").select(["learner_id", "lab", "saved_at"]).where("exam_id", "=", exam).execute(),
  ]);
  return learners.map(({ id: learner, name }) => {
    const isOwn = ({ learner_id }: { readonly learner_id: string }): boolean => learner_id === learner;
    const sitting = sittings.find(isOwn);
    return {
      learner,
      name,
      begunAt: sitting?.begun_at ?? null,
      endsAt: sitting?.ends_at ?? null,
      results: byLab(results.filter(isOwn), refusals.filter(isOwn)),
      runs: runs.filter(isOwn).map(({ lab, saved_at: savedAt }) => ({ lab, savedAt })),
    };
  });
}

/** One line a learner: for each lab the steps that hold, and their points. */
function examCsv(labs: readonly string[], rows: readonly ExamRow[]): string {
  const moment = (timeMs: number | null): string => (timeMs === null ? "" : new Date(timeMs).toISOString());
  const head = ["learner", "begun_at", "ends_at", ...labs.flatMap((lab) => [`${lab} steps`, `${lab} points`]), "points"];
  const lines = rows.map(({ name, begunAt, endsAt, results }) => {
    const cells = labs.flatMap((lab) => {
      const result = results.find((one) => one.lab === lab);
      return [result?.steps.length ?? 0, result?.points ?? 0];
    });
    return [name, moment(begunAt), moment(endsAt), ...cells, results.reduce((sum, { points }) => sum + points, 0)];
  });
  return csvOf([head, ...lines]);
}
