// A planned lesson in words: its title, and when it is open.

import type { Plan } from "../../wire.ts";
import { lessonsOf } from "../outline.ts";
import type { Room } from "./room.ts";
import { momentText } from "./times.ts";

export function plannedTitle({ outline }: Room, slug: string): string {
  return lessonsOf(outline).find((lesson) => lesson.slug === slug)?.title ?? slug;
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
