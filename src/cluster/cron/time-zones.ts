// Names of time zones (Go's time.LoadLocation). The runtime's own table answers; it knows nothing of the present time.

import { daysFromCivil } from "#sim/calendar.ts";

/** Names are files on a real server: their case counts, and offsets such as `+01` are none. */
export function isTimeZone(name: string): boolean {
  if (name === "UTC") return true;
  if (!/^[A-Z]/.test(name)) return false;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's clocks are ahead of UTC at a time, in milliseconds. */
export function zoneOffsetMs(name: string, epochMs: number): number {
  if (name === "UTC") return 0;
  let format = formats.get(name);
  if (format === undefined) {
    const numeric = {
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    } as const;
    format = new Intl.DateTimeFormat("en", { timeZone: name, hourCycle: "h23", ...numeric });
    formats.set(name, format);
  }
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const days = daysFromCivil(part("year"), part("month"), part("day"));
  const localMs = (((days * 24 + part("hour")) * 60 + part("minute")) * 60 + part("second")) * 1000;
  return localMs - Math.floor(epochMs / 1000) * 1000;
}
