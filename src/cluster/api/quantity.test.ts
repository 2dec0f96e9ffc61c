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

  /** Billionths of a unit, by whole numbers alone; what is smaller is rounded away from zero. */
  const factors: { readonly [suffix: string]: bigint } = {
    n: 1n,
    u: 10n ** 3n,
    m: 10n ** 6n,
    "": 10n ** 9n,
    k: 10n ** 12n,
    M: 10n ** 15n,
    G: 10n ** 18n,
    Ki: 1024n * 10n ** 9n,
    Mi: 1024n ** 2n * 10n ** 9n,
    Gi: 1024n ** 3n * 10n ** 9n,
    e2: 10n ** 11n,
    "E-1": 10n ** 8n,
  };
  const written = fc
    .tuple(fc.constantFrom("", "+", "-"), fc.nat(99_999), fc.stringMatching(/^\d{0,6}$/), fc.constantFrom(...Object.keys(factors)))
    .map(([sign, whole, fraction, unit]) => {
      const scaled = BigInt(`${whole}${fraction}`) * (factors[unit] as bigint);
      const divisor = 10n ** BigInt(fraction.length);
      const nanos = (scaled + divisor - 1n) / divisor;
      return { text: `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}${unit}`, nanos: sign === "-" ? -nanos : nanos };
    });
  const nanosOf = (text: string): bigint => {
    const { amount } = parseQuantity(text);
    return typeof amount === "bigint" ? amount : BigInt(amount) * 10n ** 6n;
  };

  it("reads, adds, compares and writes as exact arithmetic does", () => {
    fc.assert(
      fc.property(written, written, (a, b) => {
        expect([nanosOf(a.text), nanosOf(b.text)]).toEqual([a.nanos, b.nanos]);
        const [left, right] = [parseQuantity(a.text), parseQuantity(b.text)];
        expect(nanosOf(formatQuantity(addQuantities(left, right)))).toBe(a.nanos + b.nanos);
        expect(nanosOf(formatQuantity(subtractQuantities(left, right)))).toBe(a.nanos - b.nanos);
        expect(compareQuantities(left, right)).toBe(Number(a.nanos > b.nanos) - Number(a.nanos < b.nanos));
        const text = formatQuantity(left);
        expect([nanosOf(text), nanosOf(canonicalQuantity(a.text))]).toEqual([a.nanos, a.nanos]);
        // A binary amount without a factor of 1024 has no suffix, and is read back as a decimal one (`72687.5Ki`).
        if (left.format !== "BinarySI" || /i$/.test(text)) expect(formatQuantity(parseQuantity(text))).toBe(text);
        expect(text).toMatch(/^-?\d+([numkMGTPE]|[KMGTPE]i|e-?\d+)?$/);
      }),
      {
        numRuns: 1000,
        examples: [
          [
            { text: "72687.5Ki", nanos: 74_432_000n * 10n ** 9n },
            { text: "0", nanos: 0n },
          ],
        ],
      },
    );
  });
});
