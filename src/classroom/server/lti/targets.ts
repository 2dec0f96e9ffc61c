// What a platform's link leads to: a lab with its lesson, an exam of the class, or the class. Its points are those that hold.

import { Type } from "typebox";
import { Value } from "typebox/value";
import { type CourseOutline, lessonsOf } from "../../page/outline.ts";
import type { Plan } from "../../wire.ts";
import { type Course, mostOfLab } from "../course.ts";
import type { Database } from "../storage/open.ts";

export type Target = { readonly kind: "lab" | "exam"; readonly id: string } | { readonly kind: "class" };

const written = Type.String({ pattern: "^(lab [a-z0-9][a-z0-9-]{0,79}|exam [A-Za-z0-9_-]{1,40})$" });

/** As links and the database hold it: "lab NAME", "exam ID", "". */
export function targetText(target: Target): string {
  return target.kind === "class" ? "" : `${target.kind} ${target.id}`;
}

/** What is not understood is the class. */
export function readTarget(text: string): Target {
  if (!Value.Check(written, text)) return { kind: "class" };
  const [kind = "", id = ""] = text.split(" ");
  return { kind: kind === "lab" ? "lab" : "exam", id };
}

/** Of the page that a target has, below a language's; "" for the class, whose place each learner's plan tells. */
export function placeOf(outline: CourseOutline, target: Target): string {
  if (target.kind === "exam") return "exam";
  return target.kind === "lab" ? (outline.labs[target.id]?.place ?? "") : "";
}

/** The lab of a lesson's page at that address, below the site's. */
export function targetAt(outline: CourseOutline, path: string): Target {
  const place = /^[a-z]{2}\/([a-z0-9-]+\/[a-z0-9-]+)\/?$/.exec(path)?.[1];
  const lab = Object.entries(outline.labs).find(([, one]) => place !== undefined && one.place === place)?.[0];
  return lab === undefined ? { kind: "class" } : { kind: "lab", id: lab };
}

export interface Points {
  readonly given: number;
  readonly most: number;
}

interface Holder {
  readonly database: Database;
  readonly course: Course;
}

/** Undefined where there is nothing to reach. */
export async function pointsOf(
  { database, course }: Holder,
  { classId, learner }: { readonly classId: string; readonly learner: string },
  target: Target,
): Promise<Points | undefined> {
  const scope = await scopeOf({ database, course }, classId, target);
  if (scope === undefined) return undefined;
  const most = scope.labs.reduce((sum, lab) => sum + (mostOfLab(course, lab) ?? 0), 0);
  if (most === 0) return undefined;
  const rows = await database
    .selectFrom("results")
    .select(["points"])
    .where("learner_id", "=", learner)
    .where("exam_id", "=", scope.exam)
    .where("lab", "in", [...scope.labs])
    .execute();
  return {
    given: Math.min(
      most,
      rows.reduce((sum, { points }) => sum + points, 0),
    ),
    most,
  };
}

/** Points of all steps that belong to a target. */
export async function mostOf(holder: Holder, classId: string, target: Target): Promise<number> {
  const scope = await scopeOf(holder, classId, target);
  return (scope?.labs ?? []).reduce((sum, lab) => sum + (mostOfLab(holder.course, lab) ?? 0), 0);
}

async function scopeOf(
  { database, course }: Holder,
  classId: string,
  target: Target,
): Promise<{ readonly labs: readonly string[]; readonly exam: string } | undefined> {
  if (target.kind === "lab") return { labs: [target.id], exam: "" };
  if (target.kind === "exam") {
    const exam = await database
      .selectFrom("exams")
      .select("labs")
      .where("id", "=", target.id)
      .where("class_id", "=", classId)
      .executeTakeFirst();
    return exam && { labs: JSON.parse(exam.labs) as string[], exam: target.id };
  }
  const own = await database.selectFrom("classes").select("plan").where("id", "=", classId).executeTakeFirst();
  return own && { labs: labsOfPlan(course, JSON.parse(own.plan) as Plan), exam: "" };
}

/** Labs of the lessons that the class does; without a plan those of the whole course. */
function labsOfPlan({ fr }: Course, plan: Plan): readonly string[] {
  const planned = new Set(plan.map(({ lesson }) => lesson));
  const places = new Set(
    lessonsOf(fr)
      .filter(({ slug }) => planned.size === 0 || planned.has(slug))
      .map(({ place }) => place),
  );
  return Object.entries(fr.labs)
    .filter(([, { place }]) => place !== undefined && places.has(place))
    .map(([lab]) => lab);
}
