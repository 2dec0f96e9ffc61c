import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../small-cluster.test-kit.ts";
import { conditionOf, instancesOf, logOf, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

const orderly = "trap 'echo term; exit 7' TERM; while true; do sleep 1; done";
const deaf = "trap '' TERM; while true; do sleep 1; done";
const key = { namespace: "default", name: "p" };

function running(container: object, spec: object = {}): SmallCluster {
  const cluster = startedCluster();
  cluster.createPod("p", { containers: [container as { name: string }], ...spec });
  cluster.untilReady("p");
  return cluster;
}

/** Seconds from the delete to the end of the object. */
function secondsToEnd(cluster: SmallCluster, gracePeriodSeconds?: number): number {
  const before = cluster.simulation.nowMs;
  cluster.client.delete(pods, key, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  cluster.simulation.runUntil(() => !cluster.hasPod("p"), { limitMs: 120_000 });
  return Math.round((cluster.simulation.nowMs - before) / 1000);
}

describe("the grace period", () => {
  it.each<readonly [string, object, number | undefined, number]>([
    ["[POD-259] is that of the spec", { terminationGracePeriodSeconds: 8 }, undefined, 8],
    ["[POD-259] or that of the request", { terminationGracePeriodSeconds: 8 }, 4, 4],
    ["[POD-265] is at least 2 s for a container", { terminationGracePeriodSeconds: 30 }, 1, 2],
  ])("%s", (_title, spec, requested, seconds) => {
    const cluster = running(shell("c", deaf), spec);
    expect(Math.abs(secondsToEnd(cluster, requested) - seconds)).toBeLessThanOrEqual(1);
  });

  it("[POD-260] is nothing for a pod without a node, or one that has ended", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", "true")] });
    cluster.simulation.advance(10_000);
    expect(cluster.pod("p").status?.phase).toBe("Succeeded");
    cluster.client.delete(pods, key);
    expect(cluster.hasPod("p")).toBe(false);
    cluster.client.create(pods, { metadata: key, spec: { containers: [shell("c", "true")] } });
    cluster.client.delete(pods, key);
    expect(cluster.hasPod("p")).toBe(false);
  });

  it("[POD-653] a container that is being started meanwhile does not run on, and no Pod goes before its containers", () => {
    for (let afterMs = 0; afterMs < 400; afterMs += 5) {
      const cluster = startedCluster();
      const pod = cluster.createPod("p", {
        terminationGracePeriodSeconds: 1,
        containers: [shell("first", "sleep 1000"), shell("second", "sleep 1000")],
      });
      const containers = () => cluster.node.runtime.containersOf(pod.metadata.uid);
      cluster.simulation.runUntil(() => containers().length > 0, { limitMs: 60_000 });
      cluster.simulation.advance(afterMs);
      cluster.client.delete(pods, key);
      cluster.simulation.runUntil(() => !cluster.hasPod("p"), { limitMs: 60_000 });
      expect(containers().filter(({ state }) => state === "running")).toEqual([]);
      cluster.simulation.advance(1000);
      expect(containers().filter(({ state }) => state === "running")).toEqual([]);
    }
  });

  it("a container whose start has begun starts before its pod is ended: it never fails to", () => {
    const ends = new Set<string>();
    for (let afterMs = 0; afterMs < 400; afterMs += 5) {
      const cluster = startedCluster();
      const spec = { restartPolicy: "Never", terminationGracePeriodSeconds: 1, containers: [shell("c", "false")] };
      const pod = cluster.createPod("p", spec, { finalizers: ["example.com/hold"] });
      cluster.simulation.runUntil(() => cluster.node.runtime.containersOf(pod.metadata.uid).length > 0, { limitMs: 60_000 });
      cluster.simulation.advance(afterMs);
      cluster.client.delete(pods, key);
      cluster.simulation.advance(10_000);
      ends.add(stateOf(cluster, "p", "c"));
    }
    expect([...ends]).toEqual(["terminated: Error 1"]);
  });

  it("[POD-271] a second delete can only shorten it", () => {
    const cluster = running(shell("c", deaf), { terminationGracePeriodSeconds: 60 });
    cluster.client.delete(pods, key);
    cluster.simulation.advance(2_000);
    cluster.client.delete(pods, key, { gracePeriodSeconds: 100 });
    expect(cluster.pod("p").metadata.deletionGracePeriodSeconds).toBe(60);
    expect(secondsToEnd(cluster, 3)).toBeLessThan(6);
  });

  it("[POD-272] begins again when the kubelet does", () => {
    const cluster = running(shell("c", deaf), { terminationGracePeriodSeconds: 10 });
    cluster.client.delete(pods, key);
    cluster.simulation.advance(8_000);
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    cluster.simulation.advance(8_000);
    expect(cluster.hasPod("p")).toBe(true);
    cluster.simulation.advance(5_000);
    expect(cluster.hasPod("p")).toBe(false);
  });

  it("[POD-273] [POD-150] [POD-267] a finalizer keeps the object with the containers' ends in it", () => {
    const cluster = startedCluster();
    cluster.createPod(
      "p",
      { terminationGracePeriodSeconds: 5, containers: [shell("a", orderly), shell("b", deaf)] },
      { finalizers: ["example.com/wait"] },
    );
    cluster.untilReady("p");
    cluster.client.delete(pods, key);
    cluster.simulation.advance(10_000);
    expect(cluster.node.runtime.sandboxesOf(cluster.pod("p").metadata.uid).filter(({ state }) => state === "ready")).toEqual([]);
    expect([cluster.pod("p").status?.phase, stateOf(cluster, "p", "a"), stateOf(cluster, "p", "b")]).toEqual([
      "Failed",
      "terminated: Error 7",
      "terminated: Error 137",
    ]);
    expect(conditionOf(cluster, "p", "PodReadyToStartContainers")).toBe("False");
  });

  it("[POD-263] containers do not wait for each other", () => {
    const cluster = startedCluster();
    const lifecycle = { preStop: { sleep: { seconds: 6 } } };
    cluster.createPod("p", { containers: [shell("a", orderly, { lifecycle }), shell("b", orderly)] });
    cluster.untilReady("p");
    const containers = cluster.node.runtime.containersOf(cluster.pod("p").metadata.uid).slice();
    cluster.client.delete(pods, key);
    cluster.simulation.advance(3_000);
    expect(containers.map(({ config, state }) => `${config.name} ${state}`).toSorted()).toEqual(["a running", "b exited"]);
  });

  it("[POD-287] force does not go past a finalizer", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "sleep 3600")] }, { finalizers: ["example.com/wait"] });
    cluster.untilReady("p");
    cluster.client.delete(pods, key, { gracePeriodSeconds: 0 });
    expect(cluster.pod("p").metadata.deletionGracePeriodSeconds).toBe(0);
  });

  it("[POD-289] a pod that was deleted by force while the kubelet was away ends when it comes back, after TERM and 2 s", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("a", orderly), shell("b", deaf)] });
    cluster.untilReady("p");
    const { uid } = cluster.pod("p").metadata;
    const containers = cluster.node.runtime.containersOf(uid).slice();
    cluster.node.kubelet.stop();
    cluster.client.delete(pods, key, { gracePeriodSeconds: 0 });
    cluster.simulation.advance(60_000);
    expect([cluster.hasPod("p"), containers.map(({ state }) => state)]).toEqual([false, ["running", "running"]]);
    cluster.node.kubelet.start();
    cluster.simulation.runUntil(() => containers.every(({ state }) => state === "exited"), { limitMs: 10_000 });
    expect(containers.map(({ config, exitCode }) => `${config.name} ${exitCode}`).toSorted()).toEqual(["a 7", "b 137"]);
    expect(cluster.eventsOf("p").filter((event) => event.includes("Killing"))).toHaveLength(2);
    cluster.simulation.advance(2_000);
    expect(cluster.node.runtime.podUids()).toEqual([]);
  });

  it("[POD-289] nothing ends before the kubelet has heard which pods there are", () => {
    const cluster = running(shell("c", orderly));
    const [container] = instancesOf(cluster, "p", "c");
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    cluster.simulation.advance(20_000);
    expect([container?.state, stateOf(cluster, "p", "c")]).toEqual(["running", "running"]);
  });

  it("[POD-153] a pod that the kubelet evicts fails and stays", () => {
    const cluster = running(shell("c", deaf));
    const message = "The node was low on resource: memory. ";
    cluster.node.kubelet.evict(cluster.pod("p").metadata.uid, "Evicted", message, 1);
    cluster.simulation.advance(10_000);
    expect(cluster.pod("p").status).toMatchObject({ phase: "Failed", reason: "Evicted", message });
    expect(cluster.eventsOf("p")).toContain(`Warning Evicted ${message}`);
    expect(stateOf(cluster, "p", "c")).toBe("terminated: Error 137");
  });

  it("[POD-270] watchers see it go in three steps", () => {
    const cluster = running(shell("c", orderly));
    const { resourceVersion = "" } = cluster.client.list(pods).metadata;
    const seen: string[] = [];
    cluster.client.watch(
      pods,
      { namespace: "default", resourceVersion },
      {
        onEvent: (event) => {
          if (!("object" in event)) return;
          const { metadata, status } = event.object;
          seen.push(`${event.type} ${metadata.deletionTimestamp === undefined ? "" : "deleted"} ${status?.phase}`);
        },
        onClose: () => {},
      },
    );
    secondsToEnd(cluster);
    cluster.simulation.advance(1_000);
    expect(seen[0]).toBe("MODIFIED deleted Running");
    expect(seen.slice(-2)).toEqual(["MODIFIED deleted Failed", "DELETED deleted Failed"]);
  });
});

