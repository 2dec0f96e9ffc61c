import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { noBytes } from "#sim/bytes.ts";
import { failedReply } from "#sim/grpc.ts";
import { conditionOf, instancesOf, logOf, shell, startedCluster, stateOf, statusOf } from "../kubelet.test-kit.ts";

const web = (more: object) => ({ name: "c", image: "nginx:1.27", ...more });
const soon = { periodSeconds: 1, failureThreshold: 2 };

/** Runs a pod with that container; answers the texts of its Unhealthy events without their counts. */
function unhealthy(container: object, spec: object = {}, seconds = 10) {
  const cluster = startedCluster();
  cluster.createPod("p", { terminationGracePeriodSeconds: 1, containers: [container as { name: string }], ...spec });
  cluster.simulation.advance(seconds * 1000);
  const texts = cluster
    .eventsOf("p")
    .filter((event) => event.startsWith("Warning Unhealthy "))
    .map((event) => event.replace("Warning Unhealthy ", "").replace(/ x\d+$/, ""));
  return { cluster, texts, podIp: cluster.pod("p").status?.podIP };
}

describe("what a probe asks", () => {
  it.each<readonly [string, object, boolean]>([
    ["[POD-225] a page that is there", { httpGet: { path: "/", port: 80 } }, true],
    ["[POD-225] a page that is not", { httpGet: { path: "/missing", port: 80 } }, false],
    ["[POD-227] a port by its name", { httpGet: { path: "/", port: "http" } }, true],
    ["[POD-229] a command that ends with 0", { exec: { command: ["true"] } }, true],
    ["[POD-229] a command that ends otherwise", { exec: { command: ["sh", "-c", "exit 3"] } }, false],
    ["[POD-229] a command that takes too long", { exec: { command: ["sleep", "5"] }, timeoutSeconds: 1 }, false],
    ["[POD-230] a port that listens", { tcpSocket: { port: 80 } }, true],
    ["[POD-230] a port that does not", { tcpSocket: { port: 81 } }, false],
  ])("%s", (_title, probe, isReady) => {
    const { cluster } = unhealthy(web({ ports: [{ name: "http", containerPort: 80 }], readinessProbe: { ...probe, ...soon } }));
    expect(cluster.isReady("p")).toBe(isReady);
    expect(conditionOf(cluster, "p", "Ready")).toBe(
      isReady ? "True" : "False ContainersNotReady containers with unready status: [c]",
    );
  });

  it("[POD-236] words a refused connection", () => {
    const { texts, podIp } = unhealthy(web({ livenessProbe: { tcpSocket: { port: 81 }, ...soon } }));
    expect(texts).toEqual([`Liveness probe failed: dial tcp ${podIp}:81: connect: connection refused`]);
  });

  it("[POD-235] words an answer that does not come", () => {
    const livenessProbe = { httpGet: { port: 8080 }, periodSeconds: 3, timeoutSeconds: 2, failureThreshold: 9 };
    const { texts, podIp } = unhealthy(shell("c", "nc -lk -p 8080 > /dev/null", { livenessProbe }));
    expect(texts).toEqual([
      `Liveness probe failed: Get "http://${podIp}:8080/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    ]);
  });

  it.each([
    [{ httpGet: { host: "db", port: 80, path: "/up" } }, 'Get "http://db:80/up": dial tcp: lookup db: no such host'],
    [
      { httpGet: { host: "localhost", port: 81 } },
      'Get "http://localhost:81/": dial tcp 127.0.0.1:81: connect: connection refused',
    ],
    [{ tcpSocket: { host: "999.1.1.1", port: 80 } }, "dial tcp: lookup 999.1.1.1: no such host"],
  ])("words a host that is the node or that it does not know: %o", (probe, text) => {
    expect(unhealthy(web({ livenessProbe: { ...probe, ...soon } })).texts).toEqual([`Liveness probe failed: ${text}`]);
  });

  it("[POD-232] [POD-227] a probe that cannot be made changes nothing", () => {
    const { cluster, texts } = unhealthy(web({ livenessProbe: { httpGet: { port: "nope" }, ...soon } }), {}, 30);
    expect(texts).toEqual(['Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "nope": invalid syntax']);
    expect([stateOf(cluster, "p", "c"), statusOf(cluster, "p", "c")?.restartCount]).toEqual(["running", 0]);
  });

  it.each([
    ["/healthz", ["Unhealthy Liveness probe failed: HTTP probe failed with statuscode: 500"]],
    [
      "http://0.0.0.0/",
      ['ProbeWarning Liveness probe warning: Probe terminated redirects, Response body: <a href="http://0.0.0.0/">Found</a>.'],
    ],
    ["/redirect", ["Unhealthy Liveness probe failed: HTTP probe failed with statuscode: 404"]],
  ])("follows redirects on the same host: to %s", (location, wanted) => {
    const liveness = {
      name: "c",
      image: "registry.k8s.io/e2e-test-images/agnhost:2.40",
      args: ["liveness"],
      livenessProbe: {
        httpGet: {
          path: `/redirect?loc=${encodeURIComponent(location === "/redirect" ? "/redirect?loc=nope" : location)}`,
          port: 8080,
        },
        initialDelaySeconds: 12,
        failureThreshold: 1,
      },
    };
    const { cluster } = unhealthy(liveness, {}, 18);
    const events = cluster.eventsOf("p").filter((event) => /^Warning (?:Unhealthy|ProbeWarning) /u.test(event));
    expect(events.map((event) => event.replace(/^Warning /u, "").replace(/\s*(?: x\d+)?$/u, ""))).toEqual(wanted);
  });

  it("[POD-226] comes from the node, by name", () => {
    const { cluster } = unhealthy(web({ readinessProbe: { httpGet: { path: "/", port: 80 }, ...soon } }));
    expect(logOf(cluster, "p", "c")).toContain('"GET / HTTP/1.1" 200');
    expect(logOf(cluster, "p", "c")).toContain('"kube-probe/1.36"');
  });
});

describe("a gRPC probe", () => {
  const serving = (...args: readonly string[]) => ({
    name: "c",
    image: "registry.k8s.io/e2e-test-images/agnhost:2.40",
    args: ["grpc-health-checking", ...args],
  });
  const asking = (container: object, grpc: object, timeoutSeconds = 1) =>
    unhealthy({ ...container, readinessProbe: { grpc, periodSeconds: 2, timeoutSeconds } }, {}, 20);

  it("[POD-231] is content with a server that serves", () => {
    expect(asking(serving(), { port: 5000 }).cluster.isReady("p")).toBe(true);
    const named = asking(serving("--service", "mine"), { port: 5000, service: "mine" });
    expect([named.cluster.isReady("p"), named.texts]).toEqual([true, []]);
    expect(logOf(named.cluster, "p", "c")).toContain(" gRPC server starting to listen on :5000\n");
  });

  it.each<[string, object, object, number, string]>([
    [
      "a server that does not serve",
      serving("--delay-unhealthy-sec", "0"),
      { port: 5000 },
      1,
      'service unhealthy (responded with "NOT_SERVING")',
    ],
    [
      "a server that does not know the service",
      serving(),
      { port: 5000, service: "other" },
      1,
      "error: health rpc probe failed: rpc error: code = NotFound desc = unknown service",
    ],
    [
      "a port where nobody listens, once the time is over",
      serving(),
      { port: 5001 },
      2,
      'timeout: failed to connect service "IP:5001" within 2s: context deadline exceeded',
    ],
    [
      "a server of pages",
      web({}),
      { port: 80 },
      1,
      'timeout: failed to connect service "IP:80" within 1s: context deadline exceeded',
    ],
  ])("[POD-231] complains of %s", (_title, container, grpc, timeoutSeconds, text) => {
    const { cluster, texts, podIp = "" } = asking(container, grpc, timeoutSeconds);
    expect(cluster.isReady("p")).toBe(false);
    expect(texts).toEqual([`Readiness probe failed: ${text.replace("IP", podIp)}`]);
  });

  it("[POD-231] complains of a server without the health protocol", () => {
    const cluster = startedCluster();
    const { headers, body } = failedReply(12, "unknown service grpc.health.v1.Health");
    cluster.node.machine.network.host.listen({ port: 7000, onHttp: (_request, _peer, it) => it.reply(200, headers, body) });
    cluster.createPod("p", { hostNetwork: true, containers: [web({ livenessProbe: { grpc: { port: 7000 }, periodSeconds: 2 } })] });
    cluster.simulation.advance(4_000);
    expect(
      cluster
        .eventsOf("p")
        .find((event) => event.includes("Unhealthy"))
        ?.replace(/ x\d$/u, ""),
    ).toBe(
      "Warning Unhealthy Liveness probe failed: error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service grpc.health.v1.Health",
    );
  });

  it("[POD-231] follows what the server is told", () => {
    const { cluster, podIp = "" } = asking(serving("--http-port", "8081"), { port: 5000 });
    const tell = (path: string): void => {
      const request = { method: "GET", target: path, headers: {}, body: noBytes };
      cluster.node.machine.network.host.request({ address: podIp, port: 8081 }, request, {}, () => {});
      cluster.simulation.advance(10_000);
    };
    tell("/make-not-serving");
    expect([cluster.isReady("p"), statusOf(cluster, "p", "c")?.restartCount]).toEqual([false, 0]);
    tell("/make-serving");
    expect(cluster.isReady("p")).toBe(true);
  });
});

describe("when a probe asks, and what follows", () => {
  it("[POD-238] after the initial delay, then every period", () => {
    const cluster = startedCluster();
    const readinessProbe = { exec: { command: ["sh", "-c", "date +%s >> /tmp/asked"] }, initialDelaySeconds: 5, periodSeconds: 3 };
    cluster.createPod("p", { containers: [shell("c", "sleep 20; cat /tmp/asked; sleep 3600", { readinessProbe })] });
    cluster.simulation.advance(30_000);
    const asked = logOf(cluster, "p", "c").trim().split("\n").map(Number);
    const startedSeconds = (instancesOf(cluster, "p", "c")[0]?.startedMs ?? 0) / 1000;
    const [first = 0] = asked;
    expect([first - startedSeconds >= 4, first - startedSeconds <= 7]).toEqual([true, true]);
    expect(asked.slice(1).map((time, index) => time - (asked[index] as number))).toEqual(asked.slice(1).map(() => 3));
  });

  it("[POD-245] a container that is not to restart is killed all the same", () => {
    const { cluster } = unhealthy(
      shell("c", "sleep 3600", { livenessProbe: { exec: { command: ["false"] }, ...soon } }),
      { restartPolicy: "Never" },
      20,
    );
    expect(cluster.eventsOf("p")).toContain("Normal Killing Container c failed liveness probe");
    expect(cluster.pod("p").status?.phase).toBe("Failed");
  });

  it("[POD-241] a container that is to restart is not asked any more, however long it takes to end", () => {
    const livenessProbe = { exec: { command: ["false"] }, ...soon };
    const { cluster } = unhealthy(
      shell("c", "trap '' TERM; while true; do sleep 1; done", { livenessProbe }),
      { terminationGracePeriodSeconds: 10 },
      11,
    );
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(0);
    expect(cluster.eventsOf("p").slice(-2)).toEqual([
      "Warning Unhealthy Liveness probe failed:  x2",
      "Normal Killing Container c failed liveness probe, will be restarted",
    ]);
    cluster.simulation.advance(8_000);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(1);
    expect(cluster.eventsOf("p").find((event) => event.includes("Unhealthy"))).toMatch(/ x[34]$/u);
  });

  it("[POD-246] [POD-251] [POD-185] without probes it is ready once it runs, for ever", () => {
    const { cluster } = unhealthy(shell("c", "sleep 36000"), {}, 600);
    expect(statusOf(cluster, "p", "c")).toMatchObject({ ready: true, started: true, restartCount: 0 });
  });

  it("[POD-250] [POD-162] [POD-163] [POD-167] readiness comes and goes without a restart", () => {
    const cluster = startedCluster();
    const readinessProbe = { exec: { command: ["test", "-f", "/tmp/ok"] }, periodSeconds: 1, failureThreshold: 3 };
    cluster.createPod("p", { containers: [shell("c", "touch /tmp/ok; sleep 10; rm /tmp/ok; sleep 3600", { readinessProbe })] });
    cluster.untilReady("p");
    const scheduled = () => cluster.pod("p").status?.conditions?.find(({ type }) => type === "Initialized")?.lastTransitionTime;
    const before = scheduled();
    cluster.simulation.advance(15_000);
    const unready = "False ContainersNotReady containers with unready status: [c]";
    expect([conditionOf(cluster, "p", "ContainersReady"), conditionOf(cluster, "p", "Ready")]).toEqual([unready, unready]);
    expect([stateOf(cluster, "p", "c"), statusOf(cluster, "p", "c")?.restartCount, scheduled()]).toEqual(["running", 0, before]);
  });

  it("[POD-254] [POD-240] [POD-256] until it has started nothing else is asked", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      containers: [
        shell("c", "sleep 8; touch /tmp/started; sleep 8; rm /tmp/started; sleep 3600", {
          startupProbe: { exec: { command: ["test", "-f", "/tmp/started"] }, periodSeconds: 1, failureThreshold: 30 },
          livenessProbe: { exec: { command: ["sh", "-c", "echo asked >> /proc/1/fd/1"] }, periodSeconds: 1 },
        }),
      ],
    });
    cluster.simulation.advance(7_000);
    expect([statusOf(cluster, "p", "c")?.started, logOf(cluster, "p", "c")]).toEqual([false, ""]);
    cluster.simulation.advance(30_000);
    expect(statusOf(cluster, "p", "c")).toMatchObject({ started: true, restartCount: 0 });
    expect(logOf(cluster, "p", "c")).toContain("asked\n");
  });

  it("[POD-255] [POD-257] [POD-242] one that does not start in its time is killed, and the next has all of it again", () => {
    const startupProbe = { exec: { command: ["false"] }, initialDelaySeconds: 2, periodSeconds: 2, failureThreshold: 4 };
    const { cluster, texts } = unhealthy(shell("c", "sleep 3600", { startupProbe }), {}, 9);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(0);
    expect(texts[0]).toContain("Startup probe failed");
    cluster.simulation.advance(6_000);
    expect(cluster.eventsOf("p")).toContain("Normal Killing Container c failed startup probe, will be restarted");
    cluster.simulation.advance(4_000);
    expect([stateOf(cluster, "p", "c"), statusOf(cluster, "p", "c")?.restartCount]).toEqual(["running", 1]);
  });
});

describe("a pod that is being deleted", () => {
  it("[POD-239] is still asked whether it is ready, not whether it lives", () => {
    const cluster = startedCluster();
    const saying = (word: string) => ({ exec: { command: ["sh", "-c", `echo ${word} >> /proc/1/fd/1`] }, periodSeconds: 1 });
    const script = "trap 'echo term; sleep 6; exit 0' TERM; while true; do sleep 1; done";
    cluster.createPod("p", {
      containers: [shell("c", script, { livenessProbe: saying("alive"), readinessProbe: saying("ready") })],
    });
    cluster.untilReady("p");
    cluster.simulation.advance(5_000);
    cluster.client.delete(pods, { namespace: "default", name: "p" });
    cluster.simulation.advance(5_000);
    const after = logOf(cluster, "p", "c").split("term\n")[1] ?? "";
    expect([after.includes("ready"), after.includes("alive")]).toEqual([true, false]);
  });
});

describe("readiness gates", () => {
  const gated = { readinessGates: [{ conditionType: "www.example.com/feature-1" }] };

  it("[POD-164] [POD-177] [POD-178] [POD-171] a pod is ready when others say so too", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [web({})], ...gated });
    cluster.simulation.advance(8_000);
    expect([conditionOf(cluster, "p", "ContainersReady"), conditionOf(cluster, "p", "Ready")]).toEqual([
      "True",
      'False ReadinessGatesNotReady corresponding condition of pod readiness gate "www.example.com/feature-1" does not exist.',
    ]);
    const say = (status: string) => {
      const pod = cluster.pod("p");
      const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "www.example.com/feature-1");
      const conditions = [...others, { type: "www.example.com/feature-1", status }];
      cluster.client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } });
      cluster.simulation.advance(2_000);
    };
    say("True");
    expect(conditionOf(cluster, "p", "Ready")).toBe("True");
    say("False");
    expect(conditionOf(cluster, "p", "Ready")).toBe(
      'False ReadinessGatesNotReady the status of pod readiness gate "www.example.com/feature-1" is not "True", but False',
    );
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(0);
  });

  it("[POD-171] leave the kubelet its own conditions: what others write over them holds for ten seconds at most", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [web({})], ...gated });
    cluster.simulation.advance(30_000);
    const write = (conditions: readonly { type: string; status: string }[]) => {
      const pod = cluster.pod("p");
      cluster.client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } });
    };
    const written = cluster.pod("p").status?.conditions ?? [];
    write(written.map((condition) => (condition.type === "Ready" ? { type: "Ready", status: "True" } : condition)));
    expect(conditionOf(cluster, "p", "Ready")).toBe("True");
    cluster.simulation.advance(10_000);
    expect(conditionOf(cluster, "p", "Ready")).toMatch(/^False ReadinessGatesNotReady /u);

    write([{ type: "www.example.com/feature-1", status: "True" }]);
    cluster.simulation.advance(10_000);
    expect(conditionOf(cluster, "p", "Ready")).toBe("True");
    // A list without the condition of a gate is a gate that is not met.
    write([{ type: "www.example.com/other", status: "True" }]);
    cluster.simulation.advance(10_000);
    expect(conditionOf(cluster, "p", "Ready")).toMatch(/ does not exist\.$/u);
    const types = cluster.pod("p").status?.conditions?.map(({ type }) => type);
    expect(types?.sort()).toEqual([
      "ContainersReady",
      "Initialized",
      "PodReadyToStartContainers",
      "PodScheduled",
      "Ready",
      "www.example.com/other",
    ]);
  });
});
