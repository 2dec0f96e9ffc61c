import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { key, startEndpoints as start } from "./endpoints.test-kit.ts";
import { endpointsController } from "./endpoints-controller.ts";

describe("endpoints of a Service", () => {
  it("[WRK-451] [WRK-452] [WRK-454] [NET-087] name ready Pods, with the number behind a port's name", () => {
    const world = start(2);
    const expected = world.pods().map(({ metadata, spec, status }) => ({
      ip: status?.podIP,
      nodeName: spec?.nodeName,
      targetRef: { kind: "Pod", namespace: "default", name: metadata.name, uid: metadata.uid },
    }));
    const byIp = (a: { ip: string | undefined }, b: { ip: string | undefined }) => (a.ip ?? "").localeCompare(b.ip ?? "");
    expect(world.endpoints().metadata.labels).toEqual({ "endpoints.kubernetes.io/managed-by": "endpoint-controller" });
    expect(world.endpoints().subsets).toEqual([{ addresses: expected.sort(byIp), ports: [{ port: 8080, protocol: "TCP" }] }]);
    const [slice] = world.slices();
    expect(slice?.ports).toEqual([{ name: "", port: 8080, protocol: "TCP" }]);
    expect(slice?.endpoints?.map(({ conditions }) => conditions)).toEqual([
      { ready: true, serving: true, terminating: false },
      { ready: true, serving: true, terminating: false },
    ]);
    expect(slice?.metadata.labels).toMatchObject({ "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" });
  });

  it("[POD-252] [WRK-455] [NET-071] follow readiness", () => {
    const world = start(1);
    world.kubelet.setReady(`default/${world.pods()[0]?.metadata.name}`, false);
    world.settle();
    expect(world.endpoints().subsets?.[0]?.addresses).toBeUndefined();
    expect(world.endpoints().subsets?.[0]?.notReadyAddresses?.length).toBe(1);
    expect(world.slices()[0]?.endpoints?.[0]?.conditions).toEqual({ ready: false, serving: false, terminating: false });
  });

  it("[POD-276] [WRK-453] [NET-072] leave Pods out that are being deleted; the slice shows them as terminating", () => {
    const world = start(1);
    world.kubelet.stopAfterMs = 5_000;
    world.client.delete(kinds.pods, { namespace: "default", name: world.pods()[0]?.metadata.name ?? "" });
    world.simulation.advance(200);
    expect(world.endpoints().subsets ?? []).toEqual([]);
    expect(world.slices()[0]?.endpoints?.[0]?.conditions).toEqual({ ready: false, serving: true, terminating: true });
    world.settle();
    expect(world.slices().flatMap(({ endpoints }) => endpoints ?? []).length).toBe(1);
    expect(world.slices()[0]?.endpoints?.[0]?.conditions).toEqual({ ready: true, serving: true, terminating: false });
  });

  it("[POD-252] [POD-277] [NET-073] are all ready for a Service that publishes those that are not, while they go too", () => {
    const world = start(2, { publishNotReadyAddresses: true });
    world.kubelet.stopAfterMs = 5_000;
    const [unready, leaving] = world.pods();
    world.kubelet.setReady(`default/${unready?.metadata.name}`, false);
    world.settle();
    world.client.delete(kinds.pods, { namespace: "default", name: leaving?.metadata.name ?? "" });
    world.simulation.advance(200);
    const conditionsOf = (pod: typeof leaving) =>
      world.slices()[0]?.endpoints?.find(({ targetRef }) => targetRef?.name === pod?.metadata.name)?.conditions;
    expect([unready, leaving].map(conditionsOf)).toEqual([
      { ready: true, serving: false, terminating: false },
      { ready: true, serving: true, terminating: true },
    ]);
    expect(world.endpoints().subsets?.map(({ addresses, notReadyAddresses }) => [addresses?.length, notReadyAddresses])).toEqual([
      [2, undefined],
    ]);
  });

  it.each([
    ["PreferSameZone", (node: string) => ({ forZones: [{ name: `zone-of-${node}` }] })],
    ["PreferClose", (node: string) => ({ forZones: [{ name: `zone-of-${node}` }] })],
    ["PreferSameNode", (node: string) => ({ forNodes: [{ name: node }], forZones: [{ name: `zone-of-${node}` }] })],
  ])("have hints where they are ready and the Service says %s", (trafficDistribution, hintsOn) => {
    const world = start(2);
    const endpoints = () => world.slices().flatMap((slice) => slice.endpoints ?? []);
    expect(endpoints().map(({ hints }) => hints)).toEqual([undefined, undefined]);
    for (const name of ["node-1", "node-2", "node-3"])
      world.client.patch(kinds.nodes, { namespace: "", name }, "merge", {
        metadata: { labels: { "topology.kubernetes.io/zone": `zone-of-${name}` } },
      });
    world.client.patch(kinds.services, key, "merge", { spec: { trafficDistribution } });
    world.settle();
    const hinted = endpoints();
    expect(hinted.map(({ hints }) => hints)).toEqual(hinted.map(({ nodeName }) => hintsOn(nodeName ?? "")));
    const [unready] = hinted;
    world.kubelet.setReady(`default/${unready?.targetRef?.name}`, false);
    world.settle();
    expect(endpoints().find(({ targetRef }) => targetRef?.name === unready?.targetRef?.name)?.hints).toBeUndefined();
    world.client.patch(kinds.services, key, "merge", { spec: { trafficDistribution: null } });
    world.settle();
    expect(endpoints().map(({ hints }) => hints)).toEqual([undefined, undefined]);
  });

  it("[WRK-456] go at the controller manager's start when their Service went while none ran, whoever wrote them; locks stay", () => {
    const world = start(1);
    const { client, manager } = world;
    const make = (name: string, annotations = {}): void => {
      client.create(kinds.endpoints, { metadata: { namespace: "default", name, annotations }, subsets: [] });
    };
    client.create(kinds.services, { metadata: { namespace: "default", name: "mine" }, spec: { ports: [{ port: 80 }] } });
    make("mine");
    make("lock", { "control-plane.alpha.kubernetes.io/leader": "{}" });
    world.settle();
    const names = () => client.list(kinds.endpoints).items.map(({ metadata }) => metadata.name);
    expect(names()).toEqual(expect.arrayContaining(["lock", "mine", "web"]));
    manager.stop();
    make("later");
    for (const name of ["mine", "web"]) client.delete(kinds.services, { namespace: "default", name });
    world.simulation.advance(20_000);
    expect(names()).toEqual(expect.arrayContaining(["later", "lock", "mine", "web"]));
    manager.start();
    world.simulation.advance(30_000);
    expect(names().filter((name) => name !== "kubernetes")).toEqual(["lock"]);
    // Whoever writes Endpoints for no Service now keeps them until the next start.
    make("late");
    world.simulation.advance(30_000);
    expect(names()).toContain("late");
  });

  it("[WRK-456] go with the Service", () => {
    const world = start(1);
    world.client.delete(kinds.services, key);
    world.settle();
    expect(() => world.endpoints()).toThrow('endpoints "web" not found');
  });

  it("fill slices of 100", () => {
    const world = start(230);
    expect(
      world
        .slices()
        .map((slice) => slice.endpoints?.length)
        .sort(),
    ).toEqual([100, 100, 30]);
  });

  it("fill slices of as many as --max-endpoints-per-slice says", () => {
    const world = start(7, {}, { maxEndpointsPerSlice: 3 });
    const sizes = world.slices().map((slice) => slice.endpoints?.length ?? 0);
    expect([Math.max(...sizes), sizes.reduce((sum, size) => sum + size, 0)]).toEqual([3, 7]);
  });

  it("are one empty slice while there is no Pod", () => {
    const world = start(0);
    expect(world.slices().map((slice) => [slice.endpoints ?? [], slice.ports ?? []])).toEqual([[[], []]]);
  });

  it("[NET-065] are in the placeholder's slice once there is a Pod, and leave a placeholder behind: the name stays", () => {
    const world = start(0);
    const names = () => world.slices().map(({ metadata }) => metadata.name);
    const first = names();
    const scale = (replicas: number) => {
      world.client.patch(kinds.replicaSets, key, "merge", { spec: { replicas } });
      world.settle();
    };
    scale(2);
    expect(names()).toEqual(first);
    expect(world.slices()[0]).toMatchObject({ ports: [{ port: 8080 }], endpoints: [{}, {}] });
    scale(0);
    expect(names()).toEqual(first);
    expect(world.slices().map((slice) => [slice.endpoints ?? [], slice.ports ?? []])).toEqual([[[], []]]);
    scale(1);
    expect(names()).toEqual(first);
  });

  it("move to the slice's new ports when the Service's port changes", () => {
    const world = start(2);
    const before = world.slices().map(({ metadata }) => metadata.name);
    world.client.patch(kinds.services, key, "merge", { spec: { ports: [{ port: 80, targetPort: 9090 }] } });
    world.settle();
    expect(world.slices().map(({ metadata, ports }) => [metadata.name, ports?.[0]?.port])).toEqual([[before[0], 9090]]);
  });

  it("[NET-066] have the Service's labels, also when these change", () => {
    const world = start(0);
    const [before] = world.slices();
    world.client.patch(kinds.services, key, "merge", { metadata: { labels: { team: "red" } } });
    world.settle();
    const [after] = world.slices();
    expect(after?.metadata).toMatchObject({
      name: before?.metadata.name,
      labels: { team: "red", "kubernetes.io/service-name": "web" },
    });
  });
});

