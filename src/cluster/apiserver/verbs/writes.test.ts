// What POST, PUT and PATCH have in common: names, namespaces, versions, system fields, warnings.

import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const merge = "application/merge-patch+json";

type Metadata = { readonly [field: string]: JsonValue };

function start() {
  const { server, simulation } = startServer();
  const send = (method: string, path: string, body?: JsonValue, type = "application/json"): TestReply =>
    exchange(server, method, path, body, { "content-type": type });
  const metadataOf = (reply: TestReply) => json(reply)["metadata"] as Metadata;
  const said = (reply: TestReply) => [reply.status, json(reply)["reason"], json(reply)["message"]];
  return { server, simulation, send, metadataOf, said };
}

function deployment(name: string, replicas = 1): JsonValue {
  const template = { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: { app: "x" } }, template } };
}

describe("the answer to a write", () => {
  it("[API-017] is 201 for what was made and 200 for what was changed", () => {
    const { send } = start();
    const apply = "application/apply-patch+yaml";
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } };
    const lease = { metadata: { name: "l" }, spec: { holderIdentity: "me" } };
    const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l";
    expect([
      send("POST", maps, { metadata: { name: "a" } }).status,
      send("GET", `${maps}/a`).status,
      send("PUT", `${maps}/a`, { metadata: { name: "a" }, data: { x: "1" } }).status,
      send("PATCH", `${maps}/a`, { data: { x: "2" } }, merge).status,
      send("PATCH", `${maps}/b?fieldManager=me`, config, apply).status,
      send("PATCH", `${maps}/b?fieldManager=me`, config, apply).status,
      send("PUT", leases, lease).status,
      send("PUT", leases, json(send("GET", leases))).status,
      send("PUT", `${maps}/c`, { metadata: { name: "c" } }).status,
      send("DELETE", `${maps}/a`).status,
    ]).toEqual([201, 200, 200, 200, 201, 200, 201, 200, 404, 200]);
  });

  it("[API-020] [API-021] says what is not there", () => {
    const { send } = start();
    expect(json(send("GET", `${deployments}/x`))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'deployments.apps "x" not found',
      reason: "NotFound",
      details: { name: "x", group: "apps", kind: "deployments" },
      code: 404,
    });
  });
});

