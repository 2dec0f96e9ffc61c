// Volumes that a node does not mount: what is told of them, and that the Pod waits.

import { describe, expect, it } from "vitest";
import type { PersistentVolumeSpec, PodSpec, Volume } from "#cluster/api/generated/types.ts";
import { csiDrivers, persistentVolumeClaims, persistentVolumes } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { shell, startedCluster, stateOf } from "../kubelet.test-kit.ts";

const volumeMounts = [{ name: "v", mountPath: "/v" }];

/** What is told of a Pod `p` that has the volume, beside one that is in order. */
function told(cluster: SmallCluster, volume: Omit<Volume, "name">, container: object = { volumeMounts }): readonly string[] {
  const spec: Partial<PodSpec> = { volumes: [{ name: "v", ...volume }], containers: [shell("c", "sleep 3600", container)] };
  cluster.createPod("p", spec);
  cluster.simulation.advance(20_000);
  expect(stateOf(cluster, "p", "c")).toBe("waiting: ContainerCreating");
  return cluster.eventsOf("p").map((event) => event.replace(/ x\d+$/u, ""));
}

/** A volume `pv` that the claim `data` is bound to. */
function bind(cluster: SmallCluster, spec: Partial<PersistentVolumeSpec>, phase = "Bound"): void {
  const { client } = cluster;
  const accessModes = ["ReadWriteOnce"];
  const storage = { storage: "1Gi" };
  const { volumeMode } = spec;
  client.create(persistentVolumes, {
    metadata: { name: "pv" },
    spec: { accessModes, capacity: storage, claimRef: { namespace: "default", name: "data" }, ...spec },
  });
  const named = { namespace: "default", name: "data" };
  const mode = volumeMode === undefined ? {} : { volumeMode };
  client.create(persistentVolumeClaims, {
    metadata: named,
    spec: { accessModes, resources: { requests: storage }, volumeName: "pv", storageClassName: "", ...mode },
  });
  client.patch(persistentVolumeClaims, named, "merge", { status: { phase } }, { subresource: "status" });
}

function driver(cluster: SmallCluster, name: string, spec: object): void {
  cluster.client.create(csiDrivers, { metadata: { name }, spec });
}

const claim = { persistentVolumeClaim: { claimName: "data" } };
const failed = (name: string, message: string, stage = "MountVolume.SetUp failed") =>
  `Warning FailedMount ${stage} for volume "${name}" : ${message}`;
const unprocessed = (message: string) =>
  `Warning FailedMount Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: ${message}`;

describe("a kind of volume that no kubelet mounts", () => {
  it("[NET-299] gitRepo is switched off", () => {
    expect(told(startedCluster(), { gitRepo: { repository: "https://example.com/a.git" } })).toEqual([
      failed(
        "v",
        "git-repo volume plugin has been disabled; if necessary, it may be re-enabled by enabling the feature-gate `GitRepoVolumeDriver`",
      ),
    ]);
  });

  it.each([
    ["memory", 'unknown storage medium "memory"'],
    ["HugePages", "medium HugePages: hugePages storage requested, but there is no resource request for huge pages"],
    ["HugePages-2Mi", "medium HugePages-2Mi: hugePages storage requested, but there is no resource request for huge pages"],
  ])("an emptyDir on the medium %s is mounted nowhere: the Pod waits", (medium, message) => {
    expect(told(startedCluster(), { emptyDir: { medium } })).toEqual([failed("v", message)]);
  });

  it.each<[string, Omit<Volume, "name">]>([
    ["glusterfs", { glusterfs: { endpoints: "e", path: "p" } }],
    ["cephfs", { cephfs: { monitors: ["m"] } }],
    ["rbd", { rbd: { monitors: ["m"], image: "i" } }],
    ["quobyte", { quobyte: { registry: "r:1", volume: "v" } }],
    ["flocker", { flocker: { datasetName: "d" } }],
    ["storageos", { storageos: { volumeName: "v" } }],
    ["scaleIO", { scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef: { name: "s" } } }],
    ["photonPersistentDisk", { photonPersistentDisk: { pdID: "p" } }],
    ["flexVolume without its driver", { flexVolume: { driver: "example.com/d" } }],
  ])("[NET-300] %s has no plugin any more", (_kind, volume) => {
    expect(told(startedCluster(), volume)).toEqual([
      unprocessed('failed to get Plugin from volumeSpec for volume "v" err=no volume plugin matched'),
    ]);
  });

  it("[NET-300] behind a claim neither; the volume gives its name", () => {
    const cluster = startedCluster();
    bind(cluster, { glusterfs: { endpoints: "e", path: "p" } });
    expect(told(cluster, claim)).toEqual([
      unprocessed('failed to get Plugin from volumeSpec for volume "pv" err=no volume plugin matched'),
    ]);
  });
});

