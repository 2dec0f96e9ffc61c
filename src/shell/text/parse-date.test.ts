import { describe, expect, it } from "vitest";
import { parseDate } from "./parse-date.ts";

const now = Date.UTC(2026, 0, 15, 9, 0, 0);
const shown = (text: string) => {
  const ms = parseDate(text, now);
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

describe("what date -d takes", () => {
  it.each([
    ["2026-01-15T09:01:19Z + 300 seconds", "2026-01-15T09:06:19.000Z"],
    ["2026-01-15T09:01:19Z +5 minutes", "2026-01-15T09:06:19.000Z"],
    ["5 minutes ago", "2026-01-15T08:55:00.000Z"],
    ["90 sec", "2026-01-15T09:01:30.000Z"],
    ["10 min ago", "2026-01-15T08:50:00.000Z"],
    ["1 hour", "2026-01-15T10:00:00.000Z"],
    ["tomorrow + 1 second", "2026-01-16T09:00:01.000Z"],
    ["@60", "1970-01-01T00:01:00.000Z"],
    ["2026-01-15 10:00:00 +02:00", "2026-01-15T08:00:00.000Z"],
    ["3 secondary", undefined],
    ["15:00 hours", undefined],
  ])("%s", (text, time) => {
    expect(shown(text)).toBe(time);
  });
});
