import { describe, expect, it } from "vitest";
import { SmallCluster } from "#cluster/node/small-cluster.test-kit.ts";
import { StartFailure, systemImages } from "./system-images.ts";

describe("a component's container", () => {
  it("runs its part, answers its health checks, and stops the part however it ends", () => {
    const calls: string[] = [];
    const images = systemImages({
      startScheduler: () => {
        calls.push("start");
        return { stop: () => calls.push("stop") };
      },
    });
    const cluster = new SmallCluster({ images });
    cluster.startKubelets();
    const get = { path: "/livez", port: 10259, scheme: "HTTPS" };
    cluster.createPod("scheduler", {
      containers: [{ name: "s", image: "registry.k8s.io/kube-scheduler:v1.36.0", readinessProbe: { httpGet: get } }],
    });
    cluster.untilReady("scheduler");
    expect(calls).toEqual(["start"]);
    const [container] = cluster.node.runtime.containersOf(cluster.pod("scheduler").metadata.uid);
    cluster.node.runtime.signalContainer(container?.id ?? "", "KILL");
    cluster.simulation.advance(100);
    expect(calls).toEqual(["start", "stop"]);
    cluster.simulation.advance(5_000);
    expect(calls).toEqual(["start", "stop", "start"]);
  });

  it("has no descriptors left to close when it was killed", () => {
    const open: number[] = [];
    const images = systemImages({
      startScheduler: (self) => {
        const descriptor = self.serveDns(() => {});
        return { stop: () => open.push(self.descriptors().filter((one) => one === descriptor).length) };
      },
    });
    const cluster = new SmallCluster({ images });
    cluster.startKubelets();
    cluster.createPod("scheduler", { containers: [{ name: "s", image: "registry.k8s.io/kube-scheduler:v1.36.0" }] });
    cluster.untilReady("scheduler");
    const [container] = cluster.node.runtime.containersOf(cluster.pod("scheduler").metadata.uid);
    cluster.node.runtime.signalContainer(container?.id ?? "", "KILL");
    cluster.simulation.advance(100);
    expect(open).toEqual([0]);
  });

  it("ends with 1, and says why, when its part cannot start", () => {
    const images = systemImages({
      startMetricsServer: () => {
        throw new StartFailure("Error: unknown flag: --x");
      },
    });
    const cluster = new SmallCluster({ images });
    cluster.startKubelets();
    const image = "registry.k8s.io/metrics-server/metrics-server:v0.8.0";
    const pod = cluster.createPod("metrics", { containers: [{ name: "c", image }], restartPolicy: "Never" });
    cluster.simulation.advance(20_000);
    const [container] = cluster.node.runtime.containersOf(pod.metadata.uid);
    expect([container?.exitCode, container?.log.tailText(10, 1000)]).toEqual([1, "Error: unknown flag: --x\n"]);
  });
});
