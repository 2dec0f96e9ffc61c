import { describe, expect, it } from "vitest";
import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { claimProtectionController, volumeProtectionController } from "../volume-protection/volume-protection-controllers.ts";
import { volumeBindingController } from "./volume-binding-controller.ts";

const namespace = "default";

function start() {
  const world = startControlPlane({
    definitions: [volumeBindingController, claimProtectionController, volumeProtectionController],
    nodes: [],
  });
  const { client, simulation } = world;
  const volume = (name: string, spec: Partial<PersistentVolumeSpec> = {}, labels: { readonly [key: string]: string } = {}) =>
    client.create(kinds.persistentVolumes, {
      metadata: { name, labels },
      spec: { capacity: { storage: "5Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/data" }, ...spec },
    });
  const claim = (name: string, storage: string, spec: Partial<PersistentVolumeClaimSpec> = {}) =>
    client.create(kinds.persistentVolumeClaims, {
      metadata: { namespace, name },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
    });
  const storageClass = (name: string, provisioner: string, volumeBindingMode = "Immediate", isDefault = false) =>
    client.create(kinds.storageClasses, {
      metadata: { name, annotations: isDefault ? { "storageclass.kubernetes.io/is-default-class": "true" } : {} },
      provisioner,
      volumeBindingMode,
    });
  const volumeNow = (name: string) => client.get(kinds.persistentVolumes, { namespace: "", name });
  const claimNow = (name: string) => client.get(kinds.persistentVolumeClaims, { namespace, name });
  const wait = (seconds = 1) => simulation.advance(seconds * 1000);
  /** `PHASE VOLUME` of a claim, `PHASE CLAIM` of a volume. */
  const states = () => ({
    claims: Object.fromEntries(
      client
        .list(kinds.persistentVolumeClaims)
        .items.map(({ metadata, spec, status }) => [metadata.name, `${status?.phase} ${spec?.volumeName ?? ""}`.trim()]),
    ),
    volumes: Object.fromEntries(
      client
        .list(kinds.persistentVolumes)
        .items.map(({ metadata, spec, status }) => [metadata.name, `${status?.phase} ${spec?.claimRef?.name ?? ""}`.trim()]),
    ),
  });
  return { ...world, volume, claim, storageClass, volumeNow, claimNow, wait, states };
}

