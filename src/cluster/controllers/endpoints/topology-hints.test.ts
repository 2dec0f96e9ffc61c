import { beforeEach, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane, type TestControlPlane } from "../control-plane.test-kit.ts";
import { endpointSliceController } from "./endpointslice-controller.ts";

const namespace = "default";
const key = { namespace, name: "web" };
const mode = "service.kubernetes.io/topology-mode";
const enabled = "TopologyAwareHintsEnabled Topology Aware Hints has been enabled, addressType: IPv4";
const disabled = (why: string) => `TopologyAwareHintsDisabled ${why}, addressType: IPv4`;
const noInformation = disabled("Insufficient Node information: allocatable CPU or zone not specified on one or more nodes");
const overloaded = (endpoints: number, zones: number) =>
  disabled(
    `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (${endpoints} endpoints, ${zones} zones)`,
  );

let world: TestControlPlane;
let pods: number;

function setReady(name: string, isReady: boolean, cpu = "2"): void {
  const node = world.client.get(kinds.nodes, { namespace: "", name });
  const ready = { type: "Ready", status: isReady ? "True" : "False" };
  world.client.updateStatus(kinds.nodes, { ...node, status: { allocatable: { cpu }, conditions: [ready] } });
}

function addNode(name: string, zone: string, cpu?: string, labels: { readonly [label: string]: string } = {}): void {
  const zoneLabel = zone === "" ? {} : { "topology.kubernetes.io/zone": zone };
  world.client.create(kinds.nodes, { metadata: { name, labels: { ...zoneLabel, ...labels } } });
  setReady(name, true, cpu);
}

/** A Pod that is ready on each of these nodes. */
function addPods(...nodeNames: readonly string[]): void {
  for (const nodeName of nodeNames) {
    const containers = [{ name: "main", image: "nginx" }];
    pods += 1;
    const pod = world.client.create(kinds.pods, {
      metadata: { namespace, name: `p${pods}`, labels: { app: "web" } },
      spec: { nodeName, containers },
    });
    const podIP = `10.244.1.${pods}`;
    const conditions = [{ type: "Ready", status: "True" }];
    world.client.updateStatus(kinds.pods, { ...pod, status: { phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions } });
  }
}

function annotate(annotations: { readonly [name: string]: string | null }): void {
  world.client.patch(kinds.services, key, "merge", { metadata: { annotations } });
  world.simulation.advance(5_000);
}

function serve(...nodeNames: readonly string[]): void {
  addPods(...nodeNames);
  annotate({ [mode]: "Auto" });
}

/** `zone>zone of its clients` of the endpoints. */
const hints = (): readonly string[] =>
  world.client
    .list(kinds.endpointSlices)
    .items.filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === "web")
    .flatMap(({ endpoints }) => endpoints ?? [])
    .map(({ zone = "", hints: given }) => `${zone}>${given?.forZones?.map(({ name }) => name).join() ?? ""}`)
    .sort();

const told = (): readonly string[] => world.eventsOf("Service");

