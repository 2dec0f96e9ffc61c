// A teacher's own account: the password, and the browsers in which they are signed in; and the end of another teacher's.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { passwordChange, sessionsEnd, type TeacherAccount, teacherEnd } from "../../wire.ts";
import { audit } from "../audit.ts";
import { teacherOf } from "../http/guard.ts";
import { Refused } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import { refuseEasyPassword } from "./passwords.ts";
import { hashSecret, isSecret, nameKey } from "./secrets.ts";
import { hasPassword } from "./teachers.ts";

const teacherParameter = Type.Object({ teacher: Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" }) });

export function accountRoutes(app: FastifyInstance, services: Services): void {
  const { database, sessions, failures, costs } = services;
  const remove = removal(services);
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "teacher" } as const;

  /** Who knows a session's cookie must know the password too, or have come from the learning platform just now where there is none. */
  const confirm = async (request: FastifyRequest, password: string | null): Promise<void> => {
    if (password !== null) {
      await checkPassword(request, password);
      return;
    }
    if (await hasPassword(services, teacherOf(request).id)) throw new Refused("wrong-password");
    if (!(await sessions.isFresh(request))) throw new Refused("over");
  };

  /** @returns the hash that is kept of it. */
  const checkPassword = async (request: FastifyRequest, password: string): Promise<string> => {
    const { id, name } = teacherOf(request);
    const key = `teacher ${nameKey(name)}`;
    failures.check(key);
    const { password: kept } = await database
      .selectFrom("teachers")
      .select("password")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (!(await isSecret(password, kept))) {
      failures.note(key);
      await audit(services, request, "sign-in-failed", id);
      throw new Refused("wrong-password");
    }
    failures.forget(key);
    return kept;
  };

  api.put("/password", { config, schema: { body: passwordChange } }, async (request, reply) => {
    const { old, password } = request.body;
    const { id, name } = teacherOf(request);
    if (!(await hasPassword(services, id))) throw new Refused("forbidden", "the account has no password");
    const kept = await checkPassword(request, old);
    refuseEasyPassword(password, name);
    const hash = await hashSecret(password, costs.teacher);
    await database.transaction().execute(async (change) => {
      const of = change.updateTable("teachers").set({ password: hash }).where("id", "=", id).where("password", "=", kept);
      if ((await of.executeTakeFirst()).numUpdatedRows !== 1n) throw new Refused("changed-meanwhile");
      await sessions.endAllOf(id, change);
    });
    await sessions.begin(request, reply, "teacher", id);
    await audit(services, request, "password-changed", id);
    return reply.code(204).send();
  });

  api.get("/sessions", { config }, (request) => sessions.list(request, teacherOf(request)));

  api.post("/sessions/end", { config, schema: { body: sessionsEnd } }, async (request, reply) => {
    const { password, session } = request.body;
    const { id } = teacherOf(request);
    await confirm(request, password);
    const ended = await sessions.endOthers(request, id, session);
    if (session !== null && ended === 0) throw new Refused("not-found");
    await audit(services, request, "sessions-ended", String(ended));
    return reply.code(204).send();
  });

  api.get("/teachers", { config }, async (request): Promise<readonly TeacherAccount[]> => {
    const own = teacherOf(request).id;
    const rows = await database.selectFrom("teachers").select(["id", "name", "made_at"]).orderBy("made_at").orderBy("id").execute();
    return rows.map(({ id, name, made_at }) => ({ id, name, madeAt: made_at, isThis: id === own }));
  });

  api.post("/teachers/:teacher/end", { config, schema: { params: teacherParameter, body: teacherEnd } }, async (request, reply) => {
    const { teacher } = request.params;
    const { id } = teacherOf(request);
    await confirm(request, request.body.password);
    // Who asks stays: so there is always one.
    if (teacher === id) throw new Refused("forbidden", "another teacher ends this account");
    await remove(id, teacher);
    await audit(services, request, "teacher-removed", teacher);
    return reply.code(204).send();
  });
}

/** Ends an account with its sessions and invitations; its classes become those of who ends it. */
function removal({ database, sessions }: Pick<Services, "database" | "sessions">): (by: string, teacher: string) => Promise<void> {
  return (by, teacher) =>
    database.transaction().execute(async (change) => {
      // Both are held first: of two teachers who end each other's account, the second is gone by then.
      const both = change.updateTable("teachers").set(({ ref }) => ({ name: ref("name") }));
      await both.where("id", "in", [by, teacher]).execute();
      if ((await change.selectFrom("teachers").select("id").where("id", "=", by).executeTakeFirst()) === undefined)
        throw new Refused("not-signed-in");
      await change.updateTable("classes").set({ by_teacher: by }).where("by_teacher", "=", teacher).execute();
      const done = await change.deleteFrom("teachers").where("id", "=", teacher).executeTakeFirst();
      if (done.numDeletedRows === 0n) throw new Refused("not-found");
      await sessions.endAllOf(teacher, change);
    });
}
