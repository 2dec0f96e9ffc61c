import { describe, expect, it } from "vitest";
import { namespaces, pods } from "#cluster/api/kinds.ts";
import { Simulation } from "#sim/simulation.ts";
import { ApiServer } from "./server.ts";

const admin = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };

function startServer() {
  const simulation = new Simulation({ startMs: Date.parse("2026-01-01T00:00:00Z"), seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  return { simulation, server, client: server.clientFor(admin, "test") };
}

describe("the API server in process", () => {
  it("[API-001] has the four system namespaces, in alphabetical order", () => {
    const { client } = startServer();
    const items = client.list(namespaces).items;
    expect(items.map((item) => [item.metadata.name, item.status?.phase])).toEqual([
      ["default", "Active"],
      ["kube-node-lease", "Active"],
      ["kube-public", "Active"],
      ["kube-system", "Active"],
    ]);
  });

  it("[API-195] writes a system namespace again within a minute of its end", () => {
    const { simulation, client } = startServer();
    const metadata = { name: "kube-node-lease" };
    const first = client.get(namespaces, { namespace: "", ...metadata });
    // Here is no controller that would finalize a namespace.
    client.delete(namespaces, { namespace: "", ...metadata });
    const going = client.get(namespaces, { namespace: "", ...metadata });
    client.update(namespaces, { ...going, spec: { finalizers: [] } }, { subresource: "finalize" });
    simulation.advance(60_000);
    const again = client.list(namespaces).items.find((item) => item.metadata.name === metadata.name);
    expect([first.metadata.uid === again?.metadata.uid, again?.status?.phase]).toEqual([false, "Active"]);
  });

  it("delivers writes to watchers later, at the same virtual time, in order", () => {
    const { simulation, client } = startServer();
    const seen: string[] = [];
    const { metadata } = client.list(pods, { namespace: "default" });
    client.watch(
      pods,
      { namespace: "default", resourceVersion: metadata.resourceVersion ?? "" },
      {
        onEvent: (event) => seen.push(`${event.type} ${"object" in event ? event.object.metadata.name : ""}`),
        onClose: () => seen.push("closed"),
      },
    );
    const web = client.create(pods, {
      metadata: { name: "web", namespace: "default" },
      spec: { containers: [{ name: "web", image: "nginx" }] },
    });
    client.patch(pods, { namespace: "default", name: "web" }, "merge", { metadata: { labels: { app: "web" } } });
    client.delete(pods, { namespace: "default", name: "web" });
    expect(seen).toEqual([]);
    simulation.run({ untilMs: simulation.nowMs });
    expect(seen).toEqual(["ADDED web", "MODIFIED web", "DELETED web"]);
    expect(web.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
