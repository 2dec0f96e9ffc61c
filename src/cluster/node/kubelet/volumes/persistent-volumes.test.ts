import { describe, expect, it } from "vitest";
import type { PersistentVolumeSpec, PodSpec } from "#cluster/api/generated/types.ts";
import { persistentVolumeClaims, persistentVolumes } from "#cluster/api/kinds.ts";
import { logOf, shell, startedCluster } from "../kubelet.test-kit.ts";

/** A node with a volume that is bound to the claim `data`. */
function withVolume(spec: Partial<PersistentVolumeSpec>, annotations: { readonly [key: string]: string } = {}) {
  const cluster = startedCluster();
  const { client } = cluster;
  const accessModes = ["ReadWriteOnce"];
  const storage = { storage: "1Gi" };
  client.create(persistentVolumes, {
    metadata: { name: "pv-1", annotations },
    spec: { accessModes, capacity: storage, claimRef: { namespace: "default", name: "data" }, ...spec },
  });
  client.create(persistentVolumeClaims, {
    metadata: { namespace: "default", name: "data" },
    spec: { accessModes, resources: { requests: storage }, volumeName: "pv-1", storageClassName: "" },
  });
  client.patch(
    persistentVolumeClaims,
    { namespace: "default", name: "data" },
    "merge",
    { status: { phase: "Bound" } },
    { subresource: "status" },
  );
  const run = (name: string, script: string, more: Partial<PodSpec> = {}, readOnly = false): string => {
    cluster.createPod(name, {
      restartPolicy: "Never",
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data", readOnly } }],
      containers: [shell("c", script, { volumeMounts: [{ name: "v", mountPath: "/data" }] })],
      ...more,
    });
    cluster.simulation.advance(20_000);
    return logOf(cluster, name, "c");
  };
  const failures = (name: string) =>
    cluster.eventsOf(name).flatMap((event) => /FailedMount (.*?)(?: x\d+)?$/.exec(event)?.slice(1) ?? []);
  return { ...cluster, cluster, run, failures, files: cluster.node.machine.files };
}

const onNode = (value: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [value] }] }] },
});

describe("a PersistentVolume of the node", () => {
  it.each<[string, Partial<PersistentVolumeSpec>, { readonly [key: string]: string }, string]>([
    [
      "mount options, which hostPath has none of",
      { hostPath: { path: "/srv" }, mountOptions: ["ro"] },
      {},
      'MountVolume.MountOptionSupport check failed for volume "pv-1" : mount options are not supported for this volume type',
    ],
    [
      "mount options in the annotation of old",
      { hostPath: { path: "/srv" } },
      { "volume.beta.kubernetes.io/mount-options": "ro" },
      'MountVolume.MountOptionSupport check failed for volume "pv-1" : mount options are not supported for this volume type',
    ],
    [
      "another node",
      { local: { path: "/srv" }, nodeAffinity: onNode("node-2") },
      {},
      'MountVolume.NodeAffinity check failed for volume "pv-1" : no matching NodeSelectorTerms',
    ],
    [
      "a directory that is not there",
      { local: { path: "/srv/none" }, nodeAffinity: onNode("node-1") },
      {},
      'MountVolume.NewMounter initialization failed for volume "pv-1" : path "/srv/none" does not exist',
    ],
    [
      "a file",
      { local: { path: "/etc/hostname" }, nodeAffinity: onNode("node-1") },
      {},
      'MountVolume.NewMounter initialization failed for volume "pv-1" : only directory and block device are supported for local volume',
    ],
  ])("is not mounted for %s", (_case, spec, annotations, message) => {
    const world = withVolume(spec, annotations);
    world.run("p", "true");
    expect(world.failures("p")).toEqual([message]);
  });

  it("is mounted where its affinity is the node's", () => {
    const world = withVolume({ local: { path: "/srv" }, nodeAffinity: onNode("node-1") });
    expect(world.run("p", "echo here > /data/f && cat /data/f")).toBe("here\n");
    expect(world.files.readText("/srv/f")).toBe("here\n");
  });
});

