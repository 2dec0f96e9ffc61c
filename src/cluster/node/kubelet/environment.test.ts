import { describe, expect, it } from "vitest";
import { services } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../small-cluster.test-kit.ts";
import { conditionOf, instancesOf, logOf, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

function withService(name: string, spec: object = {}): SmallCluster {
  const cluster = startedCluster();
  addService(cluster, name, spec);
  return cluster;
}

function addService(cluster: SmallCluster, name: string, spec: object = {}, namespace = "default"): void {
  const ports = [{ name: "http", port: 80 }];
  cluster.client.create(services, { metadata: { name, namespace }, spec: { clusterIP: "10.96.0.77", ports, ...spec } });
}

/** What a container of busybox prints. */
function printed(cluster: SmallCluster, script: string, more: object = {}, spec: object = {}, metadata: object = {}): string {
  cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", script, more)], ...spec }, metadata);
  cluster.simulation.advance(10_000);
  return logOf(cluster, "p", "c");
}

const value = (name: string, text: string) => ({ name, value: text });
const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const amount = (name: string, resource: string, divisor?: string) => ({
  name,
  valueFrom: { resourceFieldRef: { resource, ...(divisor === undefined ? {} : { divisor }) } },
});

describe("variables for services", () => {
  it("[NET-188] give an address, and the same once more as Docker's links did", () => {
    const cluster = withService("redis-primary", { clusterIP: "10.96.0.11", ports: [{ port: 6379, protocol: "TCP" }] });
    expect(printed(cluster, "env | grep ^REDIS | sort")).toBe(
      [
        "REDIS_PRIMARY_PORT=tcp://10.96.0.11:6379",
        "REDIS_PRIMARY_PORT_6379_TCP=tcp://10.96.0.11:6379",
        "REDIS_PRIMARY_PORT_6379_TCP_ADDR=10.96.0.11",
        "REDIS_PRIMARY_PORT_6379_TCP_PORT=6379",
        "REDIS_PRIMARY_PORT_6379_TCP_PROTO=tcp",
        "REDIS_PRIMARY_SERVICE_HOST=10.96.0.11",
        "REDIS_PRIMARY_SERVICE_PORT=6379",
        "",
      ].join("\n"),
    );
  });

  it("[NET-189] call the first port the Service's, whatever the others' names are", () => {
    const coap = { name: "coap", port: 5683, protocol: "UDP" };
    const cluster = withService("locks", { ports: [coap, { name: "http", port: 80 }] });
    const names = "$LOCKS_SERVICE_PORT $LOCKS_SERVICE_PORT_COAP $LOCKS_SERVICE_PORT_HTTP $LOCKS_PORT $LOCKS_PORT_80_TCP";
    expect(printed(cluster, `echo ${names}`)).toBe("5683 5683 80 udp://10.96.0.77:5683 tcp://10.96.0.77:80\n");
  });

  it("[NET-187] are of the Services with an address in the Pod's namespace, and of the API server's unless one there has its name", () => {
    const cluster = withService("web");
    addService(cluster, "elsewhere", { clusterIP: "10.96.0.78" }, "kube-system");
    addService(cluster, "kubernetes", { clusterIP: "10.96.0.79" }, "kube-system");
    addService(cluster, "peers", { clusterIP: "None" });
    addService(cluster, "outside", { type: "ExternalName", externalName: "api.example.org", clusterIP: "" });
    expect(printed(cluster, "env | grep _SERVICE_HOST | sort")).toBe(
      "KUBERNETES_SERVICE_HOST=10.96.0.1\nWEB_SERVICE_HOST=10.96.0.77\n",
    );
    cluster.createPod(
      "q",
      { restartPolicy: "Never", containers: [shell("c", "env | grep _SERVICE_HOST | sort")] },
      { namespace: "kube-system" },
    );
    cluster.simulation.advance(10_000);
    const { uid } = cluster.pod("q", "kube-system").metadata;
    expect(cluster.node.runtime.containersOf(uid)[0]?.log.tailText(1000, 100_000)).toBe(
      "ELSEWHERE_SERVICE_HOST=10.96.0.78\nKUBERNETES_SERVICE_HOST=10.96.0.79\n",
    );
  });

  it("[NET-191] of very many Services leave no program room to start, and it starts without them", () => {
    const cluster = startedCluster();
    const ports = Array.from({ length: 100 }, (_, index) => ({ name: `p${index}`, port: 20_000 + index }));
    for (let index = 0; index < 60; index += 1)
      addService(cluster, `service-with-a-long-name-that-fills-the-environment-${index}`, {
        ports,
        clusterIP: `10.96.1.${index + 1}`,
      });
    const containers = [shell("c", "sleep 3600")];
    cluster.createPod("p", { restartPolicy: "Never", containers });
    cluster.createPod("q", { enableServiceLinks: false, containers });
    cluster.simulation.advance(10_000);
    expect([logOf(cluster, "p", "c"), stateOf(cluster, "p", "c")]).toEqual([
      "exec /bin/sh: argument list too long\n",
      "terminated: Error 255",
    ]);
    expect(stateOf(cluster, "q", "c")).toBe("running");
  });

  it("[POD-071] name ports too", () => {
    expect(printed(withService("my-web"), "env | grep ^MY_WEB | sort")).toBe(
      [
        "MY_WEB_PORT=tcp://10.96.0.77:80",
        "MY_WEB_PORT_80_TCP=tcp://10.96.0.77:80",
        "MY_WEB_PORT_80_TCP_ADDR=10.96.0.77",
        "MY_WEB_PORT_80_TCP_PORT=80",
        "MY_WEB_PORT_80_TCP_PROTO=tcp",
        "MY_WEB_SERVICE_HOST=10.96.0.77",
        "MY_WEB_SERVICE_PORT=80",
        "MY_WEB_SERVICE_PORT_HTTP=80",
        "",
      ].join("\n"),
    );
  });

  it("[POD-072] leave out services without an address", () => {
    expect(printed(withService("web", { clusterIP: "None" }), "env | grep -c ^WEB_")).toBe("0\n");
  });

  it("[POD-074] [POD-069] [NET-191] can be switched off, but for the API server's", () => {
    const cluster = withService("web");
    expect(printed(cluster, "env | grep -c ^WEB_; echo $KUBERNETES_SERVICE_HOST", {}, { enableServiceLinks: false })).toBe(
      "0\n10.96.0.1\n",
    );
  });

  it("[POD-073] [NET-190] are those of the container's start", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "echo [$WEB_SERVICE_HOST]; sleep 10; exit 1")] });
    cluster.simulation.advance(6_000);
    addService(cluster, "web");
    expect(logOf(cluster, "p", "c")).toBe("[]\n");
    cluster.simulation.advance(15_000);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBe(1);
    expect(logOf(cluster, "p", "c")).toBe("[10.96.0.77]\n");
  });

  it("[NET-192] may be named in the Pod's own, and in its command, and a name that nothing has stays as it is", () => {
    const env = [value("URL", "http://$(WEB_SERVICE_HOST):$(WEB_SERVICE_PORT)/"), value("OTHER", "http://$(LATER_SERVICE_HOST)/")];
    expect(printed(withService("web"), "echo $URL $OTHER $(WEB_SERVICE_PORT_HTTP)", { env })).toBe(
      "http://10.96.0.77:80/ http://$(LATER_SERVICE_HOST)/ 80\n",
    );
  });

  it("[POD-075] [NET-192] give way to the pod's own, which give way to none", () => {
    const env = [value("WEB_SERVICE_HOST", "own"), value("HOME", "/here")];
    expect(printed(withService("web"), "echo $WEB_SERVICE_HOST $WEB_SERVICE_PORT $HOME", { env })).toBe("own 80 /here\n");
  });
});

