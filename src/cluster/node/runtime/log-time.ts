// Times in container logs have nanoseconds: below the millisecond of the simulation they only keep lines in order.

import { formatMicroTime } from "#cluster/api/time.ts";

/** `2026-01-01T00:00:00.123000045Z` */
export function formatLogTime(entry: { readonly timeMs: number; readonly sequence: number }): string {
  const finer = String((entry.sequence * 7919) % 1_000_000).padStart(6, "0");
  return `${formatMicroTime(entry.timeMs).slice(0, 23)}${finer}Z`;
}
