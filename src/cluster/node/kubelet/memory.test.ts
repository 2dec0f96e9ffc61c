import { describe, expect, it } from "vitest";
import { configMaps, pods } from "#cluster/api/kinds.ts";
import { evictionPolicyOf } from "./eviction/thresholds.ts";
import { logOf, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

const hungry = (limits?: { readonly [name: string]: string }, command = ["tail", "/dev/zero"]) => ({
  name: "c",
  image: "busybox:1.36",
  command,
  ...(limits === undefined ? {} : { resources: { limits } }),
});

describe("memory of containers", () => {
  it("[POD-472] [POD-473] [POD-475] kills `tail /dev/zero` at its limit, again and again, with back-off", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [hungry({ memory: "100Mi" })] });
    const { group } = cluster.node.machine;
    cluster.simulation.advance(30_000);
    expect(group.peakMemoryBytes).toBeGreaterThan(99 * 1024 ** 2);
    expect(group.peakMemoryBytes).toBeLessThan(102 * 1024 ** 2);
    expect(group.memoryBytes).toBe(0);
    const status = statusOf(cluster, "p", "c");
    expect([status?.restartCount, stateOf(cluster, "p", "c")]).toEqual([2, "waiting: CrashLoopBackOff"]);
    expect(status?.lastState?.terminated).toMatchObject({
      exitCode: 137,
      reason: "OOMKilled",
      startedAt: expect.anything(),
      finishedAt: expect.anything(),
    });
  });

  it("[POD-181] [POD-473] under Never the Pod has failed", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", containers: [hungry({ memory: "64Mi" })] });
    cluster.simulation.advance(8_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "c")]).toEqual(["Failed", "terminated: OOMKilled 137"]);
  });

  it("[POD-476] under a limit that is too small for its program it does not start", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      containers: [shell("c", "sleep 1000", { resources: { limits: { memory: "100k" } } })],
    });
    cluster.simulation.advance(8_000);
    expect(stateOf(cluster, "p", "c")).toBe("terminated: StartError 128");
  });

  it("[POD-474] a container's own limit makes no event on the node", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [hungry({ memory: "64Mi" })] });
    cluster.simulation.advance(8_000);
    expect(cluster.eventsOf("node-1").filter((event) => event.includes("OOM"))).toEqual([]);
  });

  it("[POD-474] without a limit the node's memory is the bound, and the node tells of it", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", containers: [hungry()] });
    cluster.simulation.advance(8_000);
    expect(stateOf(cluster, "p", "c")).toBe("terminated: OOMKilled 137");
    expect(cluster.node.machine.group.peakMemoryBytes).toBeGreaterThan(3.5 * 1024 ** 3);
    expect(cluster.eventsOf("node-1")).toContainEqual(
      expect.stringMatching(/^Warning SystemOOM System OOM encountered, victim process: tail, pid: \d+$/),
    );
    // What is all zeros is kept once.
    expect(cluster.kernel.backing.memory.usedBytes).toBe(0);
  });

  it("[POD-450] [POD-472] a limit of the Pod holds for its containers together", () => {
    const cluster = startedCluster();
    const containers = [hungry(), shell("calm", "sleep 1000")];
    cluster.createPod("p", { restartPolicy: "Never", containers, resources: { limits: { memory: "80Mi" } } });
    cluster.simulation.advance(8_000);
    expect([stateOf(cluster, "p", "c"), stateOf(cluster, "p", "calm")]).toEqual(["terminated: OOMKilled 137", "running"]);
    expect(cluster.node.machine.group.peakMemoryBytes).toBeLessThan(84 * 1024 ** 2);
  });

  it("[POD-472] a container dies as a whole", () => {
    const cluster = startedCluster();
    const script = "sleep 1000 & sleep 2; tail /dev/zero; echo survived; sleep 1000";
    cluster.createPod("p", {
      restartPolicy: "Never",
      containers: [shell("c", script, { resources: { limits: { memory: "50Mi" } } })],
    });
    cluster.simulation.advance(8_000);
    expect(stateOf(cluster, "p", "c")).toBe("terminated: OOMKilled 137");
    expect(cluster.node.machine.group.processCount).toBe(0);
  });

  it("with singleProcessOOMKill the largest process dies alone", () => {
    const cluster = startedCluster({ kubelet: { singleProcessOomKill: true } });
    const script = "tail /dev/zero; echo status $? > /dev/termination-log; exit 3";
    cluster.createPod("p", {
      restartPolicy: "Never",
      containers: [shell("c", script, { resources: { limits: { memory: "50Mi" } } })],
    });
    cluster.simulation.advance(8_000);
    expect(statusOf(cluster, "p", "c")?.state?.terminated).toMatchObject({ exitCode: 3, message: "status 137\n" });
  });

  it("[POD-112] so does a container whose hook takes too much: it counts where the container does", () => {
    const cluster = startedCluster();
    const postStart = { exec: { command: ["sh", "-c", "cat /proc/self/cgroup > /proc/1/fd/1; tail /dev/zero"] } };
    cluster.createPod("p", {
      restartPolicy: "Never",
      containers: [shell("c", "sleep 1000", { resources: { limits: { memory: "50Mi" } }, lifecycle: { postStart } })],
    });
    cluster.simulation.advance(8_000);
    expect([stateOf(cluster, "p", "c"), logOf(cluster, "p", "c")]).toEqual(["terminated: OOMKilled 137", "0::/\n"]);
    expect(cluster.eventsOf("p")).toContain("Warning FailedPostStartHook PostStartHook failed");
  });

  it("a command run beside the main process counts too, and takes the container with it", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      containers: [shell("c", "sleep 1000", { resources: { limits: { memory: "50Mi" } } })],
    });
    cluster.untilReady("p");
    const { runtime } = cluster.node;
    const id = runtime.containersOf(cluster.pod("p").metadata.uid)[0]?.id as string;
    const exec = runtime.exec(id, { argv: ["tail", "/dev/zero"], tty: false, stdin: false });
    let code: number | undefined;
    if (exec.ok) exec.value.onExit = (status) => (code = status);
    cluster.simulation.advance(5_000);
    expect([code, stateOf(cluster, "p", "c")]).toEqual([137, "terminated: OOMKilled 137"]);
  });

  it("[POD-478] the kernel's choice follows the quality of service", () => {
    const cluster = startedCluster();
    const show = (resources: object) => ({
      restartPolicy: "Never",
      containers: [shell("c", "cat /proc/1/oom_score_adj > /dev/termination-log", { resources })],
    });
    const both = { cpu: "100m", memory: "256Mi" };
    cluster.createPod("guaranteed", show({ limits: both, requests: both }));
    cluster.createPod("burstable", show({ requests: { memory: "1Gi" } }));
    cluster.createPod("small", show({ requests: { cpu: "10m" } }));
    cluster.createPod("besteffort", show({}));
    cluster.simulation.advance(10_000);
    const shown = ["guaranteed", "burstable", "small", "besteffort"].map(
      (name) => statusOf(cluster, name, "c")?.state?.terminated?.message,
    );
    expect(shown).toEqual(["-997\n", "750\n", "999\n", "1000\n"]);
  });

  it("[POD-478] a sidecar goes no sooner than the app, and what the Pod asks for as a whole counts", () => {
    const cluster = startedCluster();
    const show = (name: string, more: object = {}) => shell(name, "cat /proc/1/oom_score_adj; sleep 1000", more);
    cluster.createPod("helped", {
      initContainers: [show("side", { restartPolicy: "Always", resources: { requests: { memory: "64Mi" } } })],
      containers: [
        show("c", { resources: { requests: { memory: "1Gi" } } }),
        show("d", { resources: { requests: { memory: "1536Mi" } } }),
      ],
    });
    cluster.createPod("whole", { resources: { requests: { memory: "1Gi" } }, containers: [show("c"), show("d")] });
    cluster.simulation.advance(10_000);
    expect(["side", "c", "d"].map((name) => logOf(cluster, "helped", name))).toEqual(["750\n", "750\n", "625\n"]);
    expect(["c", "d"].map((name) => logOf(cluster, "whole", name))).toEqual(["875\n", "875\n"]);
  });

  it("when the node has no memory left, what asked for nothing goes before what is guaranteed", () => {
    const cluster = startedCluster();
    const limits = { cpu: "1", memory: "2Gi" };
    const holds = ["sh", "-c", "head -c 1900000000 /dev/zero | (tail -n 1; sleep 1000) "];
    cluster.createPod("good", {
      restartPolicy: "Never",
      containers: [{ ...hungry(limits, holds), resources: { limits, requests: limits } }],
    });
    cluster.untilReady("good");
    cluster.createPod("greedy", { restartPolicy: "Never", containers: [hungry()] });
    cluster.simulation.advance(10_000);
    expect([stateOf(cluster, "good", "c"), stateOf(cluster, "greedy", "c")]).toEqual(["running", "terminated: OOMKilled 137"]);
  });
});

