// How long something lasts, in the reader's language: minutes, hours, days.

import type { Translate } from "../../../i18n/translator.ts";

const minuteMs = 60_000;

/** To the whole minute below, as one tells how long somebody has been at it. */
export function lastingText(t: Translate, durationMs: number): string {
  const minutes = Math.max(0, Math.floor(durationMs / minuteMs));
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return t("classroom.teacher.time.now");
  if (hours === 0) return t("classroom.teacher.time.minutes", { minutes });
  if (hours < 24) return t("classroom.teacher.time.hours", { hours, minutes: String(minutes % 60).padStart(2, "0") });
  return t("classroom.teacher.time.days", { count: Math.floor(hours / 24) });
}

/** Of a measured time: seconds below a minute. */
export function tookText(t: Translate, durationMs: number): string {
  if (durationMs >= minuteMs) return lastingText(t, durationMs);
  return t("classroom.teacher.time.seconds", { seconds: Math.round(durationMs / 1000) });
}
