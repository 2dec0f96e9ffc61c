// Certificates: made by a teacher of what holds, found by the learner, withdrawn by a teacher.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Locale } from "../../../i18n/locales.ts";
import { type CertificateRow, type HeldCertificate, newCertificate } from "../../wire.ts";
import { audit } from "../audit.ts";
import { mostOfLab } from "../course.ts";
import { learnerOf, teacherOf } from "../http/guard.ts";
import { Refused } from "../http/refusals.ts";
import { newCode } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";
import { classOf, classParameter, learnerIn, learnerParameter } from "../teaching/classes.ts";
import { type CertificateItem, credentialOf } from "./credential.ts";
import { recordOf, recordsOfClass } from "./held-records.ts";
import { rootOf } from "./routes.ts";
import type { LearnerRecord } from "./statements.ts";

const certificateParameter = Type.Object({
  ...learnerParameter.properties,
  code: Type.String({ pattern: "^[A-Z0-9-]{1,20}$" }),
});
const mostCertificates = 50;

export function certificateRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, keys } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "teacher" } as const;

  api.get("/classes/:class/certificates", { config, schema: { params: classParameter } }, async (request) => {
    const { class: classId } = request.params;
    await classOf(database, classId);
    const rows: CertificateRow[] = [];
    for await (const record of recordsOfClass(database, classId, now())) rows.push(await rowOf(database, record));
    return rows.sort((a, b) => a.name.localeCompare(b.name));
  });

  const path = "/classes/:class/learners/:learner/certificates";
  api.post(path, { config, schema: { params: learnerParameter, body: newCertificate } }, async (request, reply) => {
    const { id, name } = await learnerIn(database, request.params.class, request.params.learner);
    const { locale } = request.body;
    const items = itemsOf(services, await recordOf(database, { id, name }, now()), request.body);
    const held = await heldBy(database, id);
    if (held.length >= mostCertificates) throw new Refused("too-large");
    const code = newCode("certificate");
    const madeAt = now();
    const root = rootOf(services, request);
    const school = services.school ?? new URL(root).hostname;
    const payload = credentialOf({ root, code, school, learner: name, locale, madeAt, items });
    const credential = await keys.sign("certificates", payload, (key) => `${root}api/keys/${key}`);
    const row = {
      code,
      learner_id: id,
      locale,
      credential,
      made_at: madeAt,
      by_teacher: teacherOf(request).id,
      withdrawn_at: null,
    };
    await database.insertInto("certificates").values(row).execute();
    await audit(services, request, "certificate-made", `${id} ${code}`);
    return reply.code(201).send({ code, locale, madeAt, withdrawnAt: null } satisfies HeldCertificate);
  });

  /** It stays what it is, and whoever checks it is told that it was withdrawn. */
  api.delete(`${path}/:code`, { config, schema: { params: certificateParameter } }, async (request, reply) => {
    const { class: classId, learner, code } = request.params;
    await learnerIn(database, classId, learner);
    const row = database.updateTable("certificates").set({ withdrawn_at: now() }).where("withdrawn_at", "is", null);
    const done = await row.where("code", "=", code).where("learner_id", "=", learner).executeTakeFirst();
    if (done.numUpdatedRows === 0n) throw new Refused("not-found");
    await audit(services, request, "certificate-withdrawn", `${learner} ${code}`);
    return reply.code(204).send();
  });

  api.get("/certificates", { config: { for: "learner" } }, (request) => heldBy(database, learnerOf(request).id));
}

async function heldBy(database: Database, learner: string): Promise<readonly HeldCertificate[]> {
  const rows = await database
    .selectFrom("certificates")
    .select(["code", "locale", "made_at", "withdrawn_at"])
    .where("learner_id", "=", learner)
    .orderBy("made_at", "desc")
    .execute();
  return rows.map((row) => ({
    code: row.code,
    locale: row.locale as Locale,
    madeAt: row.made_at,
    withdrawnAt: row.withdrawn_at,
  }));
}

async function rowOf(database: Database, record: LearnerRecord): Promise<CertificateRow> {
  const labs = Map.groupBy(
    record.results.filter(({ exam }) => exam === ""),
    ({ lab }) => lab,
  );
  const sum = (rows: LearnerRecord["results"]): number => rows.reduce((total, { points }) => total + points, 0);
  return {
    learner: record.id,
    name: record.name,
    labs: [...labs].map(([lab, rows]) => ({ lab, points: sum(rows) })),
    exams: record.sittings
      .filter(({ isOver }) => isOver)
      .map(({ exam, title }) => ({ id: exam, title, points: sum(record.results.filter((row) => row.exam === exam)) })),
    certificates: await heldBy(database, record.id),
  };
}

/** What of that holds; anything else is refused. */
function itemsOf(
  { course }: Services,
  record: LearnerRecord,
  { locale, labs, exams }: { readonly locale: Locale; readonly labs: readonly string[]; readonly exams: readonly string[] },
): readonly CertificateItem[] {
  if (labs.length + exams.length === 0) throw new Refused("bad-request", "body must name a lab or an exam");
  const ofLabs = labs.map((lab): CertificateItem => {
    const rows = record.results.filter((row) => row.exam === "" && row.lab === lab);
    if (rows.length === 0) throw new Refused("bad-request", `body/labs: nothing of ${lab} holds`);
    const times = rows.map(({ passedAt }) => passedAt);
    return {
      kind: "lab",
      id: lab,
      title: course[locale].labs[lab]?.title ?? lab,
      points: rows.reduce((sum, { points }) => sum + points, 0),
      most: mostOfLab(course, lab),
      from: Math.min(...times),
      until: Math.max(...times),
    };
  });
  const ofExams = exams.map((id): CertificateItem => {
    const sitting = record.sittings.find(({ exam, isOver }) => exam === id && isOver);
    if (sitting === undefined) throw new Refused("bad-request", `body/exams: ${id} was not sat, or is not over`);
    const mosts = sitting.labs.map((lab) => mostOfLab(course, lab));
    return {
      kind: "exam",
      id,
      title: sitting.title,
      points: record.results.filter(({ exam }) => exam === id).reduce((sum, { points }) => sum + points, 0),
      most: mosts.some((one) => one === undefined) ? undefined : mosts.reduce((sum: number, one) => sum + (one ?? 0), 0),
      from: sitting.begunAt,
      until: sitting.endsAt,
    };
  });
  return [...ofLabs, ...ofExams];
}
