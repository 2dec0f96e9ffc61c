// The list of what is known to differ: patterns, reasons, lines to be struck.

import { describe, expect, it } from "vitest";
import { KnownDifferences } from "./known-differences.ts";

describe("known differences of the control planes", () => {
  const text =
    "# a remark\n\n== words of the expressions' parser\nv1 A | * | body.message\n\n== another\nv1 B | create | x | status\n";

  it("gives the reason above a pattern that matches name and place", () => {
    const known = KnownDifferences.of(text);
    expect(known.reasonOf("v1 A | update | spec.x = [1]", "body.message")).toBe("words of the expressions' parser");
    expect(known.reasonOf("v1 A | update | spec.x = [1]", "status")).toBeUndefined();
  });

  it("tells which lines nothing matched", () => {
    const known = KnownDifferences.of(text);
    known.reasonOf("v1 A | update | y", "body.message");
    expect(known.unused).toEqual(["v1 B | create | x | status"]);
  });

  it("asks for none that chance decides", () => {
    const known = KnownDifferences.of("=? when a loop looks again\nscenario | a claim | events.*\n");
    expect(known.unused).toEqual([]);
    expect(known.reasonOf("scenario | a claim", "events.0")).toBe("when a loop looks again");
  });

  it("refuses lines without a reason", () => {
    expect(() => KnownDifferences.of("v1 A | * | status\n")).toThrow("no reason stands above: v1 A");
  });
});