describe("readiness", () => {
  it("[POD-279] goes on while a pod ends, and is told", () => {
    const readinessProbe = { exec: { command: ["cat", "/tmp/ready"] }, periodSeconds: 1, failureThreshold: 1 };
    const lifecycle = { preStop: { exec: { command: ["sh", "-c", "sleep 3; rm /tmp/ready; sleep 5"] } } };
    const cluster = running(shell("c", `touch /tmp/ready; ${orderly}`, { readinessProbe, lifecycle }));
    cluster.client.delete(pods, key);
    cluster.simulation.advance(2_000);
    const seen = () => [conditionOf(cluster, "p", "Ready"), statusOf(cluster, "p", "c")?.ready, stateOf(cluster, "p", "c")];
    expect(seen()).toEqual(["True", true, "running"]);
    cluster.simulation.advance(3_000);
    expect(seen()).toEqual(["False ContainersNotReady containers with unready status: [c]", false, "running"]);
    cluster.simulation.advance(5_000);
    expect(cluster.hasPod("p")).toBe(false);
  });
});

describe("hooks", () => {
  it("[POD-097] [POD-098] a container waits until its postStart hook is done, and so do the next", () => {
    const cluster = startedCluster();
    const lifecycle = { postStart: { exec: { command: ["sleep", "5"] } } };
    cluster.createPod("p", { containers: [shell("a", "sleep 3600", { lifecycle }), shell("b", "sleep 3600")] });
    cluster.simulation.advance(4_000);
    expect([stateOf(cluster, "p", "a"), stateOf(cluster, "p", "b")]).toEqual([
      "waiting: ContainerCreating",
      "waiting: ContainerCreating",
    ]);
    expect([instancesOf(cluster, "p", "a").length, instancesOf(cluster, "p", "b").length]).toEqual([1, 0]);
    cluster.untilReady("p");
    expect(stateOf(cluster, "p", "a")).toBe("running");
  });

  it("[POD-099] [POD-101] a postStart hook that fails ends its container, which starts again", () => {
    const cluster = startedCluster();
    const lifecycle = { postStart: { exec: { command: ["badcommand"] } } };
    cluster.createPod("p", { containers: [{ name: "c", image: "nginx:1.27", lifecycle }] });
    const seen: string[] = [];
    for (let second = 0; second < 10; second += 1) {
      cluster.simulation.advance(1_000);
      const state = `${stateOf(cluster, "p", "c")}, restarted ${statusOf(cluster, "p", "c")?.restartCount}`;
      if (seen.at(-1) !== state) seen.push(state);
    }
    expect(seen).toEqual([
      "waiting: PostStartHookError, restarted 0",
      "waiting: PostStartHookError, restarted 1",
      "waiting: CrashLoopBackOff, restarted 1",
    ]);
    expect(statusOf(cluster, "p", "c")?.lastState?.terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
    expect(cluster.eventsOf("p").filter((event) => !/ (Scheduled|Pulled|Created|Started) /u.test(event))).toEqual([
      "Warning FailedPostStartHook PostStartHook failed x2",
      "Normal Killing FailedPostStartHook x2",
      expect.stringMatching(/^Warning BackOff Back-off restarting failed container c in pod p_default\(.*\)$/u),
    ]);
  });

  /** The waiting message of a container whose postStart hook has just failed, and the kubelet's lines about hooks. */
  function failedStart(postStart: object): { readonly message: string; readonly lines: readonly string[] } {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [{ name: "c", image: "nginx:1.27", lifecycle: { postStart } }] });
    const isWaiting = (): boolean => stateOf(cluster, "p", "c") === "waiting: PostStartHookError";
    cluster.simulation.runUntil(isWaiting, { limitMs: 60_000 });
    const { uid } = cluster.pod("p").metadata;
    const plain = (text: string): string => text.replaceAll(uid, "UID").replaceAll(/[0-9a-f]{64}/gu, "ID");
    return {
      message: plain(statusOf(cluster, "p", "c")?.state?.waiting?.message ?? ""),
      lines: hookLines(cluster).map(plain),
    };
  }

  function hookLines(cluster: SmallCluster): readonly string[] {
    const texts = cluster.node.machine.journal.entries(["kubelet"]).map((entry) => entry.form(entry));
    return texts.map((text) => text.replace(/^.*?\] /u, "")).filter((text) => /^"[^"]*[Hh]ook/u.test(text));
  }

  const absent = 'exec: "badcommand": executable file not found in $PATH: unknown';
  it.each<readonly [string, object, string]>([
    [
      "[POD-100] of a command that is not there",
      { exec: { command: ["badcommand"] } },
      `Exec lifecycle hook ([badcommand]) for Container "c" in Pod "p_default(UID)" failed - error: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "ID": OCI runtime exec failed: exec failed: unable to start container process: ${absent}, message: ""`,
    ],
    [
      "[POD-107] of a command that fails, with what it printed",
      { exec: { command: ["sh", "-c", "echo out; echo err >&2; exit 3"] } },
      `Exec lifecycle hook ([sh -c echo out; echo err >&2; exit 3]) for Container "c" in Pod "p_default(UID)" failed - error: command 'sh -c echo out; echo err >&2; exit 3' exited with 3: err\n, message: "out\\nerr\\n"`,
    ],
    [
      "[POD-107] of a command that fails without a word",
      { exec: { command: ["false"] } },
      `Exec lifecycle hook ([false]) for Container "c" in Pod "p_default(UID)" failed - error: command 'false' exited with 1: , message: ""`,
    ],
    [
      "[POD-107] of a request that nobody answers",
      { httpGet: { path: "/", port: 81 } },
      'HTTP lifecycle hook (/) for Container "c" in Pod "p_default(UID)" failed - error: Get "http://10.244.1.2:81/": dial tcp 10.244.1.2:81: connect: connection refused',
    ],
    [
      "[POD-111] of a connection, which no kubelet opens",
      { tcpSocket: { port: 80 } },
      "Cannot run handler: invalid handler: &LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:&TCPSocketAction{Port:{0 80 },Host:,},Sleep:nil,}",
    ],
  ])("the waiting message %s", (_title, postStart, message) => {
    expect(failedStart(postStart).message).toBe(message);
  });

  it("[POD-100] the kubelet's journal has the cause, which no event has", () => {
    expect(failedStart({ exec: { command: ["false"] } }).lines).toEqual([
      `"Exec lifecycle hook for Container in Pod failed" execCommand=["false"] containerName="c" pod="default/p" message="" err="command 'false' exited with 1: "`,
      `"Failed to execute PostStartHook" err="command 'false' exited with 1: " pod="default/p" podUID="UID" containerName="c" containerID="containerd://ID"`,
    ]);
  });

  const talkative = { preStop: { exec: { command: ["sh", "-c", "echo hook > /proc/1/fd/1; sleep 2"] } } };

  it("[POD-102] [POD-105] a preStop hook runs before the signal, out of the same time", () => {
    const lifecycle = { preStop: { exec: { command: ["sh", "-c", "echo hook > /proc/1/fd/1; sleep 5"] } } };
    const obstinate = "trap 'echo term' TERM; while true; do sleep 1; done";
    const cluster = running(shell("c", obstinate, { lifecycle }), { terminationGracePeriodSeconds: 8 });
    const [container] = instancesOf(cluster, "p", "c");
    const log = (): string | undefined => container?.log.tailText(10, 100);
    cluster.client.delete(pods, key);
    cluster.simulation.advance(4_000);
    expect(log()).toBe("hook\n");
    expect(Math.abs(4 + secondsToEnd(cluster) - 8)).toBeLessThanOrEqual(1);
    expect(log()).toBe("hook\nterm\n");
  });

  it("[POD-103] a preStop hook does not run for a container that ended by itself", () => {
    const cluster = startedCluster();
    const lifecycle = { preStop: { exec: { command: ["badcommand"] } } };
    cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", "sleep 3", { lifecycle })] });
    cluster.simulation.advance(15_000);
    expect(stateOf(cluster, "p", "c")).toBe("terminated: Completed 0");
    expect(cluster.eventsOf("p").filter((event) => event.includes("FailedPreStopHook"))).toEqual([]);
  });

  it.each<readonly [string, object]>([
    ["whose command is not there", { exec: { command: ["badcommand"] } }],
    ["whose command fails without a word", { exec: { command: ["false"] } }],
    ["that nobody answers", { httpGet: { port: 81 } }],
    ["over TCP, which no kubelet opens", { tcpSocket: { port: 81 } }],
  ])("[POD-104] [POD-111] after a preStop hook %s the signal follows at once", (_title, preStop) => {
    const cluster = running(shell("c", orderly, { lifecycle: { preStop } }));
    expect(secondsToEnd(cluster)).toBeLessThan(5);
    expect(cluster.eventsOf("p").slice(-2)).toEqual([
      "Normal Killing Stopping container c",
      "Warning FailedPreStopHook PreStopHook failed",
    ]);
  });

  it("[POD-104] a preStop hook whose container ends under it has failed", () => {
    const preStop = { exec: { command: ["sh", "-c", "kill 1; while true; do sleep 1; done"] } };
    const cluster = running(shell("c", orderly, { lifecycle: { preStop } }));
    expect(secondsToEnd(cluster)).toBeLessThan(5);
    expect(cluster.eventsOf("p")).toContain("Warning FailedPreStopHook PreStopHook failed");
    expect(hookLines(cluster).some((text) => text.includes("exited with 137"))).toBe(true);
  });

  it("[POD-102] a preStop hook may ask nginx to end, and fails when it waits for that", () => {
    const preStop = { exec: { command: ["sh", "-c", "nginx -s quit; while true; do sleep 1; done"] } };
    const cluster = running({ name: "c", image: "nginx:1.27", lifecycle: { preStop } });
    expect(secondsToEnd(cluster)).toBeLessThan(5);
    expect(cluster.eventsOf("p").at(-1)).toBe("Warning FailedPreStopHook PreStopHook failed");
    expect(hookLines(cluster).join("\n")).toMatch(/exited with 137: .* \[notice\] \d+#\d+: signal process started/u);
  });

  it("[POD-106] [POD-266] [POD-105] after a preStop hook that hangs the signal comes with the end of the time, KILL 2 s later", () => {
    const preStop = { exec: { command: ["sleep", "3600"] } };
    const cluster = running(shell("c", "trap 'echo term' TERM; while true; do sleep 1; done", { lifecycle: { preStop } }), {
      terminationGracePeriodSeconds: 5,
    });
    const [container] = instancesOf(cluster, "p", "c");
    const log = (): string | undefined => container?.log.tailText(10, 100);
    cluster.client.delete(pods, key);
    cluster.simulation.advance(4_500);
    expect(log()).toBe("");
    cluster.simulation.advance(1_500);
    expect([log(), container?.state]).toEqual(["term\n", "running"]);
    cluster.simulation.advance(1_500);
    expect([container?.state, container?.exitCode]).toEqual(["exited", 137]);
    expect(cluster.eventsOf("p").slice(-2)).toEqual([
      "Normal Killing Stopping container c",
      "Warning FailedPreStopHook PreStopHook failed",
    ]);
  });

  it("[POD-109] a hook can only wait", () => {
    const preStop = { sleep: { seconds: 6 } };
    const cluster = running({ name: "c", image: "nginx:1.27", lifecycle: { preStop } });
    const seconds = secondsToEnd(cluster);
    expect([seconds >= 6, seconds <= 8]).toEqual([true, true]);
    expect(cluster.eventsOf("p").at(-1)).toBe("Normal Killing Stopping container c");
  });

  it("[POD-113] a preStop hook runs again when the kubelet starts again in its middle", () => {
    const preStop = { exec: { command: ["sh", "-c", "echo hook > /proc/1/fd/1; sleep 8"] } };
    const cluster = running(shell("c", "trap 'echo term; exit 0' TERM; while true; do sleep 1; done", { lifecycle: { preStop } }));
    const [container] = instancesOf(cluster, "p", "c");
    cluster.client.delete(pods, key);
    cluster.simulation.advance(3_000);
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    cluster.simulation.advance(20_000);
    expect(container?.log.tailText(10, 100)).toBe("hook\nhook\nterm\n");
    expect(cluster.eventsOf("p").filter((event) => event.includes("PreStop"))).toEqual([]);
  });

  it("[POD-107] any answer to a hook's request will do", () => {
    const answered = { postStart: { httpGet: { path: "/missing", port: 80 } } };
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [{ name: "c", image: "nginx:1.27", lifecycle: answered }] });
    cluster.simulation.advance(10_000);
    expect(cluster.eventsOf("p").filter((event) => event.includes("FailedPostStartHook"))).toEqual([]);
    const refused = { postStart: { httpGet: { path: "/", port: 81 } } };
    const other = startedCluster();
    other.createPod("p", { containers: [{ name: "c", image: "nginx:1.27", lifecycle: refused }] });
    other.simulation.advance(10_000);
    expect(other.eventsOf("p").some((event) => event.includes("FailedPostStartHook"))).toBe(true);
  });

  it("[POD-108] a request goes to the pod, to a port that may have a name", () => {
    const lifecycle = { postStart: { httpGet: { path: "/", port: "web" } } };
    const ports = [{ name: "web", containerPort: 80 }];
    const cluster = running({ name: "c", image: "nginx:1.27", ports, lifecycle });
    expect(logOf(cluster, "p", "c")).toMatch(/"GET \/ HTTP\/1.1" 200 .* "kube-lifecycle\/1.36"/u);
  });

  it("[POD-336] those of all containers start together", () => {
    const lifecycle = { preStop: { sleep: { seconds: 4 } } };
    const cluster = startedCluster();
    cluster.createPod("p", {
      initContainers: [shell("side", orderly, { lifecycle, restartPolicy: "Always" })],
      containers: [shell("a", orderly, { lifecycle }), shell("b", orderly, { lifecycle })],
    });
    cluster.untilReady("p");
    expect(secondsToEnd(cluster)).toBeLessThan(9);
  });

  it("[POD-102] runs also when a probe ends the container", () => {
    const livenessProbe = { exec: { command: ["false"] }, initialDelaySeconds: 3, periodSeconds: 1, failureThreshold: 1 };
    const cluster = startedCluster();
    cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", orderly, { lifecycle: talkative, livenessProbe })] });
    cluster.simulation.advance(20_000);
    expect(logOf(cluster, "p", "c")).toMatch(/hook\n(.*\n)*term/);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(0);
  });
});
