import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { instancesOf, pausesBetweenStarts, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

describe("restarting containers", () => {
  it.each<readonly [string, string, number, boolean]>([
    ["[POD-199]", "Always", 0, true],
    ["[POD-199]", "Always", 1, true],
    ["[POD-200]", "OnFailure", 0, false],
    ["[POD-200]", "OnFailure", 1, true],
    ["[POD-200]", "Never", 1, false],
  ])("%s with policy %s and exit code %i", (_ids, restartPolicy, exitCode, restarts) => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy, containers: [shell("c", `sleep 2; exit ${exitCode}`)] });
    cluster.simulation.advance(12_000);
    expect((statusOf(cluster, "p", "c")?.restartCount ?? 0) > 0).toBe(restarts);
    const endPhase = exitCode === 0 ? "Succeeded" : "Failed";
    expect(cluster.pod("p").status?.phase).toBe(restarts ? "Running" : endPhase);
  });

  it("[POD-201] [POD-147] without restarts the pod runs until the last container has ended, and fails for one", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", containers: [shell("a", "exit 1"), shell("b", "sleep 10")] });
    cluster.simulation.advance(6_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "a")]).toEqual(["Running", "terminated: Error 1"]);
    cluster.simulation.advance(10_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "b")]).toEqual(["Failed", "terminated: Completed 0"]);
    expect(statusOf(cluster, "p", "a")?.restartCount).toBe(0);
  });

  it("[POD-202] on failure only the container that failed starts again", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "OnFailure", containers: [shell("a", "exit 0"), shell("b", "exit 1")] });
    cluster.simulation.advance(8_000);
    expect(statusOf(cluster, "p", "a")?.restartCount).toBe(0);
    expect(statusOf(cluster, "p", "b")?.restartCount).toBeGreaterThan(0);
  });

  it("[POD-206] [POD-207] [POD-146] tells of each restart and of the wait, the pod being Running", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "exit 1")] });
    cluster.simulation.advance(25_000);
    const { uid } = cluster.pod("p").metadata;
    expect([stateOf(cluster, "p", "c"), cluster.pod("p").status?.phase]).toEqual(["waiting: CrashLoopBackOff", "Running"]);
    expect(cluster.eventsOf("p")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Normal Pulled Container image "busybox:1.36" already present on machine.* x3$/),
        "Normal Created Container created x3",
        "Normal Started Container started x3",
        expect.stringMatching(
          new RegExp(`^Warning BackOff Back-off restarting failed container c in pod p_default\\(${uid}\\)( x\\d)?$`),
        ),
      ]),
    );
  });

  it("[POD-209] waits as well for containers that end with 0", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "exit 0")] });
    cluster.simulation.advance(8_000);
    expect(stateOf(cluster, "p", "c")).toBe("waiting: CrashLoopBackOff");
    expect(statusOf(cluster, "p", "c")?.lastState?.terminated?.reason).toBe("Completed");
  });

  it.each<readonly [string, number, readonly number[]]>([
    ["2 s", 2, [2, 2, 2, 2]],
    ["25 s", 25, [10, 20, 25, 25]],
  ])("[POD-215] [POD-214] a node may set a shorter longest wait: %s", (_title, maxContainerRestartPeriodSeconds, expected) => {
    const cluster = startedCluster({ kubelet: { maxContainerRestartPeriodSeconds } });
    cluster.createPod("p", { containers: [shell("c", "exit 1")] });
    const pauses = pausesBetweenStarts(cluster, "p", "c", 110);
    for (const [index, seconds] of expected.entries())
      expect(Math.abs((pauses[index + 1] as number) - seconds)).toBeLessThanOrEqual(1);
  });

  it("[POD-208] ten minutes of work end the long waits", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [
        shell("c", "echo >> /v/n; test $(wc -l < /v/n) = 4 && sleep 601; exit 1", {
          volumeMounts: [{ name: "v", mountPath: "/v" }],
        }),
      ],
    });
    const pauses = pausesBetweenStarts(cluster, "p", "c", 740);
    expect(pauses.slice(1, 3)).toEqual([10, 20]);
    expect(Math.abs((pauses[3] as number) - 602)).toBeLessThanOrEqual(2);
    expect(pauses[4]).toBe(10);
  });

  it("[POD-208] less work does not, however short the longest wait of the node is", () => {
    const cluster = startedCluster({ kubelet: { maxContainerRestartPeriodSeconds: 2 } });
    cluster.createPod("p", { containers: [shell("c", "sleep 60; exit 1")] });
    const pauses = pausesBetweenStarts(cluster, "p", "c", 200);
    for (const pause of pauses.slice(1, 3)) expect(Math.abs(pause - 62)).toBeLessThanOrEqual(1);
  });

  it("[POD-210] [POD-124] [POD-030] another image starts at once; the other containers and the pod stay", () => {
    const cluster = startedCluster();
    const containers = [shell("c", "exit 1"), { name: "web", image: "nginx:1.27" }];
    cluster.createPod("p", { containers });
    cluster.simulation.advance(30_000);
    expect(stateOf(cluster, "p", "c")).toBe("waiting: CrashLoopBackOff");
    const before = cluster.pod("p");
    const spec = {
      ...before.spec,
      containers: [{ ...before.spec?.containers[0], image: "nginx:1.27" }, before.spec?.containers[1]],
    };
    cluster.client.update(pods, { ...before, spec: spec as NonNullable<typeof before.spec> });
    const count = statusOf(cluster, "p", "c")?.restartCount ?? 0;
    cluster.simulation.advance(4_000);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBeGreaterThan(count);
    const after = cluster.pod("p");
    expect([after.metadata.uid, after.status?.podIP]).toEqual([before.metadata.uid, before.status?.podIP]);
    expect(statusOf(cluster, "p", "web")?.restartCount).toBe(0);
  });

  it("[POD-210] so do other resources", () => {
    const cluster = startedCluster();
    const withLimit = (memory: string) => ({ requests: { memory }, limits: { memory } });
    cluster.createPod("p", { containers: [shell("c", "exit 1", { resources: withLimit("50Mi") })] });
    cluster.simulation.advance(40_000);
    expect(stateOf(cluster, "p", "c")).toBe("waiting: CrashLoopBackOff");
    const count = statusOf(cluster, "p", "c")?.restartCount ?? 0;
    const patch = { spec: { containers: [{ name: "c", resources: withLimit("100Mi") }] } };
    cluster.client.patch(pods, { namespace: "default", name: "p" }, "strategic", patch, { subresource: "resize" });
    cluster.simulation.advance(4_000);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBeGreaterThan(count);
  });

  it("[POD-124] a running container is killed for another image", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { terminationGracePeriodSeconds: 1, containers: [{ name: "c", image: "nginx:1.27" }] });
    cluster.untilReady("p");
    const before = cluster.pod("p");
    cluster.client.patch(pods, { namespace: "default", name: "p" }, "strategic", {
      spec: { containers: [{ name: "c", image: "nginx:1.28" }] },
    });
    cluster.simulation.advance(10_000);
    expect(cluster.eventsOf("p")).toContain("Normal Killing Container c definition changed, will be restarted");
    expect([cluster.pod("p").metadata.uid, cluster.pod("p").status?.podIP]).toEqual([before.metadata.uid, before.status?.podIP]);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(1);
  });

  it("[POD-211] a kubelet that starts knows of no waits", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "exit 1")] });
    cluster.simulation.advance(90_000);
    expect(stateOf(cluster, "p", "c")).toBe("waiting: CrashLoopBackOff");
    const before = instancesOf(cluster, "p", "c")[0]?.config.attempt ?? 0;
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    cluster.simulation.advance(3_000);
    expect(instancesOf(cluster, "p", "c")[0]?.config.attempt).toBe(before + 1);
  });

  it("[POD-212] the count of restarts outlives the kubelet", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "sleep 5; exit 1")] });
    cluster.simulation.advance(30_000);
    const count = statusOf(cluster, "p", "c")?.restartCount ?? 0;
    expect(count).toBe(instancesOf(cluster, "p", "c")[0]?.config.attempt);
    cluster.node.kubelet.stop();
    cluster.simulation.advance(1_000);
    cluster.node.kubelet.start();
    cluster.simulation.advance(60_000);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBeGreaterThan(count);
  });

  it.each<readonly [string, string, string]>([
    ["Never", "Failed", "terminated: OOMKilled 137"],
    ["OnFailure", "Running", "waiting: CrashLoopBackOff"],
  ])("[POD-473] a container that was killed for memory has failed, policy %s", (restartPolicy, phase, state) => {
    const cluster = startedCluster();
    const greedy = { name: "c", image: "nginx:1.27", resources: { limits: { memory: "4Mi" } } };
    cluster.createPod("p", { restartPolicy, containers: [greedy] });
    cluster.simulation.advance(15_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "c")]).toEqual([phase, state]);
  });

  // POD-576 is of one that is removed, too: it runs again, but its count begins anew, where upstream reads it from the log files.
  it("a container that was stopped by hand is made again", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "sleep 3600")] });
    cluster.untilReady("p");
    const [first] = instancesOf(cluster, "p", "c");
    cluster.node.runtime.stopContainer(first?.id ?? "", 0, () => {});
    cluster.simulation.advance(5_000);
    expect([stateOf(cluster, "p", "c"), statusOf(cluster, "p", "c")?.restartCount]).toEqual(["running", 1]);
  });

  it("[POD-218] a container's own policy goes before the pod's", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      containers: [shell("a", "exit 1", { restartPolicy: "Never" }), shell("b", "sleep 1000")],
    });
    cluster.simulation.advance(15_000);
    expect([stateOf(cluster, "p", "a"), statusOf(cluster, "p", "a")?.restartCount]).toEqual(["terminated: Error 1", 0]);
  });

  it("[POD-219] rules restart for some exit codes", () => {
    const cluster = startedCluster();
    const restartPolicyRules = [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }];
    cluster.createPod("p", {
      restartPolicy: "Never",
      containers: [
        shell("a", "exit 42", { restartPolicy: "Never", restartPolicyRules }),
        shell("b", "exit 1", { restartPolicy: "Never", restartPolicyRules }),
      ],
    });
    cluster.simulation.advance(10_000);
    expect(statusOf(cluster, "p", "a")?.restartCount).toBeGreaterThan(0);
    expect(statusOf(cluster, "p", "b")?.restartCount).toBe(0);
  });

  it("[POD-318] [POD-577] a sandbox that goes takes the containers with it; init containers run again", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      volumes: [{ name: "v", emptyDir: {} }],
      initContainers: [shell("init", "echo x >> /v/n", { volumeMounts: [{ name: "v", mountPath: "/v" }] })],
      containers: [shell("c", "cat /v/n; sleep 3600", { volumeMounts: [{ name: "v", mountPath: "/v" }] })],
    });
    cluster.untilReady("p");
    const { uid } = cluster.pod("p").metadata;
    const [sandbox] = cluster.node.runtime.sandboxesOf(uid);
    cluster.node.runtime.stopSandbox(sandbox?.id ?? "", () => {});
    cluster.simulation.advance(10_000);
    cluster.untilReady("p");
    expect(cluster.eventsOf("p")).toContain("Normal SandboxChanged Pod sandbox changed, it will be killed and re-created.");
    expect(instancesOf(cluster, "p", "c")[0]?.log.tailText(10, 100)).toBe("x\nx\n");
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(1);
  });
});
