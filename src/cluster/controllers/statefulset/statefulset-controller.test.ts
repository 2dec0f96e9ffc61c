import { describe, expect, it } from "vitest";
import type { OwnerReference, StatefulSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { garbageCollector } from "../garbage-collector/garbage-collector.ts";
import { claimProtectionController } from "../volume-protection/volume-protection-controllers.ts";
import { statefulSetController } from "./statefulset-controller.ts";

const key = { namespace: "default", name: "web" };
const labels = { app: "nginx" };

type Spec = Partial<NonNullable<StatefulSet["spec"]>>;

function start(spec: Spec = {}) {
  const plane = startControlPlane({ definitions: [statefulSetController, garbageCollector, claimProtectionController] });
  const { client } = plane;
  const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: "nginx", image }] } });
  client.create(kinds.statefulSets, {
    metadata: key,
    spec: { replicas: 3, serviceName: "nginx", selector: { matchLabels: labels }, template: template("nginx:1"), ...spec },
  });
  const pod = (ordinal: number) => client.list(kinds.pods).items.find(({ metadata }) => metadata.name === `web-${ordinal}`);
  return {
    ...plane,
    pod,
    set: () => client.get(kinds.statefulSets, key),
    pods: () => client.list(kinds.pods).items,
    names: () => client.list(kinds.pods).items.map(({ metadata }) => metadata.name),
    images: () =>
      client.list(kinds.pods).items.map(({ metadata, spec: given }) => `${metadata.name} ${given?.containers[0]?.image}`),
    claims: () => client.list(kinds.persistentVolumeClaims).items.map(({ metadata }) => metadata.name),
    patch: (patch: object) => client.patch(kinds.statefulSets, key, "merge", { spec: patch as JsonValue }),
    setImage: (image: string) =>
      client.patch(kinds.statefulSets, key, "merge", { spec: { template: template(image) as JsonValue } }),
    remove: (ordinal: number) => client.delete(kinds.pods, { namespace: "default", name: `web-${ordinal}` }),
    revisions: () => client.list(kinds.controllerRevisions).items,
  };
}

