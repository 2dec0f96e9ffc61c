import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { nodeTtlController } from "./node-ttl-controller.ts";

const annotation = "node.alpha.kubernetes.io/ttl";

function start() {
  const plane = startControlPlane({ definitions: [nodeTtlController], nodes: [] });
  const { client, simulation } = plane;
  const name = (index: number): string => `node-${index}`;
  const touch = (index: number): void => {
    client.patch(kinds.nodes, { namespace: "", name: name(index) }, "merge", {
      metadata: { labels: { at: `${simulation.nowMs}` } },
    });
  };
  return {
    client,
    add: (from: number, to: number): void => {
      for (let index = from; index <= to; index += 1) client.create(kinds.nodes, { metadata: { name: name(index) } });
      simulation.advance(30_000);
    },
    remove: (from: number, to: number): void => {
      for (let index = from; index <= to; index += 1) client.delete(kinds.nodes, { namespace: "", name: name(index) });
      simulation.advance(30_000);
    },
    /** A node's annotation after its next change: only then is it looked at. */
    ttl: (index: number): string | undefined => {
      touch(index);
      simulation.advance(10_000);
      return client.get(kinds.nodes, { namespace: "", name: name(index) }).metadata.annotations?.[annotation];
    },
  };
}

describe("the TTL controller of nodes", () => {
  it("[API-014] notes 0 on each node of a small cluster, and again when someone changes it", () => {
    const world = start();
    world.add(1, 2);
    expect([world.ttl(1), world.ttl(2)]).toEqual(["0", "0"]);
    world.client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", {
      metadata: { annotations: { [annotation]: "7" } },
    });
    expect(world.ttl(1)).toBe("0");
  });

  it("[API-014] notes more for more nodes, and less only when they are well below the edge", () => {
    const world = start();
    world.add(1, 100);
    expect(world.ttl(1)).toBe("0");
    world.add(101, 101);
    expect([world.ttl(1), world.ttl(101)]).toEqual(["15", "15"]);
    world.remove(91, 101);
    expect(world.ttl(1)).toBe("15");
    world.remove(90, 90);
    expect(world.ttl(1)).toBe("0");
  });
});
