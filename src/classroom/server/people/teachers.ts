// Teachers: in by invitation, back by name and password.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { type Me, teacherSignIn, teacherSignUp } from "../../wire.ts";
import { audit } from "../audit.ts";
import { teacherOf } from "../http/guard.ts";
import { Refused } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import { refuseEasyPassword } from "./passwords.ts";
import { hashSecret, isOfOtherCost, isSecret, nameKey, newId, newToken, tokenHash } from "./secrets.ts";

const invitationMs = 7 * 86_400_000;

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

/** Who came by a learning platform has none: a launch is the way in. */
export async function hasPassword({ database }: Pick<Services, "database">, teacher: string): Promise<boolean> {
  const row = database.selectFrom("lti_teachers").select("teacher_id").where("teacher_id", "=", teacher);
  return (await row.executeTakeFirst()) === undefined;
}

export function teacherRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, sessions, failures, costs } = services;
  const unknownPassword = hashSecret(newToken(), costs.teacher);
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.post("/teachers", { config: { for: "anyone" }, schema: { body: teacherSignUp } }, async (request, reply) => {
    const { invitation, name, password } = request.body;
    const by = database.selectFrom("invitations").select("expires_at").where("token_hash", "=", tokenHash(invitation));
    const until = (await by.executeTakeFirst())?.expires_at ?? 0;
    if (until <= now()) throw new Refused("bad-invitation");
    refuseEasyPassword(password, name);
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
    await sessions.begin(request, reply, "teacher", id);
    await audit(services, request, "teacher-came", id);
    return reply.code(201).send({ role: "teacher", id, name, hasPassword: true } satisfies Me);
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
      // A name that nobody has may be a password in the wrong field.
      await audit(services, request, "sign-in-failed", teacher?.id ?? "");
      throw new Refused("wrong-password");
    }
    failures.forget(`teacher ${key}`);
    if (isOfOtherCost(teacher.password, costs.teacher)) {
      const hash = await hashSecret(password, costs.teacher);
      const row = database.updateTable("teachers").set({ password: hash }).where("id", "=", teacher.id);
      await row.where("password", "=", teacher.password).execute();
    }
    await sessions.begin(request, reply, "teacher", teacher.id);
    await audit(services, request, "teacher-signed-in", teacher.id);
    return { role: "teacher", id: teacher.id, name: teacher.name, hasPassword: true } satisfies Me;
  });

  api.post("/invitations", { config: { for: "teacher" } }, async (request, reply) => {
    const { token, expiresAt } = await invite(services, teacherOf(request).id);
    await audit(services, request, "teacher-invited", "");
    return reply.code(201).send({ token, expiresAt });
  });
}
