import { describe, expect, it } from "vitest";
import type { NodeStatus, PodSpec } from "#cluster/api/generated/types.ts";
import { nodes, pods, priorityClasses } from "#cluster/api/kinds.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { kubeletOptionsOf } from "../configuration.ts";
import type { KubeletConfiguration } from "../configuration-fields.ts";
import { conditionOf, shell, startedCluster, stateOf } from "../kubelet.test-kit.ts";

const gibibyte = 1024 ** 3;
const mebibyte = 1024 ** 2;
const classes = { low: -10, high: 10 };

/** A node of 4 GiB of memory and 20 GiB of disk. */
function started(kubelet: KubeletConfiguration = {}): SmallCluster {
  const cluster = startedCluster({ kubelet: kubeletOptionsOf(kubelet) });
  for (const [name, value] of Object.entries(classes)) cluster.client.create(priorityClasses, { metadata: { name }, value });
  return cluster;
}

/** Takes so many MiB of memory in a file, and holds them. */
function holding(name: string, mebibytes: number, more: object = {}) {
  const script = `dd if=/dev/zero of=/m/f bs=1M count=${mebibytes}; sleep 100000`;
  return shell(name, script, { volumeMounts: [{ name: "m", mountPath: "/m" }], ...more });
}

const memoryVolume = { volumes: [{ name: "m", emptyDir: { medium: "Memory" } }] };
const requests = (memory: string) => ({ resources: { requests: { memory } } });

function holds(cluster: SmallCluster, name: string, mebibytes: number, spec: Partial<PodSpec> = {}, more: object = {}): void {
  cluster.createPod(name, { ...memoryVolume, containers: [holding("c", mebibytes, more)], ...spec });
}

/** `Failed Evicted` or `Running` of each. */
function fates(cluster: SmallCluster, ...names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const { phase, reason } = cluster.pod(name).status ?? {};
    return reason === undefined ? `${phase}` : `${phase} ${reason}`;
  });
}

function nodeStatus(cluster: SmallCluster): NodeStatus {
  return cluster.client.get(nodes, { namespace: "", name: "node-1" }).status ?? {};
}

function nodeCondition(cluster: SmallCluster, type: string): string {
  const { status, reason, message } = nodeStatus(cluster).conditions?.find((condition) => condition.type === type) ?? {};
  return `${status} ${reason} ${message}`;
}

/** Leaves so many MiB of the node's disk. */
function leaveDisk(cluster: SmallCluster, mebibytes: number): void {
  const { disk } = cluster.node.machine;
  disk.occupy(disk.roomBytes - mebibytes * mebibyte);
}

const lowMemory = { evictionHard: { "memory.available": "1Gi" } };
const advance = (cluster: SmallCluster, seconds: number) => cluster.simulation.advance(seconds * 1000);

describe("a node", () => {
  it("[POD-454] [WRK-408] gives Pods what is neither reserved nor kept free by hard thresholds", () => {
    const allocatable = (kubelet: KubeletConfiguration) => {
      const { memory, cpu, ...more } = nodeStatus(started(kubelet)).allocatable ?? {};
      return [cpu, memory, more["ephemeral-storage"]];
    };
    const reserved = { kubeReserved: { cpu: "100m", memory: "256Mi" }, systemReserved: { cpu: "150m", memory: "256Mi" } };
    const own = { evictionHard: { "memory.available": "10%", "nodefs.available": "1Gi" } };
    expect([allocatable({}), allocatable(reserved), allocatable(own)]).toEqual([
      ["2", `${(4096 - 100) * 1024}Ki`, "19327352800"],
      ["1750m", `${(4096 - 100 - 512) * 1024}Ki`, "19327352800"],
      ["2", "3774873Ki", String(19 * gibibyte)],
    ]);
  });

  it("[POD-596] has no image file system yet when its kubelet starts, and says so", () => {
    expect(started().eventsOf("node-1")).toContain("Warning InvalidDiskCapacity invalid capacity 0 on image filesystem");
  });
});

