// Who is asking, and leaving.

import type { FastifyInstance } from "fastify";
import type { Me, Plan } from "../../wire.ts";
import { learnerOf } from "../http/guard.ts";
import { found } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import { hasWord } from "./learners.ts";
import { hasPassword, hasTeacher } from "./teachers.ts";

export function sessionRoutes(app: FastifyInstance, services: Services): void {
  const { database, sessions } = services;

  app.get("/me", { config: { for: "anyone" } }, async (request): Promise<Me> => {
    const { person } = request;
    if (person === undefined) return { role: "nobody", isNew: !(await hasTeacher(services)) };
    if (person.role === "teacher") {
      const { id, name } = person;
      return { role: "teacher", id, name, hasPassword: await hasPassword(services, id) };
    }
    const { classId } = learnerOf(request);
    const own = await database.selectFrom("classes").select(["id", "name", "plan"]).where("id", "=", classId).executeTakeFirst();
    const { id, name, plan } = found(own);
    const known = { id: person.id, name: person.name, hasWord: await hasWord(services, person.id) };
    return { role: "learner", ...known, class: { id, name, plan: JSON.parse(plan) as Plan } };
  });

  app.delete("/session", { config: { for: "anyone" } }, async (request, reply) => {
    await sessions.end(request, reply);
    // Pages that the browser would show again on its way back; what it holds of the course is the reader's.
    return reply.header("clear-site-data", '"cache"').code(204).send();
  });
}