describe("a volume of a CSI driver that the node has not", () => {
  const unregistered = (name: string) => `driver name ${name} not found in the list of registered CSI drivers`;
  const device = "MountVolume.MountDevice failed";
  const plugin = "kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient";

  // Where the driver says that its volumes are to be attached, the controller manager's attach-detach controller comes first:
  // #world/csi-attach.test.ts.
  it.each<[string, string, Omit<Volume, "name">]>([
    ["awsElasticBlockStore", "ebs.csi.aws.com", { awsElasticBlockStore: { volumeID: "aws://eu-west-1a/vol-1" } }],
    ["azureFile", "file.csi.azure.com", { azureFile: { secretName: "s", shareName: "vol-1" } }],
    ["cinder", "cinder.csi.openstack.org", { cinder: { volumeID: "vol-1" } }],
  ])("[NET-301] %s is its driver's business, and is called by it", (_kind, name, volume) => {
    const cluster = startedCluster();
    driver(cluster, name, { attachRequired: false });
    expect(told(cluster, volume)).toEqual([failed(`${name}-vol-1`, `${plugin}: ${unregistered(name)}`, device)]);
  });

  it("[NET-359] is mounted without having been attached where the driver does not ask for it", () => {
    const cluster = startedCluster();
    driver(cluster, "csi.example.com", { attachRequired: false });
    bind(cluster, { csi: { driver: "csi.example.com", volumeHandle: "h" } });
    expect(told(cluster, claim)).toEqual([failed("pv", `${plugin}: ${unregistered("csi.example.com")}`, device)]);
  });

  it("says what is not there of one that is to be attached", () => {
    const cluster = startedCluster();
    bind(cluster, { csi: { driver: "csi.example.com", volumeHandle: "h" } });
    expect(told(cluster, claim)).toEqual([failed("pv", "volumes of type csi are not simulated")]);
  });

  it.each<[object | undefined, string]>([
    [
      undefined,
      failed(
        "v",
        'volume mode "Ephemeral" not supported by driver csi.example.com (no CSIDriver object)',
        "MountVolume.NewMounter initialization failed",
      ),
    ],
    [
      {},
      failed(
        "v",
        'volume mode "Ephemeral" not supported by driver csi.example.com (only supports ["Persistent"])',
        "MountVolume.NewMounter initialization failed",
      ),
    ],
    [
      { volumeLifecycleModes: ["Ephemeral"] },
      failed("v", `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ${unregistered("csi.example.com")}`),
    ],
  ])("is one that the driver must know to be the Pod's own: %j", (spec, message) => {
    const cluster = startedCluster();
    if (spec !== undefined) driver(cluster, "csi.example.com", spec);
    expect(told(cluster, { csi: { driver: "csi.example.com" } })).toEqual([message]);
  });
});

describe("a volume over NFS", () => {
  const output = (mount: string, target: string) =>
    [
      "mount failed: exit status 32",
      "Mounting command: mount",
      `Mounting arguments: -t nfs ${mount} ${target}`,
      `Output: mount: ${target}: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.`,
      "       dmesg(1) may have more information after failed mount system call.",
      "",
    ].join("\n");
  const target = (cluster: SmallCluster, name: string) =>
    `/var/lib/kubelet/pods/${cluster.pod("p").metadata.uid}/volumes/kubernetes.io~nfs/${name}`;

  it("[NET-302] is not mounted where the node has no program for it: mount's own words are in the event", () => {
    const cluster = startedCluster();
    const [event] = told(cluster, { nfs: { server: "nas", path: "/a" } });
    expect(event).toBe(failed("v", output("nas:/a", target(cluster, "v"))));
  });

  it("[NET-302] has the volume's options and the claim's readOnly on mount's command line", () => {
    const cluster = startedCluster();
    bind(cluster, { nfs: { server: "nas", path: "/a" }, mountOptions: ["nfsvers=4.2", "hard"] });
    const [event] = told(cluster, { persistentVolumeClaim: { claimName: "data", readOnly: true } });
    expect(event).toBe(failed("pv", output("-o hard,nfsvers=4.2,ro nas:/a", target(cluster, "pv"))));
  });
});

describe("a claim that cannot be used", () => {
  const error = "error processing PVC default/data";
  const disk = { local: { path: "/srv" } };

  it("is missing, or not bound yet", () => {
    expect(told(startedCluster(), claim)).toEqual([
      unprocessed(`${error}: failed to fetch PVC from API server: persistentvolumeclaims "data" not found`),
    ]);
    const cluster = startedCluster();
    bind(cluster, { hostPath: { path: "/srv" } }, "Pending");
    expect(told(cluster, claim)).toEqual([unprocessed(`${error}: PVC is not bound`)]);
  });

  it("is being deleted", () => {
    const cluster = startedCluster();
    bind(cluster, { hostPath: { path: "/srv" } });
    const named = { namespace: "default", name: "data" };
    cluster.client.patch(persistentVolumeClaims, named, "merge", { metadata: { finalizers: ["kubernetes.io/pvc-protection"] } });
    cluster.client.delete(persistentVolumeClaims, named);
    expect(told(cluster, claim)).toEqual([unprocessed(`${error}: PVC is being deleted`)]);
  });

  const nodeAffinity = {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["node-1"] }] }],
    },
  };

  it.each([
    ["Block", { volumeMounts }, "volume v has volumeMode Block, but is specified in volumeMounts"],
    [
      "Filesystem",
      { volumeDevices: [{ name: "v", devicePath: "/dev/xvda" }] },
      "volume v has volumeMode Filesystem, but is specified in volumeDevices",
    ],
  ])("[NET-304] has the mode %s, and the container wants the other", (volumeMode, container, message) => {
    const cluster = startedCluster();
    bind(cluster, { ...disk, nodeAffinity, volumeMode });
    expect(told(cluster, claim, container)).toEqual([unprocessed(message)]);
  });
});
