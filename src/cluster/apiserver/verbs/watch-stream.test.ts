// Watches as clients over HTTP see them: a document a line.

import { describe, expect, it } from "vitest";
import { exchange, json } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const collection = "/api/v1/namespaces/default/configmaps";
const merge = { "content-type": "application/merge-patch+json" };

function start(...names: readonly string[]) {
  const { server, simulation } = startServer();
  for (const name of names) exchange(server, "POST", collection, { metadata: { name } });
  const watch = (query: string, path = collection) => {
    const reply = exchange(server, "GET", `${path}?${query}`);
    const events = () => {
      simulation.run({ untilMs: simulation.nowMs });
      return reply.lines.map((line) => JSON.parse(line) as { type: string; object: { metadata: { name: string } } });
    };
    return { reply, events, shown: () => events().map(({ type, object }) => `${type} ${object.metadata.name ?? ""}`.trim()) };
  };
  return { server, simulation, watch };
}

describe("watch streams", () => {
  it("[API-124] begin with what is there, without a version or with 0", () => {
    const { watch } = start("a", "b");
    expect(watch("watch=1").shown()).toEqual(["ADDED a", "ADDED b"]);
    expect(watch("watch=1&resourceVersion=0").shown()).toEqual(["ADDED a", "ADDED b"]);
  });

  it("[API-123] [API-125] send later changes only, a document a line", () => {
    const { server, watch } = start("a");
    const version = server.store.revision;
    exchange(server, "POST", collection, { metadata: { name: "b" } });
    const { events, reply } = watch(`watch=1&resourceVersion=${version}`);
    exchange(server, "PATCH", `${collection}/a`, { data: { x: "1" } }, merge);
    exchange(server, "DELETE", `${collection}/b`);
    expect(events().map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ["ADDED", "b"],
      ["MODIFIED", "a"],
      ["DELETED", "b"],
    ]);
    expect([reply.status, reply.headers["content-type"], reply.text.endsWith("\n")]).toEqual([200, "application/json", true]);
  });

  it("wait for a version that is still to come", () => {
    const { server, watch } = start();
    const { shown } = watch(`watch=1&resourceVersion=${server.store.revision + 1}`);
    exchange(server, "POST", collection, { metadata: { name: "a" } });
    exchange(server, "POST", collection, { metadata: { name: "b" } });
    expect(shown()).toEqual(["ADDED b"]);
  });

  it("[API-128] send initial events with a bookmark at their end", () => {
    const { server, watch } = start("a");
    const version = String(server.store.revision);
    const { events } = watch("watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
    expect(events().at(-1)).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { resourceVersion: version, annotations: { "k8s.io/initial-events-end": "true" } },
      },
    });
  });

  it.each<[string, string]>([
    [
      "sendInitialEvents=true",
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    ],
    [
      "resourceVersionMatch=NotOlderThan",
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    ],
    [
      "sendInitialEvents=true&resourceVersionMatch=Exact",
      '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
  ])("[API-128] refuse ?%s", (query, text) => {
    const { reply } = start().watch(`watch=1&${query}`);
    expect([reply.status, json(reply)["message"]]).toEqual([422, `ListOptions.meta.k8s.io "" is invalid: ${text}`]);
  });

  it("refuse a version that is none", () => {
    const { reply } = start().watch("watch=1&resourceVersion=abc", "/apis/apps/v1/deployments");
    expect([reply.status, json(reply)["message"]]).toEqual([
      500,
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ]);
  });

  it("[API-129] say in the stream that a version is too old, and end", () => {
    const { server, watch } = start("a", "b");
    server.store.compact(server.store.revision);
    const { events, reply } = watch("watch=1&resourceVersion=3");
    const message = `too old resource version: 3 (${server.store.compactedRevision})`;
    expect(events()).toEqual([
      {
        type: "ERROR",
        object: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason: "Expired", code: 410 },
      },
    ]);
    expect([reply.status, reply.ended]).toEqual([200, true]);
  });

  it("[API-127] send a bookmark a minute to whoever wants them", () => {
    const { server, simulation, watch } = start("a");
    const wanting = watch(`watch=1&allowWatchBookmarks=true&resourceVersion=${server.store.revision}`);
    const other = watch(`watch=1&resourceVersion=${server.store.revision}`);
    simulation.run({ untilMs: simulation.nowMs + 130_000 });
    const { events } = wanting;
    expect(events().map(({ type }) => type)).toEqual(["BOOKMARK", "BOOKMARK"]);
    expect(events()[0]?.object).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
    });
    expect(other.events()).toEqual([]);
  });

  it("[API-127] send a last bookmark two seconds before they end", () => {
    const { simulation, watch } = start();
    const { events, reply } = watch("watch=1&allowWatchBookmarks=true&timeoutSeconds=10&resourceVersion=1");
    simulation.run({ untilMs: simulation.nowMs + 7_900 });
    const before = events().filter(({ type }) => type === "BOOKMARK").length;
    simulation.run({ untilMs: simulation.nowMs + 200 });
    expect([before, events().filter(({ type }) => type === "BOOKMARK").length, reply.ended]).toEqual([0, 1, false]);
    simulation.run({ untilMs: simulation.nowMs + 2_000 });
    expect(reply.ended).toBe(true);
  });

  it("[API-130] end after timeoutSeconds, or after half an hour to an hour", () => {
    const { simulation, watch } = start();
    const short = watch("watch=1&timeoutSeconds=5").reply;
    const long = watch("watch=1").reply;
    simulation.run({ untilMs: simulation.nowMs + 5_000 });
    expect([short.ended, long.ended]).toEqual([true, false]);
    simulation.run({ untilMs: simulation.nowMs + 1_790_000 });
    expect(long.ended).toBe(false);
    simulation.run({ untilMs: simulation.nowMs + 1_900_000 });
    expect(long.ended).toBe(true);
  });

  it("[API-131] still come from the old paths", () => {
    const { watch } = start("a");
    expect(watch("", "/api/v1/watch/namespaces/default/configmaps").shown()).toEqual(["ADDED a"]);
    expect(watch("", "/api/v1/watch/namespaces/default/configmaps/a").shown()).toEqual(["ADDED a"]);
  });

  it("[API-126] show an object that leaves a selection in its last state there", () => {
    const { server, watch } = start();
    exchange(server, "POST", collection, { metadata: { name: "a", labels: { app: "x" } } });
    const { events } = watch(`watch=1&labelSelector=app%3Dx&resourceVersion=${server.store.revision}`);
    const patched = exchange(server, "PATCH", `${collection}/a`, { metadata: { labels: { app: "y" } } }, merge);
    const { resourceVersion: written } = json(patched)["metadata"] as { readonly resourceVersion: string };
    const [left] = events() as readonly { type: string; object: { metadata: { labels?: object; resourceVersion?: string } } }[];
    const { labels, resourceVersion } = left?.object.metadata ?? {};
    expect([left?.type, labels, resourceVersion]).toEqual(["DELETED", { app: "x" }, written]);
  });
});
