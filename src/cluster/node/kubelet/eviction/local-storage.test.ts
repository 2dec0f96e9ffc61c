import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import { nodes } from "#cluster/api/kinds.ts";
import type { LogOptions } from "#cluster/apiserver/kubelet-gateway.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { NodeGateway } from "../../gateway.ts";
import { kubeletOptionsOf } from "../configuration.ts";
import { shell, startedCluster } from "../kubelet.test-kit.ts";

const mebibyte = 1024 ** 2;

/** Writes so many MiB of nothing, then sleeps. */
function writing(name: string, mebibytes: number, path = "/f", more: object = {}) {
  return shell(name, `dd if=/dev/zero of=${path} bs=1M count=${mebibytes}; sleep 100000`, more);
}

const limited = (limit: string) => ({ resources: { limits: { "ephemeral-storage": limit } } });
const mounted = { volumeMounts: [{ name: "v", mountPath: "/v" }] };
const emptyDir = (more: object) => ({ volumes: [{ name: "v", emptyDir: more }] });

/** How a Pod fares within two minutes: `Running`, or why it failed. */
function fateOf(spec: Partial<PodSpec>, kubelet = {}): string {
  const cluster = startedCluster({ kubelet: kubeletOptionsOf(kubelet) });
  cluster.createPod("p", { restartPolicy: "Never", ...spec });
  cluster.simulation.advance(120_000);
  const { phase, reason, message } = cluster.pod("p").status ?? {};
  return [phase, reason, message].filter((part) => part !== undefined).join(" ");
}

