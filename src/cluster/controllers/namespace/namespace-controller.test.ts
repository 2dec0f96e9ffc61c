import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";

describe("the namespace controller", () => {
  it("[API-192] deletes Events too: a namespace that has the name again begins with none", () => {
    const { client, settle, simulation } = startControlPlane();
    const key = { namespace: "", name: "room" };
    client.create(kinds.namespaces, { metadata: { name: "room" } });
    client.create(kinds.deployments, {
      metadata: { namespace: "room", name: "web" },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "nginx" }] } },
      },
    });
    settle();
    expect(client.list(kinds.events, { namespace: "room" }).items.map(({ reason }) => reason)).toContain("SuccessfulCreate");
    client.delete(kinds.namespaces, key);
    simulation.advance(60_000);
    expect(client.list(kinds.namespaces).items.map(({ metadata }) => metadata.name)).not.toContain("room");
    client.create(kinds.namespaces, { metadata: { name: "room" } });
    expect(client.list(kinds.events, { namespace: "room" }).items).toEqual([]);
    expect(client.list(kinds.eventsV1, { namespace: "room" }).items).toEqual([]);
  });
});
