import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const path = "/apis/apps/v1/namespaces/default/deployments/web";
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

interface Entry {
  readonly manager: string;
  readonly operation: string;
}

function config(replicas: number | undefined, image = "nginx:1"): { [field: string]: JsonValue } {
  const template = { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "c", image }] } };
  const spec = { ...(replicas === undefined ? {} : { replicas }), selector: { matchLabels: { app: "x" } }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
}

function start() {
  const { server } = startServer();
  const apply = (body: JsonValue | string, query = "?fieldManager=me"): TestReply =>
    exchange(server, "PATCH", `${path}${query}`, body, { "content-type": "application/apply-patch+yaml" });
  const said = (reply: TestReply) => [reply.status, json(reply)["reason"], json(reply)["message"]];
  const managers = (reply: TestReply) =>
    (JSON.parse(reply.text) as { metadata: { managedFields: readonly Entry[] } }).metadata.managedFields.map(
      ({ manager, operation }) => `${manager} ${operation}`,
    );
  const replicas = (reply: TestReply) => (json(reply)["spec"] as { replicas: number }).replicas;
  const create = (body: { [field: string]: JsonValue }, manager: string): TestReply =>
    exchange(server, "POST", `/apis/apps/v1/namespaces/default/deployments?fieldManager=${manager}`, body);
  return { server, apply, said, managers, replicas, create };
}

