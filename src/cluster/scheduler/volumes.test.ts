import { describe, expect, it } from "vitest";
import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../controllers/control-plane.test-kit.ts";
import { volumeBindingController } from "../controllers/volume-binding/volume-binding-controller.ts";
import { Scheduler } from "./scheduler.ts";

const namespace = "default";
const diskDriver = "disk.example.com";

/** Three nodes in zones a to c, the binder and the scheduler. */
function start() {
  const world = startControlPlane({ definitions: [volumeBindingController], nodes: [] });
  const { client, server, simulation } = world;
  const resources = { cpu: "2", memory: "4Gi", pods: "110" };
  for (const letter of ["a", "b", "c"]) {
    const labels = { "kubernetes.io/hostname": `node-${letter}`, "topology.kubernetes.io/zone": letter };
    const made = client.create(kinds.nodes, { metadata: { name: `node-${letter}`, labels } });
    const { taints: _taints, ...spec } = made.spec ?? {};
    const ready = client.update(kinds.nodes, { ...made, spec });
    client.updateStatus(kinds.nodes, { ...ready, status: { capacity: resources, allocatable: resources } });
  }
  new Scheduler({ simulation, clients: server, hostname: "control-plane" }).start();
  simulation.advance(1_000);
  const volume = (name: string, spec: Partial<PersistentVolumeSpec> = {}, labels: { readonly [key: string]: string } = {}) =>
    client.create(kinds.persistentVolumes, {
      metadata: { name, labels },
      spec: { capacity: { storage: "5Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/data" }, ...spec },
    });
  const claim = (name: string, spec: Partial<PersistentVolumeClaimSpec> = {}) =>
    client.create(kinds.persistentVolumeClaims, {
      metadata: { namespace, name },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "", ...spec },
    });
  const pod = (name: string, ...claims: readonly string[]) =>
    client.create(kinds.pods, {
      metadata: { namespace, name },
      spec: {
        containers: [{ name: "c", image: "nginx" }],
        volumes: claims.map((claimName, index) => ({ name: `v${index}`, persistentVolumeClaim: { claimName } })),
      },
    });
  const nodeOf = (name: string) => client.get(kinds.pods, { namespace, name }).spec?.nodeName;
  const messages = (name: string) =>
    client
      .list(kinds.events)
      .items.filter((event) => event.involvedObject.name === name && event.reason === "FailedScheduling")
      .map(({ message }) => message);
  const wait = (seconds = 1) => simulation.advance(seconds * 1000);
  const waitingClass = (name: string, provisioner: string, zone?: string) =>
    client.create(kinds.storageClasses, {
      metadata: { name },
      provisioner,
      volumeBindingMode: "WaitForFirstConsumer",
      ...(zone === undefined
        ? {}
        : { allowedTopologies: [{ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: [zone] }] }] }),
    });
  /** A claim with a volume of a CSI driver. */
  const disk = (name: string) => {
    client.create(kinds.persistentVolumes, {
      metadata: { name: `pv-${name}` },
      spec: {
        capacity: { storage: "5Gi" },
        accessModes: ["ReadWriteOnce"],
        csi: { driver: diskDriver, volumeHandle: name },
        claimRef: { namespace, name },
      },
    });
    claim(name);
    wait();
  };
  const limitDisks = (nodeName: string, count: number) => {
    const drivers = [{ name: diskDriver, nodeID: nodeName, topologyKeys: [], allocatable: { count } }];
    client.create(kinds.csiNodes, { metadata: { name: nodeName }, spec: { drivers } });
  };
  return { ...world, volume, claim, pod, nodeOf, messages, wait, waitingClass, disk, limitDisks };
}

const onNode = (name: string): NonNullable<PersistentVolumeSpec["nodeAffinity"]> => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [name] }] }] },
});

