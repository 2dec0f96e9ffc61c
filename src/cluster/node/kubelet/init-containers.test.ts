import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import {
  conditionOf,
  instancesOf,
  logOf,
  pausesBetweenStarts,
  shell,
  startedCluster,
  stateOf,
  statusOf,
} from "./kubelet.test-kit.ts";

const sidecar = (name: string, script: string, more: object = {}) => shell(name, script, { restartPolicy: "Always", ...more });

describe("init containers", () => {
  it("[POD-183] [POD-149] [POD-312] [POD-159] keep the others waiting, the pod being Pending", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { initContainers: [shell("init", "sleep 4")], containers: [shell("c", "sleep 3600")] });
    cluster.createPod("q", { containers: [shell("c", "sleep 3600")] });
    cluster.simulation.advance(200);
    expect([stateOf(cluster, "p", "c"), stateOf(cluster, "q", "c")]).toEqual([
      "waiting: PodInitializing",
      "waiting: ContainerCreating",
    ]);
    expect([conditionOf(cluster, "p", "Initialized"), conditionOf(cluster, "q", "Initialized")]).toEqual([
      "False ContainersNotInitialized containers with incomplete status: [init]",
      "True",
    ]);
    expect(cluster.pod("p").status?.phase).toBe("Pending");
    cluster.untilReady("p");
    expect([stateOf(cluster, "p", "init"), statusOf(cluster, "p", "init")?.ready]).toEqual(["terminated: Completed 0", true]);
  });

  it("[POD-308] [POD-149] that fail are tried again, later and later", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "OnFailure",
      initContainers: [shell("init", "exit 1")],
      containers: [shell("c", "true")],
    });
    expect(pausesBetweenStarts(cluster, "p", "init", 40).slice(1)).toEqual([10, 20]);
    expect([stateOf(cluster, "p", "init"), cluster.pod("p").status?.phase]).toEqual(["waiting: CrashLoopBackOff", "Pending"]);
    expect(stateOf(cluster, "p", "c")).toBe("waiting: PodInitializing");
  });

  it("[POD-309] that fail for good fail the pod", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", initContainers: [shell("init", "exit 2")], containers: [shell("c", "true")] });
    cluster.simulation.advance(10_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "init"), stateOf(cluster, "p", "c")]).toEqual([
      "Failed",
      "terminated: Error 2",
      "waiting: PodInitializing",
    ]);
  });

  it("[POD-310] are killed for memory as others are", () => {
    const cluster = startedCluster();
    const greedy = { name: "init", image: "nginx:1.27", resources: { limits: { memory: "4Mi" } } };
    cluster.createPod("p", { restartPolicy: "Never", initContainers: [greedy], containers: [shell("c", "true")] });
    cluster.simulation.advance(10_000);
    expect(stateOf(cluster, "p", "init")).toBe("terminated: OOMKilled 137");
  });

  it("[POD-311] [POD-307] run once; then all others start in order", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      initContainers: [shell("init", "true")],
      containers: [shell("a", "sleep 3"), shell("b", "sleep 3600")],
    });
    cluster.untilReady("p");
    const created = (name: string) => instancesOf(cluster, "p", name)[0]?.createdMs as number;
    expect(created("a")).toBeLessThan(created("b"));
    // Which does not wait for the end of the first.
    expect(created("b") - created("a")).toBeLessThan(3000);
    cluster.simulation.advance(20_000);
    expect(statusOf(cluster, "p", "init")?.restartCount).toBe(0);
    expect(statusOf(cluster, "p", "a")?.restartCount).toBeGreaterThan(0);
  });

  it("[POD-319] do not run again when the node has lost what it knew of them", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { initContainers: [shell("i", "true")], containers: [shell("c", "sleep 3600")] });
    cluster.untilReady("p");
    for (const { id } of [...instancesOf(cluster, "p", "i")]) cluster.node.runtime.removeContainer(id);
    cluster.simulation.advance(180_000);
    expect(instancesOf(cluster, "p", "i")).toEqual([]);
    expect(cluster.eventsOf("p").filter((event) => event.includes(" Started "))).toHaveLength(2);
    expect([stateOf(cluster, "p", "i"), statusOf(cluster, "p", "c")?.restartCount]).toEqual(["terminated: Completed 0", 0]);
  });

  it("[POD-161] once done they are done, whatever becomes of the others", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { initContainers: [shell("init", "true")], containers: [shell("c", "sleep 2; exit 1")] });
    cluster.simulation.advance(15_000);
    expect(conditionOf(cluster, "p", "Initialized")).toBe("True");
  });

  it("[POD-326] with a policy of their own other than Always are plain ones", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      initContainers: [shell("init", "exit 1", { restartPolicy: "Never" })],
      containers: [shell("c", "sleep 3600")],
    });
    cluster.simulation.advance(10_000);
    expect([cluster.pod("p").status?.phase, statusOf(cluster, "p", "init")?.restartCount]).toEqual(["Failed", 0]);
  });
});

