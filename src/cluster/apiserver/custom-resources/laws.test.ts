import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { apply, crds, crontab, crontabCrd, crontabs, type Fields, merge } from "./crontabs.test-kit.ts";

const names = fc.constantFrom("a", "b", "c", "metadata", "kind", "__proto__", "x-y", "in");

const { schema } = fc.letrec<{ schema: Fields; object: Fields; list: Fields; map: Fields; scalar: Fields }>((tie) => ({
  scalar: fc.oneof(
    fc.record({ type: fc.constantFrom("string", "integer", "number", "boolean") }),
    fc.record({ type: fc.constant("string"), format: fc.constantFrom("date-time", "duration", "byte", "uri", "nothing") }),
    fc.record({ type: fc.constant("string"), default: fc.constantFrom<JsonValue>("x", 1, null) }),
    fc.record({ type: fc.constant("integer"), minimum: fc.integer({ min: -3, max: 3 }), nullable: fc.boolean() }),
    fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^a", "[", "(?i)B"), maxLength: fc.nat(3) }),
    fc.constant<Fields>({ "x-kubernetes-int-or-string": true }),
    fc.record({ type: fc.constant("string"), "x-kubernetes-validations": fc.constant([{ rule: "self.size() < 3" }]) }),
  ) as fc.Arbitrary<Fields>,
  object: fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
      required: fc.array(names, { maxLength: 1 }),
      "x-kubernetes-preserve-unknown-fields": fc.constant(true),
      "x-kubernetes-embedded-resource": fc.boolean(),
      "x-kubernetes-map-type": fc.constantFrom("atomic", "granular"),
      "x-kubernetes-validations": fc.constant([{ rule: "has(self.a) || oldSelf == self" }]),
      oneOf: fc.constant([{ required: ["a"] }, { required: ["b"] }]),
    },
    { requiredKeys: ["type", "properties"] },
  ) as fc.Arbitrary<Fields>,
  list: fc.record(
    {
      type: fc.constant("array"),
      items: tie("schema"),
      "x-kubernetes-list-type": fc.constantFrom("atomic", "set", "map"),
      "x-kubernetes-list-map-keys": fc.array(names, { minLength: 1, maxLength: 2 }),
      maxItems: fc.nat(2),
    },
    { requiredKeys: ["type", "items"] },
  ) as fc.Arbitrary<Fields>,
  map: fc.record({ type: fc.constant("object"), additionalProperties: tie("schema") }) as fc.Arbitrary<Fields>,
  schema: fc.oneof({ maxDepth: 3 }, tie("scalar"), tie("object"), tie("list"), tie("map")) as fc.Arbitrary<Fields>,
}));

const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, -1, "", "a", "b", "2024-01-01T00:00:00Z"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ) as fc.Arbitrary<JsonValue>,
})).value;

describe("custom resources", () => {
  it("any structural schema and any object: an answer, never a fault of the server", () => {
    fc.assert(
      fc.property(schema, value, value, value, (a, first, second, third) => {
        const { server, simulation } = startServer();
        const replies = [exchange(server, "POST", crds, crontabCrd({ properties: { a } }))];
        simulation.run({ untilMs: simulation.nowMs + 3_000 });
        replies.push(exchange(server, "POST", crontabs, crontab({ a: first })));
        replies.push(exchange(server, "PATCH", `${crontabs}/my-crontab`, { spec: { a: second } }, merge));
        replies.push(exchange(server, "PATCH", `${crontabs}/my-crontab?fieldManager=x&force=true`, crontab({ a: third }), apply));
        replies.push(exchange(server, "GET", crontabs, undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }));
        replies.push(exchange(server, "GET", "/openapi/v3/apis/stable.example.com/v1"));
        for (const { status, text } of replies) if (status >= 500) expect(text).toBe("no fault");
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
