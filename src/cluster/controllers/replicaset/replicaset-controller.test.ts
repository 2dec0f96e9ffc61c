import { describe, expect, it } from "vitest";
import type { Pod, ReplicaSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { replicaSetController } from "./replicaset-controller.ts";

const key = { namespace: "default", name: "frontend" };

function frontend(replicas: number, image = "nginx:1.27"): Draft<ReplicaSet> {
  return {
    metadata: key,
    spec: {
      replicas,
      selector: { matchLabels: { tier: "frontend" } },
      template: {
        metadata: { labels: { tier: "frontend" }, annotations: { note: "x" } },
        spec: { containers: [{ name: "main", image }] },
      },
    },
  };
}

function naked(name: string): Draft<Pod> {
  return {
    metadata: { namespace: "default", name, labels: { tier: "frontend" } },
    spec: { containers: [{ name: "main", image: "hello-app:1.0" }] },
  };
}

function start() {
  const plane = startControlPlane({ definitions: [replicaSetController] });
  const { client } = plane;
  return {
    ...plane,
    set: () => client.get(kinds.replicaSets, key),
    pods: () => client.list(kinds.pods, { namespace: "default" }).items,
    scale: (replicas: number) => client.patch(kinds.replicaSets, key, "merge", { spec: { replicas } }),
  };
}

describe("replicaset-controller", () => {
  it("[WRK-015] [WRK-016] [WRK-017] [WRK-019] [WRK-298] creates Pods from the template, with itself as controller", () => {
    const world = start();
    const set = world.client.create(kinds.replicaSets, frontend(3));
    world.settle();
    expect(world.pods().length).toBe(3);
    for (const { metadata, spec } of world.pods()) {
      expect(metadata.name).toMatch(/^frontend-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(metadata).toMatchObject({ generateName: "frontend-", labels: { tier: "frontend" }, annotations: { note: "x" } });
      expect(metadata.ownerReferences).toEqual([
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: "frontend",
          uid: set.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      expect(spec?.containers[0]?.image).toBe("nginx:1.27");
    }
    expect([...world.eventsOf("ReplicaSet")].sort()).toEqual(
      world
        .pods()
        .map((pod) => `SuccessfulCreate Created pod: ${pod.metadata.name}`)
        .sort(),
    );
  });

  it("[WRK-040] counts its status", () => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(2));
    world.settle();
    expect(world.set().status).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
      terminatingReplicas: 0,
    });
  });

  it("[WRK-019] [WRK-039] replaces deleted Pods and removes surplus ones, others untouched", () => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(3));
    world.settle();
    const [gone] = world.pods();
    world.client.delete(kinds.pods, { namespace: "default", name: gone?.metadata.name ?? "" });
    world.settle();
    expect(world.pods().length).toBe(3);
    const before = world.pods().map((pod) => pod.metadata.uid);
    world.scale(1);
    world.settle();
    expect(world.pods().length).toBe(1);
    expect(before).toContain(world.pods()[0]?.metadata.uid);
  });

  it("[WRK-034] adopts extra matching Pods on a full set and then deletes them", () => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(3));
    world.settle();
    const before = world.pods().map((pod) => pod.metadata.name);
    world.client.create(kinds.pods, naked("pod1"));
    world.settle();
    expect(world.pods().map((pod) => pod.metadata.name)).toEqual(before);
  });

  it("[WRK-030] [WRK-035] [WRK-036] adopts Pods that were there before and creates only the missing ones", () => {
    const world = start();
    world.client.create(kinds.pods, naked("pod1"));
    world.client.create(kinds.pods, naked("pod2"));
    world.settle();
    world.client.create(kinds.replicaSets, frontend(3));
    world.settle();
    expect(world.pods().map((pod) => pod.metadata.ownerReferences?.[0]?.name)).toEqual(["frontend", "frontend", "frontend"]);
    expect(
      world
        .pods()
        .map((pod) => pod.spec?.containers[0]?.image)
        .sort(),
    ).toEqual(["hello-app:1.0", "hello-app:1.0", "nginx:1.27"]);
  });

  it("[WRK-032] releases a Pod whose labels stop matching and replaces it", () => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(3));
    world.settle();
    const name = world.pods()[0]?.metadata.name ?? "";
    world.client.patch(kinds.pods, { namespace: "default", name }, "merge", { metadata: { labels: { tier: "debug" } } });
    world.settle();
    const released = world.client.get(kinds.pods, { namespace: "default", name });
    expect(released.metadata.ownerReferences ?? []).toEqual([]);
    expect(released.metadata.deletionTimestamp).toBeUndefined();
    expect(world.pods().length).toBe(4);
  });

  it("[WRK-033] leaves Pods of another controller alone", () => {
    const world = start();
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "other", uid: "other", controller: true };
    const draft = naked("taken");
    world.client.create(kinds.pods, { ...draft, metadata: { ...draft.metadata, ownerReferences: [owner] } });
    world.client.create(kinds.replicaSets, frontend(1));
    world.settle();
    expect(world.client.get(kinds.pods, { namespace: "default", name: "taken" }).metadata.ownerReferences).toEqual([owner]);
    expect(world.pods().length).toBe(2);
  });

  it("[WRK-037] deletes Pods that are not ready first, then by deletion cost", () => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(4));
    world.settle();
    const [cheap, broken] = world.pods();
    const cost = { metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": "-1" } } };
    world.client.patch(kinds.pods, { namespace: "default", name: cheap?.metadata.name ?? "" }, "merge", cost);
    world.kubelet.setReady(`default/${broken?.metadata.name}`, false);
    world.settle();
    world.scale(3);
    world.settle();
    expect(world.pods().map((pod) => pod.metadata.uid)).not.toContain(broken?.metadata.uid);
    world.scale(2);
    world.settle();
    expect(world.pods().map((pod) => pod.metadata.uid)).not.toContain(cheap?.metadata.uid);
  });

  it("[WRK-026] says why Pods cannot be created and goes on trying; the condition goes with the failure", () => {
    const world = start();
    const account = { namespace: "default", name: "default" };
    world.client.delete(kinds.serviceAccounts, account);
    world.client.create(kinds.replicaSets, frontend(2));
    world.simulation.advance(5_000);
    const [condition] = world.set().status?.conditions ?? [];
    expect(condition).toMatchObject({ type: "ReplicaFailure", status: "True", reason: "FailedCreate" });
    expect(world.eventsOf("ReplicaSet")[0]).toBe(`FailedCreate Error creating: ${condition?.message}`);
    world.client.create(kinds.serviceAccounts, { metadata: account });
    world.simulation.advance(60_000);
    expect(world.set().status).toMatchObject({ replicas: 2, readyReplicas: 2 });
    expect(world.set().status?.conditions ?? []).toEqual([]);
  });

  it("[WRK-041] counts Pods as available after minReadySeconds", () => {
    const world = start();
    const draft = frontend(1);
    world.client.create(kinds.replicaSets, {
      ...draft,
      spec: { ...draft.spec, selector: draft.spec?.selector ?? {}, minReadySeconds: 30 },
    });
    world.simulation.advance(29_000);
    expect(world.set().status?.availableReplicas ?? 0).toBe(0);
    world.simulation.advance(3_000);
    expect(world.set().status?.availableReplicas).toBe(1);
  });

  it("[WRK-023] [WRK-024] [WRK-025] names Pods after itself and tells of each that comes and goes", () => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(2));
    world.settle();
    const names = world.pods().map(({ metadata }) => metadata.name);
    for (const name of names) expect(name).toMatch(/^frontend-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    world.scale(0);
    world.settle();
    expect([...world.eventsOf("ReplicaSet")].sort()).toEqual([
      ...names.map((name) => `SuccessfulCreate Created pod: ${name}`).sort(),
      ...names.map((name) => `SuccessfulDelete Deleted pod: ${name}`).sort(),
    ]);
  });

  it("[POD-274] [POD-275] [WRK-020] [WRK-021] replaces a Pod that is being deleted before it is gone", () => {
    const world = start();
    world.kubelet.stopAfterMs = 30_000;
    world.client.create(kinds.replicaSets, frontend(2));
    world.settle();
    const [leaving] = world.pods();
    world.client.delete(kinds.pods, { namespace: "default", name: leaving?.metadata.name ?? "" });
    world.simulation.advance(5_000);
    expect(world.pods().length).toBe(3);
    expect(world.set().status).toMatchObject({ replicas: 2, readyReplicas: 2, terminatingReplicas: 1 });
    world.settle();
    expect(world.pods().length).toBe(2);
  });

  it.each(["Failed", "Succeeded"])("[WRK-020] [WRK-022] replaces a Pod that %s, which stays listed", (phase) => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(2));
    world.settle();
    const [ended] = world.pods();
    if (ended !== undefined)
      world.client.updateStatus(kinds.pods, { ...ended, status: { ...ended.status, phase, reason: "Evicted" } });
    world.settle();
    expect(
      world
        .pods()
        .map((pod) => pod.status?.phase)
        .sort(),
    ).toEqual([phase, "Running", "Running"].sort());
    expect(world.set().status?.replicas).toBe(2);
  });

  it("[WRK-002] does not know Pods of a set of the same name that is gone", () => {
    const world = start();
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "frontend", uid: "gone", controller: true };
    const old = naked("old");
    world.client.create(kinds.pods, { ...old, metadata: { ...old.metadata, ownerReferences: [owner] } });
    world.client.create(kinds.replicaSets, frontend(2));
    world.settle();
    expect(world.pods().length).toBe(3);
    expect(world.client.get(kinds.pods, { namespace: "default", name: "old" }).metadata.ownerReferences).toEqual([owner]);
  });

  it("[WRK-031] adopts nothing while it is being deleted", () => {
    const world = start();
    const held = frontend(1);
    world.client.create(kinds.replicaSets, { ...held, metadata: { ...held.metadata, finalizers: ["example.com/hold"] } });
    world.settle();
    world.client.delete(kinds.replicaSets, key);
    world.client.create(kinds.pods, naked("late"));
    world.settle();
    expect(world.client.get(kinds.pods, { namespace: "default", name: "late" }).metadata.ownerReferences ?? []).toEqual([]);
    expect(world.pods().length).toBe(2);
  });

  it("[WRK-018] keeps silent about Pods that its namespace no longer takes", () => {
    const world = start();
    world.client.create(kinds.namespaces, { metadata: { name: "team", finalizers: ["example.com/hold"] } });
    world.client.create(kinds.serviceAccounts, { metadata: { namespace: "team", name: "default" } });
    const made = frontend(0);
    world.client.create(kinds.replicaSets, { ...made, metadata: { namespace: "team", name: "frontend" } });
    world.settle();
    world.client.delete(kinds.namespaces, { namespace: "", name: "team" });
    world.client.patch(kinds.replicaSets, { namespace: "team", name: "frontend" }, "merge", { spec: { replicas: 2 } });
    world.simulation.advance(10_000);
    expect(world.eventsOf("ReplicaSet")).toEqual([]);
    expect(world.client.get(kinds.replicaSets, { namespace: "team", name: "frontend" }).status?.conditions ?? []).toEqual([]);
  });

  it("[WRK-028] tries one Pod, then two, then four; a refusal ends the pass", () => {
    const world = start();
    const account = { namespace: "default", name: "default" };
    world.client.delete(kinds.serviceAccounts, account);
    world.client.create(kinds.replicaSets, frontend(100));
    world.simulation.advance(100);
    const refused = world.client.list(kinds.events).items.filter(({ reason }) => reason === "FailedCreate");
    // One refusal a pass, and some passes: not one for each Pod.
    expect(refused[0]?.count).toBeLessThan(10);
    expect(world.pods()).toEqual([]);
  });

  it("[WRK-028] [API-279] makes the Pods of a batch that has begun, and no batch after one with a refusal", () => {
    const world = start();
    const hard = { pods: "5" };
    const quota = world.client.create(kinds.resourceQuotas, { metadata: { namespace: "default", name: "q" }, spec: { hard } });
    world.client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard, used: { pods: "0" } } });
    world.client.create(kinds.replicaSets, frontend(100));
    const refused = () => world.client.list(kinds.events).items.filter(({ reason }) => reason === "FailedCreate");
    world.simulation.runUntil(() => refused().length > 0, { limitMs: 10_000 });
    // 1, 2 and 4: the last two of the third batch are one too many each.
    const count = refused().reduce((sum, event) => sum + (event.count ?? 1), 0);
    expect([world.pods().length, count]).toEqual([5, 2]);
  });

  it("[WRK-028] [API-279] makes 500 Pods at most in a pass", () => {
    const world = start();
    world.client.create(kinds.replicaSets, frontend(501));
    let most = 0;
    let before = 0;
    const limit = world.simulation.nowMs + 5_000;
    while (world.simulation.nowMs < limit && before < 501 && world.simulation.step()) {
      const now = world.pods().length;
      most = Math.max(most, now - before);
      before = now;
    }
    expect([most, before]).toEqual([500, 501]);
  });
});
