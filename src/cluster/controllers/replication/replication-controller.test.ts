import { describe, expect, it } from "vitest";
import type { ReplicationController } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { garbageCollector } from "../garbage-collector/garbage-collector.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import { replicationController } from "./replication-controller.ts";

const key = { namespace: "default", name: "nginx" };
const labels = { app: "nginx" };

function draft(replicas: number): Draft<ReplicationController> {
  return {
    metadata: key,
    spec: { replicas, template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx" }] } } },
  };
}

function start() {
  const plane = startControlPlane({ definitions: [replicationController, replicaSetController, garbageCollector] });
  const { client } = plane;
  return {
    ...plane,
    controller: () => client.get(kinds.replicationControllers, key),
    pods: () => client.list(kinds.pods, { namespace: "default" }).items,
    names: () => client.list(kinds.pods, { namespace: "default" }).items.map(({ metadata }) => metadata.name),
  };
}

describe("replicationcontroller-controller", () => {
  it("[WRK-058] [WRK-012] creates Pods from the template, with itself as controller, and tells of it", () => {
    const world = start();
    const { metadata } = world.client.create(kinds.replicationControllers, draft(3));
    world.settle();
    const owner = {
      apiVersion: "v1",
      kind: "ReplicationController",
      name: "nginx",
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    expect(world.pods().map((pod) => pod.metadata.ownerReferences)).toEqual([[owner], [owner], [owner]]);
    for (const name of world.names()) expect(name).toMatch(/^nginx-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect([...world.eventsOf("ReplicationController")].sort()).toEqual(
      world
        .names()
        .map((name) => `SuccessfulCreate Created pod: ${name}`)
        .sort(),
    );
    const events = world.client
      .list(kinds.events)
      .items.filter(({ involvedObject }) => involvedObject.kind === "ReplicationController");
    expect(new Set(events.map(({ source }) => source?.component))).toEqual(new Set(["replication-controller"]));
  });

  it("[WRK-058] counts its status, without Pods on their way out", () => {
    const world = start();
    world.client.create(kinds.replicationControllers, draft(2));
    world.settle();
    expect(world.controller().status).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
    });
  });

  it("[WRK-058] adopts, releases, replaces and removes as a ReplicaSet does", () => {
    const world = start();
    const naked = { metadata: { namespace: "default", name: "naked", labels }, spec: { containers: [{ name: "x", image: "x" }] } };
    world.client.create(kinds.pods, naked);
    world.client.create(kinds.replicationControllers, draft(2));
    world.settle();
    expect(world.pods().length).toBe(2);
    expect(world.names()).toContain("naked");
    world.client.patch(kinds.pods, { namespace: "default", name: "naked" }, "merge", { metadata: { labels: { app: "debug" } } });
    world.settle();
    expect(world.client.get(kinds.pods, { namespace: "default", name: "naked" }).metadata.ownerReferences ?? []).toEqual([]);
    expect(world.pods().length).toBe(3);
    world.client.patch(kinds.replicationControllers, key, "merge", { spec: { replicas: 0 } });
    world.settle();
    expect(world.names()).toEqual(["naked"]);
  });

  it("[API-279] tells what it makes and removes, and what it cannot make; a batch after a refusal is not begun", () => {
    const world = start();
    const hard = { pods: "5" };
    const quota = world.client.create(kinds.resourceQuotas, { metadata: { namespace: "default", name: "q" }, spec: { hard } });
    world.client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard, used: { pods: "0" } } });
    world.client.create(kinds.replicationControllers, draft(100));
    world.simulation.runUntil(() => world.pods().length === 5, { limitMs: 10_000 });
    const reasons = (): readonly string[] => world.eventsOf("ReplicationController").map((text) => text.split(" ")[0] ?? "");
    const refused = world.client.list(kinds.events).items.filter(({ reason }) => reason === "FailedCreate");
    // 1, 2 and 4 Pods: two of the third batch are one too many each, and the other 93 are not tried.
    expect(refused.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(2);
    expect(refused[0]?.message).toMatch(/^Error creating: pods "nginx-\w{5}" is forbidden: exceeded quota: q, /);
    expect(reasons().filter((reason) => reason === "SuccessfulCreate")).toHaveLength(5);
    const names = world.names();
    world.client.patch(kinds.replicationControllers, key, "merge", { spec: { replicas: 3 } });
    world.simulation.advance(60_000);
    const gone = names.filter((name) => !world.names().includes(name));
    expect(gone).toHaveLength(2);
    const removed = world.eventsOf("ReplicationController").filter((text) => text.startsWith("SuccessfulDelete"));
    expect([...removed].sort()).toEqual(gone.map((name) => `SuccessfulDelete Deleted pod: ${name}`).sort());
  });

  it("leaves the Pods of a ReplicaSet with the same labels alone, and the other way round", () => {
    const world = start();
    world.client.create(kinds.replicationControllers, draft(2));
    const { template } = draft(1).spec ?? {};
    world.client.create(kinds.replicaSets, {
      metadata: key,
      spec: { replicas: 1, selector: { matchLabels: labels }, ...(template === undefined ? {} : { template }) },
    });
    world.settle();
    const owners = world.pods().map((pod) => pod.metadata.ownerReferences?.[0]?.kind);
    expect(owners.sort()).toEqual(["ReplicaSet", "ReplicationController", "ReplicationController"]);
  });

  it("[WRK-062] [WRK-300] leaves orphans when it is deleted without a word; another of its kind takes them over", () => {
    const world = start();
    world.client.create(kinds.replicationControllers, draft(2));
    world.settle();
    const before = world.pods().map(({ metadata }) => metadata.uid);
    world.client.delete(kinds.replicationControllers, key);
    world.settle();
    expect(world.client.list(kinds.replicationControllers).items).toEqual([]);
    expect(world.pods().map(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([[], []]);
    world.client.create(kinds.replicationControllers, { ...draft(2), metadata: { ...key, name: "again" } });
    world.settle();
    expect(world.pods().map(({ metadata }) => metadata.uid)).toEqual(before);
  });

  it("[WRK-061] [WRK-063] takes its Pods along when it is deleted in the background, whoever asked", () => {
    const world = start();
    world.client.create(kinds.replicationControllers, draft(2));
    world.settle();
    world.client.delete(kinds.replicationControllers, key, { propagationPolicy: "Background" });
    expect(world.client.list(kinds.replicationControllers).items).toEqual([]);
    world.settle();
    expect(world.pods()).toEqual([]);
  });
});