describe("facts about the pod", () => {
  it("[POD-076] as variables", () => {
    const env = [
      field("A", "metadata.name"),
      field("B", "metadata.namespace"),
      field("C", "metadata.labels['app']"),
      field("D", "metadata.annotations['example.com/note']"),
      field("E", "spec.nodeName"),
      field("F", "spec.serviceAccountName"),
      field("G", "status.podIP"),
      field("H", "status.hostIP"),
      field("I", "status.podIPs"),
      field("J", "status.hostIPs"),
    ];
    const metadata = { labels: { app: "web" }, annotations: { "example.com/note": "hello" } };
    const cluster = startedCluster();
    expect(printed(cluster, "echo $A $B $C $D $E $F $G $H $I $J", { env }, {}, metadata)).toBe(
      "p default web hello node-1 default 10.244.1.2 10.0.0.3 10.244.1.2 10.0.0.3\n",
    );
  });

  it("[POD-077] the node's amounts stand in for limits that are missing", () => {
    const env = [
      amount("CPU", "limits.cpu"),
      amount("MEMORY", "limits.memory", "1Mi"),
      amount("REQUEST", "requests.memory", "1Mi"),
    ];
    const resources = { requests: { memory: "64Mi" } };
    expect(printed(startedCluster(), "echo $CPU $MEMORY $REQUEST", { env, resources })).toMatch(/^2 \d{4} 64\n$/);
  });

  it("[POD-067] the host's name is the pod's unless it says otherwise", () => {
    const long = "a".repeat(70);
    const cluster = startedCluster();
    cluster.createPod(long, { restartPolicy: "Never", containers: [shell("c", "hostname")] });
    cluster.createPod("named", { restartPolicy: "Never", hostname: "other", containers: [shell("c", "hostname")] });
    cluster.createPod("host", { restartPolicy: "Never", hostNetwork: true, containers: [shell("c", "hostname")] });
    cluster.simulation.advance(10_000);
    expect([long, "named", "host"].map((pod) => logOf(cluster, pod, "c"))).toEqual([`${"a".repeat(63)}\n`, "other\n", "node-1\n"]);
  });
});

