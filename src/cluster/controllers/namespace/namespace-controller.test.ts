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

  it("tries again each minute, however long a group of the API has had no server", () => {
    const { client, simulation } = startControlPlane();
    client.create(kinds.apiServices, {
      metadata: { name: "v1.wrecks.example" },
      spec: {
        group: "wrecks.example",
        version: "v1",
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { namespace: "wrecks", name: "api" },
      },
    });
    client.create(kinds.namespaces, { metadata: { name: "room" } });
    client.delete(kinds.namespaces, { namespace: "", name: "room" });
    simulation.advance(1_800_000);
    const names = () => client.list(kinds.namespaces).items.map(({ metadata }) => metadata.name);
    expect(names()).toContain("room");
    client.delete(kinds.apiServices, { namespace: "", name: "v1.wrecks.example" });
    simulation.advance(61_000);
    expect(names()).not.toContain("room");
  });
});
