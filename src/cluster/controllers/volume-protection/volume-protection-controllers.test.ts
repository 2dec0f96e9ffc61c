import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { WatchDelays } from "#cluster/client/watch-delays.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import {
  attributesClassProtectionController,
  claimProtectionController,
  volumeProtectionController,
} from "./volume-protection-controllers.ts";

const namespace = "default";
const key = { namespace, name: "data" };

function start(watchDelays = new WatchDelays()) {
  const world = startControlPlane({ definitions: [claimProtectionController, volumeProtectionController], watchDelays });
  const { client, settle } = world;
  client.create(kinds.persistentVolumeClaims, {
    metadata: key,
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  const pod = (name: string) =>
    client.create(kinds.pods, {
      metadata: { namespace, name },
      spec: {
        containers: [{ name: "c", image: "nginx" }],
        volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
      },
    });
  const claimNames = () => client.list(kinds.persistentVolumeClaims).items.map(({ metadata }) => metadata.name);
  return { ...world, settle, pod, claimNames };
}

describe("claim protection", () => {
  it("[API-190] [NET-316] [NET-342] lets a claim go at once that nobody uses", () => {
    const { client, settle, claimNames } = start();
    expect(client.get(kinds.persistentVolumeClaims, key).metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
    client.delete(kinds.persistentVolumeClaims, key);
    settle();
    expect(claimNames()).toEqual([]);
  });

  // Upstream's controller looks for Pods that name the claim, not at what they do: an ended Pod keeps it too.
  it("[API-190] [NET-342] keeps a claim until the last Pod that uses it is gone", () => {
    const { client, settle, claimNames, pod } = start();
    pod("a");
    const b = pod("b");
    settle();
    client.delete(kinds.persistentVolumeClaims, key);
    settle();
    expect(claimNames()).toEqual(["data"]);
    client.delete(kinds.pods, { namespace, name: "a" }, { gracePeriodSeconds: 0 });
    settle();
    expect(claimNames()).toEqual(["data"]);
    const running = client.get(kinds.pods, { namespace, name: b.metadata.name });
    client.updateStatus(kinds.pods, { ...running, status: { ...running.status, phase: "Succeeded" } });
    settle();
    expect(claimNames()).toEqual(["data"]);
    client.delete(kinds.pods, { namespace, name: "b" }, { gracePeriodSeconds: 0 });
    settle();
    expect(claimNames()).toEqual([]);
  });

  it("[API-190] keeps a claim for a Pod that the controller has not heard of yet", () => {
    const watchDelays = new WatchDelays();
    const { client, simulation, claimNames, pod } = start(watchDelays);
    simulation.advance(5000);
    watchDelays.set("pods", 30_000);
    pod("a");
    simulation.advance(1000);
    expect(client.get(kinds.pods, { namespace, name: "a" }).spec?.nodeName).toBeDefined();
    client.delete(kinds.persistentVolumeClaims, key);
    simulation.advance(60_000);
    expect(claimNames()).toEqual(["data"]);
    client.delete(kinds.pods, { namespace, name: "a" }, { gracePeriodSeconds: 0 });
    simulation.advance(60_000);
    expect(claimNames()).toEqual([]);
  });

  it("keeps the claim that a Pod made for itself while the Pod is there", () => {
    const { client, settle, claimNames } = start();
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const pod = client.create(kinds.pods, {
      metadata: { namespace, name: "p" },
      spec: { containers: [{ name: "c", image: "nginx" }], volumes: [{ name: "v", ephemeral: { volumeClaimTemplate: { spec } } }] },
    });
    const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: pod.metadata.uid, controller: true };
    client.create(kinds.persistentVolumeClaims, { metadata: { namespace, name: "p-v", ownerReferences: [owner] }, spec });
    settle();
    client.delete(kinds.persistentVolumeClaims, { namespace, name: "p-v" });
    settle();
    expect(claimNames()).toEqual(["data", "p-v"]);
    client.delete(kinds.pods, { namespace, name: "p" }, { gracePeriodSeconds: 0 });
    settle();
    expect(claimNames()).toEqual(["data"]);
  });

  it("gives the finalizer to a claim that lacks it", () => {
    const { client, settle } = start();
    client.patch(kinds.persistentVolumeClaims, key, "merge", { metadata: { finalizers: null } });
    settle();
    expect(client.get(kinds.persistentVolumeClaims, key).metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
  });
});

describe("volume protection", () => {
  it.each([
    ["Bound", true],
    ["Released", false],
  ])("[API-189] [NET-313] [NET-342] a volume that is %s stays: %s", (phase, stays) => {
    const { client, settle } = start();
    const volume = client.create(kinds.persistentVolumes, {
      metadata: { name: "pv" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/data" } },
    });
    expect(volume.metadata.finalizers).toEqual(["kubernetes.io/pv-protection"]);
    client.updateStatus(kinds.persistentVolumes, { ...volume, status: { phase } });
    client.delete(kinds.persistentVolumes, { namespace: "", name: "pv" });
    settle();
    expect(client.list(kinds.persistentVolumes).items.length).toBe(stays ? 1 : 0);
  });
});

describe("protection of classes of attributes", () => {
  function startClasses() {
    const { client, settle } = startControlPlane({ definitions: [attributesClassProtectionController] });
    const metadata = { name: "gold" };
    client.create(kinds.volumeAttributesClasses, { metadata, driverName: "d.example.com", parameters: { iops: "100" } });
    settle();
    const names = () => client.list(kinds.volumeAttributesClasses).items.map((one) => one.metadata.name);
    return { client, settle, names };
  }

  it("lets a class go at once that nothing names", () => {
    const { client, settle, names } = startClasses();
    const { finalizers } = client.get(kinds.volumeAttributesClasses, { namespace: "", name: "gold" }).metadata;
    expect(finalizers).toEqual(["kubernetes.io/vac-protection"]);
    client.delete(kinds.volumeAttributesClasses, { namespace: "", name: "gold" });
    settle();
    expect(names()).toEqual([]);
  });

  it("keeps a class while a claim asks for it or has it, or a volume has it", () => {
    const { client, settle, names } = startClasses();
    const size = { storage: "1Gi" };
    client.create(kinds.persistentVolumeClaims, {
      metadata: key,
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: size }, volumeAttributesClassName: "gold" },
    });
    client.create(kinds.persistentVolumes, {
      metadata: { name: "pv" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: size,
        csi: { driver: "d.example.com", volumeHandle: "1" },
        volumeAttributesClassName: "gold",
      },
    });
    settle();
    client.delete(kinds.volumeAttributesClasses, { namespace: "", name: "gold" });
    settle();
    client.delete(kinds.persistentVolumes, { namespace: "", name: "pv" });
    const volume = client.list(kinds.persistentVolumes).items[0];
    if (volume !== undefined)
      client.update(kinds.persistentVolumes, { ...volume, metadata: { ...volume.metadata, finalizers: [] } });
    settle();
    expect(names()).toEqual(["gold"]);
    const claim = client.get(kinds.persistentVolumeClaims, key);
    client.update(kinds.persistentVolumeClaims, { ...claim, metadata: { ...claim.metadata, finalizers: [] } });
    client.delete(kinds.persistentVolumeClaims, key);
    settle();
    expect(names()).toEqual([]);
  });
});
