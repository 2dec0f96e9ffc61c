import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilDate } from "#sim/calendar.ts";
import { formatMicroTime, formatTime, parseTime, tryParseTime } from "./time.ts";

describe("times", () => {
  it("writes whole seconds and microseconds in UTC", () => {
    expect(formatTime(1_767_323_045_678)).toBe("2026-01-02T03:04:05Z");
    expect(formatMicroTime(1_767_323_045_678)).toBe("2026-01-02T03:04:05.678000Z");
    expect(formatTime(951_782_400_000)).toBe("2000-02-29T00:00:00Z");
    expect(formatTime(-1)).toBe("1969-12-31T23:59:59Z");
  });

  it("reads any zone and any fraction", () => {
    expect(parseTime("2026-01-02T04:04:05+01:00")).toBe(1_767_323_045_000);
    expect(parseTime("2026-01-02T03:04:05.678901Z")).toBe(1_767_323_045_678);
  });

  it("refuses what is no time", () => {
    for (const text of ["", "2026-01-02", "2026-13-02T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-02 00:00:00Z"]) {
      expect(tryParseTime(text)).toBeUndefined();
    }
  });

  it("reads back what it writes, and agrees with Date", () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 }), (ms) => {
        expect(parseTime(formatMicroTime(ms))).toBe(ms);
        expect(formatTime(ms)).toBe(new Date(ms).toISOString().replace(/\.\d+/, ""));
        expect(civilDate(ms).weekday).toBe(new Date(ms).getUTCDay());
      }),
    );
  });
});