describe("inside a pod", () => {
  it("[POD-128] containers reach each other on the loopback and have one address", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      containers: [
        { name: "web", image: "nginx:1.27" },
        shell("c", "sleep 3; wget -qO- http://127.0.0.1:80/ | grep -c nginx; sleep 3600"),
        shell("a", "hostname -i"),
        shell("b", "hostname -i"),
      ],
    });
    cluster.simulation.advance(12_000);
    expect(Number(logOf(cluster, "p", "c"))).toBeGreaterThan(0);
    const address = `${cluster.pod("p").status?.podIP}\n`;
    expect([logOf(cluster, "p", "a"), logOf(cluster, "p", "b")]).toEqual([address, address]);
  });

  it("[POD-080] what is written is gone after a restart", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "cat /tmp/x; echo x > /tmp/x; sleep 4; exit 1")] });
    cluster.simulation.advance(12_000);
    expect(statusOf(cluster, "p", "c")?.restartCount).toBeGreaterThan(0);
    expect(logOf(cluster, "p", "c")).toContain("No such file or directory");
  });

  it("[POD-184] [POD-168] [POD-568] [POD-145] the status says when, where and of which generation", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "sleep 3600")] });
    cluster.simulation.advance(200);
    const { status } = cluster.pod("p");
    expect([status?.phase, status?.hostIP, status?.startTime]).toEqual(["Pending", "10.0.0.3", "2026-01-01T00:00:01Z"]);
    cluster.untilReady("p");
    expect(statusOf(cluster, "p", "c")?.containerID).toMatch(/^containerd:\/\/[0-9a-f]{64}$/);
    expect(cluster.pod("p").status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([1, 1, 1, 1, 1]);
    expect(cluster.pod("p").status?.phase).toBe("Running");
  });

  it("[POD-158] [POD-025] its network is there before its images", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [{ name: "c", image: "nginx:1.91" }] });
    cluster.simulation.advance(100);
    expect(conditionOf(cluster, "p", "PodReadyToStartContainers")).toBe("False");
    cluster.simulation.advance(10_000);
    expect([conditionOf(cluster, "p", "PodReadyToStartContainers"), cluster.pod("p").status?.phase]).toEqual(["True", "Pending"]);
  });

  it("[POD-155] [POD-148] ends when its time is over, and stays so", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { activeDeadlineSeconds: 10, terminationGracePeriodSeconds: 1, containers: [shell("c", "sleep 3600")] });
    cluster.simulation.advance(20_000);
    const message = "Pod was active on the node longer than the specified deadline";
    expect(cluster.pod("p").status).toMatchObject({ phase: "Failed", reason: "DeadlineExceeded", message });
    expect(cluster.eventsOf("p")).toContain(`Normal DeadlineExceeded ${message}`);
    cluster.simulation.advance(60_000);
    expect(cluster.pod("p").status?.phase).toBe("Failed");
  });

  it("[POD-179] [POD-180] a container is in one state, and has one before", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "sleep 3; exit 5")] });
    cluster.simulation.advance(9_000);
    const { state = {}, lastState } = statusOf(cluster, "p", "c") ?? {};
    expect(Object.keys(state)).toHaveLength(1);
    const { containerID, startedAt, finishedAt } = lastState?.terminated ?? {};
    expect(lastState).toEqual({ terminated: { containerID, exitCode: 5, finishedAt, reason: "Error", startedAt } });
    expect([containerID?.startsWith("containerd://"), startedAt !== finishedAt]).toEqual([true, true]);
    cluster.simulation.advance(3_000);
    expect(Object.keys(statusOf(cluster, "p", "c")?.state ?? {})).toEqual(["waiting"]);
    expect(statusOf(cluster, "p", "c")?.state?.waiting?.reason).toBe("CrashLoopBackOff");
  });

  it("[POD-186] the end of the log stands in for a message when asked to", () => {
    const cluster = startedCluster();
    const terminationMessagePolicy = "FallbackToLogsOnError";
    cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", "echo why; exit 1", { terminationMessagePolicy })] });
    cluster.simulation.advance(8_000);
    expect(statusOf(cluster, "p", "c")?.state?.terminated?.message).toBe("why\n");
    expect(instancesOf(cluster, "p", "c")).toHaveLength(1);
  });
});
