// What a class's records are taken away as: statements of xAPI.

import { Readable } from "node:stream";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { audit } from "../audit.ts";
import type { Services } from "../services.ts";
import { classOf, classParameter } from "../teaching/classes.ts";
import { recordsOfClass } from "./held-records.ts";
import { type StatementSetting, statementsOf } from "./statements.ts";

const wanted = Type.Object(
  { names: Type.Optional(Type.Union([Type.Literal("true"), Type.Literal("false")])) },
  { additionalProperties: false },
);

/** The site's address as people reach it, with a slash at its end. */
export function rootOf({ origin, base }: Services, { protocol, host }: FastifyRequest): string {
  return `${origin ?? `${protocol}://${host}`}${base}`;
}

export function recordRoutes(app: FastifyInstance, services: Services): void {
  const { database, course, now } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.get(
    "/classes/:class/statements.json",
    { config: { for: "teacher" }, schema: { params: classParameter, querystring: wanted } },
    async (request, reply) => {
      const { id: classId, name: className, locale } = await classOf(database, request.params.class);
      const names = request.query.names === "true";
      await audit(services, request, "data-exported", classId);
      const root = rootOf(services, request);
      const setting: StatementSetting = { root, classId, className, locale, outline: course[locale], names };
      void reply
        .type("application/json; charset=utf-8")
        .header("content-disposition", 'attachment; filename="statements.json"')
        .header("x-experience-api-version", "2.0.0");
      return reply.send(Readable.from(lines(setting, recordsOfClass(database, classId, now()))));
    },
  );
}

/** A JSON array, a statement a line. */
async function* lines(setting: StatementSetting, records: ReturnType<typeof recordsOfClass>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const record of records)
    for (const statement of statementsOf(setting, record)) {
      yield `${before}${JSON.stringify(statement)}`;
      before = ",\n";
    }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