describe("files in memory", () => {
  const volumes = (sizeLimit?: string) => [
    { name: "v", emptyDir: { medium: "Memory", ...(sizeLimit === undefined ? {} : { sizeLimit }) } },
  ];
  const writing = (script: string, memory: string) =>
    shell("c", script, { volumeMounts: [{ name: "v", mountPath: "/v" }], resources: { limits: { memory } } });
  const fill = "dd if=/dev/zero of=/v/f bs=1M count=60 2>/v/said; ls -l /v/f > /dev/termination-log; cat /v/said; sleep 1000";

  it("[POD-477] count as memory of the container that wrote them", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { volumes: volumes(), containers: [writing(fill, "100Mi")] });
    cluster.simulation.advance(5_000);
    expect(stateOf(cluster, "p", "c")).toBe("running");
    expect(cluster.node.machine.group.memoryBytes).toBeGreaterThan(60 * 1024 ** 2);
    cluster.createPod("small", {
      restartPolicy: "Never",
      volumes: volumes("1Gi"),
      containers: [writing(`tail -c 10 /dev/null; ${fill}`, "40Mi"), shell("o", "sleep 1000")],
    });
    cluster.simulation.advance(5_000);
    expect(stateOf(cluster, "small", "c")).toBe("terminated: OOMKilled 137");
  });

  it("[NET-275] [POD-496] are full at the volume's sizeLimit, and gone with the Pod", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { volumes: volumes("16Mi"), containers: [writing(fill, "100Mi")] });
    cluster.simulation.advance(5_000);
    expect(logOf(cluster, "p", "c")).toBe("");
    expect(cluster.node.machine.group.memoryBytes).toBeLessThan(20 * 1024 ** 2);
    expect(cluster.node.machine.group.memoryBytes).toBeGreaterThan(16 * 1024 ** 2);
    cluster.client.delete(pods, { namespace: "default", name: "p" }, { gracePeriodSeconds: 0 });
    cluster.simulation.advance(5_000);
    expect(cluster.node.machine.group.memoryBytes).toBe(0);
  });
});

