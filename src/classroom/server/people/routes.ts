// Coming and going: teachers by invitation, name and password; learners by their class's code, a name and a word.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Joining, joining, type Me, type Plan, teacherSignIn, teacherSignUp } from "../../wire.ts";
import { audit } from "../audit.ts";
import { learnerOf, teacherOf } from "../http/guard.ts";
import { found, Refused } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import { codeKey, hashSecret, isSecret, nameKey, newId, newToken, tokenHash } from "./secrets.ts";

const invitationMs = 7 * 86_400_000;
export const mostLearners = 500;

/** The token of a link by which one teacher comes in. */
export async function invite(
  { database, now }: Pick<Services, "database" | "now">,
  by: string | null,
): Promise<{ token: string; expiresAt: number }> {
  const token = newToken();
  const at = now();
  const expiresAt = at + invitationMs;
  const invitation = { token_hash: tokenHash(token), made_at: at, expires_at: expiresAt, by_teacher: by };
  await database.insertInto("invitations").values(invitation).execute();
  return { token, expiresAt };
}

export async function hasTeacher({ database }: Pick<Services, "database">): Promise<boolean> {
  return (await database.selectFrom("teachers").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export function peopleRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, sessions, failures, bus, costs } = services;
  const unknownPassword = hashSecret(newToken(), costs.teacher);
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.get("/me", { config: { for: "anyone" } }, async (request): Promise<Me> => {
    const { person } = request;
    if (person === undefined) return { role: "nobody", isNew: !(await hasTeacher(services)) };
    if (person.role === "teacher") return { role: "teacher", id: person.id, name: person.name };
    const { classId } = learnerOf(request);
    const own = await database.selectFrom("classes").select(["id", "name", "plan"]).where("id", "=", classId).executeTakeFirst();
    const { id, name, plan } = found(own);
    return { role: "learner", id: person.id, name: person.name, class: { id, name, plan: JSON.parse(plan) as Plan } };
  });

  api.delete("/session", { config: { for: "anyone" } }, async (request, reply) => {
    await sessions.end(request, reply);
    return reply.code(204).send();
  });

  api.post("/teachers", { config: { for: "anyone" }, schema: { body: teacherSignUp } }, async (request, reply) => {
    const { invitation, name, password } = request.body;
    const by = database.selectFrom("invitations").select("expires_at").where("token_hash", "=", tokenHash(invitation));
    const until = (await by.executeTakeFirst())?.expires_at ?? 0;
    if (until <= now()) throw new Refused("bad-invitation");
    const key = nameKey(name);
    const id = newId();
    const hash = await hashSecret(password, costs.teacher);
    await database.transaction().execute(async (change) => {
      if ((await change.selectFrom("teachers").select("id").where("name_key", "=", key).executeTakeFirst()) !== undefined)
        throw new Refused("name-taken");
      // An invitation serves once, also when two use it at the same time.
      const used = await change.deleteFrom("invitations").where("token_hash", "=", tokenHash(invitation)).executeTakeFirst();
      if (used.numDeletedRows !== 1n) throw new Refused("bad-invitation");
      await change.insertInto("teachers").values({ id, name, name_key: key, password: hash, made_at: now() }).execute();
    });
    await sessions.begin(reply, "teacher", id);
    await audit(services, request, "teacher-came", id);
    return reply.code(201).send({ role: "teacher", id, name } satisfies Me);
  });

  api.post("/session", { config: { for: "anyone" }, schema: { body: teacherSignIn } }, async (request, reply) => {
    const { name, password } = request.body;
    const key = nameKey(name);
    failures.check(`teacher ${key}`);
    const teacher = await database.selectFrom("teachers").selectAll().where("name_key", "=", key).executeTakeFirst();
    // Names that nobody has take as long.
    const isRight = await isSecret(password, teacher?.password ?? (await unknownPassword));
    if (teacher === undefined || !isRight) {
      failures.note(`teacher ${key}`);
      await audit(services, request, "sign-in-failed", key.slice(0, 60));
      throw new Refused("wrong-password");
    }
    failures.forget(`teacher ${key}`);
    await sessions.begin(reply, "teacher", teacher.id);
    await audit(services, request, "teacher-signed-in", teacher.id);
    return { role: "teacher", id: teacher.id, name: teacher.name } satisfies Me;
  });

  api.post("/invitations", { config: { for: "teacher" } }, async (request, reply) => {
    const { token, expiresAt } = await invite(services, teacherOf(request).id);
    await audit(services, request, "teacher-invited", "");
    return reply.code(201).send({ token, expiresAt });
  });

  api.post("/join", { config: { for: "anyone" }, schema: { body: joining } }, async (request, reply) => {
    const { code } = request.body;
    const found = await database.selectFrom("classes").selectAll().where("code", "=", codeKey(code)).executeTakeFirst();
    if (found === undefined) {
      failures.check(`code ${request.ip}`);
      failures.note(`code ${request.ip}`);
      throw new Refused("unknown-code");
    }
    const { id, isNew } = await comeIn(request, found, request.body);
    await sessions.begin(reply, "learner", id);
    if (isNew) bus.tell({ class: found.id, learner: id, kind: "presence" });
    const own = { id: found.id, name: found.name, plan: JSON.parse(found.plan) as Plan };
    return reply.code(isNew ? 201 : 200).send({ role: "learner", id, name: request.body.name, class: own } satisfies Me);
  });

  /** A learner of that name who knows the word comes back; a new name is taken in. */
  async function comeIn(
    request: FastifyRequest,
    { id: classId, is_open }: { readonly id: string; readonly is_open: number },
    { name, word }: Joining,
  ): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const key = nameKey(name);
    const who = `learner ${classId} ${key}`;
    failures.check(who);
    const learner = await database
      .selectFrom("learners")
      .select(["id", "word"])
      .where("class_id", "=", classId)
      .where("name_key", "=", key)
      .executeTakeFirst();
    if (learner !== undefined) {
      if (!(await isSecret(word, learner.word))) {
        failures.note(who);
        await audit(services, request, "word-wrong", learner.id);
        throw new Refused("name-taken");
      }
      failures.forget(who);
      await audit(services, request, "learner-came-back", learner.id);
      return { id: learner.id, isNew: false };
    }
    if (is_open === 0) throw new Refused("class-closed");
    const id = newId();
    const hash = await hashSecret(word, costs.learner);
    const at = now();
    const { count } = await database
      .selectFrom("learners")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("class_id", "=", classId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostLearners) throw new Refused("class-full");
    const made = await database
      .insertInto("learners")
      .values({ id, class_id: classId, name, name_key: key, word: hash, joined_at: at, seen_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // Somebody else took the name just now.
    if (made.numInsertedOrUpdatedRows !== 1n) throw new Refused("name-taken");
    await audit(services, request, "learner-joined", id);
    return { id, isNew: true };
  }
}
