import { describe, expect, it } from "vitest";
import { clockText, fineClockText, sinceText } from "./times.ts";

describe("times", () => {
  it("are the cluster's: UTC", () => {
    const timeMs = Date.UTC(2026, 0, 15, 9, 5, 12, 7);
    expect([clockText(timeMs), fineClockText(timeMs), clockText(Number.NaN)]).toEqual(["09:05:12", "09:05:12.007", ""]);
  });

  it("since a moment have a unit that fits, set as the language does", () => {
    expect([0, 340, 1234, 200_400].map((ms) => sinceText(ms, "es"))).toEqual([
      "+0\u202fms",
      "+340\u202fms",
      "+1.2\u202fs",
      "+3\u202fmin 20\u202fs",
    ]);
    expect([sinceText(1234, "fr"), sinceText(1234, "ja"), sinceText(1234, "zh")]).toEqual(["+1,2\u202fs", "+1.2s", "+1.2 s"]);
  });
});