describe("sidecars", () => {
  it("[POD-328] [POD-329] start again after any end, alone, also in a pod that restarts nothing", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      initContainers: [sidecar("side", "sleep 3; exit 0")],
      containers: [shell("c", "sleep 3600")],
    });
    cluster.simulation.advance(30_000);
    expect(statusOf(cluster, "p", "side")?.restartCount).toBeGreaterThan(0);
    expect([stateOf(cluster, "p", "c"), statusOf(cluster, "p", "c")?.restartCount]).toEqual(["running", 0]);
  });

  it("[POD-331] [POD-330] count for the pod's readiness", () => {
    const cluster = startedCluster();
    const readinessProbe = { exec: { command: ["test", "-f", "/tmp/ready"] }, periodSeconds: 1 };
    cluster.createPod("p", {
      initContainers: [sidecar("side", "sleep 10; touch /tmp/ready; sleep 3600", { readinessProbe })],
      containers: [shell("c", "sleep 3600")],
    });
    cluster.simulation.advance(8_000);
    expect([conditionOf(cluster, "p", "ContainersReady"), conditionOf(cluster, "p", "Ready")]).toEqual([
      "False ContainersNotReady containers with unready status: [side]",
      "False ContainersNotReady containers with unready status: [side]",
    ]);
    cluster.untilReady("p");
    expect(statusOf(cluster, "p", "side")).toMatchObject({ ready: true, started: true });
  });

  it("[POD-332] that fail their probe are restarted alone", () => {
    const cluster = startedCluster();
    const livenessProbe = { exec: { command: ["false"] }, periodSeconds: 1, failureThreshold: 2 };
    cluster.createPod("p", {
      terminationGracePeriodSeconds: 1,
      initContainers: [sidecar("side", "sleep 3600", { livenessProbe })],
      containers: [shell("c", "sleep 3600")],
    });
    cluster.simulation.advance(20_000);
    expect(statusOf(cluster, "p", "side")?.restartCount).toBeGreaterThan(0);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(0);
  });

  it("[POD-332] that fail their probe are told of as init containers", () => {
    const cluster = startedCluster();
    const failing = { exec: { command: ["false"] }, periodSeconds: 1, failureThreshold: 2 };
    cluster.createPod("p", {
      terminationGracePeriodSeconds: 1,
      initContainers: [
        sidecar("alive", "sleep 3600", { livenessProbe: failing }),
        sidecar("up", "sleep 3600", { startupProbe: failing }),
      ],
      containers: [shell("c", "sleep 3600")],
    });
    cluster.simulation.advance(10_000);
    expect(cluster.eventsOf("p")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Normal Killing Init container alive failed liveness probe( x\d)?$/),
        expect.stringMatching(/^Normal Killing Init container up failed startup probe( x\d)?$/),
      ]),
    );
  });

  it("[POD-327] that crash once they have been started keep no later one waiting", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      initContainers: [sidecar("side", "sleep 2; exit 1"), shell("init", "sleep 8")],
      containers: [shell("c", "sleep 3600")],
    });
    // The sidecar crashed at about 3 and 6 s and waits for 10 s; the init container ends at about 10 s.
    cluster.simulation.advance(13_000);
    expect([stateOf(cluster, "p", "side"), stateOf(cluster, "p", "c")]).toEqual(["waiting: CrashLoopBackOff", "running"]);
  });

  it("[POD-329] that wait for their next run keep no other container waiting for its own", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      initContainers: [sidecar("side", "sleep 1; exit 1")],
      containers: [shell("a", "sleep 20; exit 1"), shell("b", "sleep 3600")],
    });
    // The sidecar's third wait is from about 15 to 35 s.
    cluster.simulation.advance(24_000);
    expect([stateOf(cluster, "p", "side"), stateOf(cluster, "p", "a")]).toEqual(["waiting: CrashLoopBackOff", "running"]);
    expect(statusOf(cluster, "p", "a")?.restartCount).toBe(1);
  });

  it("[POD-309] end with the pod when a plain init container fails for good", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 1,
      initContainers: [sidecar("side", "sleep 3600"), shell("init", "sleep 2; exit 1")],
      containers: [shell("c", "true")],
    });
    cluster.simulation.advance(15_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "side")]).toEqual(["Failed", "terminated: Error 137"]);
  });

  it("[POD-335] end after the others, the last first", () => {
    const cluster = startedCluster();
    const orderly = "trap 'exit 0' TERM; while true; do sleep 1; done";
    cluster.createPod("p", {
      initContainers: [sidecar("first", orderly), sidecar("second", orderly)],
      containers: [shell("c", orderly)],
    });
    cluster.untilReady("p");
    const containers = cluster.node.runtime.containersOf(cluster.pod("p").metadata.uid).slice();
    cluster.client.delete(pods, { namespace: "default", name: "p" });
    cluster.simulation.advance(20_000);
    const ended = containers.toSorted((a, b) => a.finishedMs - b.finishedMs).map(({ config }) => config.name);
    expect(ended).toEqual(["c", "second", "first"]);
  });

  it("[POD-333] keep their pod running until they have ended, and have no say in its phase", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 8,
      initContainers: [sidecar("side", "trap '' TERM; while true; do sleep 1; done")],
      containers: [shell("c", "sleep 2")],
    });
    cluster.simulation.advance(8_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "c")]).toEqual(["Running", "terminated: Completed 0"]);
    expect(conditionOf(cluster, "p", "Ready")).toBe("False ContainersNotReady containers with unready status: [c]");
    cluster.simulation.advance(8_000);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "side")]).toEqual(["Succeeded", "terminated: Error 137"]);
  });

  /** Seconds from the delete to each container's end. */
  function secondsToEnd(scripts: { readonly c: string; readonly first: string; readonly second: string }, graceSeconds: number) {
    const cluster = startedCluster();
    cluster.createPod("p", {
      terminationGracePeriodSeconds: graceSeconds,
      initContainers: [sidecar("first", scripts.first), sidecar("second", scripts.second)],
      containers: [shell("c", scripts.c)],
    });
    cluster.untilReady("p");
    const containers = cluster.node.runtime.containersOf(cluster.pod("p").metadata.uid).slice();
    const deletedMs = cluster.simulation.nowMs;
    cluster.client.delete(pods, { namespace: "default", name: "p" });
    cluster.simulation.advance(60_000);
    return Object.fromEntries(
      containers.map(({ config, finishedMs }) => [config.name, Math.floor((finishedMs - deletedMs) / 1000)]),
    );
  }

  const deaf = "trap '' TERM; while true; do sleep 1; done";
  const slow = "trap 'sleep 6; exit 0' TERM; while true; do sleep 1; done";
  const prompt = "trap 'exit 0' TERM; while true; do sleep 0.1; done";

  it.each<readonly [string, Parameters<typeof secondsToEnd>[0], object]>([
    ["all that are left are signalled with it", { c: deaf, second: prompt, first: prompt }, { c: 10, second: 10, first: 10 }],
    ["and have 2 s, all at the same time", { c: deaf, second: deaf, first: deaf }, { c: 10, second: 12, first: 12 }],
    ["the second has what the first left of it", { c: slow, second: deaf, first: deaf }, { c: 6, second: 10, first: 12 }],
  ])("[POD-337] when the grace period is over %s", (_title, scripts, seconds) => {
    const found = secondsToEnd(scripts, 10);
    for (const [name, wanted] of Object.entries(seconds)) {
      expect(Math.abs((found[name] ?? 0) - Number(wanted)), `${name} ended after ${found[name]} s`).toBeLessThanOrEqual(1);
    }
  });
});

