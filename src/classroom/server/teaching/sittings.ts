// Exams, for learners. Each lab begins from a seed that the server draws, so that no journal fits another learner's run; help that was
// taken makes a part of a run one that is refused; what comes after the end is refused too. Whether a step was reached the server's own
// replay says, as in lessons.

import { randomInt } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { Selectable } from "kysely";
import { Type } from "typebox";
import { type HeldRun, type OwnExam, type RunHeld, runPart } from "../../wire.ts";
import { audit } from "../audit.ts";
import { learnerOf } from "../http/guard.ts";
import { found, Refused } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { addToRun, findRun, heldRun } from "../study/kept-runs.ts";
import { byLab } from "../study/results.ts";
import { mostBytes } from "../study/runs.ts";
import { examOf, shownExam } from "./exams.ts";

const id = Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" });
const examParameter = Type.Object({ exam: id });
const examRun = Type.Object({ exam: id, lab: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$" }) });
const minuteMs = 60_000;
/** What was done in time may take this long to arrive. */
const graceMs = 30_000;

type Sitting = Selectable<Tables["sittings"]>;

function shownSitting(row: Sitting | undefined): OwnExam["sitting"] {
  if (row === undefined) return null;
  return { begunAt: row.begun_at, endsAt: row.ends_at, seeds: JSON.parse(row.seeds) as Record<string, number> };
}

function sittingOf(database: Database, exam: string, learner: string): Promise<Sitting | undefined> {
  const sittings = database.selectFrom("sittings").selectAll().where("exam_id", "=", exam);
  return sittings.where("learner_id", "=", learner).executeTakeFirst();
}

/** Exams of a class with what one learner has done in them. */
async function ownExams(
  { database, now }: Services,
  learner: string,
  exams: readonly Selectable<Tables["exams"]>[],
): Promise<readonly OwnExam[]> {
  const [sittings, reached, refused] = await Promise.all([
    database.selectFrom("sittings").selectAll().where("learner_id", "=", learner).execute(),
    database.selectFrom("results").selectAll().where("learner_id", "=", learner).where("exam_id", "!=", "").execute(),
    database.selectFrom("refusals").selectAll().where("learner_id", "=", learner).where("exam_id", "!=", "").execute(),
  ]);
  const at = now();
  return exams.map((row) => {
    const isOf = ({ exam_id }: { readonly exam_id: string }): boolean => exam_id === row.id;
    const sitting = shownSitting(sittings.find(isOf));
    return { ...shownExam(row), at, sitting, results: byLab(reached.filter(isOf), refused.filter(isOf)) };
  });
}

export function sittingRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, bus } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "learner" } as const;

  api.get("/exams", { config }, async (request): Promise<readonly OwnExam[]> => {
    const { id: learner, classId } = learnerOf(request);
    const rows = await database.selectFrom("exams").selectAll().where("class_id", "=", classId).orderBy("opens_at").execute();
    return ownExams(services, learner, rows);
  });

  api.post("/exams/:exam/sitting", { config, schema: { params: examParameter } }, async (request): Promise<OwnExam> => {
    const { id: learner, classId } = learnerOf(request);
    const row = await examOf(database, classId, request.params.exam);
    const exam = shownExam(row);
    const at = now();
    // Begun in another browser: the same exam goes on.
    if ((await sittingOf(database, exam.id, learner)) === undefined) {
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
      bus.tell({ class: classId, learner, kind: "exam" });
    }
    const [own] = await ownExams(services, learner, [row]);
    return found(own);
  });
}

export function examRunRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, bus, results } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "learner" } as const;

  api.get("/exams/:exam/runs/:lab", { config, schema: { params: examRun } }, async (request): Promise<HeldRun> => {
    const { id: learner, classId } = learnerOf(request);
    const { exam, lab } = request.params;
    return heldRun(database, found(await findRun(database, learner, lab, (await examOf(database, classId, exam)).id)));
  });

  api.put(
    "/exams/:exam/runs/:lab",
    { config, bodyLimit: mostBytes, schema: { params: examRun, body: runPart } },
    async (request): Promise<RunHeld> => {
      const { id: learner, classId } = learnerOf(request);
      const { exam, lab } = request.params;
      const begun = found(await sittingOf(database, (await examOf(database, classId, exam)).id, learner));
      const { seed, hints, solutions, claims, from } = request.body;
      if (now() >= begun.ends_at + graceMs) throw new Refused("over");
      const drawn = (JSON.parse(begun.seeds) as Record<string, number>)[lab];
      if (drawn === undefined) throw new Refused("not-found");
      if (seed !== drawn) throw new Refused("forbidden", "the run does not begin from the exam's seed");
      if (Object.keys(hints).length > 0 || solutions.length > 0) throw new Refused("forbidden", "an exam has no help");
      const { held, isTakenOver } = await addToRun(services, learner, lab, exam, request.body);
      if (isTakenOver) bus.tell({ class: classId, learner, kind: "run" });
      // A teacher sees the run from its first part on.
      if (from === 0) bus.tell({ class: classId, learner, kind: "exam" });
      if (claims.length > 0) await results.look({ learner, classId, lab, exam }, claims);
      return { held };
    },
  );
}