describe("server-side apply", () => {
  it("[API-017] [API-035] makes the object, then changes nothing when nothing changed", () => {
    const { apply, managers } = start();
    const first = apply(config(2));
    expect([first.status, managers(first)]).toEqual([201, ["me Apply"]]);
    const second = apply(config(2));
    expect([second.status, second.text]).toEqual([200, first.text]);
  });

  it("takes a key of a list that is not there for empty, which the kind refuses", () => {
    const { apply, said } = start();
    const { metadata, spec, ...rest } = config(1) as { readonly [field: string]: { readonly [field: string]: JsonValue } };
    const template = { metadata: { labels: { app: "x" } }, spec: { containers: [{ image: "nginx:1" }] } };
    expect(said(apply({ ...rest, metadata, spec: { ...spec, template } } as JsonValue))).toEqual([
      422,
      "Invalid",
      'Deployment.apps "web" is invalid: spec.template.spec.containers[0].name: Required value',
    ]);
  });

  it("conflicts with other managers, field by field, unless forced", () => {
    const { apply, said, replicas, managers } = start();
    apply(config(2));
    expect(said(apply(config(3), "?fieldManager=you"))).toEqual([
      409,
      "Conflict",
      'Apply failed with 1 conflict: conflict with "me": .spec.replicas',
    ]);
    const forced = apply(config(3), "?fieldManager=you&force=true");
    expect([forced.status, replicas(forced), managers(forced)]).toEqual([200, 3, ["me Apply", "you Apply"]]);
  });

  it("removes what its manager no longer says", () => {
    const { apply } = start();
    apply({ ...config(2), metadata: { name: "web", labels: { a: "1", b: "2" } } });
    const reply = apply({ ...config(2), metadata: { name: "web", labels: { a: "1" } } });
    expect((json(reply)["metadata"] as { labels: JsonValue }).labels).toEqual({ a: "1" });
  });

  it("lets go of a field that another manager applies as well", () => {
    const { apply, managers } = start();
    const fieldsOf = (reply: ReturnType<typeof apply>): readonly unknown[] =>
      (json(reply)["metadata"] as { managedFields: readonly { manager: string; fieldsV1: JsonValue }[] }).managedFields.map(
        ({ manager, fieldsV1 }) => [manager, "f:replicas" in ((fieldsV1 as { "f:spec": object })["f:spec"] as object)],
      );
    apply(config(2), "?fieldManager=one");
    apply(config(2), "?fieldManager=two");
    const left = apply(config(undefined), "?fieldManager=one");
    expect(fieldsOf(left)).toEqual([
      ["two", true],
      ["one", false],
    ]);
    expect(managers(left)).toEqual(["two Apply", "one Apply"]);
  });

  it("gives back a field that nobody applies to its default", () => {
    const { apply, replicas } = start();
    apply(config(5));
    expect(replicas(apply(config(undefined)))).toBe(1);
  });

  it("takes over from client-side apply without conflicts what that had applied", () => {
    const { apply, create, replicas, said } = start();
    const annotated = {
      ...config(2),
      metadata: { name: "web", annotations: { [lastApplied]: `${JSON.stringify(config(2))}\n` } },
    };
    create(annotated, "kubectl-client-side-apply");
    expect(said(apply(config(3), "?fieldManager=somebody"))[0]).toBe(409);
    const taken = apply(config(3), "?fieldManager=kubectl");
    expect([taken.status, replicas(taken)]).toEqual([200, 3]);
    const { annotations } = json(taken)["metadata"] as { annotations: { [key: string]: string } };
    expect((JSON.parse(annotations[lastApplied] ?? "") as { spec: { replicas: number } }).spec.replicas).toBe(3);
  });

  it("owns before the first apply what was written without managers", () => {
    const { apply, create, managers, server } = start();
    create(config(2), "kubectl-create");
    exchange(server, "PATCH", path, { metadata: { managedFields: [{}] } }, { "content-type": "application/merge-patch+json" });
    expect(managers(apply(config(3), "?fieldManager=me&force=true"))).toEqual(["me Apply", "before-first-apply Update"]);
  });

  it.each<[string, JsonValue | string, string, readonly unknown[]]>([
    [
      "[API-035] without a manager",
      config(1),
      "",
      [422, "Invalid", 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'],
    ],
    [
      "of fields that there are not",
      { ...config(1), spec: { replica: 2 } },
      "?fieldManager=me",
      [
        500,
        undefined,
        "failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema",
      ],
    ],
    [
      "of another kind",
      { ...config(1), apiVersion: "v1", kind: "Secret" },
      "?fieldManager=me",
      [400, "BadRequest", "invalid object type: /v1, Kind=Secret"],
    ],
    ["of no kind", { metadata: { name: "web" } }, "?fieldManager=me", [400, "BadRequest", "invalid object type: /, Kind="]],
    [
      "of another version",
      { ...config(1), apiVersion: "apps/v2" },
      "?fieldManager=me",
      [400, "BadRequest", "invalid object type: apps/v2, Kind=Deployment"],
    ],
    [
      "of managed fields",
      { ...config(1), metadata: { name: "web", managedFields: [{ manager: "x" }] } },
      "?fieldManager=me",
      [400, "BadRequest", "metadata.managedFields must be nil"],
    ],
    [
      "of no managed fields",
      { ...config(1), metadata: { name: "web", managedFields: [] } },
      "?fieldManager=me",
      [400, "BadRequest", "metadata.managedFields must be nil"],
    ],
    [
      "of another kind",
      { ...config(1), kind: "DaemonSet" },
      "?fieldManager=me",
      [400, "BadRequest", "invalid object type: apps/v1, Kind=DaemonSet"],
    ],
    [
      "[API-024] of another name",
      { ...config(1), metadata: { name: "other" } },
      "?fieldManager=me",
      [400, "BadRequest", "the name of the object (other) does not match the name on the URL (web)"],
    ],
    [
      "[API-112] of an object that is not valid",
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web", labels: { "a b": "c" } },
        spec: config(1)["spec"] as JsonValue,
      },
      "?fieldManager=me",
      [422, "Invalid", expect.stringContaining('Deployment.apps "web" is invalid: metadata.labels: Invalid value: "a b": ')],
    ],
  ])("refuses a configuration %s", (_title, body, query, expected) => {
    const { apply, said } = start();
    expect(said(apply(body, query))).toEqual(expected);
  });

  it("[API-110] notices keys that stand twice", () => {
    const { apply, said } = start();
    const text = [
      "apiVersion: apps/v1",
      "kind: Deployment",
      "metadata: {name: web}",
      "spec:",
      "  replicas: 1",
      "  replicas: 2",
      "  selector: {matchLabels: {a: b}}",
      "  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}",
    ].join("\n");
    expect(said(apply(text, "?fieldManager=me&fieldValidation=Strict"))).toEqual([
      400,
      "BadRequest",
      'error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "replicas" already set in map',
    ]);
    expect(apply(text, "?fieldManager=me&fieldValidation=Ignore").status).toBe(201);
  });

  it("forgets managers when they are edited away, as kubectl does when it comes from client-side apply", () => {
    const { create, server, managers } = start();
    create(config(2), "kubectl-client-side-apply");
    const entries = (json(exchange(server, "GET", path))["metadata"] as { managedFields: { [field: string]: JsonValue }[] })
      .managedFields;
    const edited = entries.map((entry) => ({ ...entry, manager: "kubectl", operation: "Apply" }));
    const operations = [{ op: "replace", path: "/metadata/managedFields", value: edited }] as JsonValue;
    const reply = exchange(server, "PATCH", path, operations, { "content-type": "application/json-patch+json" });
    expect([reply.status, managers(reply)]).toEqual([200, ["kubectl Apply"]]);
  });

  it("[API-037] leaves nothing behind after a dry run", () => {
    const { apply, server } = start();
    expect(apply(config(1), "?fieldManager=me&dryRun=All").status).toBe(201);
    expect(exchange(server, "GET", path).status).toBe(404);
  });
});
