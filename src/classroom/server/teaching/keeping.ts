// When what goes by itself, told to the teacher of a class.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { ClassKeeping } from "../../wire.ts";
import type { Services } from "../services.ts";
import { dayMs } from "../storage/deletion-by-age.ts";
import { classOf, classParameter } from "./classes.ts";

export function keepingRoutes(app: FastifyInstance, { database, keeping }: Services): void {
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { config: { for: "teacher" }, schema: { params: classParameter } } as const;

  api.get("/classes/:class/keeping", route, async (request): Promise<ClassKeeping> => {
    const { class: classId } = request.params;
    await classOf(database, classId);
    const learners = database.selectFrom("learners").where("class_id", "=", classId);
    const [run, learner] = await Promise.all([
      database
        .selectFrom("runs")
        .select(({ fn }) => fn.min("saved_at").as("at"))
        .where("learner_id", "in", learners.select("id"))
        .executeTakeFirst(),
      learners.select(({ fn }) => fn.min("seen_at").as("at")).executeTakeFirst(),
    ]);
    const after = (at: number | null | undefined, days: number | null): number | null =>
      typeof at !== "number" || days === null ? null : at + days * dayMs;
    return { ...keeping, nextRunAt: after(run?.at, keeping.runsDays), nextLearnerAt: after(learner?.at, keeping.learnersDays) };
  });
}
