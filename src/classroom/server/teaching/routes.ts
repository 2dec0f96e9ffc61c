// What teachers see of a class and say to it: the board, figures, words to one or to all.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { type ClassHappening, message, type ReceivedMessage } from "../../wire.ts";
import { audit } from "../audit.ts";
import { sendEvents } from "../http/events.ts";
import { learnerOf, teacherOf } from "../http/guard.ts";
import { Refused } from "../http/refusals.ts";
import { newId } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import { boardOf } from "./board.ts";
import { classOf, classParameter } from "./classes.ts";
import { figuresOf, resultsCsv } from "./figures.ts";

/** No two boards of one page come closer than this. */
const boardEveryMs = 500;
/** Who is stuck or away is also a matter of time alone. */
const boardAtLeastMs = 15_000;
/** What happens in this time is told at once: a page asks anew after each. */
const happeningsEveryMs = 1000;
const mostMessages = 100;

export function boardRoutes(app: FastifyInstance, services: Services): void {
  const { database, bus, sessions } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { config: { for: "teacher" }, schema: { params: classParameter } } as const;

  api.get("/classes/:class/board", route, (request) => boardOf(services, request.params.class));

  api.get("/classes/:class/board/events", route, async (request, reply) => {
    const { class: classId } = request.params;
    await classOf(database, classId);
    sendEvents(request, reply, { everyMs: boardEveryMs, atLeastMs: boardAtLeastMs, log: services.log }, (changed) => ({
      event: async () => ((await sessions.goesOn(request)) ? { name: "board", data: await boardOf(services, classId) } : undefined),
      end: bus.listen(classId, changed),
    }));
  });

  /** What happened in the class since the last event; the first one says nothing but that the connection is there. */
  api.get("/classes/:class/events", route, async (request, reply) => {
    const { class: classId } = request.params;
    await classOf(database, classId);
    const told = new Map<string, ClassHappening>();
    sendEvents(request, reply, { everyMs: happeningsEveryMs, atLeastMs: boardAtLeastMs, log: services.log }, (changed) => ({
      event: async () => {
        const data = [...told.values()];
        told.clear();
        return (await sessions.goesOn(request)) ? { name: "changed", data } : undefined;
      },
      end: bus.listen(classId, ({ kind, learner }) => {
        told.set(`${kind} ${learner}`, { kind, learner });
        changed();
      }),
    }));
  });

  api.get("/classes/:class/figures", route, async (request) => {
    await classOf(database, request.params.class);
    return figuresOf(services, request.params.class);
  });

  api.get("/classes/:class/results.csv", route, async (request, reply) => {
    await classOf(database, request.params.class);
    await audit(services, request, "data-exported", request.params.class);
    void reply.type("text/csv; charset=utf-8").header("content-disposition", 'attachment; filename="results.csv"');
    return resultsCsv(services, request.params.class);
  });
}

export function messageRoutes(app: FastifyInstance, services: Services): void {
  const { database, now, bus } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.post(
    "/classes/:class/messages",
    { config: { for: "teacher" }, schema: { params: classParameter, body: message } },
    async (request, reply) => {
      const { class: class_id } = request.params;
      const { to, text } = request.body;
      await classOf(database, class_id);
      if (to !== null) {
        const learner = database.selectFrom("learners").select("id").where("id", "=", to).where("class_id", "=", class_id);
        if ((await learner.executeTakeFirst()) === undefined) throw new Refused("not-found");
      }
      const row = { id: newId(), class_id, learner_id: to, from_teacher: teacherOf(request).name, text, sent_at: now() };
      await database.insertInto("messages").values(row).execute();
      bus.tell({ class: class_id, learner: to, kind: "message" });
      return reply.code(201).send({ id: row.id });
    },
  );

  api.get("/messages", { config: { for: "learner" } }, async (request): Promise<readonly ReceivedMessage[]> => {
    const { id, classId } = learnerOf(request);
    const rows = await database
      .selectFrom("messages")
      .selectAll()
      .where("class_id", "=", classId)
      .where(({ or, eb }) => or([eb("learner_id", "is", null), eb("learner_id", "=", id)]))
      .orderBy("sent_at", "desc")
      .limit(mostMessages)
      .execute();
    return rows.reverse().map((row) => ({ id: row.id, text: row.text, from: row.from_teacher, at: row.sent_at }));
  });

  /** What happened in the class that this learner's page should ask about. */
  api.get("/events", { config: { for: "learner" } }, (request, reply) => {
    const { id, classId } = learnerOf(request);
    const kinds = new Set<string>();
    sendEvents(request, reply, { everyMs: 100, log: services.log }, (changed) => ({
      event: () => {
        const data = [...kinds].sort();
        kinds.clear();
        return Promise.resolve({ name: "changed", data });
      },
      end: bus.listen(classId, (happening) => {
        const isOwn = happening.learner === null || happening.learner === id;
        if (!isOwn || happening.kind === "presence") return;
        kinds.add(happening.kind);
        changed();
      }),
    }));
  });
}
