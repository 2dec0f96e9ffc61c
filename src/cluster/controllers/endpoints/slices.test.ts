import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { formatTime } from "#cluster/api/time.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { garbageCollector } from "../garbage-collector/garbage-collector.ts";
import { key, startEndpoints } from "./endpoints.test-kit.ts";
import { endpointSliceController } from "./endpointslice-controller.ts";

const triggerTime = "endpoints.kubernetes.io/last-change-trigger-time";
type Spec = NonNullable<Pod["spec"]>;

/** A Service without Pods, and Pods made by hand, each with an address. */
function byHand() {
  const world = startEndpoints("none");
  const { client } = world;
  let count = 0;
  return {
    ...world,
    add: (name: string, spec: Partial<Spec> = {}, status: Pod["status"] = {}) => {
      count += 1;
      const podIP = `10.244.9.${count}`;
      const containers = [{ name: "main", image: "nginx", ports: [{ name: "http", containerPort: 8080 }] }];
      const pod = client.create(kinds.pods, {
        metadata: { namespace: "default", name, labels: { app: "web" } },
        spec: { nodeName: "node-1", containers, ...spec },
      });
      const conditions = [{ type: "Ready", status: "True", lastTransitionTime: formatTime(world.simulation.nowMs) }];
      client.updateStatus(kinds.pods, {
        ...pod,
        status: { phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions, ...status },
      });
    },
    endpointOf: (name: string) =>
      world.slices().flatMap(({ endpoints }) => (endpoints ?? []).filter(({ targetRef }) => targetRef?.name === name))[0],
    patch: (change: Parameters<typeof client.patch>[3]) => {
      client.patch(kinds.services, key, "merge", change);
      world.settle();
    },
  };
}

