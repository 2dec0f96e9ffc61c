import { describe, expect, it } from "vitest";
import { formatTime, parseTime } from "#cluster/api/time.ts";
import { parseSchedule } from "./schedule.ts";

describe("the next time of a schedule", () => {
  it.each([
    ["*/15 * * * *", "UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:15:00Z"],
    ["0 3 * * 1", "UTC", "2026-01-01T00:00:00Z", "2026-01-05T03:00:00Z"],
    ["0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"],
    ["0 0 13 * 5", "UTC", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
    ["5/20 9-10 * * *", "UTC", "2026-01-01T09:45:00Z", "2026-01-01T10:05:00Z"],
    ["30 8 * jan,dec mon-fri", "UTC", "2026-02-01T00:00:00Z", "2026-12-01T08:30:00Z"],
    ["@monthly", "UTC", "2026-01-31T12:00:00Z", "2026-02-01T00:00:00Z"],
    ["@every 90s", "UTC", "2026-01-01T00:00:10Z", "2026-01-01T00:01:40Z"],
    ["0 9 * * *", "Asia/Tokyo", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
    // The clocks go from 2:00 to 3:00: that day has no 2:30.
    ["30 2 * * *", "Europe/Paris", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z"],
    // They go from 3:00 to 2:00: 2:30 comes twice and counts once.
    ["30 2 * * *", "Europe/Paris", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
  ])("of %s in %s after %s is %s", (text, zone, after, next) => {
    const found = parseSchedule(text, zone)?.next(parseTime(after));
    expect(found === undefined ? undefined : formatTime(found)).toBe(next);
  });

  it("does not exist for the 30th of February", () => {
    expect(parseSchedule("0 0 30 2 *")?.next(0)).toBeUndefined();
  });
});