describe("ephemeral containers", () => {
  const debug = (script: string, more: object = {}) => ({ ...shell("debugger", script), ...more });

  function withDebugger(container: object, spec: object = {}) {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "sleep 3600")], ...spec });
    cluster.simulation.advance(5_000);
    cluster.client.patch(
      pods,
      { namespace: "default", name: "p" },
      "strategic",
      { spec: { ephemeralContainers: [container as { name: string }] } },
      { subresource: "ephemeralcontainers" },
    );
    cluster.simulation.advance(5_000);
    return cluster;
  }

  it("[POD-350] [POD-351] start in a pod that runs, end once, and count for nothing", () => {
    const cluster = withDebugger(debug("sleep 10; exit 1"));
    expect(stateOf(cluster, "p", "debugger")).toBe("running");
    expect(statusOf(cluster, "p", "debugger")).toMatchObject({ ready: false, restartCount: 0 });
    cluster.simulation.advance(30_000);
    expect([stateOf(cluster, "p", "debugger"), statusOf(cluster, "p", "debugger")?.restartCount]).toEqual([
      "terminated: Error 1",
      0,
    ]);
    expect([cluster.pod("p").status?.phase, conditionOf(cluster, "p", "Ready")]).toEqual(["Running", "True"]);
    expect(cluster.pod("p").status?.qosClass).toBe("BestEffort");
  });

  it("[POD-352] start beside containers that crash", () => {
    const cluster = withDebugger(debug("sleep 3600"), { containers: [shell("c", "exit 1")] });
    expect([stateOf(cluster, "p", "c"), stateOf(cluster, "p", "debugger")]).toEqual(["waiting: CrashLoopBackOff", "running"]);
  });

  it("[POD-357] see the files of their target as far as its user and their own capabilities allow", () => {
    const look = (securityContext: object, target: object = {}) => {
      const container = debug("cat /proc/1/root/tmp/state; grep CapEff /proc/self/status", {
        targetContainerName: "c",
        securityContext,
      });
      const app = shell("c", "echo full > /tmp/state; sleep 3600", { securityContext: target });
      return logOf(withDebugger(container, { containers: [app] }), "p", "debugger");
    };
    const denied = "cat: can't open '/proc/1/root/tmp/state': Permission denied\n";
    const row = (bits: string) => `CapEff:\t${bits}\n`;
    const tracing = { capabilities: { add: ["SYS_PTRACE"] } };
    expect(look({})).toBe(`full\n${row("00000000a80425fb")}`);
    expect(look({}, { runAsUser: 65532 })).toBe(`${denied}${row("00000000a80425fb")}`);
    expect(look(tracing, { runAsUser: 65532 })).toBe(`full\n${row("00000000a80c25fb")}`);
    expect(look({ capabilities: { drop: ["all"], add: ["net_admin"] } })).toBe(`${denied}${row("0000000000001000")}`);
    expect(look({ privileged: true }, { runAsUser: 65532 })).toBe(`full\n${row("000001ffffffffff")}`);
    expect(look({ ...tracing, runAsUser: 1000 }, { runAsUser: 65532 })).toBe(`${denied}${row("0000000000000000")}`);
  });

  it("wait for their target to run", () => {
    const cluster = withDebugger(debug("sleep 3600", { targetContainerName: "c" }), {
      containers: [shell("c", "sleep 1; exit 1")],
    });
    expect(stateOf(cluster, "p", "debugger")).toBe("waiting: ContainerCreating");
    cluster.simulation.runUntil(() => stateOf(cluster, "p", "debugger") !== "waiting: ContainerCreating", { limitMs: 15_000 });
    const failed = statusOf(cluster, "p", "debugger");
    expect(stateOf(cluster, "p", "debugger")).toBe("waiting: CreateContainerError");
    expect(failed?.state?.waiting?.message).toMatch(
      /^failed to generate container "\w{64}" spec: invalid target container: container "\w{64}" is not running - in state CONTAINER_EXITED$/,
    );
    cluster.simulation.advance(60_000);
    expect(cluster.node.runtime.containersOf(cluster.pod("p").metadata.uid).some(({ config }) => config.name === "debugger")).toBe(
      true,
    );
    expect(statusOf(cluster, "p", "debugger")?.restartCount).toBe(0);
  });

  it("[POD-357] see the processes of their target, and no others without one", () => {
    const target = withDebugger(debug("ps", { targetContainerName: "c" }));
    expect(logOf(target, "p", "debugger")).toContain("sleep 3600");
    expect(logOf(withDebugger(debug("ps")), "p", "debugger")).not.toContain("sleep 3600");
  });
});
