// A teacher's own account: the password, and the browsers in which they are signed in.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { passwordChange, sessionsEnd } from "../../wire.ts";
import { audit } from "../audit.ts";
import { teacherOf } from "../http/guard.ts";
import { Refused } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import { refuseEasyPassword } from "./passwords.ts";
import { hashSecret, isSecret, nameKey } from "./secrets.ts";

export function accountRoutes(app: FastifyInstance, services: Services): void {
  const { database, sessions, failures, costs } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { for: "teacher" } as const;

  /** Who knows a session's cookie must know the password too. @returns the hash that is kept of it. */
  const confirm = async (request: FastifyRequest, password: string): Promise<string> => {
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
    const kept = await confirm(request, old);
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
}