describe("names and namespaces", () => {
  it.each<[string, string, string, JsonValue, string]>([
    [
      "[API-023] POST of another namespace",
      "POST",
      maps,
      { metadata: { name: "a", namespace: "other" } },
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "[API-024] PUT of another name",
      "PUT",
      `${maps}/b`,
      { metadata: { name: "a" } },
      "the name of the object (a) does not match the name on the URL (b)",
    ],
    [
      "[API-024] PUT without a name",
      "PUT",
      `${maps}/b`,
      {},
      "the name of the object (b based on URL) was undeterminable: name must be provided",
    ],
    [
      "[API-025] POST of another version",
      "POST",
      maps,
      { apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "a" } },
      "the API version in the data (apps/v1) does not match the expected API version (v1)",
    ],
  ])("%s", (_title, method, path, body, message) => {
    const { send, said } = start();
    expect(said(send(method, path, body))).toEqual([400, "BadRequest", message]);
  });

  it("[API-028] a namespace in an object without namespaces is forgotten", () => {
    const { send, metadataOf } = start();
    const created = send("POST", "/api/v1/namespaces", { metadata: { name: "shop", namespace: "other" } });
    expect([created.status, metadataOf(created)["namespace"]]).toEqual([201, undefined]);
  });

  it("[API-075] [API-077] a name is taken once a kind and namespace", () => {
    const { send, said } = start();
    send("POST", maps, { metadata: { name: "a" } });
    expect(said(send("POST", maps, { metadata: { name: "a" } }))).toEqual([409, "AlreadyExists", 'configmaps "a" already exists']);
    expect(send("POST", "/api/v1/namespaces/kube-public/configmaps", { metadata: { name: "a" } }).status).toBe(201);
    expect(send("POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "a" } }).status).toBe(201);
  });

  it("[API-080] something must name the object", () => {
    const { send, said } = start();
    expect(said(send("POST", maps, {}))).toEqual([
      422,
      "Invalid",
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ]);
  });

  it("a budget's own rules come before those of all metadata, as upstream has it", () => {
    const { send, said } = start();
    const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    const refusal = (spec: { readonly [field: string]: string | number }) => said(send("POST", budgets, { spec }))[2];
    expect(refusal({ minAvailable: 1 })).toBe(
      'PodDisruptionBudget.policy "" is invalid: metadata.name: Required value: name or generateName is required',
    );
    expect(refusal({ minAvailable: "x" })).toMatch(/^PodDisruptionBudget.policy "" is invalid: \[?spec.minAvailable: /);
    expect(refusal({ minAvailable: "x" })).not.toContain("metadata.name");
  });

  it("[API-079] a prefix is cut to 58 characters and gets five more", () => {
    const { send, metadataOf } = start();
    const name = String(metadataOf(send("POST", maps, { metadata: { generateName: "x".repeat(70) } }))["name"]);
    expect([name.length, name.slice(0, 58), /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name.slice(58))]).toEqual([
      63,
      "x".repeat(58),
      true,
    ]);
  });

  it("[API-079] eight names that are taken are enough", () => {
    const { server, send, said } = start();
    // A source of chance that always says the same.
    Object.defineProperty(server.simulation.random, "below", { value: () => 0 });
    const first = send("POST", maps, { metadata: { generateName: "a-" } });
    expect(first.status).toBe(201);
    const second = send("POST", maps, { metadata: { generateName: "a-" } });
    expect(said(second)).toEqual([
      409,
      "AlreadyExists",
      'configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
    ]);
    expect((json(second)["details"] as Metadata)["retryAfterSeconds"]).toBe(1);
  });

  it.each<[string, string, string, JsonValue, string]>([
    [
      "[API-081] [API-087] a subdomain",
      "/api/v1/namespaces/default/configmaps",
      "ConfigMap",
      "Bad_Name",
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      "[API-082] its length",
      "/api/v1/namespaces/default/configmaps",
      "ConfigMap",
      "a".repeat(254),
      "must be no more than 253 characters",
    ],
    [
      "[API-083] a label",
      "/api/v1/namespaces",
      "Namespace",
      "A_b",
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    ["[API-084] a label with dots", "/api/v1/namespaces", "Namespace", "a.b", "must not contain dots"],
    [
      "[API-086] a path segment",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles",
      "ClusterRole.rbac.authorization.k8s.io",
      "a/b",
      "may not contain '/'",
    ],
    [
      "[API-086] no dots alone",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles",
      "ClusterRole.rbac.authorization.k8s.io",
      "..",
      "may not be '..'",
    ],
  ])("%s", (_title, path, kind, name, reason) => {
    const { send } = start();
    expect(json(send("POST", path, { metadata: { name } }))["message"]).toBe(
      `${kind} ${JSON.stringify(name)} is invalid: metadata.name: Invalid value: ${JSON.stringify(name)}: ${reason}`,
    );
  });
});

describe("fields of the system", () => {
  it("[API-026] [API-027] are the server's when an object is made", () => {
    const { send, metadataOf } = start();
    const wiped = {
      uid: "mine",
      creationTimestamp: "2001-01-01T00:00:00Z",
      deletionTimestamp: "2001-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 5,
      selfLink: "/x",
      generation: 7,
    };
    const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, selfLink, generation } = metadataOf(
      send("POST", maps, { metadata: { name: "a", ...wiped } }),
    );
    expect([/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(String(uid)), creationTimestamp]).toEqual([
      true,
      "2026-01-01T00:00:00Z",
    ]);
    expect([deletionTimestamp, deletionGracePeriodSeconds, selfLink, generation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("[API-101] [API-157] stay when an object is changed", () => {
    const { send, metadataOf } = start();
    const before = metadataOf(send("POST", maps, { metadata: { name: "a", finalizers: ["a/b"] } }));
    send("DELETE", `${maps}/a`);
    const going = metadataOf(send("GET", `${maps}/a`));
    const patch = {
      metadata: { creationTimestamp: "2001-01-01T00:00:00Z", deletionTimestamp: null, generation: 9, labels: { a: "b" } },
    };
    const after = metadataOf(send("PATCH", `${maps}/a`, patch, merge));
    expect([after["creationTimestamp"], after["deletionTimestamp"], after["labels"]]).toEqual([
      before["creationTimestamp"],
      going["deletionTimestamp"],
      { a: "b" },
    ]);
  });

  it("[API-101] [API-157] refuse to be set where they are not", () => {
    const { send, said } = start();
    send("POST", maps, { metadata: { name: "a" } });
    const refused = (field: string, value: string) => [
      422,
      "Invalid",
      `ConfigMap "a" is invalid: metadata.${field}: Invalid value: ${value}: field is immutable`,
    ];
    const set = (metadata: JsonValue) => said(send("PATCH", `${maps}/a`, { metadata }, merge));
    expect(set({ deletionTimestamp: "2001-01-01T00:00:00Z" })).toEqual(refused("deletionTimestamp", '"2001-01-01T00:00:00Z"'));
    expect(set({ deletionGracePeriodSeconds: 5 })).toEqual(refused("deletionGracePeriodSeconds", "5"));
    expect(send("GET", `${maps}/a`).status).toBe(200);
  });

  it("[API-027] [API-102] are not invented by clients", () => {
    const { send, metadataOf } = start();
    send("POST", maps, { metadata: { name: "a" } });
    const { selfLink, generation } = metadataOf(
      send("PATCH", `${maps}/a`, { metadata: { selfLink: "/x", generation: 9, labels: { a: "b" } } }, merge),
    );
    expect([selfLink, generation]).toEqual([undefined, undefined]);
  });

  it("[API-102] generation counts changes of the spec", () => {
    const { send, metadataOf } = start();
    const generation = (body: JsonValue, path = `${deployments}/web`) => metadataOf(send("PATCH", path, body, merge))["generation"];
    expect(metadataOf(send("POST", deployments, deployment("web")))["generation"]).toBe(1);
    expect([
      generation({ spec: { replicas: 2 } }),
      generation({ metadata: { labels: { a: "b" } } }),
      generation({ status: { replicas: 5 } }, `${deployments}/web/status`),
      generation({ spec: { replicas: 2 } }),
      generation({ spec: { paused: true } }),
      // Deployments count changes of annotations too (pkg/registry/apps/deployment/strategy.go).
      generation({ metadata: { annotations: { c: "d" } } }),
    ]).toEqual([2, 2, 2, 2, 3, 4]);
    expect(metadataOf(send("POST", maps, { metadata: { name: "a" } }))["generation"]).toBeUndefined();
  });

  it("[API-105] status and spec are written each by its own path", () => {
    const { send } = start();
    send("POST", deployments, deployment("web"));
    const both = { spec: { replicas: 9 }, status: { replicas: 7 } };
    const main = json(send("PATCH", `${deployments}/web`, both, merge)) as { spec?: Metadata; status?: Metadata };
    expect([main.spec?.["replicas"], main.status?.["replicas"]]).toEqual([9, undefined]);
    const status = json(
      send("PATCH", `${deployments}/web/status`, { spec: { replicas: 3 }, status: { replicas: 7 } }, merge),
    ) as typeof main;
    expect([status.spec?.["replicas"], status.status?.["replicas"]]).toEqual([9, 7]);
  });

  it("[API-119] every write gives a higher version, but one that changes nothing", () => {
    const { send, metadataOf } = start();
    const version = (reply: TestReply) => Number(metadataOf(reply)["resourceVersion"]);
    const created = version(send("POST", maps, { metadata: { name: "a" } }));
    const changed = version(send("PATCH", `${maps}/a`, { data: { x: "1" } }, merge));
    expect(changed).toBeGreaterThan(created);
    expect(version(send("PATCH", `${maps}/a`, { data: { x: "1" } }, merge))).toBe(changed);
  });

  it("[API-103] managedFields tell who set what", () => {
    const { send, metadataOf } = start();
    send("POST", `${maps}?fieldManager=me`, { metadata: { name: "a" }, data: { x: "1" } });
    const patched = send("PATCH", `${maps}/a?fieldManager=you`, { data: { y: "2" } }, merge);
    const entry = { apiVersion: "v1", fieldsType: "FieldsV1", operation: "Update", time: "2026-01-01T00:00:00Z" };
    expect(metadataOf(patched)["managedFields"]).toEqual([
      { ...entry, manager: "me", fieldsV1: { "f:data": { ".": {}, "f:x": {} } } },
      { ...entry, manager: "you", fieldsV1: { "f:data": { "f:y": {} } } },
    ]);
  });
});

describe("preconditions", () => {
  it("[API-120] an old version conflicts", () => {
    const { send, said } = start();
    const old = json(send("POST", deployments, deployment("web")));
    send("PATCH", `${deployments}/web`, { spec: { replicas: 2 } }, merge);
    expect(said(send("PUT", `${deployments}/web`, old))).toEqual([
      409,
      "Conflict",
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    ]);
  });

  it("[API-121] no version is no condition", () => {
    const { send } = start();
    send("POST", maps, { metadata: { name: "a" } });
    expect(send("PUT", `${maps}/a`, { metadata: { name: "a" }, data: { x: "1" } }).status).toBe(200);
  });

  it("[API-121] version 0 is no condition either, text that is no version is the server's fault", () => {
    const { send, said } = start();
    send("POST", maps, { metadata: { name: "a" } });
    const put = (resourceVersion: string) =>
      send("PUT", `${maps}/a`, { metadata: { name: "a", resourceVersion }, data: { x: "1" } });
    expect(put("0").status).toBe(200);
    expect(said(send("PATCH", `${maps}/a`, { metadata: { resourceVersion: "0" }, data: { x: "2" } }, merge))[0]).toBe(200);
    expect(said(put("new"))).toEqual([500, undefined, 'strconv.ParseUint: parsing "new": invalid syntax']);
  });

  it("[API-120] where an update needs a version, version 0 is none", () => {
    const { send, said } = start();
    const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    send("POST", budgets, { metadata: { name: "a" }, spec: { maxUnavailable: 1 } });
    const desired = { metadata: { name: "a", resourceVersion: "0" }, spec: { maxUnavailable: 2 } };
    expect(said(send("PUT", `${budgets}/a`, desired))).toEqual([
      422,
      "Invalid",
      'poddisruptionbudgets.policy "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  });

  it.each(["mutatingwebhookconfigurations", "validatingwebhookconfigurations"])(
    "[API-121] %s are not updated without a resourceVersion",
    (plural) => {
      const { send, said } = start();
      const collection = `/apis/admissionregistration.k8s.io/v1/${plural}`;
      send("POST", collection, { metadata: { name: "a" } });
      expect(said(send("PUT", `${collection}/a`, { metadata: { name: "a", labels: { x: "1" } } }))).toEqual([
        422,
        "Invalid",
        `${plural}.admissionregistration.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      ]);
      expect(send("PATCH", `${collection}/a`, { metadata: { labels: { x: "1" } } }, merge).status).toBe(200);
    },
  );

  it("a new object has no version", () => {
    const { send, said } = start();
    const post = (resourceVersion: string, query = "") =>
      said(send("POST", `${maps}${query}`, { metadata: { name: "a", resourceVersion } }));
    const refused = [500, undefined, "resourceVersion should not be set on objects to be created"];
    expect([post("7"), post("007"), post("7", "?dryRun=All")[0], post("0")[0], post("7")]).toEqual([
      refused,
      refused,
      201,
      201,
      refused,
    ]);
    const lease = { metadata: { name: "l", resourceVersion: "7" }, spec: {} };
    expect(send("PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", lease).status).toBe(201);
  });

  it("another uid conflicts, also when there is nothing any more", () => {
    const { send, said, metadataOf } = start();
    const uid = metadataOf(send("POST", maps, { metadata: { name: "a" } }))["uid"];
    const conflict = (name: string, found: JsonValue | undefined) => [
      409,
      "Conflict",
      `Operation cannot be fulfilled on configmaps "${name}": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/${name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${found ?? ""}`,
    ];
    expect(said(send("PUT", `${maps}/a`, { metadata: { name: "a", uid: "other" } }))).toEqual(conflict("a", uid));
    expect(said(send("PUT", `${maps}/b`, { metadata: { name: "b", uid: "other" } }))).toEqual(conflict("b", ""));
  });
});

describe("sizes", () => {
  it("[API-030] what etcd does not take is not stored", () => {
    const { send, said } = start();
    const annotations = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`a${index}`, "x".repeat(20_000)]));
    const crowd = deployment("web") as { metadata: object; spec: { template: { spec: { containers: object[] } } } };
    const containers = Array.from({ length: 90 }, (_, index) => ({
      name: `c${index}`,
      image: "nginx",
      args: ["x".repeat(18_000)],
    }));
    crowd.spec.template.spec.containers = containers;
    const body = { ...crowd, metadata: { name: "web", annotations } } as JsonValue;
    expect(said(send("POST", deployments, body))).toEqual([500, undefined, "etcdserver: request is too large"]);
    expect(send("GET", `${deployments}/web`).status).toBe(404);
  });

  it("[API-029] bodies above 3 MiB are not read", () => {
    const { send, said } = start();
    const body = { metadata: { name: "a" }, data: { x: "y".repeat(3 * 1024 * 1024) } };
    expect(said(send("POST", maps, body))).toEqual([413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"]);
  });
});

describe("owners", () => {
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u-1" };
  const warned = (when: string) =>
    `299 - ".metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u-1"`;

  it("[API-100] that are there twice count once, with a warning", () => {
    const { send, metadataOf } = start();
    const created = send("POST", maps, { metadata: { name: "a", ownerReferences: [owner, owner] } });
    expect([metadataOf(created)["ownerReferences"], created.headers["warning"]]).toEqual([[owner], warned("")]);
    const operations = [{ op: "add", path: "/metadata/ownerReferences/-", value: owner }];
    const patched = send("PATCH", `${maps}/a`, operations, "application/json-patch+json");
    expect([metadataOf(patched)["ownerReferences"], patched.headers["warning"]]).toEqual([
      [owner],
      warned(" after mutating admission happens"),
    ]);
  });

  it.each<[JsonValue, string]>([
    [[{ ...owner, apiVersion: "" }], 'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty'],
    [[{ ...owner, kind: "" }], 'metadata.ownerReferences.kind: Invalid value: "": must not be empty'],
    [[{ ...owner, name: "" }], 'metadata.ownerReferences.name: Invalid value: "": must not be empty'],
    [[{ ...owner, uid: "" }], 'metadata.ownerReferences.uid: Invalid value: "": must not be empty'],
  ])("[API-099] are named in full: %j", (ownerReferences, cause) => {
    const { send } = start();
    expect(json(send("POST", maps, { metadata: { name: "a", ownerReferences } }))["message"]).toBe(
      `ConfigMap "a" is invalid: ${cause}`,
    );
  });

  it("[API-099] only one may control, and no Event may own", () => {
    const { send } = start();
    const two = [
      { ...owner, controller: true },
      { ...owner, name: "p", uid: "u-2", controller: true },
    ];
    expect(json(send("POST", maps, { metadata: { name: "a", ownerReferences: two } }))["message"]).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for ConfigMap/o and ConfigMap/p',
    );
    const event = [{ ...owner, kind: "Event" }];
    expect(json(send("POST", maps, { metadata: { name: "a", ownerReferences: event } }))["message"]).toContain(
      "/v1, Kind=Event is disallowed from being an owner",
    );
  });
});
