import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileFieldSelector, escapeFieldValue, formatFieldSelector, parseFieldSelector } from "./fields.ts";
import { compileLabelSelector, formatLabelSelector, formatRequirements, matcherOf, parseLabelSelector } from "./labels.ts";

describe("label selectors", () => {
  const labels = { app: "web", tier: "front", size: "5" };
  it.each([
    ["", true],
    ["app=web", true],
    ["app==web,tier=front", true],
    ["app!=web", false],
    ["missing!=x", true],
    ["app in (web, db)", true],
    ["app notin (web)", false],
    ["missing notin (x)", true],
    ["app", true],
    ["!app", false],
    ["!missing", true],
    ["size>4", true],
    ["size<4", false],
    ["app>1", false],
  ])("matches %s: %s", (selector, expected) => {
    expect(compileLabelSelector(selector)(labels)).toBe(expected);
  });

  it.each([
    ["x in (a,,b),!b,c notin ()", "!b,c notin (),x in (,a,b)"],
    ["in in (in)", "in in (in)"],
    ["b=2,a=1", "a=1,b=2"],
  ])("prints %s as %s", (text, printed) => {
    expect(formatRequirements(parseLabelSelector(text))).toBe(printed);
  });

  it.each([
    ["a=b,", "found '', expected: identifier after ','"],
    ["a=b c", "found 'c', expected: ',' or 'end of string'"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["x in (a", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["=b", "found '=', expected: !, identifier, or 'end of string'"],
    ["a>x", "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"],
  ])("refuses %s", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new Error(message));
  });

  it("reads LabelSelector objects: absent selects nothing, empty selects all", () => {
    expect(matcherOf(undefined)(labels)).toBe(false);
    expect(matcherOf({})(labels)).toBe(true);
    const selector = {
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "tier", operator: "In", values: ["front", "back"] }],
    };
    expect(matcherOf(selector)(labels)).toBe(true);
    expect(formatLabelSelector(selector)).toBe("app=web,tier in (back,front)");
    expect(formatLabelSelector({})).toBe("<none>");
    expect(formatLabelSelector({ matchExpressions: [{ key: "a", operator: "Bad" }] })).toBe("<error>");
  });

  const word = fc.stringMatching(/^[a-z]([a-z.]{0,5}[a-z])?$/);
  const requirement = fc.oneof(
    word,
    word.map((key) => `!${key}`),
    fc.tuple(word, fc.constantFrom("=", "==", "!="), word).map((parts) => parts.join("")),
    fc
      .tuple(word, fc.constantFrom("in", "notin"), fc.array(word, { minLength: 1 }))
      .map(([key, op, values]) => `${key} ${op} (${values})`),
  );

  it("prints what it reads back the same", () => {
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const parsed = parseLabelSelector(requirements.join(","));
        expect(parseLabelSelector(formatRequirements(parsed))).toEqual(parsed);
      }),
    );
  });
});

describe("field selectors", () => {
  it("matches equal and different values", () => {
    const requirements = parseFieldSelector("spec.nodeName=node-1,status.phase!=Running");
    const matches = compileFieldSelector(requirements, (object: { [field: string]: string }, field) => object[field] ?? "");
    expect(matches({ "spec.nodeName": "node-1", "status.phase": "Pending" })).toBe(true);
    expect(matches({ "spec.nodeName": "node-1", "status.phase": "Running" })).toBe(false);
  });

  it("refuses what it does not understand", () => {
    expect(() => parseFieldSelector("a")).toThrow(new Error("invalid selector: 'a'; can't understand 'a'"));
    expect(() => parseFieldSelector("a=\\x")).toThrow(new Error("invalid field selector: invalid escape sequence: \\x"));
    expect(() => parseFieldSelector("a=b=c")).toThrow(new Error("invalid field selector: unescaped character in value: 61"));
  });

  it("keeps any value through escapes", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const parsed = parseFieldSelector(`a=${escapeFieldValue(value)}`);
        expect(parsed).toEqual([{ field: "a", operator: "=", value }]);
        expect(parseFieldSelector(formatFieldSelector(parsed))).toEqual(parsed);
      }),
    );
  });
});
