import { describe, expect, it } from "vitest";
import { isTimeZone, zoneOffsetMs } from "./time-zones.ts";
import { zoneTable } from "./zone-tables.ts";

const hourMs = 3_600_000;
const hours = (zone: string, time: string): number => zoneOffsetMs(zone, Date.parse(time)) / hourMs;

describe("time zones", () => {
  it("are known by the names of their files and by no other", () => {
    expect(
      ["UTC", "Etc/UTC", "Europe/Paris", "Asia/Calcutta", "EST5EDT", "GMT+0", "America/Argentina/Ushuaia"].map(isTimeZone),
    ).toEqual(new Array(7).fill(true));
    expect(["", "utc", "europe/paris", "Europe", "+01", "CEST", "Mars/Olympus", "Local"].map(isTimeZone)).toEqual(
      new Array(8).fill(false),
    );
  });

  it.each([
    ["Europe/Paris", "2026-03-29T00:59:59Z", 1],
    ["Europe/Paris", "2026-03-29T01:00:00Z", 2],
    ["Europe/Paris", "2026-10-25T00:59:59Z", 2],
    ["Europe/Paris", "2026-10-25T01:00:00Z", 1],
    ["Europe/Dublin", "2026-07-01T00:00:00Z", 1],
    ["Europe/Dublin", "2026-12-31T23:59:59Z", 0],
    ["America/New_York", "2026-03-08T06:59:59Z", -5],
    ["America/New_York", "2026-03-08T07:00:00Z", -4],
    ["Australia/Sydney", "2026-01-15T00:00:00Z", 11],
    ["Australia/Sydney", "2026-04-04T16:00:00Z", 10],
    ["Australia/Lord_Howe", "2026-07-01T00:00:00Z", 10.5],
    ["Asia/Kolkata", "2026-01-15T00:00:00Z", 5.5],
    ["Asia/Tokyo", "2050-07-01T00:00:00Z", 9],
    ["America/St_Johns", "2026-07-01T00:00:00Z", -2.5],
    // The clocks of Morocco stand back in Ramadan, which no rule of the solar year tells.
    ["Africa/Casablanca", "2026-02-25T12:00:00Z", 0],
    ["Africa/Casablanca", "2026-04-01T12:00:00Z", 1],
    ["Africa/Casablanca", "2020-01-15T00:00:00Z", 1],
    // Mexico gave up its summer time in 2022.
    ["America/Mexico_City", "2022-07-01T00:00:00Z", -5],
    ["America/Mexico_City", "2026-07-01T00:00:00Z", -6],
    ["UTC", "2026-07-01T00:00:00Z", 0],
  ])("%s is at %s %f hours ahead", (zone, time, ahead) => {
    expect(hours(zone, time)).toBe(ahead);
  });

  it("stand as this machine's tables have them, where no country has decided otherwise since", () => {
    for (const zone of [
      "Europe/London",
      "America/Chicago",
      "America/Sao_Paulo",
      "Asia/Tehran",
      "Pacific/Auckland",
      "Africa/Cairo",
    ]) {
      const clock = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
      for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2027, 0, 1); at += 36 * hourMs) {
        const [, sign = "+", hour = "0", minute = "0"] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(clock.format(at)) ?? [];
        expect([zone, at, zoneOffsetMs(zone, at)]).toEqual([
          zone,
          at,
          (Number(hour) * 60 + Number(minute)) * 60_000 * (sign === "-" ? -1 : 1),
        ]);
      }
    }
  });

  it("have rules that are all read", () => {
    const names = zoneTable.split("\n").flatMap((line) => line.slice(line.lastIndexOf("|") + 1).split(" "));
    expect(names.length).toBeGreaterThan(590);
    for (const name of names) expect(Math.abs(zoneOffsetMs(name, Date.UTC(2035, 5, 1))), name).toBeLessThanOrEqual(14 * hourMs);
  });
});