const claims: Spec = {
  volumeClaimTemplates: [
    { metadata: { name: "www" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  ],
};

describe("statefulset-controller", () => {
  it("[WRK-170] [WRK-171] [WRK-012] makes Pods with a number, a host name and labels of their own", () => {
    const world = start({ replicas: 2 });
    world.settle();
    const { currentRevision } = world.set().status ?? {};
    expect(currentRevision).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]+$/);
    expect(
      world
        .pods()
        .map(({ metadata, spec }) => [metadata.name, metadata.generateName, metadata.labels, spec?.hostname, spec?.subdomain]),
    ).toEqual(
      [0, 1].map((ordinal) => [
        `web-${ordinal}`,
        "web-",
        {
          app: "nginx",
          "apps.kubernetes.io/pod-index": String(ordinal),
          "controller-revision-hash": currentRevision,
          "statefulset.kubernetes.io/pod-name": `web-${ordinal}`,
        },
        `web-${ordinal}`,
        "nginx",
      ]),
    );
    const events = world.client.list(kinds.events).items.filter(({ involvedObject }) => involvedObject.kind === "StatefulSet");
    expect(events.map(({ source }) => source?.component)).toEqual(["statefulset-controller", "statefulset-controller"]);
  });

  it("[WRK-170] starts at another number where told", () => {
    const world = start({ replicas: 2, ordinals: { start: 5 } });
    world.settle();
    expect(world.names()).toEqual(["web-5", "web-6"]);
  });

  it("[WRK-172] [WRK-174] makes one Pod after the other, and takes them away from the end", () => {
    const world = start();
    const seen: number[] = [];
    const watch = (limitMs: number): void => {
      const limit = world.simulation.nowMs + limitMs;
      while (world.simulation.nowMs < limit && world.simulation.step()) {
        const count = world.pods().length;
        if (seen.at(-1) !== count) seen.push(count);
        if (count > 1 && seen.length <= 4) expect(world.pod(count - 2)?.status?.phase).toBe("Running");
      }
    };
    watch(10_000);
    world.patch({ replicas: 0 });
    watch(10_000);
    expect(seen).toEqual([0, 1, 2, 3, 2, 1, 0]);
    expect(world.eventsOf("StatefulSet")).toEqual([
      ...[0, 1, 2].map((ordinal) => `SuccessfulCreate Create Pod web-${ordinal} in StatefulSet web successful`),
      ...[2, 1, 0].map((ordinal) => `SuccessfulDelete Delete Pod web-${ordinal} in StatefulSet web successful`),
    ]);
  });

  it("[WRK-172] waits until a Pod counts as available", () => {
    const world = start({ minReadySeconds: 30 });
    world.simulation.advance(25_000);
    expect(world.names()).toEqual(["web-0"]);
    world.simulation.advance(10_000);
    expect(world.names()).toEqual(["web-0", "web-1"]);
  });

  it("[WRK-172] [WRK-175] takes away no Pod before one below is available, and looks again when its time has come", () => {
    const world = start({ replicas: 3 });
    world.settle();
    world.patch({ minReadySeconds: 20 });
    world.settle();
    world.simulation.advance(60_000);
    world.kubelet.setReady("default/web-1", false);
    world.patch({ replicas: 2 });
    world.simulation.advance(10_000);
    expect(world.names()).toEqual(["web-0", "web-1", "web-2"]);
    world.kubelet.setReady("default/web-1", true);
    world.simulation.advance(30_000);
    expect(world.names()).toEqual(["web-0", "web-1"]);
  });

  it("[WRK-173] [WRK-175] does nothing further up while a Pod below is not ready", () => {
    const world = start({ replicas: 2 });
    world.settle();
    world.kubelet.setReady("default/web-0", false);
    world.patch({ replicas: 3 });
    world.simulation.advance(30_000);
    expect(world.names()).toEqual(["web-0", "web-1"]);
    world.patch({ replicas: 1 });
    world.simulation.advance(30_000);
    expect(world.names()).toEqual(["web-0", "web-1"]);
    world.kubelet.setReady("default/web-0", true);
    world.settle();
    expect(world.names()).toEqual(["web-0"]);
  });

  it("[WRK-176] makes and takes all at once in parallel, but updates one by one", () => {
    const world = start({ podManagementPolicy: "Parallel" });
    world.simulation.advance(200);
    expect(world.names()).toEqual(["web-0", "web-1", "web-2"]);
    world.settle();
    world.setImage("nginx:2");
    let fewest = 3;
    const limit = world.simulation.nowMs + 30_000;
    while (world.simulation.nowMs < limit && world.simulation.step()) {
      fewest = Math.min(fewest, world.pods().filter(({ metadata }) => metadata.deletionTimestamp === undefined).length);
    }
    expect(fewest).toBe(2);
    expect(world.images()).toEqual(["web-0 nginx:2", "web-1 nginx:2", "web-2 nginx:2"]);
    world.patch({ replicas: 0 });
    world.simulation.advance(60);
    expect(world.pods().every(({ metadata }) => metadata.deletionTimestamp !== undefined)).toBe(true);
  });

  it("[WRK-177] [WRK-180] makes a Pod again under its name, with its claims", () => {
    const world = start({ ...claims, replicas: 2 });
    world.settle();
    expect(world.claims()).toEqual(["www-web-0", "www-web-1"]);
    const uid = world.pod(1)?.metadata.uid;
    world.remove(1);
    world.settle();
    expect(world.pod(1)?.metadata.uid).not.toBe(uid);
    expect(world.pod(1)?.spec?.volumes?.[0]).toEqual({ name: "www", persistentVolumeClaim: { claimName: "www-web-1" } });
    world.patch({ replicas: 0 });
    world.settle();
    expect(world.claims()).toEqual(["www-web-0", "www-web-1"]);
    const claim = world.client.get(kinds.persistentVolumeClaims, { namespace: "default", name: "www-web-0" });
    expect([claim.metadata.labels, claim.metadata.ownerReferences ?? []]).toEqual([labels, []]);
  });

  it("[POD-274] makes no Pod in the place of one that is not gone yet", () => {
    const world = start({ replicas: 2 });
    world.settle();
    world.kubelet.stopAfterMs = 30_000;
    const uid = world.pod(1)?.metadata.uid;
    world.remove(1);
    world.simulation.advance(25_000);
    expect(world.pods().map(({ metadata }) => metadata.name)).toEqual(["web-0", "web-1"]);
    expect(world.pod(1)?.metadata.uid).toBe(uid);
    world.simulation.advance(10_000);
    expect(world.pod(1)?.metadata.uid).not.toBe(uid);
  });

  it("[WRK-179] tells of claims before Pods", () => {
    const world = start({ ...claims, replicas: 1 });
    world.settle();
    expect(world.eventsOf("StatefulSet")).toEqual([
      "SuccessfulCreate Create Claim www-web-0 Pod web-0 in StatefulSet web success",
      "SuccessfulCreate Create Pod web-0 in StatefulSet web successful",
    ]);
  });

  it("[WRK-179] says why a Pod cannot be made", () => {
    const world = start({ replicas: 1 });
    world.client.delete(kinds.serviceAccounts, { namespace: "default", name: "default" });
    world.simulation.advance(2_000);
    expect(world.eventsOf("StatefulSet")[0]).toMatch(/^FailedCreate Create Pod web-0 in StatefulSet web failed error: /);
  });

  it.each(["Failed", "Succeeded"])("[WRK-178] makes a Pod again that %s, and tells no more than that", (phase) => {
    const world = start({ replicas: 2 });
    world.settle();
    const pod = world.pod(1);
    if (pod !== undefined) world.client.updateStatus(kinds.pods, { ...pod, status: { ...pod.status, phase } });
    world.settle();
    expect(world.pod(1)?.metadata.uid).not.toBe(pod?.metadata.uid);
    expect(world.eventsOf("StatefulSet").map((event) => event.split(" ", 1)[0])).toEqual([
      "SuccessfulCreate",
      "SuccessfulDelete",
      "SuccessfulCreate",
    ]);
  });

  it("[WRK-181] lets claims go with the Pod that is scaled away, or with the set", () => {
    const world = start({
      ...claims,
      replicas: 2,
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" },
    });
    world.settle();
    world.patch({ replicas: 1 });
    world.settle();
    expect(world.claims()).toEqual(["www-web-0"]);
    world.client.delete(kinds.statefulSets, key, { propagationPolicy: "Background" });
    world.settle();
    expect([world.claims(), world.names()]).toEqual([[], []]);
  });

  it("[WRK-181] is an owner of claims as a controller, beside others, not beside another controller, and leaves stale ones alone", () => {
    const world = start({ ...claims, replicas: 4 });
    world.settle();
    const owners = (): unknown =>
      world.client.list(kinds.persistentVolumeClaims).items.map(({ metadata }) => metadata.ownerReferences ?? []);
    const other = { apiVersion: "v1", kind: "ConfigMap", name: "other", uid: "1" };
    const another = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      name: "unknown",
      uid: "2",
      controller: true,
      blockOwnerDeletion: true,
    };
    const stale = { apiVersion: "v1", kind: "Pod", name: "web-2", uid: "3", controller: true, blockOwnerDeletion: true };
    const give = (name: string, ownerReferences: readonly OwnerReference[]): void => {
      const claim = world.client.get(kinds.persistentVolumeClaims, { namespace: "default", name });
      const finalizers = ["test/kept"];
      world.client.update(kinds.persistentVolumeClaims, { ...claim, metadata: { ...claim.metadata, ownerReferences, finalizers } });
    };
    give("www-web-1", [other]);
    give("www-web-2", [stale]);
    give("www-web-3", [another]);
    world.settle();
    expect(owners()).toEqual([[], [other], [stale], [another]]);

    world.patch({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } });
    world.settle();
    const { uid } = world.set().metadata;
    const ours = { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid, controller: true, blockOwnerDeletion: true };
    expect(owners()).toEqual([[ours], [other, ours], [stale], [another]]);
    expect(world.eventsOf("StatefulSet")).toContain(
      "ConflictingController PersistentVolumeClaim www-web-3 has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim",
    );

    give("www-web-0", [{ ...ours, controller: false }]);
    world.patch({ persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" } });
    world.settle();
    expect(owners()).toEqual([[ours], [other, ours], [stale], [another]]);
  });

  it("makes no Pod before a claim of its is gone that is being deleted, and says so", () => {
    const world = start({ ...claims, replicas: 1 });
    world.settle();
    const reference = { namespace: "default", name: "www-web-0" };
    const finalizers = (names: readonly string[]) =>
      world.client.patch(kinds.persistentVolumeClaims, reference, "merge", { metadata: { finalizers: names } });
    const { uid } = finalizers(["test/kept"]).metadata;
    world.client.delete(kinds.persistentVolumeClaims, reference);
    world.remove(0);
    world.simulation.advance(3_000);
    expect(world.names()).toEqual([]);
    expect(world.eventsOf("StatefulSet").at(-1)).toBe(
      "FailedCreate Create Pod web-0 in StatefulSet web failed error: pvc www-web-0 is being deleted",
    );
    finalizers([]);
    world.settle();
    expect(world.names()).toEqual(["web-0"]);
    expect(world.client.get(kinds.persistentVolumeClaims, reference).metadata.uid).not.toBe(uid);
  });

  it("tells of a claim that cannot be made, and of the Pod that waits for it", () => {
    const world = start({ ...claims, replicas: 1 });
    const hard = { persistentvolumeclaims: "0" };
    const quota = world.client.create(kinds.resourceQuotas, { metadata: { namespace: "default", name: "none" }, spec: { hard } });
    world.client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard, used: hard } });
    world.simulation.advance(1_000);
    const [ofClaim, ofPod] = world.eventsOf("StatefulSet");
    const why = ofClaim?.slice(ofClaim.indexOf("error: ") + "error: ".length) ?? "";
    expect(ofClaim).toMatch(
      /^FailedCreate Create Claim www-web-0 for Pod web-0 in StatefulSet web failed error: persistentvolumeclaims "www-web-0" is forbidden: /,
    );
    expect(ofPod).toBe(`FailedCreate Create Pod web-0 in StatefulSet web failed error: failed to create PVC www-web-0: ${why}`);
  });

  it("[WRK-184] is deleted with its Pods; claims stay", () => {
    const world = start({ ...claims, replicas: 2 });
    world.settle();
    world.client.delete(kinds.statefulSets, key, { propagationPolicy: "Background" });
    world.settle();
    expect([world.claims(), world.names()]).toEqual([["www-web-0", "www-web-1"], []]);
  });

  it("[WRK-185] [WRK-190] [WRK-191] updates from the highest number down, each ready before the next goes", () => {
    const world = start();
    world.settle();
    const before = world.set().status;
    expect(before).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: before?.currentRevision,
      updateRevision: before?.currentRevision,
      collisionCount: 0,
      availableReplicas: 3,
    });
    world.setImage("nginx:2");
    world.simulation.advance(500);
    expect(world.set().status).toMatchObject({ currentRevision: before?.currentRevision, readyReplicas: 2 });
    expect(world.set().status?.updateRevision).not.toBe(before?.currentRevision);
    const order: string[] = [];
    const limit = world.simulation.nowMs + 30_000;
    while (world.simulation.nowMs < limit && world.simulation.step()) {
      const isReady = world.pods().filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length <= 1;
      expect(isReady).toBe(true);
      for (const { metadata, spec } of world.pods()) {
        if (spec?.containers[0]?.image === "nginx:2" && !order.includes(metadata.name)) order.push(metadata.name);
      }
    }
    expect(order).toEqual(["web-2", "web-1", "web-0"]);
    const { currentRevision, updateRevision, updatedReplicas } = world.set().status ?? {};
    expect([currentRevision === updateRevision, updatedReplicas]).toEqual([true, 3]);
  });

  it("[WRK-186] updates from the partition on; Pods below come back as they were", () => {
    const world = start({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } });
    world.settle();
    world.setImage("nginx:2");
    world.settle();
    expect(world.images()).toEqual(["web-0 nginx:1", "web-1 nginx:1", "web-2 nginx:2"]);
    world.remove(0);
    world.remove(2);
    world.settle();
    expect(world.images().sort()).toEqual(["web-0 nginx:1", "web-1 nginx:1", "web-2 nginx:2"]);
    expect(world.set().status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
    world.patch({ updateStrategy: { rollingUpdate: { partition: 9 } } });
    world.setImage("nginx:3");
    world.settle();
    expect(world.images().sort()).toEqual(["web-0 nginx:1", "web-1 nginx:1", "web-2 nginx:2"]);
  });

  it("[WRK-187] OnDelete gives the new template to Pods that come after a deletion only", () => {
    const world = start({ replicas: 2, updateStrategy: { type: "OnDelete" } });
    world.settle();
    world.setImage("nginx:2");
    world.settle();
    expect(world.images()).toEqual(["web-0 nginx:1", "web-1 nginx:1"]);
    world.remove(0);
    world.settle();
    expect(world.images().sort()).toEqual(["web-0 nginx:2", "web-1 nginx:1"]);
  });

  it("[WRK-189] an update that breaks stops there, and going back does not mend it alone", () => {
    const world = start({ replicas: 2 });
    world.settle();
    world.kubelet.becomesReady = (pod) => pod.spec?.containers[0]?.image !== "nginx:bad";
    world.setImage("nginx:bad");
    world.simulation.advance(30_000);
    expect(world.images()).toEqual(["web-0 nginx:1", "web-1 nginx:bad"]);
    world.setImage("nginx:1");
    world.simulation.advance(30_000);
    expect(world.images()).toEqual(["web-0 nginx:1", "web-1 nginx:bad"]);
    world.remove(1);
    world.settle();
    expect(world.images()).toEqual(["web-0 nginx:1", "web-1 nginx:1"]);
  });

  it("[WRK-192] keeps its templates as revisions, numbered upwards, and no more old ones than its limit", () => {
    const world = start({ replicas: 1, revisionHistoryLimit: 2 });
    world.settle();
    for (const image of ["a", "b", "c", "d"]) {
      world.setImage(image);
      world.settle();
    }
    expect(
      world
        .revisions()
        .map(({ revision }) => revision)
        .sort(),
    ).toEqual([3, 4, 5]);
    for (const { metadata } of world.revisions()) {
      expect(metadata.name).toBe(`web-${metadata.labels?.["controller.kubernetes.io/hash"]}`);
      expect(metadata.ownerReferences?.[0]).toMatchObject({ kind: "StatefulSet", name: "web", controller: true });
    }
    world.setImage("b");
    world.settle();
    expect(world.revisions().find(({ metadata }) => metadata.name === world.set().status?.updateRevision)?.revision).toBe(6);
  });

  it("[WRK-300] adopts Pods that are named after it, and no others", () => {
    const world = start({ replicas: 2 });
    world.settle();
    world.client.delete(kinds.statefulSets, key, { propagationPolicy: "Orphan" });
    world.settle();
    const before = world.pods().map(({ metadata }) => metadata.uid);
    world.client.create(kinds.pods, {
      metadata: { namespace: "default", name: "other", labels },
      spec: { containers: [{ name: "x", image: "x" }] },
    });
    world.client.create(kinds.statefulSets, {
      metadata: key,
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1" }] } },
      },
    });
    world.settle();
    expect(
      world
        .pods()
        .filter(({ metadata }) => metadata.name !== "other")
        .map(({ metadata }) => metadata.uid),
    ).toEqual(before);
    const owners = world.pods().map(({ metadata }) => [metadata.name, metadata.ownerReferences?.length ?? 0]);
    expect(owners.sort()).toEqual([
      ["other", 0],
      ["web-0", 1],
      ["web-1", 1],
    ]);
    // Its revisions, too.
    expect(world.revisions().map(({ revision, metadata }) => [revision, metadata.ownerReferences?.[0]?.uid])).toEqual([
      [1, world.set().metadata.uid],
    ]);
  });

  it("writes nothing when settled", () => {
    const world = start(claims);
    world.settle();
    const versions = () => [...world.pods(), ...world.revisions(), world.set()].map(({ metadata }) => metadata.resourceVersion);
    const before = versions();
    world.simulation.advance(3_600_000);
    expect(versions()).toEqual(before);
  });
});
