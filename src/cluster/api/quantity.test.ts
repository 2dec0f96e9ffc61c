import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from "./quantity.ts";

describe("quantities", () => {
  it.each([
    ["0.5", "500m"],
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["0.1m", "100u"],
    ["1.5Gi", "1536Mi"],
    ["2048Mi", "2Gi"],
    ["512Mi", "512Mi"],
    ["100Ki", "100Ki"],
    ["1e3", "1e3"],
    ["13E6", "13E6"],
    ["1.5e3", "1500"],
    ["10000M", "10G"],
    ["0Gi", "0"],
    ["0.001Ki", "1024m"],
    ["16Ei", "9223372036854775807"],
    ["0.5n", "1n"],
    ["5.861", "5.861"],
  ])("shows %s as %s", (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ["", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ["x", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ["1mm", "unable to parse quantity's suffix"],
    ["1K", "unable to parse quantity's suffix"],
  ])("refuses %j", (text, message) => {
    expect(() => parseQuantity(text)).toThrow(message);
  });

  it("rounds away from zero to whole units and thousandths", () => {
    expect(quantityValue(parseQuantity("1500m"))).toBe(2);
    expect(quantityMilliValue(parseQuantity("100u"))).toBe(1);
    expect(quantityValue(parseQuantity("1Gi"))).toBe(1_073_741_824);
  });

  const suffix = fc.constantFrom("", "m", "k", "M", "Ki", "Mi", "Gi", "n", "e3");
  const quantity = fc
    .tuple(fc.integer({ min: -99_999, max: 99_999 }), suffix)
    .map(([value, unit]) => parseQuantity(`${value}${unit}`));

  it("keeps the amount in its canonical form", () => {
    fc.assert(fc.property(quantity, (q) => compareQuantities(parseQuantity(formatQuantity(q)), q) === 0));
  });

  it("adds and subtracts exactly", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(compareQuantities(subtractQuantities(addQuantities(a, b), b), a)).toBe(0);
        expect(compareQuantities(addQuantities(a, b), addQuantities(b, a))).toBe(0);
      }),
    );
  });
});