describe("more than 1000 addresses", () => {
  /** Pods that are there by themselves, each with an address. */
  function withPods(ready: number, notReady: number) {
    const world = startControlPlane({ definitions: [endpointsController], nodes: [] });
    const { client } = world;
    client.create(kinds.services, { metadata: key, spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] } });
    for (let index = 0; index < ready + notReady; index += 1) {
      const isReady = index >= notReady;
      const made = client.create(kinds.pods, {
        metadata: { namespace: "default", name: `p${index}`, labels: { app: "web" } },
        // Every fourth has the port under another number: a second subset.
        spec: { containers: [{ name: "c", image: "nginx", ports: [{ name: "http", containerPort: index % 4 === 0 ? 81 : 80 }] }] },
      });
      const podIP = `10.244.${index >> 8}.${index & 255}`;
      const conditions = [{ type: "Ready", status: isReady ? "True" : "False" }];
      client.updateStatus(kinds.pods, { ...made, status: { phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions } });
    }
    world.settle();
    const { metadata, subsets = [] } = client.get(kinds.endpoints, key);
    const counts = subsets.map(({ addresses = [], notReadyAddresses = [] }) => [addresses.length, notReadyAddresses.length]);
    return { ...world, counts, capacity: metadata.annotations?.["endpoints.kubernetes.io/over-capacity"] };
  }

  it.each([
    [
      "as many as there is room for",
      900,
      100,
      [
        [675, 75],
        [225, 25],
      ],
      undefined,
    ],
    [
      "all that are ready, and of the others each subset its part",
      900,
      200,
      [
        [675, 75],
        [225, 25],
      ],
      "truncated",
    ],
    [
      "of those that are ready each subset its part, and none of the others",
      1200,
      40,
      [
        [750, 0],
        [250, 0],
      ],
      "truncated",
    ],
  ])("[WRK-459] [NET-089] %s", (_title, ready, notReady, wanted, annotation) => {
    const { counts, capacity } = withPods(ready, notReady);
    expect(counts.sort(([a = 0], [b = 0]) => b - a)).toEqual(wanted);
    expect(capacity).toBe(annotation);
  });

  it("[WRK-459] is told no more once they are fewer", () => {
    const { client, simulation, settle, capacity } = withPods(1001, 0);
    expect(capacity).toBe("truncated");
    client.delete(kinds.pods, { namespace: "default", name: "p7" }, { gracePeriodSeconds: 0 });
    settle();
    simulation.advance(1_000);
    expect(client.get(kinds.endpoints, key).metadata.annotations).not.toHaveProperty(["endpoints.kubernetes.io/over-capacity"]);
  });
});
