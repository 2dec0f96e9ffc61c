import { describe, expect, it } from "vitest";
import { events, leases, nodes, pods } from "#cluster/api/kinds.ts";
import { Machine } from "../host/machine.ts";
import { Containerd } from "../runtime/containerd.ts";
import { SmallCluster } from "../small-cluster.test-kit.ts";
import { instancesOf, shell, startedCluster, stateOf } from "./kubelet.test-kit.ts";
import { Kubelet } from "./kubelet.ts";
import { checkNodeLabels } from "./start/node-label-check.ts";

const manifests = "/etc/kubernetes/manifests";

function nodeEvents(cluster: SmallCluster): readonly string[] {
  return cluster.client
    .list(events, { namespace: "default" })
    .items.filter(({ involvedObject }) => involvedObject.kind === "Node")
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
}

function writeManifest(cluster: SmallCluster, name: string, text: string): void {
  cluster.node.machine.files.makeDirectories(manifests);
  cluster.node.machine.files.writeFile(`${manifests}/${name}`, text);
}

/** Of the kubelet, as journalctl has it. */
function journalOf(cluster: SmallCluster): readonly string[] {
  return cluster.node.machine.journal.entries(["kubelet"]).map((entry) => entry.form(entry));
}

const notListed = 'kubelet_node_status.go:404] "Error getting the current node from lister" err="node \\"node-1\\" not found"';

