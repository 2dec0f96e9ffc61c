// The events at the end of a description, by the time they last occurred.

import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Description } from "./description.ts";
import { since } from "./when.ts";

export function describeEvents(out: Description, events: readonly CoreV1Event[], nowMs: number): void {
  if (events.length === 0) {
    out.field("Events", "<none>");
    return;
  }
  out.line("Events:");
  out.line("Type\tReason\tAge\tFrom\tMessage", 1);
  out.line("----\t------\t----\t----\t-------", 1);
  for (const event of [...events].sort((a, b) => compareTexts(a.lastTimestamp ?? "", b.lastTimestamp ?? ""))) {
    const source = event.source?.component || (event.reportingComponent ?? "");
    const message = (event.message ?? "").trim();
    const { fieldPath } = event.involvedObject;
    const text = fieldPath === undefined || fieldPath === "" ? message : `${fieldPath}: ${message}`;
    out.line(`${event.type ?? ""}\t${event.reason ?? ""}\t${eventAge(event, nowMs)}\t${source}\t${text}`, 1);
  }
}

/** `5s`, or `5s (x4 over 65s)` for one that came again. */
export function eventAge(event: CoreV1Event, nowMs: number): string {
  const first = since(event.eventTime ?? event.firstTimestamp, nowMs);
  if (event.series !== undefined)
    return `${since(event.series.lastObservedTime, nowMs)} (x${event.series.count ?? 0} over ${first})`;
  return (event.count ?? 0) > 1 ? `${since(event.lastTimestamp, nowMs)} (x${event.count} over ${first})` : first;
}
