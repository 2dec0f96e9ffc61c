// A planned lesson in words: its title, and when it is open.

import type { Plan } from "../../wire.ts";
import { labTitle, lessonAt, lessonsOf } from "../outline.ts";
import type { Room } from "./room.ts";
import { momentText } from "./times.ts";

/** A capstone is said to be one. */
export function plannedTitle({ outline, t }: Room, slug: string): string {
  const lesson = lessonsOf(outline).find((one) => one.slug === slug);
  if (lesson === undefined) return slug;
  return lesson.isCapstone ? t("classroom.teacher.plan.capstone", { title: lesson.title }) : lesson.title;
}

/** A lab of an exam: a capstone's is said to be one. */
export function examLabTitle({ outline, t }: Room, lab: string): string {
  const title = labTitle(outline, lab);
  const place = outline.labs[lab]?.place;
  const isCapstone = place !== undefined && lessonAt(outline, place)?.isCapstone === true;
  return isCapstone ? t("classroom.teacher.plan.capstone", { title }) : title;
}

export function plannedText(room: Room, { lesson, from, until }: Plan[number]): string {
  return `${plannedTitle(room, lesson)} – ${openText(room, from, until)}`;
}

function openText({ t, language }: Room, from: number | null, until: number | null): string {
  if (from !== null && until !== null) {
    return t("classroom.teacher.plan.between", { from: momentText(language, from), until: momentText(language, until) });
  }
  if (from !== null) return t("classroom.teacher.plan.fromOnly", { from: momentText(language, from) });
  if (until !== null) return t("classroom.teacher.plan.untilOnly", { until: momentText(language, until) });
  return t("classroom.teacher.plan.openAlways");
}
