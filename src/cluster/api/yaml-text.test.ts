import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeIndentedJson } from "./json-write.ts";
import type { JsonValue } from "./wire.ts";
import { parseYaml, splitYamlDocuments } from "./yaml-text.ts";
import { writeYaml } from "./yaml-write.ts";

describe("writing YAML", () => {
  it.each([
    ["true", '"true"'],
    ["yes", '"yes"'],
    ["n", '"n"'],
    ["1", '"1"'],
    ["1e3", '"1e3"'],
    ["0x1F", '"0x1F"'],
    ["1:30", '"1:30"'],
    ["null", '"null"'],
    ["", '""'],
    ["2024-01-01T00:00:00Z", '"2024-01-01T00:00:00Z"'],
    ["100m", "100m"],
    ["10.96.0.1", "10.96.0.1"],
    ["a: b", "'a: b'"],
    ["- a", "'- a'"],
    ["*a", "'*a'"],
    [" a", "' a'"],
    ["it's", "it's"],
    ["'a", "'''a'"],
    ["a\tb", '"a\\tb"'],
    ["日本語", "日本語"],
    ["😀", '"\\U0001F600"'],
    ["a\nb", "|-\n  a\n  b"],
    ["a\nb\n", "|\n  a\n  b"],
    ["a\n\n", "|+\n  a\n"],
    [" a\nb", "|2-\n   a\n  b"],
    ["a \nb", '"a \\nb"'],
  ])("writes %j as %j", (text, written) => {
    expect(writeYaml({ a: text })).toBe(`a: ${written}\n`);
  });

  it("breaks long lines at the next blank", () => {
    const message =
      "0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
    expect(writeYaml({ message })).toBe(
      "message: '0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/not-ready:\n  }. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'\n",
    );
  });

  it("sorts keys, does not indent dashes, orders digits by value", () => {
    expect(writeYaml({ b: [{ y: 1, x: [] }, "s", ["t"]], a: {}, a10: null, a2: 1.5 })).toBe(
      'a: {}\na2: 1.5\na10: null\nb:\n- x: []\n  "y": 1\n- s\n- - t\n',
    );
  });
});

describe("reading YAML", () => {
  it("resolves words and numbers as YAML 1.1, dates as strings", () => {
    expect(parseYaml("a: yes\nb: 0o17\nc: 2024-01-01\nd: '1'\ne: ~\nf: 1_000\ng: off\nh: 1.50\n").value).toEqual({
      a: true,
      b: 15,
      c: "2024-01-01",
      d: "1",
      e: null,
      f: 1000,
      g: false,
      h: 1.5,
    });
  });

  it("follows anchors and merge keys, and reports keys that stand twice", () => {
    expect(parseYaml("base: &b {x: 1, z: 1}\nc:\n  <<: *b\n  z: 2\n  z: 3\n")).toEqual({
      value: { base: { x: 1, z: 1 }, c: { x: 1, z: 3 } },
      duplicates: ['line 5: key "z" already set in map'],
    });
  });

  it.each([
    ["a: b: c", "yaml: mapping values are not allowed in this context"],
    ["a: 1\n b: 2", "yaml: line 2: mapping values are not allowed in this context"],
    ["a:\n\t- b", "yaml: line 2: found character that cannot start any token"],
    ["a: 1\nb\nc: 2", "yaml: line 3: could not find expected ':'"],
    ["x:\n  a: 1\n b: 2\n", "yaml: line 2: did not find expected key"],
    ["a:\n  - b: 1\n    c: 2\n  d: 3\n", "yaml: line 3: did not find expected '-' indicator"],
    ["a: [", "yaml: line 1: did not find expected node content"],
    ["a: {b: 1,", "yaml: line 1: did not find expected node content"],
    ["a: [1", "yaml: line 1: did not find expected ',' or ']'"],
    ["a: *x", "yaml: unknown anchor 'x' referenced"],
    ["a: *.x", "yaml: did not find expected alphabetic or numeric character"],
    ["a: 1\nb:\n- host: *.example\n", "yaml: line 3: did not find expected alphabetic or numeric character"],
  ])("refuses %j", (text, message) => {
    expect(() => parseYaml(text)).toThrow(new Error(message));
  });

  it("[API-096] splits documents and skips empty ones, and reads flow style and JSON", () => {
    expect(
      splitYamlDocuments("a: 1\n---\n# nothing\n---\nb: {key: tier, values: [cache]}\n").map((text) => parseYaml(text).value),
    ).toEqual([{ a: 1 }, { b: { key: "tier", values: ["cache"] } }]);
    expect(parseYaml('{"a": [1, true, null]}').value).toEqual({ a: [1, true, null] });
  });

  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom("a", " ", ":", "#", "-", "\n", "word", "1", "'", '"', "é"), { maxLength: 40 })
      .map((parts) => parts.join("")),
  );
  const json = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[\x20-\x7e]{0,20}$/), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseYaml(writeYaml({ value })).value).toEqual({ value });
        expect(JSON.parse(writeIndentedJson(value))).toEqual(value);
      }),
    );
  });
});
