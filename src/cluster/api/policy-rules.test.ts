import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyRule } from "./generated/types.ts";
import { breakdownRule, compactRules, formatRule, ruleAllows, ruleAllowsPath, uncoveredRules } from "./policy-rules.ts";

const some = (...words: readonly string[]) => fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 });
const resourceRule: fc.Arbitrary<PolicyRule> = fc.record(
  {
    verbs: some("get", "list", "*"),
    apiGroups: some("", "apps", "*"),
    resources: some("pods", "pods/log", "*", "*/log"),
    resourceNames: some("a", "b"),
  },
  { requiredKeys: ["verbs", "apiGroups", "resources"] },
);
const urlRule: fc.Arbitrary<PolicyRule> = fc.record({ verbs: some("get", "*"), nonResourceURLs: some("/a", "/a/*", "*") });
const rules = fc.array(fc.oneof(resourceRule, urlRule), { maxLength: 4 });

const question = fc.record({
  verb: fc.constantFrom("get", "list", "delete"),
  group: fc.constantFrom("", "apps", "batch"),
  resource: fc.constantFrom("pods", "jobs"),
  subresource: fc.constantFrom("", "log"),
  name: fc.constantFrom("", "a", "c"),
});

const allow = (list: readonly PolicyRule[], asked: Parameters<typeof ruleAllows>[1]): boolean =>
  list.some((rule) => ruleAllows(rule, asked));

describe("rules", () => {
  it("say the same when they are taken apart and put together", () => {
    fc.assert(
      fc.property(rules, question, (list, asked) => {
        const parts = list.flatMap(breakdownRule);
        expect([allow(parts, asked), allow(compactRules(parts), asked)]).toEqual([allow(list, asked), allow(list, asked)]);
      }),
    );
  });

  it("cover themselves, and what they cover they allow", () => {
    fc.assert(
      fc.property(rules, rules, question, (held, wanted, asked) => {
        expect(uncoveredRules(held, held)).toEqual([]);
        expect(uncoveredRules([...held, ...uncoveredRules(held, wanted)], wanted)).toEqual([]);
        if (uncoveredRules(held, wanted).length === 0 && allow(wanted, asked)) expect(allow(held, asked)).toBe(true);
      }),
    );
  });

  it("for paths too", () => {
    fc.assert(
      fc.property(rules, rules, fc.constantFrom("/a", "/a/b", "/b"), (held, wanted, path) => {
        const allows = (list: readonly PolicyRule[]): boolean => list.some((rule) => ruleAllowsPath(rule, "get", path));
        if (uncoveredRules(held, wanted).length === 0 && allows(wanted)) expect(allows(held)).toBe(true);
      }),
    );
  });

  it("are written as upstream writes them", () => {
    expect(formatRule({ verbs: ["get", "list"], apiGroups: [""], resources: ["pods"], resourceNames: ["a"] })).toBe(
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get" "list"]}',
    );
  });
});
