// Datagrams on their way through the cluster: between Pods and nodes, through Services and ports, and the flows that are remembered.

import { describe, expect, it } from "vitest";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { endpointSlices } from "#cluster/api/kinds.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { NetworkStack } from "#sim/net.ts";
import { DatagramFile } from "#sim/network/datagrams.ts";
import { saveTable } from "./netfilter/iptables-save.ts";
import { createService, createSlice, endpointsOf, networkWorld } from "./network.test-kit.ts";
import { startKubeProxy } from "./proxy/kube-proxy.ts";

const virtual = "10.96.10.53";
const spec: ServiceSpec = { clusterIP: virtual, selector: { app: "echo" }, ports: [{ port: 5353, protocol: "UDP" }] };

/** Answers with its name and whom it sees. */
function echo(stack: NetworkStack, name: string, port = 5353): DatagramFile {
  const socket = new DatagramFile(stack.datagrams, port, undefined);
  const answer = (): void => {
    for (let datagram = socket.take(); datagram !== undefined; datagram = socket.take())
      socket.send(encodeUtf8(`${name} to ${datagram.from.address}`), datagram.from);
    socket.readers.add(answer);
  };
  answer();
  return socket;
}

function running(change: Partial<ServiceSpec> = {}) {
  const world = networkWorld();
  const pods = world.nodes.map((node) => node.addPod());
  const servers = pods.map((pod, index) => echo(pod.stack, `pod-${index}`));
  createService(world.client, "echo", { ...spec, ...change });
  const at = (index: number) => ({ address: pods[index]?.address ?? "", nodeName: `node-${index + 1}` });
  const slice = createSlice(world.client, "echo", [at(0), at(1)], [{ name: "", port: 5353, protocol: "UDP" }]);
  for (const network of world.nodes) startKubeProxy({ simulation: world.simulation, client: world.client, network });
  world.simulation.advance(2000);
  const setEndpoints = (indices: readonly number[]): void => {
    const now = world.client.get(endpointSlices, { namespace: "default", name: slice.metadata.name });
    world.client.update(endpointSlices, { ...now, endpoints: endpointsOf(indices.map(at)) });
    world.simulation.advance(2000);
  };
  const ask = (socket: DatagramFile, address: string, port = 5353): string => {
    socket.peer ??= { address, port };
    try {
      socket.send(encodeUtf8("?"), socket.peer);
      world.simulation.advance(100);
      const answer = socket.take();
      return answer === undefined ? "silence" : decodeUtf8(answer.bytes);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const open = (stack: NetworkStack) => new DatagramFile(stack.datagrams, 0, undefined);
  const laptop = world.network.addHost("laptop", "172.18.0.1");
  return { ...world, pods, servers, setEndpoints, ask, open, laptop };
}

const pod = (world: ReturnType<typeof running>, index: number): NetworkStack => world.pods[index]?.stack as NetworkStack;

describe("datagrams", () => {
  it("go from pod to pod, from node to pod and from pod to node, with the addresses that connections have", () => {
    const world = running();
    const [here, there] = world.pods;
    expect(world.ask(world.open(pod(world, 0)), there?.address ?? "")).toBe(`pod-1 to ${here?.address}`);
    expect(world.ask(world.open(world.node(0).host), here?.address ?? "")).toBe("pod-0 to 10.244.0.1");
    expect(world.ask(world.open(world.node(0).host), there?.address ?? "")).toBe("pod-1 to 172.18.0.2");
    echo(world.node(1).host, "node", 7000);
    expect(world.ask(world.open(pod(world, 0)), "172.18.0.3", 7000)).toBe("node to 172.18.0.2");
    expect(world.ask(world.open(pod(world, 1)), "172.18.0.3", 7000)).toBe(`node to ${there?.address}`);
    expect(world.ask(world.open(world.node(1).host), "127.0.0.1", 7000)).toBe("node to 127.0.0.1");
    expect(world.ask(world.open(pod(world, 0)), "127.0.0.1")).toBe("pod-0 to 127.0.0.1");
  });

  it("are refused to who is connected when nobody listens, and lost to all others", () => {
    const world = running();
    const there = world.pods[1]?.address ?? "";
    expect(world.ask(world.open(pod(world, 0)), there, 9)).toBe("ECONNREFUSED");
    const anyone = world.open(pod(world, 0));
    anyone.send(encodeUtf8("?"), { address: there, port: 9 });
    world.simulation.advance(100);
    expect(anyone.take()).toBeUndefined();
    expect(world.ask(world.open(world.laptop), there)).toBe("silence");
  });

  it("[NET-103] [NET-151] reach a Service's endpoints by its rules, one for each flow, and the answers come from its address", () => {
    const world = running();
    expect(saveTable(world.node(0).packetFilter, "nat", 0)).toContain(
      `-A KUBE-SERVICES -d ${virtual}/32 -p udp -m comment --comment "default/echo cluster IP" -m udp --dport 5353 -j KUBE-SVC-`,
    );
    const names = new Set<string>();
    for (let turn = 0; turn < 20; turn += 1) {
      const socket = world.open(world.node(0).host);
      const first = world.ask(socket, virtual);
      names.add(first.slice(0, 5));
      // The flow stays where it is, whatever chance says.
      for (let again = 0; again < 5; again += 1) expect(world.ask(socket, virtual)).toBe(first);
    }
    expect([...names].sort()).toEqual(["pod-0", "pod-1"]);
  });

  it("[NET-108] forgets flows to endpoints that went", () => {
    const world = running();
    const socket = world.open(world.node(0).host);
    const first = Number(world.ask(socket, virtual)[4]);
    const other = 1 - first;
    world.setEndpoints([other]);
    expect(world.ask(socket, virtual)).toContain(`pod-${other} to`);
  });

  it("[NET-108] forgets flows to an address that led nowhere when it gets endpoints", () => {
    const world = running();
    // Nothing answers for this address yet: what is sent there goes out into the world.
    const socket = world.open(pod(world, 0));
    expect(world.ask(socket, "10.96.10.99")).toBe("silence");
    createService(world.client, "late", { ...spec, clusterIP: "10.96.10.99" });
    const ports = [{ name: "", port: 5353, protocol: "UDP" }];
    createSlice(world.client, "late", [{ address: world.pods[1]?.address ?? "", nodeName: "node-2" }], ports);
    world.simulation.advance(2000);
    expect(world.ask(socket, "10.96.10.99")).toBe(`pod-1 to ${world.pods[0]?.address}`);
  });

  it("keeps flows of a Service whose last endpoint went, and refuses new ones", () => {
    const world = running();
    const socket = world.open(world.node(0).host);
    const first = world.ask(socket, virtual);
    world.setEndpoints([]);
    expect(world.ask(socket, virtual)).toBe(first);
    expect(world.ask(world.open(world.node(0).host), virtual)).toBe("ECONNREFUSED");
  });

  it("forgets a flow after 30 s of silence, and after 120 s when both sides had spoken for a while", () => {
    const world = running();
    const flows = () => world.node(0).conntrack?.flows().length ?? 0;
    const socket = world.open(world.node(0).host);
    world.ask(socket, virtual);
    world.simulation.advance(29_000);
    expect(flows()).toBe(1);
    world.simulation.advance(2000);
    expect(flows()).toBe(0);
    world.ask(socket, virtual);
    world.simulation.advance(3000);
    world.ask(socket, virtual);
    world.simulation.advance(110_000);
    expect(flows()).toBe(1);
    world.simulation.advance(11_000);
    expect(flows()).toBe(0);
  });

  it("[NET-129] stay with their endpoint under session affinity, whatever port they come from", () => {
    const world = running({ sessionAffinity: "ClientIP" });
    const first = world.ask(world.open(pod(world, 0)), virtual);
    for (let turn = 0; turn < 10; turn += 1) expect(world.ask(world.open(pod(world, 0)), virtual)).toBe(first);
  });

  it("reach node ports from outside, masqueraded under Cluster and as they are under Local", () => {
    const cluster = running({ type: "NodePort", ports: [{ port: 5353, protocol: "UDP", nodePort: 30_053 }] });
    expect(cluster.ask(cluster.open(cluster.laptop), "172.18.0.2", 30_053)).toMatch(
      /^pod-0 to 10\.244\.0\.1$|^pod-1 to 172\.18\.0\.2$/,
    );
    const local = running({
      type: "NodePort",
      externalTrafficPolicy: "Local",
      ports: [{ port: 5353, protocol: "UDP", nodePort: 30_053 }],
    });
    expect(local.ask(local.open(local.laptop), "172.18.0.3", 30_053)).toBe("pod-1 to 172.18.0.1");
    local.setEndpoints([0]);
    // The last endpoint of the node went, not that of the Service: the old flow is forgotten, and there is nowhere to go.
    expect(local.ask(local.open(local.laptop), "172.18.0.3", 30_053)).toBe("silence");
  });

  it("[NET-152] a pod that reaches itself through the Service sees the bridge as its client", () => {
    const world = running();
    world.setEndpoints([0]);
    expect(world.ask(world.open(pod(world, 0)), virtual)).toBe("pod-0 to 10.244.0.1");
  });

  it("reach host ports of their protocol only", () => {
    const world = running();
    world.pods[0]?.mapHostPort({ hostPort: 8053, protocol: "udp", containerPort: 5353 });
    world.pods[1]?.mapHostPort({ hostPort: 8054, protocol: "tcp", containerPort: 5353 });
    expect(world.ask(world.open(world.laptop), "172.18.0.2", 8053)).toBe("pod-0 to 172.18.0.1");
    expect(world.ask(world.open(world.laptop), "172.18.0.3", 8054)).toBe("ECONNREFUSED");
  });

  it("two clients whose ports become the same keep their answers apart", () => {
    const world = running({ type: "NodePort", ports: [{ port: 5353, protocol: "UDP", nodePort: 30_053 }] });
    world.setEndpoints([1]);
    const own = new DatagramFile(world.node(0).host.datagrams, 4000, undefined);
    const outside = new DatagramFile(world.laptop.datagrams, 4000, undefined);
    own.peer = { address: virtual, port: 5353 };
    outside.peer = { address: "172.18.0.2", port: 30_053 };
    for (const socket of [own, outside, own]) expect(world.ask(socket, "")).toBe("pod-1 to 172.18.0.2");
    const flows = world.node(0).conntrack?.flows() ?? [];
    expect(flows.map(({ reply }) => reply.destinationPort)).toEqual([4000, 4001]);
  });

  it("are dropped where policies do not admit their flow", () => {
    const world = running();
    world.network.admitOpening = (_direction, { protocol }) => protocol !== "udp";
    const socket = world.open(pod(world, 0));
    expect(world.ask(socket, world.pods[1]?.address ?? "")).toBe("silence");
    expect(world.ask(socket, world.pods[1]?.address ?? "")).toBe("silence");
    world.network.admitOpening = undefined;
    expect(world.ask(socket, world.pods[1]?.address ?? "")).toContain("pod-1 to");
    // Who is let in once is let in for as long as the flow lasts, as are the answers.
    world.network.admitOpening = (_direction, { protocol }) => protocol !== "udp";
    expect(world.ask(socket, world.pods[1]?.address ?? "")).toContain("pod-1 to");
  });

  it("do not share port 53 with a DNS server", () => {
    const world = running();
    const stack = pod(world, 0);
    const dns = stack.serveDns(() => {});
    expect(() => stack.datagrams.wires.checkBinding(53, undefined)).toThrow("Address already in use");
    dns.close();
    stack.datagrams.wires.checkBinding(53, undefined);
    const socket = new DatagramFile(stack.datagrams, 53, undefined);
    expect(() => stack.serveDns(() => {})).toThrow("Address already in use");
    socket.close();
    stack.serveDns(() => {});
  });
});