describe("Pods with claims", () => {
  it("[NET-345] [WRK-341] waits for a claim that is not there, or is going", () => {
    const { client, claim, pod, nodeOf, messages, volume, wait } = start();
    pod("web", "data");
    wait();
    expect(messages("web")).toEqual(['0/3 nodes are available: persistentvolumeclaim "data" not found. not found']);
    volume("pv");
    wait();
    claim("data");
    wait(20);
    expect(nodeOf("web")).toMatch(/^node-/u);
    client.create(kinds.persistentVolumeClaims, {
      metadata: { namespace, name: "going", finalizers: ["example.com/hold"] },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "" },
    });
    client.delete(kinds.persistentVolumeClaims, { namespace, name: "going" });
    pod("late", "going");
    wait();
    expect(messages("late")).toEqual(['0/3 nodes are available: persistentvolumeclaim "going" is being deleted. not found']);
  });

  it("[NET-369] waits while the claim that it brings along has the name of another's", () => {
    const { client, claim, messages, wait } = start();
    claim("web-data");
    client.create(kinds.pods, {
      metadata: { namespace, name: "web" },
      spec: {
        containers: [{ name: "c", image: "nginx" }],
        volumes: [
          {
            name: "data",
            ephemeral: {
              volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
            },
          },
        ],
      },
    });
    wait();
    expect(messages("web")).toEqual([
      "0/3 nodes are available: PVC default/web-data was not created for pod default/web (pod is not owner). not found",
    ]);
  });

  it("[NET-346] [WRK-341] waits for a claim that is not bound", () => {
    const { claim, pod, nodeOf, messages, volume, wait } = start();
    claim("data");
    pod("web", "data");
    wait();
    expect(messages("web")).toEqual(["0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found"]);
    volume("pv");
    wait(20);
    expect(nodeOf("web")).toMatch(/^node-/u);
  });

  it("[NET-347] [WRK-341] goes where its volume can be reached", () => {
    const { client, claim, pod, nodeOf, messages, volume, wait } = start();
    volume("pv", { nodeAffinity: onNode("node-b") });
    wait();
    claim("data");
    wait();
    pod("web", "data");
    wait();
    expect(nodeOf("web")).toBe("node-b");
    client.patch(kinds.nodes, { namespace: "", name: "node-b" }, "merge", { spec: { unschedulable: true } });
    pod("other", "data");
    wait();
    expect(messages("other")).toEqual([
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match PersistentVolume's node affinity. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ]);
  });

  it.each([
    ["the label of today", { "topology.kubernetes.io/zone": "c" }],
    ["the older label, which the node need not have", { "failure-domain.beta.kubernetes.io/zone": "c" }],
    ["one of several zones", { "topology.kubernetes.io/zone": "c__d" }],
  ])("[WRK-342] goes to the zone that its volume is labelled with: %s", (_title, labels) => {
    const { client, claim, pod, nodeOf, messages, volume, wait } = start();
    volume("pv", {}, labels);
    wait();
    claim("data");
    wait();
    pod("web", "data");
    wait();
    expect(nodeOf("web")).toBe("node-c");
    client.patch(kinds.nodes, { namespace: "", name: "node-c" }, "merge", { spec: { unschedulable: true } });
    pod("other", "data");
    wait();
    expect(messages("other")).toEqual([
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had no available volume zone. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    ]);
    client.patch(kinds.nodes, { namespace: "", name: "node-a" }, "merge", {
      metadata: { labels: { "topology.kubernetes.io/zone": null } },
    });
    wait(15);
    expect(nodeOf("other")).toBe("node-a");
  });

  it("[WRK-344] goes where the driver of its volume can attach one more", () => {
    const { client, pod, nodeOf, messages, wait, disk, limitDisks } = start();
    limitDisks("node-a", 1);
    limitDisks("node-b", 1);
    client.patch(kinds.nodes, { namespace: "", name: "node-c" }, "merge", { spec: { unschedulable: true } });
    for (const name of ["one", "two", "three"]) disk(name);
    pod("first", "one");
    wait();
    pod("second", "two");
    wait();
    expect([nodeOf("first"), nodeOf("second")].sort()).toEqual(["node-a", "node-b"]);
    // A volume that is there already needs no further place.
    pod("same", "one");
    wait();
    expect(nodeOf("same")).toBe(nodeOf("first"));
    pod("third", "three");
    wait();
    expect(messages("third")).toEqual([
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) exceed max volume count. no new claims to deallocate, preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.",
    ]);
    client.delete(kinds.csiNodes, { namespace: "", name: "node-b" });
    limitDisks("node-b", 2);
    wait(15);
    expect(nodeOf("third")).toBe("node-b");
  });

  it("[WRK-344] counts volumes that are attached without a Pod, until they are detached", () => {
    const { client, pod, nodeOf, messages, wait, disk, limitDisks } = start();
    limitDisks("node-a", 1);
    limitDisks("node-b", 0);
    limitDisks("node-c", 0);
    disk("old");
    disk("new");
    client.create(kinds.volumeAttachments, {
      metadata: { name: "attached" },
      spec: { attacher: diskDriver, nodeName: "node-a", source: { persistentVolumeName: "pv-old" } },
    });
    wait();
    pod("web", "new");
    wait();
    expect(messages("web")[0]).toMatch(/^0\/3 nodes are available: 3 node\(s\) exceed max volume count\. /u);
    client.delete(kinds.volumeAttachments, { namespace: "", name: "attached" });
    wait(15);
    expect(nodeOf("web")).toBe("node-a");
  });

  it("[NET-349] [WRK-343] lets one Pod at a time have a ReadWriteOncePod claim", () => {
    const { client, claim, pod, nodeOf, messages, volume, wait } = start();
    volume("pv", { accessModes: ["ReadWriteOncePod"] });
    wait();
    claim("data", { accessModes: ["ReadWriteOncePod"] });
    wait();
    pod("one", "data");
    pod("two", "data");
    wait();
    expect(nodeOf("one")).toMatch(/^node-/u);
    expect(messages("two")).toEqual([
      "0/3 nodes are available: 3 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
    ]);
    client.delete(kinds.pods, { namespace, name: "one" }, { gracePeriodSeconds: 0 });
    wait(5);
    expect(nodeOf("two")).toMatch(/^node-/u);
  });
});

