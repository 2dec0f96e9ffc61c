import { describe, expect, it } from "vitest";
import type { ResourceRequirements } from "#cluster/api/generated/types.ts";
import { pods } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { SmallCluster } from "../small-cluster.test-kit.ts";

const of = (cpu: string, memory: string): ResourceRequirements => ({ requests: { cpu, memory }, limits: { cpu, memory } });

function running(resources: ResourceRequirements, more: object = {}): SmallCluster {
  const cluster = new SmallCluster();
  cluster.startKubelets();
  cluster.simulation.advance(1_000);
  cluster.createPod("web", { containers: [{ name: "c", image: "nginx:1.27", resources, ...more }] });
  cluster.untilReady("web");
  return cluster;
}

function resize(cluster: SmallCluster, resources: ResourceRequirements, name = "web"): void {
  const patch = { spec: { containers: [{ name: "c", resources: resources as JsonValue }] } };
  cluster.client.patch(pods, { namespace: "default", name }, "strategic", patch as JsonValue, { subresource: "resize" });
}

function resizeConditions(cluster: SmallCluster, name = "web") {
  return cluster
    .pod(name)
    .status?.conditions?.filter(({ type }) => type.startsWith("PodResize"))
    .map(({ type, status, reason, message, observedGeneration }) => ({ type, status, reason, message, observedGeneration }));
}

const containerStatus = (cluster: SmallCluster, name = "web") => cluster.pod(name).status?.containerStatuses?.[0];
const resizeEvents = (cluster: SmallCluster, name = "web") =>
  cluster.eventsOf(name).filter((event) => /Resize|Killing/.test(event));

