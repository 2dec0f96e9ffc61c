// Whole numbers of 64 bits keep all their digits, in every field of every type that has one.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecodeError, decodeObject } from "./decode.ts";
import { parseJson, readJson } from "./json-text.ts";
import { jsonText, writeCompactJson, writeIndentedJson } from "./json-write.ts";
import { fieldsOf } from "./schema.ts";
import { typeNames } from "./type-tables.ts";
import { compareInt64, int64, type JsonValue, nextInt64 } from "./wire.ts";
import { parseYaml } from "./yaml-text.ts";
import { writeYaml } from "./yaml-write.ts";

const anyInt64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(int64);

const fieldsOf64Bits = typeNames().flatMap((type) =>
  [...fieldsOf(type).values()].flatMap(({ name, type: { kind, ...rest } }) => {
    if (kind === "int64") return [{ type, name, wrap: (value: JsonValue) => value }];
    const isList = kind === "list" && "of" in rest && rest.of.kind === "int64";
    return isList ? [{ type, name, wrap: (value: JsonValue) => [value] }] : [];
  }),
);

describe("int64", () => {
  it("is in more than fifty fields, and each keeps every number through JSON and YAML", () => {
    expect(fieldsOf64Bits.length).toBeGreaterThan(50);
    for (const { type, name, wrap } of fieldsOf64Bits) {
      const property = fc.property(
        anyInt64.filter((number) => number !== 0),
        (number) => {
          const object = { [name]: wrap(number) };
          const digits = wrap(number) === number ? String(number) : `[${number}]`;
          expect(jsonText(object)).toBe(`{"${name}":${digits}}`);
          for (const read of [parseJson(jsonText(object)).value, readJson(jsonText(object)), parseYaml(writeYaml(object)).value])
            expect(decodeObject(type, read, { fill: "nothing" })).toEqual({ value: object, strictErrors: [] });
        },
      );
      fc.assert(property, { numRuns: 20 });
    }
  });

  it("has one form for each value, and stands in the right order", () => {
    fc.assert(
      fc.property(anyInt64, anyInt64, (a, b) => {
        const [left, right] = [BigInt(a), BigInt(b)];
        expect([a === b, a < b, a > b]).toEqual([left === right, left < right, left > right]);
        expect(Math.sign(compareInt64(a, b))).toBe(left < right ? -1 : Number(left > right));
        expect(typeof a).toBe(Number.isSafeInteger(Number(a)) ? "number" : "bigint");
      }),
    );
    expect(nextInt64(2 ** 53 - 1)).toBe(9007199254740992n);
    expect(nextInt64(-9007199254740992n)).toBe(-(2 ** 53 - 1));
  });

  it.each(["9223372036854775808", "-9223372036854775809", "99999999999999999999"])("refuses %s as Go does", (literal) => {
    const text = `{"activeDeadlineSeconds":${literal}}`;
    const message = `json: cannot unmarshal number ${literal} into Go struct field PodSpec.activeDeadlineSeconds of type int64`;
    expect(() => decodeObject("PodSpec", parseJson(text, true).value)).toThrow(new DecodeError(message));
    // Without a type it is a float, as in Go.
    expect(parseJson(text).value).toEqual({ activeDeadlineSeconds: Number(literal) });
  });

  it("is read from YAML in every base", () => {
    const text = "a: 0x7fffffffffffffff\nb: -0b1000000000000000000000000000000000000000000000000000001\nc: 0o1000000000000000001\n";
    expect(parseYaml(text).value).toEqual({ a: 2n ** 63n - 1n, b: -(2n ** 54n + 1n), c: 2n ** 54n + 1n });
  });

  it("is written like any number by all writers, and strings with its digits stay strings", () => {
    const value = {
      text: "\u00019007199254740993\u0001",
      list: [9007199254740993n, { a: -9007199254740993n }],
      none: {},
      empty: [],
    };
    const plain = { text: value.text, list: [1234567, { a: -7654321 }], none: {}, empty: [] };
    const replaced = (text: string): string => text.replace("1234567", "9007199254740993").replace("-7654321", "-9007199254740993");
    for (const write of [
      jsonText,
      (each: JsonValue) => jsonText(each, 2),
      writeCompactJson,
      writeIndentedJson,
      writeYaml,
    ] as const) {
      expect(write(value)).toBe(replaced(write(plain)));
    }
  });

  it("is found in a text wherever it stands", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), (before, after) => {
        const text = `{"${"a".repeat(before)}":9007199254740993,"b${"c".repeat(after)}":1}`;
        expect(readJson(text)).toEqual(parseJson(text).value);
        expect(Object.values(readJson(text) as object)).toEqual([9007199254740993n, 1]);
      }),
    );
  });
});
