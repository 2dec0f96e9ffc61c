import { describe, expect, it } from "vitest";
import type { OwnerReference } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { WatchDelays } from "#cluster/client/watch-delays.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { deploymentController } from "../deployment/deployment-controller.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import { garbageCollector } from "./garbage-collector.ts";

const web = { namespace: "default", name: "web" };

function start() {
  const plane = startControlPlane({ definitions: [garbageCollector, deploymentController, replicaSetController] });
  const { client, simulation } = plane;
  const owner = (name: string, namespace = "default"): OwnerReference => {
    const { metadata } = client.create(kinds.configMaps, { metadata: { namespace, name } });
    return { apiVersion: "v1", kind: "ConfigMap", name, uid: metadata.uid };
  };
  return {
    ...plane,
    owner,
    dependent: (name: string, ownerReferences: readonly OwnerReference[], finalizers: readonly string[] = []) =>
      client.create(kinds.configMaps, { metadata: { namespace: "default", name, ownerReferences, finalizers } }),
    names: () => client.list(kinds.configMaps, { namespace: "default" }).items.map((map) => map.metadata.name),
    run: (ms = 2_000) => simulation.advance(ms),
    deploy: () => {
      client.create(kinds.deployments, {
        metadata: web,
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: "web" } },
          template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "nginx" }] } },
        },
      });
      plane.settle();
    },
    left: () => [
      client.list(kinds.deployments).items.length,
      client.list(kinds.replicaSets).items.length,
      client.list(kinds.pods).items.length,
    ],
  };
}

describe("garbage-collector-controller", () => {
  it("[WRK-284] [WRK-286] deletes dependents whose owner is gone", () => {
    const world = start();
    const a = world.owner("a");
    world.dependent("child", [a]);
    world.run();
    world.client.delete(kinds.configMaps, { namespace: "default", name: "a" });
    world.run();
    expect(world.names()).toEqual([]);
  });

  it("[API-169] lets a foreground owner go also when it hears late that its dependents have gone", () => {
    const watchDelays = new WatchDelays();
    const { client, simulation } = startControlPlane({ definitions: [garbageCollector], watchDelays });
    const own = { namespace: "default", name: "owner" };
    const { uid } = client.create(kinds.configMaps, { metadata: own }).metadata;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, blockOwnerDeletion: true }];
    for (const name of ["a", "b"]) client.create(kinds.secrets, { metadata: { namespace: "default", name, ownerReferences } });
    simulation.advance(10_000);
    watchDelays.set("secrets", 300);
    client.delete(kinds.configMaps, own, { propagationPolicy: "Foreground" });
    simulation.advance(30_000);
    expect(client.list(kinds.secrets, { namespace: "default" }).items).toEqual([]);
    expect(client.list(kinds.configMaps, { namespace: "default" }).items.map(({ metadata }) => metadata.name)).not.toContain(
      "owner",
    );
  });

  it("[WRK-285] with several owners only the reference of the one that is gone is removed", () => {
    const world = start();
    const [a, b] = [world.owner("a"), world.owner("b")];
    world.dependent("child", [a, b]);
    world.run();
    world.client.delete(kinds.configMaps, { namespace: "default", name: "a" });
    world.run();
    expect(world.client.get(kinds.configMaps, { namespace: "default", name: "child" }).metadata.ownerReferences).toEqual([b]);
  });

  it("[WRK-294] deletes an object whose owner never existed", () => {
    const world = start();
    world.dependent("child", [{ apiVersion: "v1", kind: "ConfigMap", name: "ghost", uid: "00000000-0000-0000-0000-000000000000" }]);
    world.run();
    expect(world.names()).toEqual([]);
  });

  it("[WRK-295] an owner in another namespace is none, and that is told", () => {
    const world = start();
    const elsewhere = world.owner("a", "kube-public");
    world.run();
    world.dependent("child", [elsewhere]);
    world.run();
    expect(world.names()).toEqual([]);
    const expected = `OwnerRefInvalidNamespace ownerRef [v1/ConfigMap, namespace: default, name: a, uid: ${elsewhere.uid}] does not exist in namespace "default"`;
    expect(world.eventsOf("ConfigMap")).toEqual([expected]);
  });

  it("[WRK-287] [WRK-299] foreground: the owner waits for dependents that block it", () => {
    const world = start();
    const a = world.owner("a");
    world.dependent("blocking", [{ ...a, blockOwnerDeletion: true }], ["example.com/hold"]);
    world.dependent("other", [a], ["example.com/hold"]);
    world.run();
    world.client.delete(kinds.configMaps, { namespace: "default", name: "a" }, { propagationPolicy: "Foreground" });
    world.run();
    expect(world.names()).toEqual(["a", "blocking", "other"]);
    expect(world.client.get(kinds.configMaps, { namespace: "default", name: "a" }).metadata.finalizers).toEqual([
      "foregroundDeletion",
    ]);
    world.client.patch(kinds.configMaps, { namespace: "default", name: "blocking" }, "merge", { metadata: { finalizers: null } });
    world.run();
    expect(world.names()).toEqual(["other"]);
  });

  it("[WRK-156] background deletion of a Deployment takes its ReplicaSets and Pods", () => {
    const world = start();
    world.deploy();
    world.client.delete(kinds.deployments, web, { propagationPolicy: "Background" });
    expect(world.left()[0]).toBe(0);
    world.run(10_000);
    expect(world.left()).toEqual([0, 0, 0]);
  });

  it("[WRK-288] foreground deletion of a Deployment ends with the Deployment", () => {
    const world = start();
    world.deploy();
    world.client.delete(kinds.deployments, web, { propagationPolicy: "Foreground" });
    const order: string[] = [];
    const limit = world.simulation.nowMs + 10_000;
    while (world.simulation.nowMs < limit && world.simulation.step()) {
      const state = world.left().join(" ");
      if (order.at(-1) !== state) order.push(state);
    }
    expect(order).toEqual(["1 1 2", "1 1 1", "1 1 0", "1 0 0", "0 0 0"]);
  });

  it("[WRK-289] orphan deletion leaves ReplicaSets and Pods running", () => {
    const world = start();
    world.deploy();
    world.client.delete(kinds.deployments, web, { propagationPolicy: "Orphan" });
    world.run(10_000);
    expect(world.left()).toEqual([0, 1, 2]);
    expect(world.client.list(kinds.replicaSets).items[0]?.metadata.ownerReferences ?? []).toEqual([]);
  });
});
