import { describe, expect, it } from "vitest";
import { formatGoDuration, humanDuration, parseGoDuration, shortHumanDuration } from "./duration.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("durations", () => {
  it.each([
    [0, "0s"],
    [-1 * second, "0s"],
    [-2 * second, "<invalid>"],
    [119 * second, "119s"],
    [120 * second, "2m"],
    [125 * second, "2m5s"],
    [9 * minute + 59 * second, "9m59s"],
    [10 * minute + 59 * second, "10m"],
    [179 * minute, "179m"],
    [180 * minute, "3h"],
    [3 * hour + 12 * minute, "3h12m"],
    [8 * hour + 12 * minute, "8h"],
    [47 * hour, "47h"],
    [48 * hour, "2d"],
    [50 * hour, "2d2h"],
    [8 * day + 5 * hour, "8d"],
    [729 * day, "729d"],
    [760 * day, "2y30d"],
    [730 * day, "2y"],
    [2921 * day, "8y"],
  ])("prints an age of %d ms as %s", (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it("prints ages in one unit", () => {
    expect([59, 60, 3600, 86_400, 400 * 86_400].map((seconds) => shortHumanDuration(seconds * second))).toEqual([
      "59s",
      "1m",
      "1h",
      "1d",
      "1y",
    ]);
  });

  it.each([
    [0, "0s"],
    [1.5, "1.5ms"],
    [250, "250ms"],
    [1500, "1.5s"],
    [90 * minute, "1h30m0s"],
    [10 * second, "10s"],
    [-minute, "-1m0s"],
  ])("writes %d ms as Go does: %s", (ms, text) => {
    expect(formatGoDuration(ms)).toBe(text);
    expect(parseGoDuration(text)).toEqual({ ms });
  });

  it("refuses with Go's words", () => {
    expect(parseGoDuration("10")).toEqual({ error: 'time: missing unit in duration "10"' });
    expect(parseGoDuration("1d")).toEqual({ error: 'time: unknown unit "d" in duration "1d"' });
    expect(parseGoDuration("")).toEqual({ error: 'time: invalid duration ""' });
  });
});