describe("a Service's slices", () => {
  it("[NET-067] are the Service's own, and go with it", () => {
    const world = startControlPlane({ definitions: [endpointSliceController, garbageCollector] });
    const { client } = world;
    const { metadata } = client.create(kinds.services, {
      metadata: key,
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    world.settle();
    const slices = () => client.list(kinds.endpointSlices, { labelSelector: "kubernetes.io/service-name=web" }).items;
    expect(slices().map((slice) => slice.metadata.ownerReferences)).toEqual([
      [{ apiVersion: "v1", kind: "Service", name: "web", uid: metadata.uid, controller: true, blockOwnerDeletion: true }],
    ]);
    client.delete(kinds.services, key);
    world.settle();
    expect(slices()).toEqual([]);
  });

  it("[NET-068] name address, state, node, zone and Pod of each endpoint", () => {
    const { client, add, settle, endpointOf } = byHand();
    client.patch(kinds.nodes, { namespace: "", name: "node-1" }, "merge", {
      metadata: { labels: { "topology.kubernetes.io/zone": "zone-a" } },
    });
    add("one");
    settle();
    const { uid } = client.get(kinds.pods, { namespace: "default", name: "one" }).metadata;
    expect(endpointOf("one")).toEqual({
      addresses: ["10.244.9.1"],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: "node-1",
      zone: "zone-a",
      targetRef: { kind: "Pod", namespace: "default", name: "one", uid },
    });
  });

  it("[NET-069] name the host of Pods whose subdomain is the Service's name", () => {
    const { add, settle, endpointOf } = byHand();
    add("one", { hostname: "first", subdomain: "web" });
    add("two", { hostname: "second", subdomain: "other" });
    add("three", { subdomain: "web" });
    settle();
    expect(["one", "two", "three"].map((name) => endpointOf(name)?.hostname)).toEqual(["first", undefined, undefined]);
  });

  it("[NET-070] leave out Pods without address, and those that have ended", () => {
    const { client, add, simulation, slices } = byHand();
    add("one");
    client.create(kinds.pods, {
      metadata: { namespace: "default", name: "bare", labels: { app: "web" } },
      spec: { nodeName: "node-1", containers: [{ name: "main", image: "nginx" }] },
    });
    add("done", {}, { phase: "Succeeded" });
    add("lost", {}, { phase: "Failed" });
    simulation.advance(500);
    expect(
      slices()
        .flatMap(({ endpoints }) => endpoints ?? [])
        .map(({ targetRef }) => targetRef?.name),
    ).toEqual(["one"]);
  });

  it("[NET-075] hold a hundred endpoints each", () => {
    const lengths = startEndpoints(120)
      .slices()
      .map(({ endpoints }) => endpoints?.length ?? 0);
    expect(lengths.sort((a, b) => b - a)).toEqual([100, 20]);
  });

  it("[NET-078] [NET-079] are a set for each number behind a port's name, and without the port for Pods that have none of that name", () => {
    const { add, settle, slices, endpoints } = byHand();
    const port = (containerPort: number, name = "http"): Partial<Spec> => ({
      containers: [{ name: "main", image: "nginx", ports: [{ name, containerPort }] }],
    });
    add("one", port(8080));
    add("two", port(9090));
    add("three", port(8080, "other"));
    settle();
    const content = slices().map((slice) => [
      slice.ports?.[0]?.port,
      slice.endpoints?.map(({ targetRef }) => targetRef?.name).join(),
    ]);
    expect(content.sort()).toEqual([
      [undefined, "three"],
      [8080, "one"],
      [9090, "two"],
    ]);
    expect(endpoints().subsets?.map(({ addresses, ports }) => [addresses?.[0]?.targetRef?.name, ports?.[0]?.port])).toEqual([
      ["one", 8080],
      ["two", 9090],
    ]);
  });

  it("[NET-080] follow the Service's selector and ports", () => {
    const { client, add, settle, endpointOf, slices, patch } = byHand();
    add("one");
    add("two");
    client.patch(kinds.pods, { namespace: "default", name: "two" }, "merge", { metadata: { labels: { tier: "back" } } });
    settle();
    patch({ spec: { selector: { tier: "back" }, ports: [{ port: 80, targetPort: 9000 }] } });
    expect([endpointOf("one"), endpointOf("two")?.addresses]).toEqual([undefined, ["10.244.9.2"]]);
    expect(slices().map(({ ports }) => ports?.[0]?.port)).toEqual([9000]);
  });

  it.each([
    ["[NET-081]", "that has no selector any more", { spec: { selector: null } }],
    [
      "[NET-082]",
      "that is an ExternalName now",
      {
        spec: {
          type: "ExternalName",
          externalName: "example.com",
          clusterIP: null,
          clusterIPs: null,
          ports: null,
          ipFamilies: null,
          ipFamilyPolicy: null,
        },
      },
    ],
  ])("%s stay as they are for a Service %s", (_id, _title, change) => {
    const { add, settle, slices, patch } = byHand();
    add("one");
    settle();
    const before = slices();
    patch(change);
    add("two");
    settle();
    expect(slices()).toEqual(before);
  });

  it("[NET-082] are not made for an ExternalName, whatever it selects", () => {
    const { client, settle } = byHand();
    client.create(kinds.services, {
      metadata: { namespace: "default", name: "far" },
      spec: { type: "ExternalName", externalName: "example.com", selector: { app: "web" } },
    });
    settle();
    expect(client.list(kinds.endpointSlices, { labelSelector: "kubernetes.io/service-name=far" }).items).toEqual([]);
  });

  it("[NET-083] made by hand are left alone", () => {
    const { client, add, settle } = byHand();
    const mine = client.create(kinds.endpointSlices, {
      metadata: { namespace: "default", name: "mine", labels: { "kubernetes.io/service-name": "web" } },
      addressType: "IPv4",
      ports: [{ name: "", port: 1234, protocol: "TCP" }],
      endpoints: [{ addresses: ["192.0.2.7"], conditions: {} }],
    });
    add("one");
    settle();
    client.patch(kinds.services, key, "merge", { metadata: { labels: { more: "1" } } });
    settle();
    client.delete(kinds.services, key);
    settle();
    expect(client.get(kinds.endpointSlices, { namespace: "default", name: "mine" })).toEqual(mine);
  });

  it("are put right a second after somebody has changed or deleted them", () => {
    const { client, add, settle, slices, endpointOf, simulation } = byHand();
    add("one");
    settle();
    const reference = () => ({ namespace: "default", name: slices()[0]?.metadata.name ?? "" });
    client.patch(kinds.endpointSlices, reference(), "merge", { endpoints: [] });
    simulation.advance(990);
    expect(endpointOf("one")).toBeUndefined();
    simulation.advance(30);
    expect(endpointOf("one")).toBeDefined();
    client.delete(kinds.endpointSlices, reference());
    settle();
    expect(endpointOf("one")).toBeDefined();
  });

  it("[NET-093] leave out Pods whose node is not there, and try again after 1 s, 2 s, 4 s", () => {
    const { client, add, endpointOf, slices, simulation, eventsOf } = byHand();
    add("one");
    add("lost", { nodeName: "node-9" });
    simulation.advance(100);
    expect([endpointOf("one")?.nodeName, endpointOf("lost")]).toEqual(["node-1", undefined]);
    const told =
      "Error updating Endpoint Slices for Service default/web: skipping Pod lost for Service default/web: Node node-9 Not Found";
    expect(eventsOf("Service")).toEqual([`FailedToUpdateEndpointSlices ${told}`]);
    const counts = (): number | undefined =>
      client.list(kinds.events).items.find(({ reason }) => reason === "FailedToUpdateEndpointSlices")?.count;
    const at = [900, 2_000, 4_000, 8_000].map((ms) => {
      simulation.advance(ms);
      return counts();
    });
    expect(at).toEqual([1, 2, 3, 4]);
    client.patch(kinds.services, key, "merge", { spec: { publishNotReadyAddresses: true } });
    simulation.advance(100);
    expect(endpointOf("lost")?.nodeName).toBe("node-9");
    expect(slices()).toHaveLength(1);
  });
});

describe("the time of a change", () => {
  it("is the Service's at first, then the earliest of Pods whose readiness turned, then none", () => {
    const { client, simulation, add, settle, slices, endpoints, patch } = byHand();
    const times = () => [slices(), [endpoints()]].map((objects) => objects[0]?.metadata.annotations?.[triggerTime]);
    const { creationTimestamp } = client.get(kinds.services, key).metadata;
    expect(times()).toEqual([creationTimestamp, creationTimestamp]);
    simulation.advance(5_000);
    const first = formatTime(simulation.nowMs);
    add("one");
    simulation.advance(2);
    add("two");
    settle();
    expect(times()).toEqual([first, first]);
    simulation.advance(5_000);
    patch({ metadata: { labels: { more: "1" } } });
    expect(times()).toEqual([undefined, undefined]);
  });
});

describe("subsets of Endpoints", () => {
  it("have the ports that the same Pods have", () => {
    const { add, settle, endpoints, patch } = byHand();
    patch({
      spec: {
        ports: [
          { name: "web", port: 80, targetPort: "http" },
          { name: "plain", port: 81, targetPort: 8081 },
        ],
      },
    });
    add("one");
    add("two", { containers: [{ name: "main", image: "nginx" }] });
    settle();
    const rows = endpoints().subsets?.map(({ addresses = [], ports = [] }) => [
      addresses.map(({ targetRef }) => targetRef?.name).join(),
      ports.map(({ name }) => name).join(),
    ]);
    expect(rows?.sort()).toEqual([
      ["one,two", "plain"],
      ["one", "web"],
    ]);
  });
});
