// Figures of a class, by lab and step: time, wrong attempts, hints, where people give up. And the same by learner, to take away.

import type { StepFigures } from "../../wire.ts";
import type { Services } from "../services.ts";
import { csvOf } from "./csv.ts";

const leftAfterMs = 3_600_000;

export async function figuresOf(
  { database, now }: Pick<Services, "database" | "now">,
  classId: string,
): Promise<readonly StepFigures[]> {
  const ofClass = database.selectFrom("learners").select("id").where("class_id", "=", classId);
  const [efforts, results, presences] = await Promise.all([
    database.selectFrom("efforts").selectAll().where("learner_id", "in", ofClass).execute(),
    database.selectFrom("results").selectAll().where("learner_id", "in", ofClass).where("exam_id", "=", "").execute(),
    database.selectFrom("learners").select(["id", "seen_at"]).where("class_id", "=", classId).execute(),
  ]);
  const seenAt = new Map(presences.map(({ id, seen_at }) => [id, seen_at]));
  const keyOf = ({ lab, step }: { readonly lab: string; readonly step: string }): string => `${lab}/${step}`;
  const effortsBy = Map.groupBy(efforts, keyOf);
  const resultsBy = Map.groupBy(results, keyOf);
  const keys = [...new Set([...effortsBy.keys(), ...resultsBy.keys()])].sort();
  return keys.map((key) => {
    const spent = effortsBy.get(key) ?? [];
    const passed = resultsBy.get(key) ?? [];
    const passers = new Set(passed.map(({ learner_id }) => learner_id));
    const reached = new Set([...passers, ...spent.map(({ learner_id }) => learner_id)]);
    const [lab = "", step = ""] = key.split("/");
    // Away from the whole course since they were last at this step.
    const hasLeft = ({ learner_id, last_at }: (typeof spent)[number]): boolean =>
      !passers.has(learner_id) &&
      now() - (seenAt.get(learner_id) ?? 0) > leftAfterMs &&
      (seenAt.get(learner_id) ?? 0) - last_at < leftAfterMs;
    return {
      lab,
      step,
      reached: reached.size,
      passed: passers.size,
      medianMs: median(passed.map(({ took_ms }) => took_ms)),
      attempts: spent.reduce((sum, { attempts }) => sum + attempts, 0),
      hints: spent.reduce((sum, { hints }) => sum + hints, 0),
      leftAt: spent.filter(hasLeft).length,
    };
  });
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : Math.round(((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2);
}

/** One line a result. */
export async function resultsCsv({ database }: Pick<Services, "database">, classId: string): Promise<string> {
  const rows = await database
    .selectFrom("results")
    .innerJoin("learners", "learners.id", "results.learner_id")
    .select([
      "learners.name",
      "results.lab",
      "results.exam_id",
      "results.step",
      "results.points",
      "results.hints",
      "results.took_ms",
      "results.passed_at",
    ])
    .where("learners.class_id", "=", classId)
    .orderBy("learners.name_key")
    .orderBy("results.passed_at")
    .execute();
  const head = ["learner", "lab", "exam", "step", "points", "hints", "seconds", "passed_at"];
  const lines = rows.map((row) => [
    row.name,
    row.lab,
    row.exam_id,
    row.step,
    row.points,
    row.hints,
    Math.round(row.took_ms / 1000),
    new Date(row.passed_at).toISOString(),
  ]);
  return csvOf([head, ...lines]);
}