describe("binding", () => {
  it("[NET-327] takes the smallest volume that fits class, modes, labels and volume mode", () => {
    const { volume, claim, states, wait } = start();
    volume("large", { capacity: { storage: "20Gi" } });
    volume("fits", { capacity: { storage: "8Gi" } });
    volume("small", { capacity: { storage: "1Gi" } });
    volume("other-class", { capacity: { storage: "6Gi" }, storageClassName: "slow" });
    volume("block", { capacity: { storage: "6Gi" }, volumeMode: "Block" });
    volume("labelled", { capacity: { storage: "30Gi" } }, { release: "stable" });
    wait();
    claim("plain", "5Gi", { storageClassName: "" });
    wait();
    claim("by-label", "5Gi", { storageClassName: "", selector: { matchLabels: { release: "stable" } } });
    claim("slow", "5Gi", { storageClassName: "slow" });
    claim("raw", "5Gi", { storageClassName: "", volumeMode: "Block" });
    wait();
    expect(states().claims).toEqual({
      plain: "Bound fits",
      "by-label": "Bound labelled",
      slow: "Bound other-class",
      raw: "Bound block",
    });
  });

  it.each([
    [undefined, undefined, true],
    [undefined, "Block", false],
    [undefined, "Filesystem", true],
    ["Block", undefined, false],
    ["Block", "Block", true],
    ["Block", "Filesystem", false],
    ["Filesystem", undefined, true],
    ["Filesystem", "Block", false],
    ["Filesystem", "Filesystem", true],
  ])("[NET-337] binds a volume of mode %s and a claim on %s: %s", (ofVolume, ofClaim, isBound) => {
    const { volume, claim, states, wait } = start();
    const mode = (volumeMode: string | undefined) => (volumeMode === undefined ? {} : { volumeMode });
    volume("pv", mode(ofVolume));
    claim("data", "1Gi", { storageClassName: "", ...mode(ofClaim) });
    wait(16);
    expect(states().claims).toEqual({ data: isBound ? "Bound pv" : "Pending" });
  });

  it("[NET-328] writes the binding into both objects", () => {
    const { volume, claim, volumeNow, claimNow, wait } = start();
    volume("pv", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] });
    wait();
    const { uid } = claim("data", "1Gi", { storageClassName: "" }).metadata;
    wait();
    const [bound, own] = [volumeNow("pv"), claimNow("data")];
    expect(bound.metadata.annotations).toEqual({ "pv.kubernetes.io/bound-by-controller": "yes" });
    expect(bound.spec?.claimRef).toMatchObject({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name: "data", uid });
    expect(bound.status?.phase).toBe("Bound");
    expect(own.metadata.annotations).toEqual({
      "pv.kubernetes.io/bind-completed": "yes",
      "pv.kubernetes.io/bound-by-controller": "yes",
    });
    expect(own.spec?.volumeName).toBe("pv");
    expect(own.status).toEqual({ phase: "Bound", accessModes: ["ReadWriteOnce", "ReadOnlyMany"], capacity: { storage: "5Gi" } });
  });

  it("[NET-333] [NET-334] keeps to the volume that a claim names", () => {
    const { volume, claim, states, eventsOf, wait } = start();
    claim("early", "1Gi", { storageClassName: "", volumeName: "pv-5" });
    wait();
    expect(states().claims).toEqual({ early: "Pending pv-5" });
    volume("pv-5");
    volume("pv-6");
    wait(16);
    expect(states().claims).toEqual({ early: "Bound pv-5" });
    claim("late", "1Gi", { storageClassName: "", volumeName: "pv-5" });
    claim("too-much", "6Gi", { storageClassName: "", volumeName: "pv-6" });
    wait();
    expect(states().claims).toMatchObject({ late: "Pending pv-5", "too-much": "Pending pv-6" });
    expect(eventsOf("PersistentVolumeClaim")).toEqual([
      'FailedBinding volume "pv-5" already bound to a different claim.',
      'VolumeMismatch Cannot bind to requested volume "pv-6": requested PV is too small',
    ]);
  });

  it("keeps a volume for the claim that its claimRef names", () => {
    const { volume, claim, states, volumeNow, wait } = start();
    volume("pv", { claimRef: { namespace, name: "mine" } });
    wait();
    claim("other", "1Gi", { storageClassName: "" });
    claim("mine", "1Gi", { storageClassName: "" });
    wait();
    expect(states().claims).toEqual({ other: "Pending", mine: "Bound pv" });
    expect(volumeNow("pv").metadata.annotations).toBeUndefined();
  });

  it("[NET-329] [NET-344] says that nothing fits, and looks again after 15 seconds", () => {
    const { volume, claim, states, eventsOf, wait } = start();
    claim("data", "100Gi", { storageClassName: "" });
    wait();
    expect(eventsOf("PersistentVolumeClaim")).toEqual([
      "FailedBinding no persistent volumes available for this claim and no storage class is set",
    ]);
    volume("pv", { capacity: { storage: "100Gi" } });
    wait(1);
    expect(states().claims).toEqual({ data: "Pending" });
    wait(15);
    expect(states().claims).toEqual({ data: "Bound pv" });
  });
});

describe("classes", () => {
  it("[NET-332] [NET-331] [NET-335] asks the provisioner, or says why it cannot", () => {
    const { claim, storageClass, claimNow, eventsOf, wait } = start();
    storageClass("fast", "example.com/ssd");
    storageClass("by-hand", "kubernetes.io/no-provisioner");
    claim("a", "1Gi", { storageClassName: "nosuch" });
    wait();
    claim("b", "1Gi", { storageClassName: "fast" });
    wait();
    claim("c", "1Gi", { storageClassName: "by-hand" });
    wait();
    expect(eventsOf("PersistentVolumeClaim")).toEqual([
      'ProvisioningFailed storageclass.storage.k8s.io "nosuch" not found',
      "ExternalProvisioning Waiting for a volume to be created either by the external provisioner 'example.com/ssd' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
      "ProvisioningFailed no volume plugin matched name: kubernetes.io/no-provisioner",
    ]);
    expect(claimNow("b").metadata.annotations).toEqual({
      "volume.beta.kubernetes.io/storage-provisioner": "example.com/ssd",
      "volume.kubernetes.io/storage-provisioner": "example.com/ssd",
    });
  });

  it("[NET-330] waits for the first consumer, and then for its place", () => {
    const { client, volume, claim, storageClass, states, eventsOf, wait } = start();
    storageClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
    volume("pv", { storageClassName: "local" });
    wait();
    claim("data", "1Gi", { storageClassName: "local" });
    wait();
    const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "data" } }];
    client.create(kinds.pods, {
      metadata: { namespace, name: "web" },
      spec: { containers: [{ name: "c", image: "nginx" }], volumes },
    });
    wait(16);
    expect(states().claims).toEqual({ data: "Pending" });
    expect(eventsOf("PersistentVolumeClaim")).toEqual([
      "WaitForFirstConsumer waiting for first consumer to be created before binding",
      "WaitForPodScheduled waiting for pod web to be scheduled",
    ]);
  });

  it("[NET-321] gives the default class to a claim that was there before", () => {
    const { claim, storageClass, claimNow, wait } = start();
    claim("data", "1Gi");
    claim("none", "1Gi", { storageClassName: "" });
    wait();
    storageClass("standard", "example.com/disk", "Immediate", true);
    wait(16);
    expect(claimNow("data").spec?.storageClassName).toBe("standard");
    expect(claimNow("none").spec?.storageClassName).toBe("");
  });
});