describe("claims that wait for a Pod", () => {
  it("[NET-348] get a volume that the Pod's node reaches, and two Pods never the same", () => {
    const { client, claim, pod, nodeOf, messages, volume, wait, waitingClass } = start();
    waitingClass("local", "kubernetes.io/no-provisioner");
    volume("pv-b", { storageClassName: "local", nodeAffinity: onNode("node-b") });
    volume("pv-c", { storageClassName: "local", nodeAffinity: onNode("node-c") });
    wait();
    for (const name of ["one", "two", "three"]) {
      claim(name, { storageClassName: "local" });
      pod(name, name);
    }
    wait(5);
    expect([nodeOf("one"), nodeOf("two")].sort()).toEqual(["node-b", "node-c"]);
    expect(messages("three").at(-1)).toBe(
      "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    );
    const bound = client.list(kinds.persistentVolumeClaims).items.filter(({ status }) => status?.phase === "Bound");
    expect(bound.map(({ metadata }) => metadata.name)).toEqual(["one", "two"]);
  });

  it("[NET-350] tell a provisioner the chosen node and hold the Pod until the volume is there", () => {
    const { client, claim, pod, nodeOf, volume, wait, waitingClass } = start();
    waitingClass("zonal", "example.com/disk", "b");
    const { uid } = claim("data", { storageClassName: "zonal" }).metadata;
    pod("web", "data");
    wait(3);
    const { annotations } = client.get(kinds.persistentVolumeClaims, { namespace, name: "data" }).metadata;
    expect(annotations).toMatchObject({
      "volume.kubernetes.io/selected-node": "node-b",
      "volume.kubernetes.io/storage-provisioner": "example.com/disk",
    });
    expect(nodeOf("web")).toBeUndefined();
    volume(`pvc-${uid}`, { storageClassName: "zonal", claimRef: { namespace, name: "data", uid }, nodeAffinity: onNode("node-b") });
    wait(3);
    expect(nodeOf("web")).toBe("node-b");
  });

  it("[WRK-314] go through one cycle: refused as a whole, node by node, by preemption; then room held back, volume, and Binding last", () => {
    const { client, claim, nodeOf, messages, volume, wait, waitingClass } = start();
    waitingClass("zonal", "example.com/disk", "b");
    client.create(kinds.priorityClasses, { metadata: { name: "high" }, value: 1000 });
    const pod = (name: string, claimName: string, priorityClassName = "") =>
      client.create(kinds.pods, {
        metadata: { namespace, name },
        spec: {
          ...(priorityClassName === "" ? {} : { priorityClassName }),
          containers: [{ name: "c", image: "nginx", resources: { requests: { cpu: "2" } } }],
          ...(claimName === "" ? {} : { volumes: [{ name: "v", persistentVolumeClaim: { claimName } }] }),
          nodeSelector: { "topology.kubernetes.io/zone": "b" },
        },
      });
    // PreFilter: no node is named.
    pod("early", "data");
    wait();
    expect(messages("early")).toEqual(['0/3 nodes are available: persistentvolumeclaim "data" not found. not found']);
    const { uid } = claim("data", { storageClassName: "zonal" }).metadata;
    wait(3);
    // Reserve: the room counts as taken while PreBind waits for the volume. Filter: why each node is refused.
    expect(nodeOf("early")).toBeUndefined();
    pod("second", "");
    wait();
    const reasons = "1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector.";
    expect(messages("second")[0]).toContain(`0/3 nodes are available: ${reasons}`);
    volume(`pvc-${uid}`, { storageClassName: "zonal", claimRef: { namespace, name: "data", uid }, nodeAffinity: onNode("node-b") });
    wait(3);
    expect(nodeOf("early")).toBe("node-b");
    // PostFilter: only where no node passed the filters.
    pod("vip", "", "high");
    wait();
    expect(nodeOf("vip")).toBe("node-b");
    expect(client.list(kinds.pods).items.map(({ metadata }) => metadata.name)).toEqual(["second", "vip"]);
  });

  it("[POD-157] are a failure of the scheduler when they never come, not of the Pod; it is scheduled anew", () => {
    const { client, claim, pod, messages, wait, waitingClass } = start();
    waitingClass("zonal", "example.com/disk", "b");
    claim("data", { storageClassName: "zonal" });
    pod("web", "data");
    wait(610);
    const message = 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded';
    expect(messages("web")).toEqual([message]);
    const { conditions } = client.get(kinds.pods, { namespace, name: "web" }).status ?? {};
    expect(conditions).toMatchObject([{ type: "PodScheduled", status: "False", reason: "SchedulerError", message }]);
    wait(610);
    expect(messages("web")).toEqual([message, message]);
  });

  it("[NET-351] wait on where a Pod was given its node by hand", () => {
    const { client, claim, wait, waitingClass } = start();
    waitingClass("zonal", "example.com/disk");
    claim("data", { storageClassName: "zonal" });
    client.create(kinds.pods, {
      metadata: { namespace, name: "web" },
      spec: {
        nodeName: "node-a",
        containers: [{ name: "c", image: "nginx" }],
        volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
      },
    });
    wait(20);
    const data = client.get(kinds.persistentVolumeClaims, { namespace, name: "data" });
    expect(data.metadata.annotations).toBeUndefined();
    expect(data.status?.phase).toBe("Pending");
  });
});