describe("a Service with service.kubernetes.io/topology-mode", () => {
  beforeEach(() => {
    world = startControlPlane({ definitions: [endpointSliceController], nodes: [] });
    pods = 0;
    for (const zone of ["a", "b", "c"]) addNode(`${zone}1`, zone);
    world.client.create(kinds.services, { metadata: key, spec: { selector: { app: "web" }, ports: [{ port: 80 }] } });
    world.simulation.advance(5_000);
  });

  it("has endpoints for the clients of their own zones, where these have as many as they need", () => {
    serve("a1", "b1", "c1");
    expect(hints()).toEqual(["a>a", "b>b", "c>c"]);
    expect(told()).toEqual([enabled]);
  });

  it("has endpoints of zones with too many for others", () => {
    serve("a1", "a1", "a1", "a1", "b1", "c1");
    expect(hints()).toEqual(["a>a", "a>a", "a>b", "a>c", "b>b", "c>c"]);
  });

  it("counts the processors of each zone's nodes, but not those of control planes and of nodes that are not ready", () => {
    addNode("a2", "a", "6");
    addNode("d1", "d", "32", { "node-role.kubernetes.io/control-plane": "" });
    addNode("e1", "e", "32");
    setReady("e1", false);
    serve("a1", "b1", "b1", "b1", "c1", "c1", "c1", "d1", "a1", "b1", "c1", "a1");
    expect(hints()).toEqual(["a>a", "a>a", "a>a", "b>a", "b>a", "b>b", "b>b", "c>a", "c>a", "c>c", "c>c", "d>d"]);
  });

  it.each([
    ["too few endpoints", ["a1", "b1"], disabled("Insufficient number of endpoints (2 endpoints, 3 zones)")],
    ["endpoints that some zone would overload", ["a1", "b1", "c1", "a1"], overloaded(4, 3)],
  ])("has no hints with %s", (_title, nodeNames, message) => {
    serve(...nodeNames);
    expect([hints().every((hint) => hint.endsWith(">")), told()]).toEqual([true, [message]]);
  });

  it.each([
    ["a node without a zone", () => addNode("d1", "")],
    ["a node without processors", () => addNode("d1", "d", "0")],
    ["nodes of one zone", () => ["b1", "c1"].map((name) => world.client.delete(kinds.nodes, { namespace: "", name }))],
  ])("has no hints with %s", (_title, change) => {
    change();
    serve("a1", "a1", "a1");
    expect([hints(), told()]).toEqual([["a>", "a>", "a>"], [noInformation]]);
  });

  it("has no hints while an endpoint has no zone", () => {
    addNode("d1", "", "2", { "node-role.kubernetes.io/control-plane": "" });
    serve("a1", "b1", "c1", "a1", "b1", "d1");
    expect(hints()).toEqual([">", "a>", "a>", "b>", "b>", "c>"]);
    expect(told()).toEqual([disabled("One or more endpoints do not have a zone specified")]);
  });

  it("loses its hints with its endpoints, and gets them again", () => {
    serve("a1", "b1", "c1");
    const pod = world.client.get(kinds.pods, { namespace, name: "p3" });
    const status = { ...pod.status, conditions: [{ type: "Ready", status: "False" }] };
    const unready = world.client.updateStatus(kinds.pods, { ...pod, status });
    world.simulation.advance(5_000);
    expect(hints()).toEqual(["a>", "b>", "c>"]);
    world.client.updateStatus(kinds.pods, { ...unready, status: pod.status ?? {} });
    world.simulation.advance(5_000);
    expect(hints()).toEqual(["a>a", "b>b", "c>c"]);
    // The first event was told again.
    expect(told()).toEqual([disabled("Insufficient number of endpoints (2 endpoints, 3 zones)"), enabled]);
  });

  it("leaves slices alone whose hints are still right", () => {
    serve(...Array.from({ length: 102 }, (_, index) => ["a1", "b1", "c1"][index % 3] as string));
    const versions = () =>
      new Map(
        world.client.list(kinds.endpointSlices).items.map(({ metadata, endpoints }) => [endpoints?.length, metadata.generation]),
      );
    const before = versions();
    addPods("a1", "b1", "c1");
    world.simulation.advance(5_000);
    expect(hints().filter((hint) => hint === "a>a").length).toBe(35);
    expect([before.get(100), versions().get(100), versions().get(5)]).toEqual([
      before.get(100),
      before.get(100),
      expect.anything(),
    ]);
  });

  it("is looked at when a node that some endpoints need is not ready, and not when it is again", () => {
    serve("a1", "b1", "c1");
    setReady("c1", false);
    world.simulation.advance(5_000);
    expect([hints(), told()]).toEqual([
      ["a>", "b>", "c>"],
      [enabled, overloaded(3, 2)],
    ]);
    setReady("c1", true);
    world.simulation.advance(5_000);
    expect(hints()).toEqual(["a>", "b>", "c>"]);
  });

  it("has no hints any more without the annotation", () => {
    serve("a1", "b1", "c1");
    annotate({ [mode]: null });
    expect(hints()).toEqual(["a>", "b>", "c>"]);
    annotate({});
    expect(told()).toEqual([enabled, disabled("Topology Aware Hints has been disabled")]);
  });

  it.each([
    ["auto", { [mode]: "auto" }, true],
    ["Disabled", { [mode]: "Disabled" }, false],
    ["the older annotation", { "service.kubernetes.io/topology-aware-hints": "Auto" }, true],
  ])("knows %s", (_title, annotations, isHinted) => {
    addPods("a1", "b1", "c1");
    annotate(annotations);
    expect(hints()).toEqual(isHinted ? ["a>a", "b>b", "c>c"] : ["a>", "b>", "c>"]);
  });

  it("takes no heed of trafficDistribution", () => {
    world.client.patch(kinds.services, key, "merge", { spec: { trafficDistribution: "PreferSameNode" } });
    serve("a1", "b1", "c1");
    const [slice] = world.client.list(kinds.endpointSlices, { labelSelector: "kubernetes.io/service-name=web" }).items;
    expect(slice?.endpoints?.map((endpoint) => endpoint.hints?.forNodes)).toEqual([undefined, undefined, undefined]);
    annotate({ [mode]: null });
    expect(hints()).toEqual(["a>a", "b>b", "c>c"]);
  });
});
