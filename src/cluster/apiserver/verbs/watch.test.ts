import { describe, expect, it } from "vitest";
import { expired } from "#cluster/api/errors.ts";
import { configMaps, pods } from "#cluster/api/kinds.ts";
import { startServer } from "../test-server.test-kit.ts";

const settings = { namespace: "default", name: "settings" };

describe("watching", () => {
  it("[API-126] adds what comes to match a selector and deletes what no longer does", () => {
    const { client, simulation } = startServer();
    const seen: string[] = [];
    const labelSelector = "app=web";
    const resourceVersion = client.list(configMaps).metadata.resourceVersion ?? "";
    client.watch(configMaps, { labelSelector, resourceVersion }, { onEvent: (event) => seen.push(event.type), onClose: () => {} });
    client.create(configMaps, { metadata: settings });
    for (const app of ["web", "web2", "web"]) client.patch(configMaps, settings, "merge", { metadata: { labels: { app } } });
    client.patch(configMaps, settings, "merge", { data: { a: "b" } });
    client.delete(configMaps, settings);
    simulation.run({ untilMs: simulation.nowMs });
    expect(seen).toEqual(["ADDED", "DELETED", "ADDED", "MODIFIED", "DELETED"]);
  });

  it("finds pods by node, also when a pod comes to its node later", () => {
    const { client, simulation } = startServer();
    const seen: string[] = [];
    for (const node of ["node-1", "node-2"]) {
      const handler = { onEvent: (event: { type: string }) => seen.push(`${node} ${event.type}`), onClose: () => {} };
      client.watch(pods, { fieldSelector: `spec.nodeName=${node}` }, handler);
    }
    const key = { namespace: "default", name: "web" };
    client.create(pods, { metadata: key, spec: { containers: [{ name: "web", image: "nginx" }] } });
    client.createSubresource(pods, key, "binding", { metadata: { name: "web" }, target: { kind: "Node", name: "node-1" } });
    simulation.run({ untilMs: simulation.nowMs });
    expect(seen).toEqual(["node-1 ADDED"]);
  });

  it("[API-129] ends with 410 Expired when the version was compacted", () => {
    const { client, server, simulation } = startServer();
    server.store.compact(7);
    const seen: unknown[] = [];
    const handler = { onEvent: (event: unknown) => seen.push(event), onClose: () => seen.push("closed") };
    client.watch(configMaps, { resourceVersion: "5" }, handler);
    simulation.run({ untilMs: simulation.nowMs });
    expect(seen).toEqual([{ type: "ERROR", status: expired("too old resource version: 5 (7)").status }, "closed"]);
  });
});
