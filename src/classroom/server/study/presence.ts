// Where a learner is, as their page tells it every now and then; and what they spend at each step, for the figures.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { type Presence, presence } from "../../wire.ts";
import { learnerOf } from "../http/guard.ts";
import type { Services } from "../services.ts";
import { resultsOf } from "./results.ts";

export function presenceRoutes(app: FastifyInstance, { database, now, bus }: Services): void {
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.get("/results", { config: { for: "learner" } }, (request) => resultsOf(database, learnerOf(request).id));

  api.put("/presence", { config: { for: "learner" }, schema: { body: presence } }, async (request, reply) => {
    const { id, classId } = learnerOf(request);
    const given = request.body;
    const at = now();
    await database.transaction().execute(async (change) => {
      await change.updateTable("learners").set({ seen_at: at }).where("id", "=", id).execute();
      const kept = await change
        .selectFrom("presences")
        .select(["presence", "step_since"])
        .where("learner_id", "=", id)
        .executeTakeFirst();
      const step_since = kept !== undefined && isSameStep(JSON.parse(kept.presence) as Presence, given) ? kept.step_since : at;
      const row = { presence: JSON.stringify(given), step_since, seen_at: at };
      await change
        .insertInto("presences")
        .values({ learner_id: id, class_id: classId, ...row })
        .onConflict((conflict) => conflict.column("learner_id").doUpdateSet(row))
        .execute();
      const { lab, step, attempts, hints } = given;
      if (lab === null || step === null) return;
      const spent = { attempts, hints, last_at: at };
      await change
        .insertInto("efforts")
        .values({ learner_id: id, lab, step, first_at: at, ...spent })
        // A lab that is begun again counts from nothing; what was spent stays spent.
        .onConflict((conflict) =>
          conflict.columns(["learner_id", "lab", "step"]).doUpdateSet(({ ref, eb }) => ({
            last_at: at,
            attempts: eb.case().when("efforts.attempts", ">", attempts).then(ref("efforts.attempts")).else(attempts).end(),
            hints: eb.case().when("efforts.hints", ">", hints).then(ref("efforts.hints")).else(hints).end(),
          })),
        )
        .execute();
    });
    bus.tell({ class: classId, learner: id, kind: "presence" });
    return reply.code(204).send();
  });
}

function isSameStep(a: Presence, b: Presence): boolean {
  return a.lab === b.lab && a.step === b.step && a.place === b.place;
}
