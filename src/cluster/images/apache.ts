// What images with Apache have in common: dates of its error log, its pages about errors, how it ends.

import type { Process, Sys } from "#sim/program.ts";
import { awaitSignals } from "./await-signals.ts";
import { httpDate } from "./http-dates.ts";

/** `Thu Jan 01 00:00:00.000000 2026` */
export function apacheDate(nowMs: number): string {
  const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(httpDate(nowMs)) ?? [];
  return `${weekday} ${month} ${day} ${time}.000000 ${year}`;
}

export function apacheErrorPage(status: number, title: string, text: string): string {
  return `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body></html>\n`;
}

/** Waits until Apache is told to end, says so on stderr after what `notice` gives, and returns its exit code. */
export function* apacheUntilTold(self: Process, notice: () => string): Sys<number> {
  const [signal] = yield* awaitSignals(self, ["TERM", "INT", "WINCH"]);
  const text = signal === "WINCH" ? "AH00492: caught SIGWINCH, shutting down gracefully" : "AH00491: caught SIGTERM, shutting down";
  yield* self.write(2, `${notice()} ${text}\n`);
  return 0;
}
