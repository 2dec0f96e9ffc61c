// Learners: in and back by their class's code, a name and a word.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Joining, joining, type Me, type Plan } from "../../wire.ts";
import { audit } from "../audit.ts";
import { Refused } from "../http/refusals.ts";
import { keepWithdrawn } from "../records/withdrawn.ts";
import type { Services } from "../services.ts";
import { codeKey, hashSecret, isOfOtherCost, isSecret, nameKey, newId } from "./secrets.ts";

const mostLearners = 500;

/** Under which wrong words of a learner are counted. */
export const failuresOf = (classId: string, name: string): string => `learner ${classId} ${nameKey(name)}`;

/** With all that is kept of them, but for lines of the audit log. Their certificates are withdrawn with that. With `seenBefore`, by
 * age: only if they have not been seen since, and what was certified to them holds elsewhere. @returns whether the learner was there. */
export function removeLearner(
  { database, now }: Pick<Services, "database" | "now">,
  learner: string,
  seenBefore?: number,
): Promise<boolean> {
  return database.transaction().execute(async (change) => {
    await keepWithdrawn(change, [learner], { now: now(), isTakenBack: seenBefore === undefined });
    const row = change.deleteFrom("learners").where("id", "=", learner);
    const done = await (seenBefore === undefined ? row : row.where("seen_at", "<", seenBefore)).executeTakeFirst();
    if (done.numDeletedRows === 0n) return false;
    await change.deleteFrom("sessions").where("person", "=", learner).execute();
    return true;
  });
}

/** Who came by a learning platform has no word, until a teacher tells one. */
export async function hasWord({ database }: Pick<Services, "database">, learner: string): Promise<boolean> {
  const row = database.selectFrom("lti_learners").select("has_word").where("learner_id", "=", learner);
  return (await row.executeTakeFirst())?.has_word !== 0;
}

export function joinRoute(app: FastifyInstance, services: Services): void {
  const { database, sessions, failures, bus } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.post("/join", { config: { for: "anyone" }, schema: { body: joining } }, async (request, reply) => {
    const { code } = request.body;
    const found = await database.selectFrom("classes").selectAll().where("code", "=", codeKey(code)).executeTakeFirst();
    if (found === undefined) {
      failures.check(`code ${request.ip}`);
      failures.note(`code ${request.ip}`);
      throw new Refused("unknown-code");
    }
    const { id, isNew } = await comeIn(services, request, found, request.body);
    await sessions.begin(request, reply, "learner", id);
    if (isNew) bus.tell({ class: found.id, learner: id, kind: "presence" });
    const own = { id: found.id, name: found.name, plan: JSON.parse(found.plan) as Plan };
    return reply
      .code(isNew ? 201 : 200)
      .send({ role: "learner", id, name: request.body.name, hasWord: true, class: own } satisfies Me);
  });
}

/** A learner of that name who knows the word comes back; a new name is taken in. */
async function comeIn(
  services: Services,
  request: FastifyRequest,
  { id: classId, is_open }: { readonly id: string; readonly is_open: number },
  { name, word }: Joining,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { database, failures, costs } = services;
  const key = nameKey(name);
  const who = failuresOf(classId, name);
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
    if (isOfOtherCost(learner.word, costs.learner)) {
      const hash = await hashSecret(word, costs.learner);
      const row = database.updateTable("learners").set({ word: hash }).where("id", "=", learner.id);
      await row.where("word", "=", learner.word).execute();
    }
    await audit(services, request, "learner-came-back", learner.id);
    return { id: learner.id, isNew: false };
  }
  if (is_open === 0) throw new Refused("class-closed");
  const id = await takeIn(services, classId, name, word);
  await audit(services, request, "learner-joined", id);
  return { id, isNew: true };
}

/** Refuses a name that somebody has, and a class that is full. @returns the new learner's id. */
export async function takeIn({ database, now, costs }: Services, classId: string, name: string, secret: string): Promise<string> {
  const word = await hashSecret(secret, costs.learner);
  const at = now();
  const { count } = await database
    .selectFrom("learners")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("class_id", "=", classId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostLearners) throw new Refused("class-full");
  const learner = { id: newId(), class_id: classId, name, name_key: nameKey(name), word, joined_at: at, seen_at: at };
  const made = await database
    .insertInto("learners")
    .values(learner)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // Somebody else took the name just now.
  if (made.numInsertedOrUpdatedRows !== 1n) throw new Refused("name-taken");
  return learner.id;
}
