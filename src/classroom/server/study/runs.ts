// What a learner's page sends of a run: what was added since it last did. When it says that a step has passed, the server
// looks for itself.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type RunHeld, runPart } from "../../wire.ts";
import { learnerOf } from "../http/guard.ts";
import { found } from "../http/refusals.ts";
import type { Services } from "../services.ts";
import { addToRun, findRun, heldRun } from "./kept-runs.ts";

const labParameter = Type.Object({ lab: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$" }) });
/** Of a part: long pastes into the editor included. */
export const mostBytes = 4 * 1024 * 1024;

export function runRoutes(app: FastifyInstance, services: Services): void {
  const { database, bus, results } = services;
  const api = app.withTypeProvider<TypeBoxTypeProvider>();

  api.get("/runs/:lab", { config: { for: "learner" }, schema: { params: labParameter } }, async (request) =>
    heldRun(database, found(await findRun(database, learnerOf(request).id, request.params.lab))),
  );

  api.put(
    "/runs/:lab",
    { config: { for: "learner" }, bodyLimit: mostBytes, schema: { params: labParameter, body: runPart } },
    async (request): Promise<RunHeld> => {
      const { id, classId } = learnerOf(request);
      const { lab } = request.params;
      const { held, isTakenOver } = await addToRun(services, id, lab, "", request.body);
      if (isTakenOver) bus.tell({ class: classId, learner: id, kind: "run" });
      if (request.body.claims.length > 0) await results.look({ learner: id, classId, lab, exam: "" }, request.body.claims);
      return { held };
    },
  );
}