describe("a node that is low on memory", () => {
  it("[POD-169] [POD-500] [POD-504] [POD-515] [POD-516] evicts a Pod that uses more than it asked for, and says so", () => {
    const cluster = started(lowMemory);
    holds(cluster, "p", 3000, {}, requests("64Mi"));
    advance(cluster, 25);
    // 4096 MiB, without 310 of the system, 3000 of the file, and those of sh and sleep.
    const used = 3002 * 1024;
    const left = 4096 * 1024 - 310 * 1024 - used;
    const message = `The node was low on resource: memory. Threshold quantity: 1Gi, available: ${left / 1024}Mi. Container c was using ${used / 1024}Mi, request is 64Mi, has larger consumption of memory. `;
    const { status } = cluster.pod("p");
    expect([status?.phase, status?.reason, status?.message]).toEqual(["Failed", "Evicted", message]);
    expect(conditionOf(cluster, "p", "DisruptionTarget")).toBe(`True TerminationByKubelet ${message}`);
    expect(cluster.eventsOf("p")).toContain(`Warning Evicted ${message}`);
    advance(cluster, 3600);
    expect(cluster.pod("p").status?.phase).toBe("Failed");
  });

  it("[POD-505] [POD-506] [POD-507] [POD-522] tells of it, and for five minutes more", () => {
    const cluster = started(lowMemory);
    expect([
      nodeCondition(cluster, "MemoryPressure"),
      nodeCondition(cluster, "DiskPressure"),
      nodeCondition(cluster, "PIDPressure"),
    ]).toEqual([
      "False KubeletHasSufficientMemory kubelet has sufficient memory available",
      "False KubeletHasNoDiskPressure kubelet has no disk pressure",
      "False KubeletHasSufficientPID kubelet has sufficient PID available",
    ]);
    holds(cluster, "p", 3000);
    advance(cluster, 40);
    expect(nodeCondition(cluster, "MemoryPressure")).toBe(
      "True KubeletHasInsufficientMemory kubelet has insufficient memory available",
    );
    expect(fates(cluster, "p")).toEqual(["Failed Evicted"]);
    const events = cluster.eventsOf("node-1");
    expect(events).toContain("Warning EvictionThresholdMet Attempting to reclaim memory");
    expect(events).toContain("Normal NodeHasInsufficientMemory Node node-1 status is now: NodeHasInsufficientMemory");
    advance(cluster, 240);
    expect(nodeCondition(cluster, "MemoryPressure").slice(0, 4)).toBe("True");
    advance(cluster, 60);
    expect(nodeCondition(cluster, "MemoryPressure").slice(0, 5)).toBe("False");
  });

  it("[POD-522] for as long as evictionPressureTransitionPeriod says", () => {
    const cluster = started({ ...lowMemory, evictionPressureTransitionPeriod: "30s" });
    holds(cluster, "p", 3000);
    advance(cluster, 40);
    expect(nodeCondition(cluster, "MemoryPressure").slice(0, 4)).toBe("True");
    advance(cluster, 35);
    expect(nodeCondition(cluster, "MemoryPressure").slice(0, 5)).toBe("False");
  });

  it("[POD-512] [POD-514] [POD-519] [WRK-390] one after the other: who exceeds the request, then the less important, then the larger", () => {
    const cluster = started({ evictionHard: { "memory.available": "3700Mi" } });
    holds(cluster, "kept", 300, { priorityClassName: "low" }, requests("350Mi"));
    holds(cluster, "important", 500, { priorityClassName: "high" });
    holds(cluster, "large", 300);
    holds(cluster, "small", 200);
    const order: string[] = [];
    for (let second = 0; second < 300 && order.length < 4; second += 1) {
      advance(cluster, 1);
      for (const name of ["kept", "important", "large", "small"])
        if (fates(cluster, name)[0] === "Failed Evicted" && !order.includes(name)) order.push(name);
    }
    expect(order).toEqual(["large", "small", "important", "kept"]);
  });

  it("[POD-518] never evicts static and critical Pods", () => {
    const cluster = started(lowMemory);
    holds(cluster, "critical", 1500, { priorityClassName: "system-cluster-critical" });
    cluster.node.machine.files.writeFile(
      "/etc/kubernetes/manifests/s.yaml",
      JSON.stringify({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "s" },
        spec: { ...memoryVolume, containers: [holding("c", 1500)] },
      }),
    );
    advance(cluster, 60);
    expect(fates(cluster, "critical", "s-node-1")).toEqual(["Running", "Running"]);
    expect(cluster.eventsOf("node-1").filter((event) => event.includes("EvictionThresholdMet"))).not.toEqual([]);
  });

  it("[POD-510] takes no BestEffort Pod, unless that tolerates it", () => {
    const cluster = started(lowMemory);
    holds(cluster, "p", 3000);
    advance(cluster, 30);
    const sleeping = (more: object = {}) => ({ containers: [shell("c", "sleep 100000", more)] });
    cluster.createPod("best-effort", sleeping());
    cluster.createPod("burstable", sleeping(requests("10Mi")));
    const tolerations = [{ key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" }];
    cluster.createPod("tolerant", { ...sleeping(), tolerations });
    advance(cluster, 10);
    expect(fates(cluster, "best-effort", "burstable", "tolerant")).toEqual(["Failed Evicted", "Running", "Running"]);
    expect(cluster.pod("best-effort").status?.message).toBe("Pod was rejected: The node had condition: [MemoryPressure]. ");
    // A new kubelet knows of no pressure, and takes no Pod all the same that another one has refused.
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    advance(cluster, 30);
    expect(fates(cluster, "best-effort", "burstable")).toEqual(["Failed Evicted", "Running"]);
  });

  it("[POD-509] gives no Pod a toleration for it", () => {
    const cluster = started();
    cluster.createPod("p", { containers: [shell("c", "sleep 100000", requests("10Mi"))] });
    const keys = cluster.pod("p").spec?.tolerations?.map(({ key }) => key);
    expect(keys).toEqual(["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]);
  });

  it("[POD-500] soft thresholds wait for their grace period", () => {
    const cluster = started({
      evictionHard: { "memory.available": "100Mi" },
      evictionSoft: { "memory.available": "1Gi" },
      evictionSoftGracePeriod: { "memory.available": "1m30s" },
    });
    holds(cluster, "p", 3000);
    advance(cluster, 80);
    expect([...fates(cluster, "p"), nodeCondition(cluster, "MemoryPressure").slice(0, 4)]).toEqual(["Running", "True"]);
    advance(cluster, 40);
    expect(fates(cluster, "p")).toEqual(["Failed Evicted"]);
  });

  it.each([
    ["hard thresholds leave a second", {}, 300, 4],
    ["soft ones evictionMaxPodGracePeriod", { evictionMaxPodGracePeriod: 20 }, 300, 21],
    ["or what the Pod asks for where that is less", { evictionMaxPodGracePeriod: 20 }, 8, 9],
  ])("[POD-517] %s", (_title, soft, ownSeconds, atMost) => {
    const isSoft = Object.keys(soft).length > 0;
    const cluster = started(
      isSoft
        ? { ...soft, evictionSoft: { "memory.available": "1Gi" }, evictionSoftGracePeriod: { "memory.available": "1s" } }
        : lowMemory,
    );
    const script = "trap '' TERM; dd if=/dev/zero of=/m/f bs=1M count=3000; while true; do sleep 1; done";
    const containers = [shell("c", script, { volumeMounts: [{ name: "m", mountPath: "/m" }] })];
    cluster.createPod("p", { ...memoryVolume, containers, terminationGracePeriodSeconds: ownSeconds });
    cluster.simulation.runUntil(() => cluster.pod("p").status?.reason === "Evicted", { limitMs: 60_000 });
    const startMs = cluster.simulation.nowMs;
    cluster.simulation.runUntil(() => stateOf(cluster, "p", "c").startsWith("terminated"), { limitMs: 400_000 });
    const tookSeconds = (cluster.simulation.nowMs - startMs) / 1000;
    expect(tookSeconds).toBeLessThanOrEqual(atMost);
    expect(tookSeconds).toBeGreaterThan(atMost - 4);
  });

  it("[POD-521] goes on until there is evictionMinimumReclaim more", () => {
    const run = (more: KubeletConfiguration) => {
      const cluster = started({ ...lowMemory, ...more });
      for (const name of ["a", "b", "c"]) holds(cluster, name, 950);
      advance(cluster, 120);
      return fates(cluster, "a", "b", "c").filter((fate) => fate === "Running").length;
    };
    expect([run({}), run({ evictionMinimumReclaim: { "memory.available": "1500Mi" } })]).toEqual([2, 1]);
  });
});

describe("pressure", () => {
  const priorityClassName = "system-node-critical";
  const runs = (cluster: SmallCluster, spec: Partial<PodSpec>) => {
    cluster.createPod("critical", { ...spec, priorityClassName, terminationGracePeriodSeconds: 0 });
    return () => cluster.client.delete(pods, { namespace: "default", name: "critical" });
  };

  it.each<[string, KubeletConfiguration, (cluster: SmallCluster) => () => void, string, string]>([
    [
      "MemoryPressure",
      lowMemory,
      (cluster) => runs(cluster, { ...memoryVolume, containers: [holding("c", 3000)] }),
      "HasInsufficientMemory",
      "HasSufficientMemory",
    ],
    [
      "DiskPressure",
      {},
      ({ node: { machine } }) => {
        machine.disk.occupy(19 * gibibyte);
        return () => machine.disk.occupy(-19 * gibibyte);
      },
      "HasDiskPressure",
      "HasNoDiskPressure",
    ],
    [
      "PIDPressure",
      { evictionHard: { "pid.available": String(32_768 - 30) } },
      (cluster) => runs(cluster, { containers: [shell("c", "for i in $(seq 40); do sleep 100000 & done; wait")] }),
      "HasInsufficientPID",
      "HasSufficientPID",
    ],
  ])("[API-221] %s comes with an event, and goes 5 min after its end, with another", (type, kubelet, press, on, off) => {
    const cluster = started(kubelet);
    advance(cluster, 20);
    const verdict = () => nodeCondition(cluster, type).split(" ").slice(0, 2).join(" ");
    /** How many times. */
    const told = (event: string): number => {
      const text = `Normal Node${event} Node node-1 status is now: Node${event}`;
      const found = cluster.eventsOf("node-1").find((one) => one.startsWith(text));
      return found === undefined ? 0 : Number(/ x(\d+)$/u.exec(found)?.[1] ?? 1);
    };
    expect([verdict(), told(on), told(off)]).toEqual([`False Kubelet${off}`, 0, 1]);
    const relieve = press(cluster);
    advance(cluster, 25);
    expect([verdict(), told(on), told(off)]).toEqual([`True Kubelet${on}`, 1, 1]);
    relieve();
    const sinceMs = cluster.simulation.nowMs;
    cluster.simulation.runUntil(() => verdict().startsWith("False"), { limitMs: 600_000 });
    // The last look that saw it was up to 10 s before, the look and the report that see its end are up to 10 s late each.
    const seconds = (cluster.simulation.nowMs - sinceMs) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(290);
    expect(seconds).toBeLessThanOrEqual(350);
    advance(cluster, 1);
    expect([verdict(), told(on), told(off)]).toEqual([`False Kubelet${off}`, 1, 2]);
  });
});

describe("a node that is low on disk", () => {
  const images = () => publicImages.slice(0, 6);
  const bring = (cluster: SmallCluster) => images().map((image) => cluster.node.runtime.importImage(image).reference);

  it("[POD-505] [POD-511] [POD-597] first removes dead containers and all unused images", () => {
    const cluster = started();
    const brought = bring(cluster);
    cluster.createPod("done", { restartPolicy: "Never", containers: [shell("c", "dd if=/dev/zero of=/f bs=1M count=200")] });
    cluster.createPod("p", { containers: [shell("c", "sleep 100000")] });
    advance(cluster, 480);
    const { uid } = cluster.pod("done").metadata;
    expect(cluster.node.runtime.containersOf(uid)).toHaveLength(1);
    leaveDisk(cluster, 0.15 * 20 * 1024 - 50);
    advance(cluster, 21);
    expect(cluster.node.runtime.containersOf(uid)).toEqual([]);
    const left = cluster.node.runtime.images().map(({ reference }) => reference);
    expect(left.filter((reference) => brought.includes(reference) && !reference.includes("/busybox@"))).toEqual([]);
    expect(fates(cluster, "p", "done")).toEqual(["Running", "Succeeded"]);
    expect(cluster.eventsOf("node-1")).toContain("Warning EvictionThresholdMet Attempting to reclaim ephemeral-storage");
    expect(nodeCondition(cluster, "DiskPressure")).toBe("True KubeletHasDiskPressure kubelet has disk pressure");
  });

  it("[POD-510] [POD-513] then evicts by use of disk, and takes none but critical Pods", () => {
    const cluster = started({ evictionHard: { "nodefs.available": "10%" } });
    const writing = (name: string, mebibytes: number, more: object = {}) =>
      cluster.createPod(name, {
        containers: [shell("c", `dd if=/dev/zero of=/f bs=1M count=${mebibytes} 2>/dev/null; sleep 100000`, more)],
      });
    writing("small", 100);
    writing("large", 300);
    writing("asked", 400, { resources: { requests: { "ephemeral-storage": "1Gi" } } });
    advance(cluster, 30);
    leaveDisk(cluster, 2048 - 250);
    advance(cluster, 30);
    expect(fates(cluster, "small", "large", "asked")).toEqual(["Running", "Failed Evicted", "Running"]);
    expect(cluster.pod("large").status?.message).toBe(
      "The node was low on resource: ephemeral-storage. Threshold quantity: 2147483680, available: 1798Mi. Container c was using 307204Ki, request is 0, has larger consumption of ephemeral-storage. ",
    );
    cluster.createPod("next", { containers: [shell("c", "sleep 100000", requests("10Mi"))] });
    cluster.createPod("critical", { priorityClassName: "system-node-critical", containers: [shell("c", "sleep 100000")] });
    advance(cluster, 10);
    expect(fates(cluster, "next", "critical")).toEqual(["Failed Evicted", "Running"]);
    expect(cluster.pod("next").status?.message).toBe("Pod was rejected: The node had condition: [DiskPressure]. ");
  });

  it("[POD-500] [POD-513] inodes: by priority, then by their number", () => {
    const total = (20 * gibibyte) / 16_384;
    const cluster = started({ evictionHard: { "nodefs.inodesFree": String(total - 250) } });
    const touching = (name: string, files: number, priorityClassName?: string) =>
      cluster.createPod(name, {
        ...(priorityClassName === undefined ? {} : { priorityClassName }),
        containers: [shell("c", `for i in $(seq ${files}); do touch /f$i; done; sleep 100000`)],
      });
    touching("few", 50);
    touching("many", 100);
    touching("important", 150, "high");
    advance(cluster, 60);
    expect(fates(cluster, "few", "many", "important")).toEqual(["Running", "Failed Evicted", "Running"]);
    expect(cluster.pod("many").status?.message).toContain("The node was low on resource: inodes. Threshold quantity: ");
    expect(cluster.eventsOf("node-1").join()).toContain("Warning EvictionThresholdMet Attempting to reclaim inodes");
  });
});

describe("a node that is low on process numbers", () => {
  it("[POD-505] [POD-506] [POD-513] evicts by priority, then by their number", () => {
    const cluster = started({ evictionHard: { "pid.available": String(32_768 - 30) } });
    const running = (name: string, processes: number, priorityClassName?: string) =>
      cluster.createPod(name, {
        ...(priorityClassName === undefined ? {} : { priorityClassName }),
        containers: [shell("c", `for i in $(seq ${processes}); do sleep 100000 & done; wait`)],
      });
    running("few", 5);
    running("many", 10);
    running("important", 20, "high");
    advance(cluster, 60);
    expect(fates(cluster, "few", "many", "important")).toEqual(["Running", "Failed Evicted", "Running"]);
    expect(nodeCondition(cluster, "PIDPressure")).toBe("True KubeletHasInsufficientPID kubelet has insufficient PID available");
    expect(cluster.eventsOf("node-1")).toContain("Warning EvictionThresholdMet Attempting to reclaim pids");
    expect(cluster.pod("many").status?.message).toBe(
      "The node was low on resource: pids. Threshold quantity: 32738, available: 32730. ",
    );
  });
});
