import { describe, expect, it } from "vitest";
import { json } from "../../http/http-call.test-kit.ts";
import {
  addPolicy,
  createConfigMap,
  createDeployment,
  createPolicy,
  dear,
  deploymentRule,
  type Fields,
  messageOf,
  nested,
  outOfBudget,
  withPolicy,
} from "./policies.test-kit.ts";

const apply = (expression: string): Fields => ({
  mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }],
});
const patch = (expression: string): Fields => ({ mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }] });
const denied = (text: string) => `policy 'p' with binding 'p-binding' denied request: ${text}`;

describe("MutatingAdmissionPolicy", () => {
  it("merges an apply configuration", () => {
    const server = withPolicy("Mutating", {
      matchConstraints: { resourceRules: [deploymentRule] },
      ...apply(`Object{
        metadata: Object.metadata{labels: {"team": "blue"}},
        spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{
          containers: [Object.spec.template.spec.containers{name: "sidecar", image: "busybox:1.37"}],
        }}},
      }`),
    });
    const object = json(createDeployment(server, { replicas: 2 }));
    expect(object).toMatchObject({ metadata: { labels: { team: "blue" } }, spec: { replicas: 2 } });
    const { containers } = (
      object as { readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Fields[] } } } }
    ).spec.template.spec;
    expect(containers.map(({ name, imagePullPolicy }) => [name, imagePullPolicy])).toEqual([
      ["web", "IfNotPresent"],
      ["sidecar", "IfNotPresent"],
    ]);
  });

  it("carries out a JSON patch", () => {
    const server = withPolicy(
      "Mutating",
      patch(`[
        JSONPatch{op: "test", path: "/data/a", value: "1"},
        JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("x/y"), value: object.metadata.name},
      ]`),
    );
    expect(json(createConfigMap(server, { metadata: { name: "settings", labels: { a: "b" } }, data: { a: "1" } }))).toMatchObject({
      metadata: { labels: { "x/y": "settings" } },
    });
    const other = json(createConfigMap(server, { metadata: { name: "other", labels: { a: "b" } }, data: { a: "2" } }));
    expect(other["metadata"]).toMatchObject({ labels: { a: "b" } });
  });

  it.each<[string, Fields, string]>([
    [
      "the type name of another place",
      apply("Object{metadata: Object.spec{}}"),
      denied(
        'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path from root Object type',
      ),
    ],
    [
      "an unknown field",
      apply("Object{colour: 'blue'}"),
      denied("error applying patch: failed to convert patch object to typed object: .colour: field not declared in schema"),
    ],
    [
      "an atomic list",
      apply("Object{metadata: Object.metadata{managedFields: []}}"),
      denied(
        "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .metadata.managedFields",
      ),
    ],
    [
      "a fault",
      apply("Object{data: {'a': object.data.b}}"),
      denied("expression 'Object{data: {'a': object.data.b}}' resulted in error: no such key: data"),
    ],
  ])("refuses with %s", (_name, spec, message) => {
    const reply = createConfigMap(withPolicy("Mutating", spec));
    expect(json(reply)).toMatchObject({ code: 403, reason: "Invalid", message });
  });

  it("lets a faulty request pass where failures are ignored", () => {
    const server = withPolicy("Mutating", { failurePolicy: "Ignore", ...apply("Object{data: {'a': object.data.b}}") });
    expect(createConfigMap(server).status).toBe(201);
  });

  it("asks a policy again that wants to see the changes of others, once", () => {
    const server = withPolicy("Mutating", {
      reinvocationPolicy: "IfNeeded",
      ...apply("Object{data: {'first': string(has(object.data) && 'second' in object.data)}}"),
    });
    addPolicy(server, "Mutating", "q", apply("Object{data: {'second': 'yes'}}"));
    expect(json(createConfigMap(server))).toMatchObject({ data: { first: "true", second: "yes" } });
  });

  it.each<[string, Fields, string]>([
    [
      "no patch",
      { mutations: [{ patchType: "JSONPatch" }] },
      "spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch",
    ],
    [
      "another type of patch",
      { mutations: [{ patchType: "Merge" }] },
      'spec.mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"',
    ],
    ["no mutations", {}, "spec.mutations: Required value: mutations must contain at least one item"],
    [
      "an expression that makes no object",
      apply("'text'"),
      `spec.mutations[0].applyConfiguration.expression: Invalid value: "'text'": must evaluate to Object but got string`,
    ],
  ])("is refused with %s", (_name, spec, message) => {
    const matchConstraints = { resourceRules: [deploymentRule] };
    expect(messageOf(createPolicy("Mutating", { matchConstraints, reinvocationPolicy: "Never", ...spec }))).toBe(
      `MutatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: ${message}`,
    );
  });
});

describe("what the expressions of a mutating policy cost", () => {
  const labels = (count: number): Fields => ({
    mutations: dear.slice(0, count).map((expression, index) => ({
      patchType: "ApplyConfiguration",
      applyConfiguration: { expression: `Object{metadata: Object.metadata{labels: {"l${index}": string(${expression})}}}` },
    })),
  });
  const variables = dear.map((expression, index) => ({ name: `v${index}`, expression }));
  const allVariables = `string(${dear.map((_, index) => `variables.v${index}`).join(" && ")})`;

  it.each<[string, Fields, string]>([
    [
      "one mutation",
      apply(`Object{metadata: Object.metadata{labels: {"l": string(${nested(10)})}}}`),
      denied(
        `expression 'Object{metadata: Object.metadata{labels: {"l": string(${nested(10)})}}}' resulted in error: operation cancelled: actual cost limit exceeded`,
      ),
    ],
    [
      "one JSON patch",
      patch(`[JSONPatch{op: "add", path: "/data", value: {"a": string(${nested(10)})}}]`),
      denied(
        `expression '[JSONPatch{op: "add", path: "/data", value: {"a": string(${nested(10)})}}]' resulted in error: operation cancelled: actual cost limit exceeded`,
      ),
    ],
    ["the variables of one", { variables, ...apply(`Object{data: {"a": ${allVariables}}}`) }, denied(outOfBudget)],
    [
      "the conditions together",
      {
        matchConditions: dear.slice(0, 5).map((expression, index) => ({ name: `c${index}`, expression })),
        ...apply("Object{data: {'a': 'b'}}"),
      },
      denied(outOfBudget),
    ],
  ])("ends %s", (_title, spec, message) => {
    const reply = createConfigMap(withPolicy("Mutating", spec));
    expect(json(reply)).toMatchObject({ code: 403, reason: "Invalid", message });
    expect(messageOf(createConfigMap(withPolicy("Mutating", { failurePolicy: "Ignore", ...spec })))).toBe("");
  });

  it("is counted for each mutation anew, and for conditions apart", () => {
    const matchConditions = dear.slice(0, 4).map((expression, index) => ({ name: `c${index}`, expression }));
    const object = json(createConfigMap(withPolicy("Mutating", { matchConditions, ...labels(20) })));
    expect(Object.keys((object["metadata"] as { readonly labels: Fields }).labels)).toHaveLength(20);
  });

  it("leaves what the mutations before it did, where failures are ignored", () => {
    const mutations = [
      { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{data: {'first': 'yes'}}" } },
      { patchType: "ApplyConfiguration", applyConfiguration: { expression: `Object{data: {'dear': ${allVariables}}}` } },
      { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{data: {'last': 'yes'}}" } },
    ];
    const server = withPolicy("Mutating", { failurePolicy: "Ignore", variables, mutations });
    expect(json(createConfigMap(server))["data"]).toEqual({ first: "yes", last: "yes" });
  });
});