describe("limits of local storage", () => {
  it("[POD-490] counts logs that were rotated", () => {
    // 48 KiB a turn, where a log of 16 KiB is rotated: the current file alone never comes to the limit.
    const chatty = shell(
      "c",
      "for i in 1 2 3 4 5; do head -c 36000 /dev/urandom | base64; sleep 12; done; sleep 100000",
      limited("80Ki"),
    );
    const fate = fateOf({ containers: [chatty] }, { containerLogMaxSize: "16Ki", containerLogMaxFiles: 5 });
    expect(fate).toMatch(/^Failed Evicted .+ (?:exceeds|exceeded) .+80Ki/u);
  });

  it.each<[string, Partial<PodSpec>, string]>([
    [
      "[POD-491] of a container, layer",
      { containers: [writing("c", 150, "/f", limited("100Mi")), shell("o", "sleep 100000", limited("100Mi"))] },
      'Failed Evicted Container c exceeded its local ephemeral storage limit "100Mi". ',
    ],
    [
      "[POD-490] [POD-491] of a container, logs",
      {
        containers: [shell("c", "seq 1 60000; sleep 100000", limited("2M")), shell("o", "sleep 100000", limited("100Mi"))],
      },
      'Failed Evicted Container c exceeded its local ephemeral storage limit "2M". ',
    ],
    [
      "[POD-492] of the Pod, which is looked at before containers",
      { containers: [writing("c", 250, "/f", limited("100Mi")), shell("o", "sleep 100000", limited("100Mi"))] },
      "Failed Evicted Pod ephemeral local storage usage exceeds the total limit of containers 200Mi. ",
    ],
    [
      "[POD-490] [POD-492] of the Pod, with what is in emptyDirs",
      { ...emptyDir({}), containers: [writing("c", 150, "/v/f", { ...limited("100Mi"), ...mounted })] },
      "Failed Evicted Pod ephemeral local storage usage exceeds the total limit of containers 100Mi. ",
    ],
    [
      "[POD-493] [NET-276] of an emptyDir",
      { ...emptyDir({ sizeLimit: "10Mi" }), containers: [writing("c", 11, "/v/f", mounted)] },
      'Failed Evicted Usage of EmptyDir volume "v" exceeds the limit "10Mi". ',
    ],
    [
      "[POD-493] of an emptyDir, which its directory itself counts in",
      { ...emptyDir({ sizeLimit: "10Mi" }), containers: [writing("c", 10, "/v/f", mounted)] },
      'Failed Evicted Usage of EmptyDir volume "v" exceeds the limit "10Mi". ',
    ],
    [
      "[POD-493] of an emptyDir, below a subPath",
      {
        ...emptyDir({ sizeLimit: "10Mi" }),
        containers: [writing("c", 11, "/v/f", { volumeMounts: [{ name: "v", mountPath: "/v", subPath: "a/b" }] })],
      },
      'Failed Evicted Usage of EmptyDir volume "v" exceeds the limit "10Mi". ',
    ],
    [
      "[POD-493] kept to",
      { ...emptyDir({ sizeLimit: "10Mi" }), containers: [writing("c", 9, "/v/f", { ...limited("100Mi"), ...mounted })] },
      "Running",
    ],
    [
      "[POD-496] of an emptyDir in memory: its file system is full, nothing else happens",
      {
        ...emptyDir({ sizeLimit: "10Mi", medium: "Memory" }),
        containers: [writing("c", 11, "/v/f", { ...limited("5Mi"), ...mounted })],
      },
      "Running",
    ],
    [
      "[POD-495] of an init container, which counts for the Pod",
      { initContainers: [writing("i", 150, "/f", limited("100Mi"))], containers: [shell("c", "true", limited("20Mi"))] },
      "Failed Evicted Pod ephemeral local storage usage exceeds the total limit of containers 100Mi. ",
    ],
    [
      "[POD-495] of a sidecar",
      {
        initContainers: [{ ...writing("s", 150, "/f", limited("100Mi")), restartPolicy: "Always" }],
        containers: [shell("c", "sleep 100000", limited("100Mi"))],
      },
      'Failed Evicted Container s exceeded its local ephemeral storage limit "100Mi". ',
    ],
  ])("%s", (_title, spec, fate) => {
    expect(fateOf(spec)).toBe(fate);
  });

  it("[POD-498] count for nothing without localStorageCapacityIsolation, and the node has no such resource", () => {
    const kubelet = { localStorageCapacityIsolation: false };
    expect(fateOf({ containers: [writing("c", 150, "/f", limited("100Mi"))] }, kubelet)).toBe("Running");
    const cluster = startedCluster({ kubelet: kubeletOptionsOf(kubelet) });
    const { capacity = {}, allocatable = {} } = cluster.client.get(nodes, { namespace: "", name: "node-1" }).status ?? {};
    expect([capacity["ephemeral-storage"], allocatable["ephemeral-storage"]]).toEqual([undefined, undefined]);
  });

  it("[POD-489] are of a resource that the node has", () => {
    const cluster = startedCluster();
    const { capacity = {}, allocatable = {} } = cluster.client.get(nodes, { namespace: "", name: "node-1" }).status ?? {};
    // Ten percent are kept free by nodefs.available, reckoned in 32-bit floats.
    expect([capacity["ephemeral-storage"], allocatable["ephemeral-storage"]]).toEqual(["20971520Ki", "19327352800"]);
  });

  it("[POD-169] [POD-494] end a Pod at once, without a condition DisruptionTarget, with an event; the object stays, its logs do not", () => {
    const cluster = startedCluster();
    const script = "trap '' TERM; dd if=/dev/zero of=/f bs=1M count=150; while true; do sleep 1; done";
    cluster.createPod("p", { terminationGracePeriodSeconds: 300, containers: [shell("c", script, limited("100Mi"))] });
    cluster.untilReady("p");
    cluster.simulation.runUntil(() => cluster.pod("p").status?.reason === "Evicted", { limitMs: 30_000 });
    const startedMs = cluster.simulation.nowMs;
    cluster.simulation.runUntil(() => cluster.pod("p").status?.phase === "Failed", { limitMs: 30_000 });
    expect(cluster.simulation.nowMs - startedMs).toBeLessThan(4_000);
    expect(cluster.pod("p").status?.conditions?.map(({ type }) => type)).not.toContain("DisruptionTarget");
    expect(cluster.eventsOf("p")).toContain(
      "Warning Evicted Pod ephemeral local storage usage exceeds the total limit of containers 100Mi. ",
    );
    expect(cluster.node.machine.disk.usedBytes).toBeGreaterThan(200 * mebibyte);
    const gateway = new NodeGateway();
    gateway.add(cluster.node.kubelet);
    const log = (): string => {
      let text = "";
      const onData = (bytes: Bytes): void => {
        text += decodeUtf8(bytes);
      };
      const options = { container: "c", previous: false, follow: false, timestamps: false };
      gateway.logs("node-1", { namespace: "default", name: "p" }, options as LogOptions, { onData, onEnd: () => {} });
      return text;
    };
    expect(log()).toContain("150+0 records out");
    cluster.simulation.advance(61_000);
    expect(log()).toMatch(/^unable to retrieve container logs for containerd:\/\/[0-9a-f]{64}$/u);
    expect(cluster.pod("p").status?.phase).toBe("Failed");
    // Its containers have been collected as garbage.
    expect(cluster.node.machine.disk.usedBytes).toBeLessThan(100 * mebibyte);
  });

  it("[POD-494] end a Pod for good: a new kubelet starts nothing of it", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [writing("c", 150, "/f", limited("100Mi"))] });
    cluster.simulation.advance(20_000);
    const before = cluster.pod("p").status;
    expect(before?.reason).toBe("Evicted");
    const { kubelet, runtime } = cluster.node;
    for (const waitMs of [10_000, 120_000]) {
      kubelet.stop();
      kubelet.start();
      cluster.simulation.advance(waitMs);
      expect(cluster.pod("p").status).toEqual(before);
    }
    expect(runtime.containersOf(cluster.pod("p").metadata.uid).filter(({ state }) => state === "running")).toEqual([]);
  });

  it("[POD-490] [NET-276] are looked at every ten seconds, volumes once a minute", () => {
    const cluster = startedCluster();
    cluster.createPod("layer", { containers: [writing("c", 20, "/f", limited("10Mi"))] });
    cluster.createPod("volume", {
      ...emptyDir({ sizeLimit: "10Mi" }),
      containers: [shell("c", "sleep 15; dd if=/dev/zero of=/v/f bs=1M count=20; sleep 100000", mounted)],
    });
    const evictedMs = (name: string): number => {
      const startMs = cluster.simulation.nowMs;
      cluster.simulation.runUntil(() => cluster.pod(name).status?.reason === "Evicted", { limitMs: 200_000 });
      return cluster.simulation.nowMs - startMs;
    };
    expect(evictedMs("layer")).toBeLessThan(12_000);
    expect(evictedMs("volume")).toBeGreaterThan(40_000);
    expect(cluster.simulation.nowMs).toBeLessThan(1_767_225_600_000 + 72_000);
  });
});
