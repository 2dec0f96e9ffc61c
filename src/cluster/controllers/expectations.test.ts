import { describe, expect, it } from "vitest";
import { Expectations } from "./expectations.ts";

describe("[WRK-029] expectations", () => {
  it("hold a controller back until what it made and deleted has been seen", () => {
    const expectations = new Expectations();
    expect(expectations.satisfied("a", 0)).toBe(true);
    expectations.expect("a", 2, [], 0);
    expectations.creationSeen("a");
    expect([expectations.satisfied("a", 0), expectations.satisfied("b", 0)]).toEqual([false, true]);
    expectations.creationSeen("a");
    expect(expectations.satisfied("a", 0)).toBe(true);
    expectations.expect("a", 0, ["x", "y"], 0);
    for (const uid of ["x", "x", "z"]) expectations.deletionSeen("a", uid);
    expect(expectations.satisfied("a", 0)).toBe(false);
    expectations.deletionSeen("a", "y");
    expect(expectations.satisfied("a", 0)).toBe(true);
  });

  it("hold it back until both have been seen", () => {
    const expectations = new Expectations();
    expectations.expect("a", 1, ["x"], 0);
    expectations.creationSeen("a");
    expect(expectations.satisfied("a", 0)).toBe(false);
    expectations.deletionSeen("a", "x");
    expect(expectations.satisfied("a", 0)).toBe(true);
  });

  it("are given up after five minutes, or when their object is gone", () => {
    const expectations = new Expectations();
    expectations.expect("a", 1, [], 1_000);
    expect([expectations.satisfied("a", 301_000), expectations.satisfied("a", 301_001)]).toEqual([false, true]);
    expectations.expect("a", 1, [], 1_000);
    expectations.forget("a");
    expect(expectations.satisfied("a", 1_000)).toBe(true);
  });
});