describe("the end of a claim", () => {
  function bound(spec: Partial<PersistentVolumeSpec>) {
    const world = start();
    world.volume("pv", spec);
    world.wait();
    world.claim("data", "1Gi", { storageClassName: "" });
    world.wait(5);
    world.client.delete(kinds.persistentVolumeClaims, { namespace, name: "data" });
    world.wait();
    return world;
  }

  it("[NET-338] [NET-340] leaves a retained volume Released, for no other claim until its claimRef is gone", () => {
    const { client, claim, states, volumeNow, wait } = bound({});
    expect(states().volumes).toEqual({ pv: "Released data" });
    expect(volumeNow("pv").status?.lastPhaseTransitionTime).toBe("2026-01-01T00:00:06Z");
    claim("data", "1Gi", { storageClassName: "" });
    wait(20);
    expect(states().claims).toEqual({ data: "Pending" });
    client.patch(kinds.persistentVolumes, { namespace: "", name: "pv" }, "merge", { spec: { claimRef: null } });
    wait(20);
    expect(states().claims).toEqual({ data: "Bound pv" });
  });

  it("deletes a hostPath volume in /tmp", () => {
    const { states } = bound({ persistentVolumeReclaimPolicy: "Delete", hostPath: { path: "/tmp/data" } });
    expect(states().volumes).toEqual({});
  });

  it("[NET-339] fails where the type has no deleter", () => {
    const { states, volumeNow, eventsOf } = bound({ persistentVolumeReclaimPolicy: "Delete" });
    expect(states().volumes).toEqual({ pv: "Failed data" });
    const message = "host_path deleter only supports /tmp/.+ but received provided /data";
    expect(volumeNow("pv").status?.message).toBe(message);
    expect(eventsOf("PersistentVolume")).toEqual([`VolumeFailedDelete ${message}`]);
  });
});

describe("lost and protected", () => {
  it("[NET-336] loses a claim whose volume was taken away", () => {
    const { client, volume, claim, states, eventsOf, wait } = start();
    volume("pv");
    wait();
    claim("data", "1Gi", { storageClassName: "" });
    wait();
    client.delete(kinds.persistentVolumes, { namespace: "", name: "pv" });
    wait();
    client.patch(kinds.persistentVolumes, { namespace: "", name: "pv" }, "merge", { metadata: { finalizers: null } });
    wait();
    expect(states()).toEqual({ claims: { data: "Lost pv" }, volumes: {} });
    expect(eventsOf("PersistentVolumeClaim")).toEqual([
      "ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!",
    ]);
  });

  it("[API-189] [NET-342] a bound volume that is deleted goes when its claim has gone", () => {
    const { client, volume, claim, states, wait } = start();
    volume("pv");
    wait();
    claim("data", "1Gi", { storageClassName: "" });
    wait();
    client.delete(kinds.persistentVolumes, { namespace: "", name: "pv" });
    wait(30);
    expect(states().volumes).toEqual({ pv: "Bound data" });
    client.delete(kinds.persistentVolumeClaims, { namespace, name: "data" });
    wait();
    expect(states()).toEqual({ claims: {}, volumes: {} });
  });
});
