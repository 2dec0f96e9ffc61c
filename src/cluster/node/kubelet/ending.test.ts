import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../testing/small-cluster.ts";
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

  it("[POD-099] [POD-100] a postStart hook that fails ends its container", () => {
    const cluster = startedCluster();
    const lifecycle = { postStart: { exec: { command: ["badcommand"] } } };
    cluster.createPod("p", { terminationGracePeriodSeconds: 1, containers: [shell("c", "sleep 3600", { lifecycle })] });
    cluster.simulation.advance(30_000);
    expect(cluster.eventsOf("p")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Warning FailedPostStartHook PostStartHook failed( x\d)?$/),
        expect.stringMatching(/^Normal Killing FailedPostStartHook( x\d)?$/),
      ]),
    );
    expect(["waiting: PostStartHookError", "waiting: CrashLoopBackOff"]).toContain(stateOf(cluster, "p", "c"));
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

  it("[POD-104] after a preStop hook that fails the signal follows at once", () => {
    const lifecycle = { preStop: { exec: { command: ["badcommand"] } } };
    const cluster = running(shell("c", orderly, { lifecycle }));
    expect(secondsToEnd(cluster)).toBeLessThan(5);
    expect(cluster.eventsOf("p")).toContain("Warning FailedPreStopHook PreStopHook failed");
  });

  it("[POD-106] [POD-266] a preStop hook that hangs has 2 s more than the grace period", () => {
    const lifecycle = { preStop: { exec: { command: ["sleep", "3600"] } } };
    const cluster = running(shell("c", deaf, { lifecycle }), { terminationGracePeriodSeconds: 5 });
    const seconds = secondsToEnd(cluster);
    expect([seconds >= 7, seconds <= 10]).toEqual([true, true]);
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
    expect(logOf(cluster, "p", "c")).toContain('"GET / HTTP/1.1" 200');
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
