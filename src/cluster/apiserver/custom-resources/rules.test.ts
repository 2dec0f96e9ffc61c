import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { crds, create, crontabCrd, crontabs, type Fields, merge, messageOf, serveCrd } from "./crontabs.test-kit.ts";

const one = `${crontabs}/my-crontab`;
const invalid = (text: string) => `CronTab.stable.example.com "my-crontab" is invalid: ${text}`;

const replicas: Fields = {
  properties: {
    min: { type: "integer" },
    max: { type: "integer" },
    host: { type: "string" },
    since: { type: "string", format: "date-time" },
  },
};

describe("x-kubernetes-validations", () => {
  it.each<[string, Fields, JsonValue, string]>([
    [
      "a failed rule",
      { rule: "self.min <= self.max" },
      { min: 3, max: 1 },
      "spec: Invalid value: failed rule: self.min <= self.max",
    ],
    [
      "its message",
      { rule: "self.min <= self.max", message: "min too large" },
      { min: 3, max: 1 },
      "spec: Invalid value: min too large",
    ],
    [
      "a message made by an expression",
      { rule: "self.min <= self.max", messageExpression: "'%d is more than %d'.format([self.min, self.max])" },
      { min: 3, max: 1 },
      "spec: Invalid value: 3 is more than 1",
    ],
    [
      "reason and field",
      { rule: "has(self.host)", reason: "FieldValueRequired", fieldPath: ".host", message: "give it one" },
      {},
      "spec.host: Required value: give it one",
    ],
    [
      "a field that is not there",
      { rule: "self.min <= self.max" },
      { min: 3 },
      'spec: Invalid value: "object": no such key: max evaluating rule: self.min <= self.max',
    ],
    [
      "Kubernetes' functions",
      { rule: "isURL(self.host) && url(self.host).getScheme() == 'https'" },
      { host: "http://a" },
      "spec: Invalid value: failed rule: isURL(self.host) && url(self.host).getScheme() == 'https'",
    ],
    [
      "times",
      { rule: "self.since < timestamp('2020-01-01T00:00:00Z')" },
      { since: "2021-01-01T00:00:00Z" },
      "spec: Invalid value: failed rule: self.since < timestamp('2020-01-01T00:00:00Z')",
    ],
  ])("tells %s", (_title, rule, spec, message) => {
    const { server } = serveCrd(crontabCrd({ ...replicas, "x-kubernetes-validations": [rule] }));
    expect(messageOf(create(server, spec))).toEqual([422, invalid(message)]);
  });

  it("lets pass what holds", () => {
    const rules = [{ rule: "self.min <= self.max" }, { rule: "!has(self.host) || self.host.endsWith('.example.com')" }];
    const { server } = serveCrd(crontabCrd({ ...replicas, "x-kubernetes-validations": rules }));
    expect(create(server, { min: 1, max: 1, host: "a.example.com" }).status).toBe(201);
  });

  it("checks scalars, items and values of maps at their places", () => {
    const even = { type: "integer", "x-kubernetes-validations": [{ rule: "self % 2 == 0" }] };
    const spec = { properties: { list: { type: "array", items: even }, map: { type: "object", additionalProperties: even } } };
    const { server } = serveCrd(crontabCrd(spec));
    expect(messageOf(create(server, { list: [2, 3], map: { a: 5 } }))).toEqual([
      422,
      invalid(
        "[spec.list[1]: Invalid value: 3: failed rule: self % 2 == 0, spec.map[a]: Invalid value: 5: failed rule: self % 2 == 0]",
      ),
    ]);
  });

  it("compares with the old value only when there is one", () => {
    const immutable = { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "host is immutable" }] };
    const { server } = serveCrd(crontabCrd({ properties: { host: immutable } }));
    expect(create(server, { host: "a" }).status).toBe(201);
    expect(messageOf(exchange(server, "PATCH", one, { spec: { host: "b" } }, merge))).toEqual([
      422,
      invalid('spec.host: Invalid value: "b": host is immutable'),
    ]);
  });

  it("gives an optional old value where that is asked for", () => {
    const rule = { rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true, message: "begin with first" };
    const { server } = serveCrd(crontabCrd({ properties: { host: { type: "string", "x-kubernetes-validations": [rule] } } }));
    expect(messageOf(create(server, { host: "b" }))).toEqual([422, invalid('spec.host: Invalid value: "b": begin with first')]);
    expect(create(server, { host: "first" }).status).toBe(201);
    expect(exchange(server, "PATCH", one, { spec: { host: "b" } }, merge).status).toBe(200);
  });

  it("are not run on what is wrong already", () => {
    const { server } = serveCrd(crontabCrd({ ...replicas, "x-kubernetes-validations": [{ rule: "self.min <= self.max" }] }));
    expect(messageOf(create(server, { min: "x", max: 1 }))).toEqual([
      422,
      invalid(
        '[spec.min: Invalid value: "string": spec.min in body must be of type integer: "string", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
      ),
    ]);
  });

  it("forgive what was wrong before and is not touched", () => {
    const { server, simulation } = serveCrd(crontabCrd(replicas));
    create(server, { min: 3, max: 1, host: "a" });
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com";
    const crd = json(exchange(server, "GET", path));
    const strict = crontabCrd({
      properties: { ...(replicas["properties"] as Fields), max: { type: "integer", minimum: 5 } },
    });
    exchange(server, "PUT", path, { ...strict, metadata: crd["metadata"] as Fields });
    simulation.run({ untilMs: simulation.nowMs + 1 });
    expect(exchange(server, "PATCH", one, { spec: { host: "b" } }, merge).status).toBe(200);
    expect(exchange(server, "PATCH", one, { spec: { max: 2 } }, merge).status).toBe(422);
  });

  it("are refused in a definition when they name fields that there are not", () => {
    const crd = crontabCrd({ ...replicas, "x-kubernetes-validations": [{ rule: "self.maximum > 1" }] });
    expect(() => serveCrd(crd)).toThrow("undefined field 'maximum'");
  });

  it("takes rules beside a default, and compares objects that have fields", () => {
    const part = { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } };
    const immutable = [{ rule: "self == oldSelf", message: "is immutable" }];
    const flag = { type: "boolean", default: false, "x-kubernetes-validations": immutable };
    const spec = { properties: { flag, part: { ...part, "x-kubernetes-validations": immutable } } };
    const { server } = serveCrd(crontabCrd(spec));
    expect(create(server, { part: { a: "x", b: 1 } }).status).toBe(201);
    expect(exchange(server, "PATCH", one, { spec: { part: { b: 1, a: "x" } } }, merge).status).toBe(200);
    const [status, message] = messageOf(exchange(server, "PATCH", one, { spec: { part: { b: 2 } } }, merge));
    expect([status, message]).toEqual([422, invalid("spec.part: Invalid value: is immutable")]);
  });

  it("knows that sums and extremes of numbers cost no more than numbers do", () => {
    const numbers = { type: "array", maxItems: 1000, items: { type: "integer" } };
    const rule = (text: string) => ({ rule: text });
    const spec = {
      properties: { first: numbers, second: numbers },
      "x-kubernetes-validations": [
        rule("self.first.isSorted() && self.second.isSorted() && ((self.first.sum() + self.second.sum()) % 2 == 0)"),
        rule("self.first.max() + self.second.min() < 1000"),
      ],
    };
    const { server } = startServer();
    expect(exchange(server, "POST", crds, crontabCrd(spec)).status).toBe(201);
  });

  it("refuses rules that may cost too much, and names the dearest", () => {
    const names = {
      type: "array",
      items: { type: "string" },
      "x-kubernetes-validations": [{ rule: "self.all(x, self.exists_one(y, x == y))" }],
    };
    const few = {
      type: "array",
      maxItems: 30,
      items: { type: "string", maxLength: 200, "x-kubernetes-validations": [{ rule: "self.matches('^[a-z]+$')" }] },
    };
    const text = { type: "string", "x-kubernetes-validations": [{ rule: "self.contains('abcdefghijklmnop')" }] };
    const nested = { type: "array", items: { type: "object", properties: { a: text } } };
    const { server } = startServer();
    const reply = json(exchange(server, "POST", crds, crontabCrd({ properties: { names, few, nested } })));
    const root = "spec.validation.openAPIV3Schema";
    const rule = (path: string) => `${root}.properties[spec].properties${path}.x-kubernetes-validations[0].rule`;
    const advice =
      "exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
    const [dear, dearer] = [rule("[names]"), rule("[nested].items.properties[a]")];
    const contributed = "Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    expect(reply["message"]).toBe(
      `CustomResourceDefinition.apiextensions.k8s.io "crontabs.stable.example.com" is invalid: [${[
        `${dear}: Forbidden: estimated rule cost ${advice}`,
        `${dearer}: Forbidden: estimated rule cost ${advice}`,
        `${dear}: ${contributed}`,
        `${dearer}: ${contributed}`,
        `${root}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ${advice}`,
      ].join(", ")}]`,
    );
  });
});