describe("the access modes of a volume", () => {
  const local = { local: { path: "/srv" }, nodeAffinity: onNode("node-1") };
  const refused =
    'MountVolume.SetUp failed for volume "pv-1" : volume uses the ReadWriteOncePod access mode and is already in use by another pod';

  it.each([
    ["ReadWriteOnce", []],
    ["ReadWriteOncePod", [refused]],
  ])("%s, for two Pods of the node", (mode, failures) => {
    const world = withVolume({ ...local, accessModes: [mode] });
    world.run("first", "sleep 1000000");
    world.run("second", "sleep 1000000");
    expect(new Set(world.failures("second"))).toEqual(new Set(failures));
  });

  it("lets the next Pod have what only one may have", () => {
    const world = withVolume({ ...local, accessModes: ["ReadWriteOncePod"] });
    world.run("first", "echo kept > /data/f");
    expect(world.run("second", "cat /data/f")).toBe("kept\n");
  });
});

describe("the fsGroup of a Pod", () => {
  const look = "cd /data && stat -c '%n %u:%g %a' . f sub sub/f";
  const local = { local: { path: "/srv/disk" }, nodeAffinity: onNode("node-1") };
  const filled = (spec: Partial<PersistentVolumeSpec> = local) => {
    const world = withVolume(spec);
    world.files.makeDirectories("/srv/disk");
    world.files.mkdir("/srv/disk/sub", 0o700);
    world.files.writeFile("/srv/disk/f", "", { permissions: 0o600 });
    world.files.writeFile("/srv/disk/sub/f", "", { permissions: 0o640 });
    world.files.chown("/srv/disk/sub/f", 1000, 1000);
    return world;
  };
  const as = (fsGroup: number, more: object = {}): Partial<PodSpec> => ({ securityContext: { fsGroup, ...more } });

  it("[NET-298] owns all of a local volume", () => {
    expect(filled().run("p", look, as(2000))).toBe(". 0:2000 2775\nf 0:2000 660\nsub 0:2000 2770\nsub/f 1000:2000 660\n");
  });

  it("leaves what is mounted read-only, and hostPath volumes, as they are", () => {
    const before = ". 0:0 755\nf 0:0 600\nsub 0:0 700\nsub/f 1000:1000 640\n";
    expect(filled().run("p", look, as(2000), true)).toBe(before);
    expect(filled({ hostPath: { path: "/srv/disk" } }).run("p", look, as(2000))).toBe(before);
  });

  it("[NET-298] goes through the tree again, or with OnRootMismatch only where the root is not the group's", () => {
    const world = filled();
    const onMismatch = as(2000, { fsGroupChangePolicy: "OnRootMismatch" });
    world.run("first", "true", onMismatch);
    world.files.chown("/srv/disk/f", 0, 0);
    expect(world.run("second", look, onMismatch)).toContain("\nf 0:0 660\n");
    expect(world.run("third", look, as(2000))).toContain("\nf 0:2000 660\n");
    expect(world.run("fourth", look, as(3000, { fsGroupChangePolicy: "OnRootMismatch" }))).toContain("\nf 0:3000 660\n");
  });

  it("is decided by the first Pod of the node that mounts the volume", () => {
    const world = filled();
    world.run("first", "sleep 1d", as(2000));
    world.run("second", "true", as(3000));
    expect(world.cluster.eventsOf("second")).toContain(
      "Warning AlreadyMountedVolume The requested fsGroup is 3000, but the volume pv-1 has GID 2000. The volume may not be shareable.",
    );
    expect(world.files.stat("/srv/disk").gid).toBe(2000);
  });

  it("[NET-298] owns an emptyDir, on the disk and in memory", () => {
    const cluster = startedCluster();
    for (const [name, emptyDir] of Object.entries({ disk: {}, memory: { medium: "Memory" } })) {
      cluster.createPod(name, {
        restartPolicy: "Never",
        volumes: [{ name: "v", emptyDir }],
        containers: [shell("c", "cd /data && touch f && stat -c '%g' . f", { volumeMounts: [{ name: "v", mountPath: "/data" }] })],
        ...as(2000, { runAsUser: 1000 }),
      });
      cluster.simulation.advance(20_000);
      expect(logOf(cluster, name, "c")).toBe("2000\n2000\n");
    }
  });
});