const manifest = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  containers:\n  - name: c\n    image: nginx:1.27\n`;

describe("a node that starts", () => {
  it("[POD-541] [POD-542] [POD-543] [POD-544] [POD-545] tells so", () => {
    const cluster = new SmallCluster();
    cluster.startKubelets();
    cluster.simulation.advance(30_000);
    const status = (event: string) => `Normal ${event} Node node-1 status is now: ${event}`;
    expect(new Set(nodeEvents(cluster))).toEqual(
      new Set([
        "Normal Starting Starting kubelet.",
        "Warning InvalidDiskCapacity invalid capacity 0 on image filesystem",
        "Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods",
        status("NodeHasSufficientMemory"),
        status("NodeHasNoDiskPressure"),
        status("NodeHasSufficientPID"),
        status("NodeReady"),
      ]),
    );
  });

  it("[POD-600] [POD-604] [POD-540] says where it is and what it has", () => {
    const cluster = startedCluster();
    const { metadata, status } = cluster.client.get(nodes, { namespace: "", name: "node-1" });
    expect(status?.addresses).toEqual([
      { type: "InternalIP", address: "10.0.0.3" },
      { type: "Hostname", address: "node-1" },
    ]);
    expect(status?.capacity).toMatchObject({ cpu: "2", memory: "4194304Ki", pods: "110", "hugepages-2Mi": "0" });
    expect(status?.capacity).toHaveProperty("ephemeral-storage");
    expect(metadata.labels).toMatchObject({
      "kubernetes.io/hostname": "node-1",
      "kubernetes.io/os": "linux",
      "kubernetes.io/arch": "amd64",
    });
  });
});

describe("a node without a network for Pods", () => {
  const configuration = "/etc/cni/net.d/10-pod-network.conflist";
  const problem =
    "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";

  it("[API-223] [POD-572] [POD-602] [POD-605] is not ready within 10 s and says why; its Pods wait, those of the host's network run", () => {
    const cluster = startedCluster();
    const { files } = cluster.node.machine;
    const text = files.readText(configuration);
    const ready = () => {
      const { status } = cluster.client.get(nodes, { namespace: "", name: "node-1" });
      const condition = status?.conditions?.find(({ type }) => type === "Ready");
      return [condition?.status, condition?.reason, condition?.message];
    };
    cluster.createPod("before", {});
    cluster.untilReady("before");
    files.unlink(configuration);
    cluster.simulation.advance(10_500);
    expect(ready()).toEqual(["False", "KubeletNotReady", problem]);
    expect(nodeEvents(cluster)).toContain("Normal NodeNotReady Node node-1 status is now: NodeNotReady");
    cluster.createPod("waits", {});
    cluster.createPod("host", { hostNetwork: true });
    cluster.untilReady("host");
    expect(cluster.pod("waits").status?.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: "ContainerCreating" } });
    expect(cluster.eventsOf("waits")[0]?.replace(/ x\d+$/, "")).toBe(`Warning NetworkNotReady network is not ready: ${problem}`);
    const { resourceVersion } = cluster.client.get(nodes, { namespace: "", name: "node-1" }).metadata;
    cluster.simulation.advance(60_000);
    expect(cluster.client.get(nodes, { namespace: "", name: "node-1" }).metadata.resourceVersion).toBe(resourceVersion);
    files.removeAll("/etc/cni");
    files.makeDirectories("/etc/cni/net.d");
    files.writeFile(configuration, text);
    cluster.simulation.advance(10_500);
    expect(ready()).toEqual(["True", "KubeletReady", "kubelet is posting ready status"]);
    cluster.untilReady("waits");
    expect(cluster.pod("before").status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });
});

describe("the status of a node", () => {
  it("[API-228] is reported every 5 min; after a start and after a change up to half of that sooner or later", () => {
    const cluster = startedCluster({ nodes: 6 });
    const reports = (name: string): (() => number) => {
      const version = () => cluster.client.get(nodes, { namespace: "", name }).metadata.resourceVersion;
      return () => {
        const fromMs = cluster.simulation.nowMs;
        const before = version();
        cluster.simulation.runUntil(() => version() !== before, { limitMs: 600_000 });
        return Math.round((cluster.simulation.nowMs - fromMs) / 1000);
      };
    };
    const isSpread = (seconds: number) => seconds >= 150 && seconds <= 460;
    const changed = cluster.nodes.map(({ machine }) => {
      const next = reports(machine.name);
      next();
      expect([next(), next()]).toEqual([300, 300]);
      machine.files.unlink("/etc/cni/net.d/10-pod-network.conflist");
      expect(next()).toBeLessThanOrEqual(10);
      const seconds = next();
      expect(next()).toBe(300);
      return seconds;
    });
    expect(changed.every(isSpread)).toBe(true);
    expect(new Set(changed).size).toBeGreaterThan(3);
  });
});

describe("the Lease of a node", () => {
  const renewedMs = (cluster: SmallCluster): number =>
    Date.parse(cluster.client.get(leases, { namespace: "kube-node-lease", name: "node-1" }).spec?.renewTime ?? "");

  it("[API-230] that could not be written is tried again after 7 s at most", () => {
    const cluster = startedCluster();
    cluster.simulation.advance(30_000);
    for (const outageMs of [61_000, 64_000, 67_000, 70_000, 73_000, 76_000]) {
      cluster.server.stop();
      cluster.simulation.advance(outageMs);
      cluster.server.start();
      const backMs = cluster.simulation.nowMs;
      expect(cluster.simulation.runUntil(() => renewedMs(cluster) >= backMs, { limitMs: 7_000 })).toBe(true);
      cluster.simulation.advance(25_000);
    }
  });

  it("[API-230] that is refused is tried again after 0.2 s, 0.4 s and so on", () => {
    const cluster = startedCluster();
    cluster.simulation.advance(30_000);
    const attempts = (): readonly number[] =>
      cluster.server.audit
        .events()
        .filter(({ resource, name, code }) => resource === "leases" && name === "node-1" && code === 500)
        .map(({ requestReceivedMs }) => requestReceivedMs);
    cluster.server.etcd.isReachable = false;
    cluster.simulation.advance(45_000);
    cluster.server.etcd.isReachable = true;
    const times = [...new Set(attempts())];
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits.slice(0, 8)).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 7_000, 7_000]);
  });
});

describe("the labels and taints of a node", () => {
  const zone = "topology.kubernetes.io/zone";
  const start = () =>
    new SmallCluster({ kubelet: { labels: { team: "a", [zone]: "z-1" }, taints: [{ key: "mine", effect: "NoSchedule" }] } });
  const keys = { namespace: "", name: "node-1" };

  it("[API-201] [API-202] [WRK-392] [WRK-394] that its kubelet is started with count at the first registration; those of the machine always", () => {
    const cluster = start();
    cluster.startKubelets();
    cluster.simulation.advance(5_000);
    const first = cluster.client.get(nodes, keys);
    expect(first.metadata.labels).toEqual({
      "beta.kubernetes.io/arch": "amd64",
      "beta.kubernetes.io/os": "linux",
      "kubernetes.io/arch": "amd64",
      "kubernetes.io/hostname": "node-1",
      "kubernetes.io/os": "linux",
      team: "a",
      [zone]: "z-1",
    });
    expect(first.spec?.taints).toContainEqual({ key: "mine", effect: "NoSchedule" });
    expect(first.status?.addresses?.map(({ type }) => type)).toEqual(["InternalIP", "Hostname"]);
    expect(Object.keys(first.status?.capacity ?? {}).sort()).toEqual([
      "cpu",
      "ephemeral-storage",
      "hugepages-1Gi",
      "hugepages-2Mi",
      "memory",
      "pods",
    ]);
    cluster.node.kubelet.stop();
    const { team: _team, ...labels } = first.metadata.labels ?? {};
    cluster.client.update(nodes, {
      ...cluster.client.get(nodes, keys),
      metadata: { ...cluster.client.get(nodes, keys).metadata, labels: { ...labels, "kubernetes.io/os": "plan9", [zone]: "z-2" } },
      spec: { taints: [] },
    });
    cluster.node.kubelet.start();
    cluster.simulation.advance(5_000);
    const again = cluster.client.get(nodes, keys);
    expect(again.metadata.labels).toEqual({ ...labels, "kubernetes.io/os": "linux", [zone]: "z-1" });
    expect(again.spec?.taints ?? []).toEqual([]);
  });
});

describe("another machine under the name of an old one", () => {
  it("[POD-547] [POD-539] [API-215] [WRK-395] takes over the Node: its identity, labels and taints stay, what is told of the machine changes", () => {
    const cluster = new SmallCluster({ kubelet: { labels: { team: "a" }, taints: [{ key: "mine", effect: "NoSchedule" }] } });
    cluster.startKubelets();
    cluster.simulation.advance(5_000);
    const read = () => cluster.client.get(nodes, { namespace: "", name: "node-1" });
    const before = read();
    const { simulation, kernel, registry, server, node } = cluster;
    node.kubelet.stop();
    const { network, memoryBytes, diskBytes } = node.machine;
    const machine = new Machine({ simulation, kernel, name: "node-1", network, cpus: 4, memoryBytes, diskBytes });
    const runtime = new Containerd({
      simulation,
      kernel,
      network,
      registry,
      hostPids: machine.pids,
      hostSharedMemory: machine.sharedMemory,
      podGroups: machine.podGroups,
      disk: machine.disk,
      files: machine.files,
      hostname: "node-1",
    });
    const user = { name: "system:node:node-1", groups: ["system:nodes", "system:authenticated"] };
    const client = server.clientFor(user, "kubelet");
    const taints = [{ key: "other", effect: "NoSchedule" }];
    new Kubelet({ simulation, machine, runtime, client, labels: { team: "b", new: "yes" }, taints }).start();
    simulation.advance(5_000);
    const after = read();
    expect([after.metadata.uid, after.metadata.labels, after.spec?.taints]).toEqual([
      before.metadata.uid,
      before.metadata.labels,
      before.spec?.taints,
    ]);
    expect(after.status?.capacity?.["cpu"]).toBe("4");
    expect(after.status?.nodeInfo?.systemUUID).not.toBe(before.status?.nodeInfo?.systemUUID);
    expect(nodeEvents(cluster)).toContain(`Warning Rebooted Node node-1 has been rebooted, boot id: ${machine.bootId}`);
  });
});

describe("a kubelet that does not register its node", () => {
  it("[API-201] [API-205] makes none; one made by hand under its name becomes Ready and keeps its own labels and taints", () => {
    const cluster = new SmallCluster({
      kubelet: { registerNode: false, labels: { team: "a" }, taints: [{ key: "mine", effect: "NoSchedule" }] },
    });
    cluster.startKubelets();
    cluster.simulation.advance(60_000);
    expect(cluster.client.list(nodes).items).toEqual([]);
    expect(cluster.client.list(leases, { namespace: "kube-node-lease" }).items).toEqual([]);
    const said = journalOf(cluster);
    expect(said.filter((line) => line.includes(notListed)).length).toBeGreaterThan(100);
    expect(said.some((line) => line.includes("registered node"))).toBe(false);
    cluster.client.create(nodes, { metadata: { name: "node-1", labels: { by: "hand" } } });
    cluster.simulation.advance(11_000);
    const { metadata, spec, status } = cluster.client.get(nodes, { namespace: "", name: "node-1" });
    expect(status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
    expect(metadata.labels).toEqual({ by: "hand" });
    expect(spec?.taints?.map(({ key }) => key) ?? []).not.toContain("mine");
    expect(cluster.client.list(leases, { namespace: "kube-node-lease" }).items).toHaveLength(1);
  });
});

describe("a kubelet without a Node", () => {
  it("[API-205] says so ten times a second for two minutes, then whenever its status is due", () => {
    const cluster = new SmallCluster({ kubelet: { registerNode: false } });
    cluster.startKubelets();
    cluster.simulation.advance(120_000);
    expect(journalOf(cluster).at(-1)).toContain('kubelet_node_status.go:398] "Node not becoming ready in time after startup"');
    cluster.simulation.advance(10_000);
    expect(
      journalOf(cluster)
        .slice(-6)
        .map((line) => line.replace(/^.*\] /u, "")),
    ).toEqual([
      '"Error updating node status, will retry" err="error getting node \\"node-1\\": node \\"node-1\\" not found"',
      ...new Array(4).fill(
        '"Error updating node status, will retry" err="error getting node \\"node-1\\": nodes \\"node-1\\" not found"',
      ),
      '"Unable to update node status" err="update node status exceeds retry count"',
    ]);
  });

  it("[API-205] [API-211] says the same when its Node is deleted, and makes none until it is started again", () => {
    const cluster = new SmallCluster();
    cluster.startKubelets();
    cluster.simulation.advance(15_000);
    cluster.client.delete(nodes, { namespace: "", name: "node-1" });
    cluster.simulation.advance(10_000);
    expect(cluster.client.list(nodes).items).toEqual([]);
    expect(journalOf(cluster).at(-1)).toContain('"Unable to update node status" err="update node status exceeds retry count"');
    expect(journalOf(cluster).some((line) => line.includes(notListed))).toBe(false);
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    expect(cluster.client.list(nodes).items).toHaveLength(1);
    expect(journalOf(cluster).some((line) => line.includes("Node was previously registered"))).toBe(false);
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    expect(journalOf(cluster).some((line) => line.includes('"Node was previously registered" node="node-1"'))).toBe(true);
  });
});

describe("labels that a kubelet gives its node", () => {
  it.each([
    "team",
    "example.com/team",
    "kubelet.kubernetes.io/mine",
    "one.node.kubernetes.io/mine",
    "node.kubernetes.io/mine",
    "kubernetes.io/hostname",
    "topology.kubernetes.io/zone",
    "node.kubernetes.io/instance-type",
  ])("[API-203] may be %s", (key) => {
    expect(() => checkNodeLabels({ [key]: "a" })).not.toThrow();
  });

  it("must be labels", () => {
    expect(() => checkNodeLabels({ disk: "s s d" })).toThrow(
      /^invalid node labels: 's s d' - a valid label must be an empty string/u,
    );
  });

  it("[API-203] may not be others of Kubernetes", () => {
    const labels = { "node-role.kubernetes.io/worker": "", "kubernetes.io/mine": "a", "x.k8s.io/mine": "a", team: "a" };
    expect(() => checkNodeLabels(labels)).toThrow(
      "unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [kubernetes.io/mine node-role.kubernetes.io/worker x.k8s.io/mine]\n--node-labels in the 'kubernetes.io' namespace must begin with an allowed prefix (kubelet.kubernetes.io, node.kubernetes.io) or be in the specifically allowed set (beta.kubernetes.io/arch, beta.kubernetes.io/instance-type, beta.kubernetes.io/os, failure-domain.beta.kubernetes.io/region, failure-domain.beta.kubernetes.io/zone, kubernetes.io/arch, kubernetes.io/hostname, kubernetes.io/os, node.kubernetes.io/instance-type, topology.kubernetes.io/region, topology.kubernetes.io/zone)",
    );
  });
});

describe("static pods", () => {
  it("[POD-557] [POD-549] have mirrors that say where they come from", () => {
    const cluster = startedCluster();
    writeManifest(cluster, "web.yaml", manifest("web"));
    cluster.simulation.advance(3_000);
    cluster.untilReady("web-node-1");
    const { metadata, spec } = cluster.pod("web-node-1");
    const { annotations = {} } = metadata;
    expect(Object.keys(annotations).toSorted()).toEqual([
      "kubernetes.io/config.hash",
      "kubernetes.io/config.mirror",
      "kubernetes.io/config.seen",
      "kubernetes.io/config.source",
    ]);
    expect(annotations["kubernetes.io/config.source"]).toBe("file");
    expect(metadata.ownerReferences?.map(({ kind, name }) => [kind, name])).toEqual([["Node", "node-1"]]);
    expect(spec?.tolerations).toContainEqual({ effect: "NoExecute", operator: "Exists" });
  });

  it("[POD-283] go on when their mirror is deleted", () => {
    const cluster = startedCluster();
    writeManifest(cluster, "web.yaml", manifest("web"));
    cluster.simulation.advance(3_000);
    cluster.untilReady("web-node-1");
    const running = cluster.node.runtime.runningContainers;
    cluster.client.delete(pods, { namespace: "default", name: "web-node-1" });
    cluster.simulation.advance(5_000);
    expect([cluster.node.runtime.runningContainers, cluster.isReady("web-node-1")]).toEqual([running, true]);
  });

  it("[POD-559] taken away while no API server answers lose their mirror once it does, and have one of their own when they come back", () => {
    const cluster = startedCluster();
    writeManifest(cluster, "web.yaml", manifest("web"));
    cluster.simulation.advance(3_000);
    cluster.untilReady("web-node-1");
    const { uid } = cluster.pod("web-node-1").metadata;
    cluster.server.stop();
    cluster.node.machine.files.unlink(`${manifests}/web.yaml`);
    cluster.simulation.advance(10_000);
    cluster.server.start();
    cluster.simulation.advance(60_000);
    expect(cluster.hasPod("web-node-1")).toBe(false);
    writeManifest(cluster, "web.yaml", manifest("web"));
    cluster.simulation.advance(60_000);
    expect(cluster.isReady("web-node-1")).toBe(true);
    expect(cluster.pod("web-node-1").metadata.uid).not.toBe(uid);
  });

  it("[POD-560] that cannot be read stop no others", () => {
    const cluster = startedCluster();
    writeManifest(cluster, "bad.yaml", "kind: [");
    writeManifest(cluster, "web.yaml", manifest("web"));
    cluster.simulation.advance(3_000);
    cluster.untilReady("web-node-1");
    expect(cluster.hasPod("bad-node-1")).toBe(false);
  });
});

describe("the pods of a node", () => {
  it("[POD-571] sandbox first, then init containers, sidecars and the others", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      initContainers: [shell("init", "sleep 1"), shell("side", "sleep 3600", { restartPolicy: "Always" })],
      containers: [shell("c", "sleep 3600")],
    });
    cluster.untilReady("p");
    const [sandbox] = cluster.node.runtime.sandboxesOf(cluster.pod("p").metadata.uid);
    const times = ["init", "side", "c"].map((name) => instancesOf(cluster, "p", name)[0]?.createdMs ?? 0);
    const inOrder = [sandbox?.createdMs ?? 0, ...times];
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(new Set(inOrder).size).toBe(4);
  });

  it("[POD-575] do not wait for one another", () => {
    const cluster = startedCluster();
    const lifecycle = { postStart: { exec: { command: ["sleep", "60"] } } };
    cluster.createPod("slow", { containers: [shell("c", "sleep 3600", { lifecycle })] });
    cluster.createPod("fast", { containers: [shell("c", "sleep 3600")] });
    cluster.simulation.advance(5_000);
    expect([stateOf(cluster, "slow", "c"), stateOf(cluster, "fast", "c")]).toEqual(["waiting: ContainerCreating", "running"]);
  });

  it("take no room once they have ended", () => {
    const cluster = startedCluster();
    const resources = { requests: { cpu: "1500m" } };
    cluster.createPod("first", { restartPolicy: "Never", containers: [shell("c", "true", { resources })] });
    cluster.simulation.advance(8_000);
    expect(cluster.pod("first").status?.phase).toBe("Succeeded");
    cluster.createPod("second", { containers: [shell("c", "sleep 3600", { resources })] });
    cluster.untilReady("second");
  });

  it("[POD-579] their events name the container", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { initContainers: [shell("init", "true")], containers: [shell("c", "sleep 3600")] });
    cluster.untilReady("p");
    const paths = cluster.client
      .list(events, { namespace: "default" })
      .items.filter(({ reason }) => reason === "Started")
      .map(({ involvedObject }) => involvedObject.fieldPath);
    expect(paths.toSorted()).toEqual(["spec.containers{c}", "spec.initContainers{init}"]);
  });

  it("[POD-141] [POD-567] one that names its node is taken or refused, once", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "true", { resources: { requests: { cpu: "9" } } })] });
    cluster.simulation.advance(60_000);
    expect(cluster.pod("p").status).toMatchObject({ phase: "Failed", reason: "OutOfcpu" });
    expect(instancesOf(cluster, "p", "c")).toEqual([]);
    expect(cluster.eventsOf("p").map((event) => event.split(" ")[1])).toEqual(["OutOfcpu"]);
  });
});
