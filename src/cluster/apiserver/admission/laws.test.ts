import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { configMapRule, createConfigMap } from "./dynamic/policies.test-kit.ts";

type Fields = { readonly [field: string]: JsonValue };

const expressions = fc.constantFrom(
  "true",
  "",
  " ",
  "object.data.a == 'b'",
  "oldObject.metadata",
  "params.data.limit",
  "variables.v",
  "request.namespace",
  "Object{}",
  "Object{data: {'a': 'b'}}",
  "Object{metadata: Object.metadata{labels: {'a': string(1)}}}",
  "[JSONPatch{op: 'add', path: '/data', value: {'a': 'b'}}]",
  "[JSONPatch{op: 'remove', path: '/nothing'}]",
  "[1]",
  "'text'",
  "1 +",
  "authorizer.requestResource.check('get').allowed()",
  "object.metadata.labels.map(k, k).size() > 0",
  "null",
);
const names = fc.constantFrom("v", "in", "", "a-b", "example.com/x");
/** One of the words, seldom another. */
const words = (...values: readonly string[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...values) }, fc.constantFrom("Other", ""));
const record = (fields: { readonly [name: string]: fc.Arbitrary<unknown> }) => fc.record(fields, { requiredKeys: [] });
const some = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 2 });
/** Mostly what is valid, so that requests meet it. */
const oftenNothing = (item: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, some(item));

const selector = record({
  matchLabels: fc.constantFrom({}, { a: "b" }, { "a b": "c" }),
  matchExpressions: some(record({ key: names, operator: words("In", "Exists"), values: some(names) })),
});
const rule = record({
  apiGroups: fc.constantFrom([""], ["*"], ["*", ""]),
  apiVersions: fc.constantFrom(["v1"], ["*"], [""]),
  operations: fc.constantFrom(["*"], ["CREATE"], ["CREATE", "DELETE"], ["NO"]),
  resources: fc.constantFrom(["configmaps"], ["*"], ["*/*"], ["pods", "*/status"], ["/"], []),
  scope: words("*", "Namespaced"),
  resourceNames: some(names),
});
const match = record({
  resourceRules: some(rule),
  excludeResourceRules: some(rule),
  namespaceSelector: selector,
  objectSelector: selector,
  matchPolicy: words("Exact", "Equivalent"),
});
const conditions = oftenNothing(record({ name: names, expression: expressions }));
const policy = {
  failurePolicy: words("Fail", "Ignore"),
  matchConstraints: match,
  matchConditions: conditions,
  paramKind: record({ apiVersion: words("v1", "a/b/c"), kind: words("ConfigMap") }),
  variables: oftenNothing(record({ name: names, expression: expressions })),
};
const specs: { readonly [plural: string]: fc.Arbitrary<unknown> } = {
  validatingadmissionpolicies: record({
    ...policy,
    validations: some(
      record({ expression: expressions, message: names, messageExpression: expressions, reason: words("Forbidden") }),
    ),
    auditAnnotations: oftenNothing(record({ key: names, valueExpression: expressions })),
  }),
  mutatingadmissionpolicies: record({
    ...policy,
    mutations: some(
      record({
        patchType: words("JSONPatch", "ApplyConfiguration"),
        jsonPatch: record({ expression: expressions }),
        applyConfiguration: record({ expression: expressions }),
      }),
    ),
    reinvocationPolicy: words("Never", "IfNeeded"),
  }),
};
const usual = {
  matchConstraints: fc.constant({ resourceRules: [{ ...configMapRule, operations: ["*"] }] }),
  failurePolicy: fc.constantFrom("Fail", "Ignore"),
};
const questions = fc.constantFrom(
  "object.data.a == 'b'",
  "oldObject.metadata.name == 'x'",
  "object.nothing.at.all == 1",
  "object.metadata.labels['a'] == 'b'",
  "request.options.kind in [1, 2]",
  "object.data.a < 3",
  "object.data.map(k, object.data[k]).all(v, v.matches('['))",
  "namespaceObject.spec == null || 1 / 0 == 1",
  "quantity(object.data.a).isInteger() || ip(object.data.a).family() == 4",
);
const objects = fc.constantFrom(
  "Object{data: {'a': object.data.b}}",
  "Object{data: Object.spec{a: 1}}",
  "Object{metadata: Object.metadata{name: 'other', labels: {'a': 'x y'}}}",
  "Object{metadata: Object.metadata{finalizers: ['a/b']}, immutable: 'yes'}",
  "Object{kind: 'Secret', data: {'a': string(1)}}",
  "has(object.spec) ? Object{} : Object{data: {}}",
);
/** None that makes something else of the object: that is a 500 upstream, too. */
const patches = fc.constantFrom(
  "[JSONPatch{op: 'replace', path: '/data', value: null}]",
  "[JSONPatch{op: 'remove', path: '/metadata'}]",
  "[JSONPatch{op: 'copy', from: '/data', path: '/data/a/b/c'}]",
  "[JSONPatch{op: 'other', path: 'x'}, JSONPatch{}]",
  "[JSONPatch{op: 'add', path: '/metadata/labels', value: Object.metadata.labels{a: 'b'}}]",
  "[1]",
);
/** One expression each, so that they are accepted and met by requests. */
const simpleSpecs: { readonly [plural: string]: fc.Arbitrary<unknown> } = {
  validatingadmissionpolicies: fc.record({ ...usual, validations: fc.tuple(fc.record({ expression: questions })) }),
  mutatingadmissionpolicies: fc.record({
    ...usual,
    reinvocationPolicy: fc.constantFrom("Never", "IfNeeded"),
    mutations: fc.tuple(
      fc.oneof(
        fc.record({ patchType: fc.constant("JSONPatch"), jsonPatch: fc.record({ expression: patches }) }),
        fc.record({ patchType: fc.constant("ApplyConfiguration"), applyConfiguration: fc.record({ expression: objects }) }),
      ),
    ),
  }),
};
const paramRef = record({
  name: words("settings"),
  namespace: words("default"),
  selector,
  parameterNotFoundAction: words("Deny", "Allow"),
});
const binding = fc.record(
  {
    policyName: fc.constant("p"),
    validationActions: fc.constantFrom<JsonValue>(["Deny"], ["Warn", "Audit"], []),
    paramRef: fc.oneof(fc.constant({ name: "settings", parameterNotFoundAction: "Deny" }), paramRef),
    matchResources: fc.oneof(match, fc.constant({})),
  },
  { requiredKeys: ["policyName", "validationActions"] },
);
const webhook = record({
  name: words("a.example.com"),
  clientConfig: record({
    url: words("https://a/b", "http://a"),
    service: record({ name: names, namespace: names, path: words("/a//b", "/"), port: fc.integer({ min: -1, max: 70_000 }) }),
  }),
  rules: some(rule),
  namespaceSelector: selector,
  matchConditions: conditions,
  sideEffects: words("None"),
  timeoutSeconds: fc.integer({ min: 0, max: 40 }),
  admissionReviewVersions: fc.constantFrom(["v1"], [], ["v1", "v1"]),
  reinvocationPolicy: words("IfNeeded"),
});

