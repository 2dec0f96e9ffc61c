// Deletion as clients see it: finalizers, grace, propagation, preconditions.

import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";

type Metadata = { readonly [field: string]: JsonValue };

function start() {
  const { server, simulation, client } = startServer();
  const send = (method: string, path: string, body?: JsonValue): TestReply => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    return exchange(server, method, path, body, body === undefined ? {} : { "content-type": type });
  };
  const add = (name: string, metadata: object = {}) => send("POST", maps, { metadata: { name, ...metadata } } as JsonValue);
  const metadataOf = (reply: TestReply) => json(reply)["metadata"] as Metadata;
  const said = (reply: TestReply) => [reply.status, json(reply)["reason"], json(reply)["message"]];
  return { server, simulation, client, send, add, metadataOf, said };
}

describe("deletion", () => {
  it("[API-153] of an object that nothing holds answers a Status", () => {
    const { send, add, metadataOf } = start();
    const { uid } = metadataOf(add("a"));
    const reply = send("DELETE", `${maps}/a`);
    expect([reply.status, json(reply)]).toEqual([
      200,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Success",
        details: { name: "a", kind: "configmaps", uid },
      },
    ]);
    expect(send("GET", `${maps}/a`).status).toBe(404);
  });

  it("[API-154] [API-155] of an object with finalizers marks it, and removes it with the last of them", () => {
    const { send, metadataOf } = start();
    const path = "/apis/apps/v1/namespaces/default/deployments/web";
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x" }] } };
    send("POST", "/apis/apps/v1/namespaces/default/deployments", {
      metadata: { name: "web", finalizers: ["a/x", "a/y"] },
      spec: { selector: { matchLabels: { a: "b" } }, template },
    });
    const marked = send("DELETE", path);
    const { deletionTimestamp, deletionGracePeriodSeconds, generation } = metadataOf(marked);
    expect([marked.status, deletionTimestamp, deletionGracePeriodSeconds, generation]).toEqual([200, "2026-01-01T00:00:00Z", 0, 2]);
    send("PATCH", path, { metadata: { finalizers: ["a/y"] } });
    expect(send("GET", path).status).toBe(200);
    expect(send("PATCH", path, { metadata: { finalizers: [] } }).status).toBe(200);
    expect(send("GET", path).status).toBe(404);
  });

  it("[API-154] is accepted, not done, for whoever asks in the old way", () => {
    const { send, add } = start();
    add("a", { finalizers: ["a/x"] });
    expect(send("DELETE", `${maps}/a`, { orphanDependents: false }).status).toBe(202);
    add("b");
    expect(send("DELETE", `${maps}/b`, { orphanDependents: false }).status).toBe(200);
  });

  it("[API-156] takes no new finalizers", () => {
    const { send, add, said } = start();
    add("a", { finalizers: ["a/x", "a/y"] });
    send("DELETE", `${maps}/a`);
    expect(said(send("PATCH", `${maps}/a`, { metadata: { finalizers: ["a/x", "a/y", "a/b", "a/c"] } }))).toEqual([
      422,
      "Invalid",
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/b", "a/c"}',
    ]);
  });

  it("[API-158] asked for again changes nothing", () => {
    const { send, add, metadataOf } = start();
    add("a", { finalizers: ["a/x"] });
    const first = metadataOf(send("DELETE", `${maps}/a`));
    const second = send("DELETE", `${maps}/a`);
    expect([second.status, metadataOf(second)]).toEqual([200, first]);
  });

  it("[API-159] [API-160] of a Pod waits for its grace, unless there is none left; finalizers stay", () => {
    const { send, metadataOf } = start();
    const make = (name: string, finalizers: readonly string[] = []): void => {
      const spec = { nodeName: "n", containers: [{ name: "c", image: "x" }] };
      send("POST", pods, { metadata: { name, finalizers: [...finalizers] }, spec });
    };
    make("a");
    const going = send("DELETE", `${pods}/a`);
    expect([going.status, metadataOf(going)["deletionTimestamp"], metadataOf(going)["deletionGracePeriodSeconds"]]).toEqual([
      200,
      "2026-01-01T00:00:30Z",
      30,
    ]);
    expect(send("DELETE", `${pods}/a`, { gracePeriodSeconds: 0 }).status).toBe(200);
    expect(send("GET", `${pods}/a`).status).toBe(404);
    make("b", ["a/x"]);
    const forced = send("DELETE", `${pods}/b?gracePeriodSeconds=0`);
    expect([forced.status, metadataOf(forced)["deletionGracePeriodSeconds"], send("GET", `${pods}/b`).status]).toEqual([
      200, 0, 200,
    ]);
  });

  it.each<[string, readonly string[]]>([
    ["Foreground", ["foregroundDeletion"]],
    ["Orphan", ["orphan"]],
  ])("[API-162] in the manner of %s adds a finalizer", (propagationPolicy, finalizers) => {
    const { send, add, metadataOf } = start();
    add("a");
    expect(metadataOf(send("DELETE", `${maps}/a`, { propagationPolicy }))["finalizers"]).toEqual(finalizers);
    add("b");
    expect(metadataOf(send("DELETE", `${maps}/b?propagationPolicy=${propagationPolicy}`))["finalizers"]).toEqual(finalizers);
  });

  it.each<[JsonValue, string]>([
    [
      { propagationPolicy: "Sideways" },
      'propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      { propagationPolicy: "Orphan", orphanDependents: true },
      'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [{ dryRun: ["Some"] }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
  ])("[API-161] cannot be %j", (options, cause) => {
    const { send, add, said } = start();
    add("a");
    expect(said(send("DELETE", `${maps}/a`, options))).toEqual([
      422,
      "Invalid",
      `DeleteOptions.meta.k8s.io "" is invalid: ${cause}`,
    ]);
  });

  it("[API-122] of another object than was meant conflicts", () => {
    const { send, add, said, metadataOf } = start();
    const { uid, resourceVersion } = metadataOf(add("a"));
    expect(said(send("DELETE", `${maps}/a`, { preconditions: { uid: "other" } }))).toEqual([
      409,
      "Conflict",
      `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    ]);
    expect(said(send("DELETE", `${maps}/a`, { preconditions: { resourceVersion: "1" } }))).toEqual([
      409,
      "Conflict",
      `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    ]);
  });

  it("[API-036] of a collection takes what is selected", () => {
    const { send, add } = start();
    add("a", { labels: { app: "x" } });
    add("b", { labels: { app: "y" } });
    add("c", { labels: { app: "x" } });
    const reply = send("DELETE", `${maps}?labelSelector=app%3Dx`);
    expect([reply.status, json(reply)["kind"], (json(reply)["items"] as JsonValue[]).length]).toEqual([200, "ConfigMapList", 2]);
    send("DELETE", `${maps}?fieldSelector=metadata.name%3Db`);
    expect(json(send("GET", maps))["items"]).toEqual([]);
  });

  it("[API-037] that is only tried leaves everything", () => {
    const { send, add, server } = start();
    add("a");
    const before = server.store.revision;
    expect([send("DELETE", `${maps}/a?dryRun=All`).status, send("DELETE", `${maps}?dryRun=All`).status]).toEqual([200, 200]);
    expect([server.store.revision, send("GET", `${maps}/a`).status]).toEqual([before, 200]);
  });

  it("[API-164] shows in the tables of kinds with a status column", () => {
    const { send, server } = start();
    send("POST", pods, { metadata: { name: "a" }, spec: { nodeName: "n", containers: [{ name: "c", image: "x" }] } });
    send("DELETE", `${pods}/a`);
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = json(exchange(server, "GET", `${pods}/a`, undefined, { accept })) as {
      rows: { cells: JsonValue[] }[];
    };
    expect(table.rows[0]?.cells[2]).toBe("Terminating");
  });
});