describe("the disk of a node", () => {
  it("is filled by what containers write into their layers, and freed with them", () => {
    // Nobody is evicted for it.
    const eviction = evictionPolicyOf({ evictionHard: { "memory.available": "100Mi" } });
    const cluster = startedCluster({ kubelet: { eviction } });
    const check = `grep -q "^dd: error writing '/f': No space left on device$" /dev/shm/said && exit $code; exit 77`;
    const script = `dd if=/dev/zero of=/f bs=64M 2> /dev/shm/said; code=$?; cat /dev/shm/said; ${check}`;
    cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", script)] });
    cluster.simulation.advance(30_000);
    expect(stateOf(cluster, "p", "c")).toBe("terminated: Error 1");
    // Its log is on the same disk: what it said is lost.
    expect(logOf(cluster, "p", "c")).toBe("");
    const { disk } = cluster.node.machine;
    expect(disk.roomBytes).toBeLessThan(65_536);
    // The kubelet writes as little as it must, and what it cannot write waits.
    cluster.client.create(configMaps, { metadata: { name: "big", namespace: "default" }, data: { text: "x".repeat(100_000) } });
    const volume = { name: "v", configMap: { name: "big" } };
    cluster.createPod("next", {
      volumes: [volume],
      containers: [shell("c", "cat /v/text | wc -c; sleep 1000", { volumeMounts: [{ name: "v", mountPath: "/v" }] })],
    });
    cluster.simulation.advance(10_000);
    expect(stateOf(cluster, "next", "c")).toBe("waiting: ContainerCreating");
    expect(cluster.eventsOf("next").join()).toContain(
      'FailedMount MountVolume.SetUp failed for volume "v" : no space left on device',
    );
    cluster.client.delete(pods, { namespace: "default", name: "p" }, { gracePeriodSeconds: 0 });
    cluster.simulation.advance(30_000);
    expect(disk.roomBytes).toBeGreaterThan(19 * 1024 ** 3);
    cluster.simulation.advance(30_000);
    expect(logOf(cluster, "next", "c")).toBe("100000\n");
  });
});