const root = "/apis/admissionregistration.k8s.io/v1";
const kinds: { readonly [plural: string]: string } = {
  validatingadmissionpolicies: "ValidatingAdmissionPolicy",
  mutatingadmissionpolicies: "MutatingAdmissionPolicy",
};

it.each(Object.keys(kinds))("any of %s and any request: an answer, never a fault of the server", (plural) => {
  fc.assert(
    fc.property(
      fc.oneof(specs[plural] as fc.Arbitrary<unknown>, simpleSpecs[plural] as fc.Arbitrary<unknown>),
      binding,
      (spec, bound) => {
        const { server } = startServer();
        const send = (path: string, kind: string, fields: unknown): number =>
          exchange(server, "POST", `${root}/${path}`, {
            kind,
            apiVersion: "admissionregistration.k8s.io/v1",
            metadata: { name: "p" },
            spec: fields as Fields,
          }).status;
        const kind = kinds[plural] as string;
        expect(send(plural, kind, spec)).not.toBe(500);
        expect(send(plural.replace("policies", "policybindings"), `${kind}Binding`, bound)).not.toBe(500);
        expect(createConfigMap(server, { data: { a: "b" } }).status).not.toBe(500);
        const path = "/api/v1/namespaces/default/configmaps/settings";
        expect(exchange(server, "DELETE", path).status).not.toBe(500);
      },
    ),
    { numRuns: 300 },
  );
});

it("any webhook configuration: an answer, never a fault of the server", () => {
  fc.assert(
    fc.property(some(webhook), (webhooks) => {
      const { server } = startServer();
      for (const kind of ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"]) {
        const body = {
          kind,
          apiVersion: "admissionregistration.k8s.io/v1",
          metadata: { name: "p" },
          webhooks: webhooks as JsonValue,
        };
        expect(exchange(server, "POST", `${root}/${kind.toLowerCase()}s`, body).status).not.toBe(500);
      }
    }),
    { numRuns: 300 },
  );
});
