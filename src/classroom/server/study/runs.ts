// A learner's runs of labs. A page sends what was added since it last did; the newest run of each lab is kept. When the
// page says that a step has passed, the server looks for itself.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { Selectable } from "kysely";
import { Type } from "typebox";
import { type HeldRun, type RunHeld, type RunPart, runPart } from "../../wire.ts";
import { learnerOf } from "../http/guard.ts";
import { found, Refused } from "../http/refusals.ts";
import { newId } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { entriesOf, putEntries } from "./pieces.ts";

export const labParameter = Type.Object({ lab: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$" }) });
const mostEntries = 200_000;
/** Of a part: long pastes into the editor included. */
const mostBytes = 4 * 1024 * 1024;

export type Run = Selectable<Tables["runs"]>;

export async function heldRun(database: Database, run: Run): Promise<HeldRun> {
  const entries = await entriesOf(database, run.id);
  const { lab, seed, start_ms: startMs, now_ms: nowMs, format, world, saved_at: savedAt } = run;
  const help = { hints: JSON.parse(run.hints) as RunPart["hints"], solutions: JSON.parse(run.solutions) as RunPart["solutions"] };
  return { lab, run: { seed, startMs, nowMs, format, world, entries, ...help }, savedAt };
}

export async function findRun(database: Database, learner: string, lab: string, exam = ""): Promise<Run | undefined> {
  const runs = database.selectFrom("runs").selectAll().where("learner_id", "=", learner);
  return runs.where("lab", "=", lab).where("exam_id", "=", exam).executeTakeFirst();
}

/** @returns how many entries are held now; a refusal `gap` when some are missing before `from`. */
export async function addToRun(
  { database, now }: Services,
  learner: string,
  lab: string,
  exam: string,
  part: RunPart,
): Promise<number> {
  const { seed, startMs, nowMs, format, world, from, entries, hints, solutions } = part;
  const held = from + entries.length;
  if (held > mostEntries) throw new Refused("too-large");
  return database.transaction().execute(async (change) => {
    // Parts of one learner one after the other.
    await change.updateTable("learners").set({ seen_at: now() }).where("id", "=", learner).execute();
    const kept = await change
      .selectFrom("runs")
      .select(["id", "seed", "start_ms", "held"])
      .where("learner_id", "=", learner)
      .where("lab", "=", lab)
      .where("exam_id", "=", exam)
      .executeTakeFirst();
    const isSame = kept?.seed === seed && kept.start_ms === startMs;
    if (from > (isSame ? kept.held : 0)) throw new Refused("gap", String(isSame ? kept.held : 0));
    const state = { seed, start_ms: startMs, now_ms: nowMs, format, world, held, saved_at: now() };
    const help = { hints: JSON.stringify(hints), solutions: JSON.stringify(solutions) };
    const id = kept?.id ?? newId();
    if (kept === undefined) {
      const run = { id, learner_id: learner, lab, exam_id: exam, ...state, ...help };
      await change.insertInto("runs").values(run).execute();
    } else
      await change
        .updateTable("runs")
        .set({ ...state, ...help })
        .where("id", "=", id)
        .execute();
    if (!isSame) await change.deleteFrom("run_pieces").where("run_id", "=", id).execute();
    await putEntries(change, id, from, entries);
    return held;
  });
}

export function runRoutes(app: FastifyInstance, services: Services): void {
  const { database, results } = services;
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
      const held = await addToRun(services, id, lab, "", request.body);
      if (request.body.claims.length > 0) await results.look({ learner: id, classId, lab, exam: "" }, request.body.claims);
      return { held };
    },
  );
}