describe("[POD-449] resizing a pod that runs", () => {
  it("gives a container other limits without a restart", () => {
    const cluster = running(of("100m", "100Mi"));
    const [container] = cluster.node.runtime.containersOf(cluster.pod("web").metadata.uid);
    resize(cluster, of("200m", "200Mi"));
    cluster.simulation.advance(50);
    expect(resizeConditions(cluster)).toEqual([
      { type: "PodResizeInProgress", status: "True", reason: undefined, message: undefined, observedGeneration: 2 },
    ]);
    cluster.simulation.advance(2_000);
    expect(resizeConditions(cluster)).toEqual([]);
    expect(containerStatus(cluster)).toMatchObject({
      restartCount: 0,
      resources: of("200m", "200Mi"),
      allocatedResources: { cpu: "200m", memory: "200Mi" },
    });
    expect(container?.resources).toMatchObject({ cpuLimitMillicores: 200, memoryLimitBytes: 200 * 2 ** 20 });
    const summary =
      '{"containers":[{"name":"c","resources":{"limits":{"cpu":"200m","memory":"200Mi"},"requests":{"cpu":"200m","memory":"200Mi"}}}],"generation":2}';
    expect(resizeEvents(cluster)).toEqual([
      `Normal ResizeStarted Pod resize started: ${summary}`,
      `Normal ResizeCompleted Pod resize completed: ${summary}`,
    ]);
  });

  it("gives an init container that runs other limits; of one that has ended only the spec changes", () => {
    const cluster = new SmallCluster();
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    const [before, after] = [of("100m", "100Mi"), of("200m", "200Mi")];
    const first = { name: "first", image: "busybox:1.36", command: ["sleep", "60"], resources: before };
    cluster.createPod("web", { initContainers: [first], containers: [{ name: "c", image: "nginx:1.27", resources: before }] });
    cluster.simulation.advance(10_000);
    const resizeFirst = (resources: ResourceRequirements): void => {
      const patch = { spec: { initContainers: [{ name: "first", resources: resources as JsonValue }] } };
      cluster.client.patch(pods, { namespace: "default", name: "web" }, "strategic", patch as JsonValue, { subresource: "resize" });
      cluster.simulation.advance(3_000);
    };
    resizeFirst(after);
    const status = () => cluster.pod("web").status?.initContainerStatuses?.[0];
    expect(status()).toMatchObject({ restartCount: 0, resources: after, allocatedResources: { cpu: "200m", memory: "200Mi" } });
    const [container] = cluster.node.runtime.containersOf(cluster.pod("web").metadata.uid);
    expect(container?.resources).toMatchObject({ cpuLimitMillicores: 200, memoryLimitBytes: 200 * 2 ** 20 });
    expect(resizeConditions(cluster)).toEqual([]);
    cluster.untilReady("web");
    resizeFirst(before);
    expect(resizeConditions(cluster)).toEqual([]);
    expect(cluster.pod("web").spec?.initContainers?.[0]?.resources).toEqual(before);
    expect(status()?.state?.terminated?.exitCode).toBe(0);
    expect(resizeEvents(cluster).map((event) => event.split(" ")[1])).toEqual([
      "ResizeStarted",
      "ResizeCompleted",
      "ResizeStarted",
      "ResizeCompleted",
    ]);
  });

  it("holds a container to no less than a millisecond in a hundred, whatever less its limit says", () => {
    const cluster = running(of("20m", "100Mi"));
    const [container] = cluster.node.runtime.containersOf(cluster.pod("web").metadata.uid);
    resize(cluster, of("5m", "100Mi"));
    cluster.simulation.advance(2_000);
    expect(container?.resources).toMatchObject({ cpuLimitMillicores: 10 });
    expect(containerStatus(cluster)?.resources).toEqual(of("5m", "100Mi"));
  });

  it("restarts the container when the policy of what is changed says so", () => {
    const resizePolicy = [
      { resourceName: "cpu", restartPolicy: "NotRequired" },
      { resourceName: "memory", restartPolicy: "RestartContainer" },
    ];
    const cluster = running(of("100m", "100Mi"), { resizePolicy });
    resize(cluster, of("200m", "100Mi"));
    cluster.simulation.advance(3_000);
    expect(containerStatus(cluster)?.restartCount).toBe(0);
    resize(cluster, of("200m", "200Mi"));
    cluster.simulation.advance(6_000);
    expect(containerStatus(cluster)).toMatchObject({ restartCount: 1, resources: of("200m", "200Mi"), ready: true });
    expect(resizeConditions(cluster)).toEqual([]);
    expect(resizeEvents(cluster).map((event) => event.split(": ")[0])).toEqual([
      "Normal ResizeStarted Pod resize started",
      "Normal ResizeCompleted Pod resize completed",
      "Normal ResizeStarted Pod resize started",
      "Normal Killing Container c resize requires restart",
      "Normal ResizeCompleted Pod resize completed",
    ]);
  });

  it("never gives more than the node has", () => {
    const cluster = running(of("100m", "100Mi"));
    resize(cluster, of("5", "100Mi"));
    cluster.simulation.advance(2_000);
    const message = "Node didn't have enough capacity: cpu, requested: 5000, capacity: 2000";
    expect(resizeConditions(cluster)).toEqual([
      { type: "PodResizePending", status: "True", reason: "Infeasible", message, observedGeneration: 2 },
    ]);
    expect(containerStatus(cluster)).toMatchObject({ resources: of("100m", "100Mi"), allocatedResources: { cpu: "100m" } });
    expect(cluster.pod("web").spec?.containers[0]?.resources).toEqual(of("5", "100Mi"));
    expect(resizeEvents(cluster)).toEqual([
      `Warning ResizeInfeasible Pod resize Infeasible: {"containers":[{"name":"c","resources":{"limits":{"cpu":"5","memory":"100Mi"},"requests":{"cpu":"5","memory":"100Mi"}}}],"generation":2,"error":"${message}"}`,
    ]);
    resize(cluster, of("100m", "100Mi"));
    cluster.simulation.advance(2_000);
    expect(resizeConditions(cluster)).toEqual([]);
  });

  it("puts off what there is no room for until another pod goes", () => {
    const cluster = running(of("100m", "100Mi"));
    cluster.createPod("other", { containers: [{ name: "c", image: "nginx:1.27", resources: of("1500m", "100Mi") }] });
    cluster.untilReady("other");
    resize(cluster, of("1", "100Mi"));
    cluster.simulation.advance(2_000);
    const message = "Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000";
    expect(resizeConditions(cluster)).toEqual([
      { type: "PodResizePending", status: "True", reason: "Deferred", message, observedGeneration: 2 },
    ]);
    cluster.client.delete(pods, { namespace: "default", name: "other" }, { gracePeriodSeconds: 1 });
    cluster.simulation.advance(10_000);
    expect(resizeConditions(cluster)).toEqual([]);
    expect(containerStatus(cluster)?.resources).toEqual(of("1", "100Mi"));
  });

  it("does not take memory away from programs that use it", () => {
    const cluster = running(of("100m", "100Mi"));
    const { runtime } = cluster.node;
    const used = runtime.use(runtime.containersOf(cluster.pod("web").metadata.uid)[0]?.id ?? "").memoryBytes;
    resize(cluster, of("100m", "1Mi"));
    cluster.simulation.advance(20_000);
    const below = `memory limit (1048576) below current usage (${used})`;
    expect(resizeConditions(cluster)?.[0]).toMatchObject({
      type: "PodResizeInProgress",
      reason: "Error",
      message: `cannot decrease memory limits: [attempting to set pod ${below}, attempting to set container "c" ${below}]`,
    });
    expect(containerStatus(cluster)).toMatchObject({ restartCount: 0, resources: of("100m", "100Mi") });
    expect(new Set(resizeEvents(cluster).map((event) => event.split(" ")[1]))).toEqual(new Set(["ResizeStarted", "ResizeError"]));
  });

  it("keeps what it gave over a restart of the kubelet", () => {
    const cluster = running(of("100m", "100Mi"));
    resize(cluster, of("5", "100Mi"));
    cluster.simulation.advance(2_000);
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    cluster.simulation.advance(2_000);
    expect(resizeConditions(cluster)?.[0]).toMatchObject({ type: "PodResizePending", reason: "Infeasible" });
    expect(containerStatus(cluster)).toMatchObject({ restartCount: 0, resources: of("100m", "100Mi") });
  });
});