describe("what rules cost when they run", () => {
  const unequal = "self.items.all(x, self.items.all(y, x != y || x == y))";
  const withItems = (maxItems: number, ...rules: readonly string[]): Fields => ({
    type: "object",
    properties: { items: { type: "array", maxItems, items: { type: "string", maxLength: 4 } } },
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  });
  const items = (count: number) => Array.from({ length: count }, (_, index) => `i${index}`);
  const answerTo = (properties: Fields, spec: JsonValue): unknown => {
    const { server } = serveCrd(crontabCrd({ properties }));
    return messageOf(create(server, spec))[1];
  };

  it("ends one that costs too much, and those after it", () => {
    const said = answerTo({ dear: withItems(450, unequal, "self.items.size() < 1") }, { dear: { items: items(450) } });
    expect(said).toBe(
      invalid(
        `spec.dear: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${unequal}`,
      ),
    );
  });

  it("ends all where they cost too much together", () => {
    const one = withItems(100, unequal);
    const many = { type: "array", maxItems: 60, items: one };
    const lists = { a: many, b: many, c: many };
    const values = Array.from({ length: 60 }, () => ({ items: items(100) }));
    expect(String(answerTo(lists, { a: values, b: values, c: values }))).toMatch(
      /^CronTab\.stable\.example\.com "my-crontab" is invalid: spec\.[abc]\[\d+\]: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run$/,
    );
  });
});
