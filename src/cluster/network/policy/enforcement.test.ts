// Policies on the wire: which connections are asked about, with which addresses, and from when on.

import { beforeEach, describe, expect, it } from "vitest";
import type { NetworkPolicySpec, Pod, PodSpec } from "#cluster/api/generated/types.ts";
import { namespaces, networkPolicies, pods as podType, serviceAccounts } from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { ByteStream, NetworkStack } from "#sim/net.ts";
import { DatagramFile } from "#sim/network/datagrams.ts";
import { createService, createSlice, ensureNamespace, fetchFrom, networkWorld, serveName } from "../network.test-kit.ts";
import { startKubeProxy } from "../proxy/kube-proxy.ts";
import { enforceNetworkPolicies } from "./enforcement.ts";

const silence = "ETIMEDOUT";

function cluster() {
  const world = networkWorld();
  const { simulation, client, network } = world;
  const laptop = network.addHost("laptop", "172.18.0.1");
  enforceNetworkPolicies({ simulation, client, network });
  const make = (
    nodeIndex: number,
    name: string,
    options: { readonly namespace?: string; readonly spec?: Partial<PodSpec> } = {},
  ) => {
    const { namespace = "default", spec } = options;
    ensureNamespace(client, namespace);
    if (client.list(serviceAccounts, { namespace }).items.length === 0)
      client.create(serviceAccounts, { metadata: { name: "default", namespace } });
    const metadata = { name, namespace, labels: { app: name } };
    const draft: Draft<Pod> = { metadata, spec: { containers: [{ name: "main", image: "x" }], ...spec } };
    client.create(podType, draft);
    simulation.advance(0);
    const pod = world.node(nodeIndex).addPod(`${namespace}/${name}`);
    serveName(pod.stack, name);
    serveName(pod.stack, name, 81);
    return pod;
  };
  const apply = (spec: Partial<NetworkPolicySpec>, name = "policy", namespace = "default"): void => {
    client.create(networkPolicies, { metadata: { name, namespace }, spec: { podSelector: {}, ...spec } });
    simulation.advance(0);
  };
  const remove = (name = "policy"): void => {
    client.delete(networkPolicies, { namespace: "default", name });
    simulation.advance(0);
  };
  /** Who answers, or why nobody does. */
  const ask = (from: NetworkStack, address: string, port = 80): string =>
    fetchFrom(simulation, from, address, port).text.replace(/ to .*/u, "");
  return { ...world, laptop, make, apply, remove, ask };
}

const denyIngress = { policyTypes: ["Ingress"] };
const denyEgress = { policyTypes: ["Egress"] };
const fromApp = (app: string): Partial<NetworkPolicySpec> => ({ ingress: [{ from: [{ podSelector: { matchLabels: { app } } }] }] });

describe("policies on the wire", () => {
  let world: ReturnType<typeof cluster>;
  let a: ReturnType<typeof world.make>;
  let near: typeof a;
  let far: typeof a;

  beforeEach(() => {
    world = cluster();
    a = world.make(0, "a");
    near = world.make(0, "near");
    far = world.make(1, "far");
  });

  it("[NET-230] without any, nobody is asked, and so it is again when the last one goes", () => {
    const { network, apply, remove } = world;
    expect(network.admitOpening).toBeUndefined();
    apply(denyIngress);
    apply(denyEgress, "other");
    expect(network.admitOpening).toBeDefined();
    remove();
    expect(network.admitOpening).toBeDefined();
    remove("other");
    expect(network.admitOpening).toBeUndefined();
    expect(world.ask(a.stack, far.address)).toBe("far");
  });

  it("[NET-231] [NET-236] shut Pods on the same node and on others, and nobody says so", () => {
    const { ask, apply, remove } = world;
    apply(denyIngress);
    expect([near, far].map(({ address }) => ask(a.stack, address))).toEqual([silence, silence]);
    expect(fetchFrom(world.simulation, a.stack, far.address).tookMs).toBe(127_000);
    remove();
    expect([near, far].map(({ address }) => ask(a.stack, address))).toEqual(["near", "far"]);
    apply(denyEgress);
    expect([near, far].map(({ address }) => ask(a.stack, address))).toEqual([silence, silence]);
  });

  it("[NET-234] a node reaches its own Pods, and they it; other nodes count by their addresses", () => {
    const { ask, apply, node } = world;
    apply({ policyTypes: ["Ingress", "Egress"] });
    serveName(node(0).host, "host", 10250);
    serveName(node(1).host, "other host", 10250);
    expect(ask(node(0).host, a.address)).toBe("a");
    expect(ask(a.stack, "172.18.0.2", 10250)).toBe("host");
    expect(ask(a.stack, "10.244.0.1", 10250)).toBe("host");
    expect(ask(a.stack, "172.18.0.3", 10250)).toBe(silence);
    expect(ask(node(1).host, a.address)).toBe(silence);
    apply({ ingress: [{ from: [{ ipBlock: { cidr: "172.18.0.3/32" } }] }] }, "node-2");
    expect(ask(node(1).host, a.address)).toBe("a");
    apply({ policyTypes: ["Egress"], egress: [{ to: [{ ipBlock: { cidr: "172.18.0.3/32" } }] }] }, "to-node-2");
    expect(ask(a.stack, "172.18.0.3", 10250)).toBe("other host");
  });

  it("a Pod on its node's network is that node: no label finds it, and no policy shuts it", () => {
    const { ask, apply, node, client } = world;
    const metadata = { name: "agent", namespace: "default", labels: { app: "agent" } };
    client.create(podType, { metadata, spec: { hostNetwork: true, containers: [{ name: "main", image: "x" }] } });
    apply({ policyTypes: ["Ingress", "Egress"] });
    apply(fromApp("agent"), "agent");
    serveName(node(1).host, "host", 9100);
    expect(ask(node(1).host, a.address)).toBe(silence);
    expect(ask(node(1).host, far.address)).toBe("far");
    expect(ask(node(0).host, "172.18.0.3", 9100)).toBe("host");
  });

  it("[NET-235] a Pod reaches itself, by its address and through a Service", () => {
    const { ask, apply, client, simulation, nodes } = world;
    createService(client, "web", { clusterIP: "10.96.0.80", selector: { app: "a" }, ports: [{ port: 80 }] });
    createSlice(client, "web", [{ address: a.address, nodeName: "node-1" }]);
    for (const network of nodes) startKubeProxy({ simulation, client, network });
    simulation.advance(2000);
    apply({ policyTypes: ["Ingress", "Egress"] });
    expect(ask(a.stack, a.address)).toBe("a");
    expect(ask(a.stack, "127.0.0.1")).toBe("a");
    expect(ask(a.stack, "10.96.0.80")).toBe("a");
    expect(ask(near.stack, "10.96.0.80")).toBe(silence);
  });

  it("[NET-237] of a Service count the Pod and its port, not what was asked for", () => {
    const { ask, apply, client, simulation, nodes } = world;
    createService(client, "web", { clusterIP: "10.96.0.80", selector: { app: "far" }, ports: [{ port: 8000, targetPort: 80 }] });
    createSlice(client, "web", [{ address: far.address, nodeName: "node-2" }]);
    for (const network of nodes) startKubeProxy({ simulation, client, network });
    simulation.advance(2000);
    const only = (port: number): Partial<NetworkPolicySpec> => ({
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ ports: [{ port }] }],
      egress: [{ ports: [{ port }], to: [{ podSelector: { matchLabels: { app: "far" } } }] }],
    });
    apply(only(8000));
    expect(ask(a.stack, "10.96.0.80", 8000)).toBe(silence);
    apply(only(80), "target");
    expect(ask(a.stack, "10.96.0.80", 8000)).toBe("far");
  });

  it("[NET-237] the API server behind its Service is its node's address and port", () => {
    const { ask, apply, client, simulation, nodes, node } = world;
    serveName(node(1).host, "api", 6443);
    createService(client, "api", { clusterIP: "10.96.0.90", ports: [{ port: 443, targetPort: 6443 }] });
    createSlice(client, "api", [{ address: "172.18.0.3" }], [{ name: "", port: 6443, protocol: "TCP" }]);
    for (const network of nodes) startKubeProxy({ simulation, client, network });
    simulation.advance(2000);
    const to = (cidr: string, port: number): Partial<NetworkPolicySpec> => ({
      policyTypes: ["Egress"],
      egress: [{ to: [{ ipBlock: { cidr } }], ports: [{ port }] }],
    });
    apply(to("10.96.0.90/32", 443));
    expect(ask(a.stack, "10.96.0.90", 443)).toBe(silence);
    apply(to("172.18.0.3/32", 6443), "node");
    expect(ask(a.stack, "10.96.0.90", 443)).toBe("api");
    // On the API server's own node none is needed.
    expect(ask(far.stack, "10.96.0.90", 443)).toBe("api");
  });

  it("machines outside are addresses: as callers by node ports and host ports, and as destinations", () => {
    const { ask, apply, client, simulation, nodes, laptop } = world;
    const ports = [{ port: 80, nodePort: 30_080 }];
    createService(client, "web", { type: "NodePort", clusterIP: "10.96.0.80", selector: { app: "a" }, ports });
    createSlice(client, "web", [{ address: a.address, nodeName: "node-1" }]);
    for (const network of nodes) startKubeProxy({ simulation, client, network });
    simulation.advance(2000);
    a.mapHostPort({ hostPort: 8080, protocol: "tcp", containerPort: 80 });
    serveName(laptop, "laptop", 9000);
    apply({ policyTypes: ["Ingress", "Egress"] });
    expect(["172.18.0.2", "172.18.0.3"].map((node) => ask(laptop, node, 30_080))).toEqual([silence, silence]);
    expect(ask(laptop, "172.18.0.2", 8080)).toBe(silence);
    expect(ask(a.stack, "172.18.0.1", 9000)).toBe(silence);
    const outside = [{ ipBlock: { cidr: "172.18.0.1/32" } }];
    apply({ policyTypes: ["Ingress", "Egress"], ingress: [{ from: outside }], egress: [{ to: outside }] }, "laptop");
    // The other node has put its own address in the place of the laptop's.
    expect(["172.18.0.2", "172.18.0.3"].map((node) => ask(laptop, node, 30_080))).toEqual(["a", silence]);
    expect(ask(laptop, "172.18.0.2", 8080)).toBe("a");
    expect(ask(a.stack, "172.18.0.1", 9000)).toBe("laptop");
  });

  it("who has a Pod's address without being one is selected by no label", () => {
    const { ask, apply, node } = world;
    const stranger = node(1).addPod();
    apply({ ingress: [{ from: [{ namespaceSelector: {} }] }] });
    expect(ask(far.stack, a.address)).toBe("a");
    expect(ask(stranger.stack, a.address)).toBe(silence);
    apply({ ingress: [{ from: [{ ipBlock: { cidr: "10.244.1.0/24" } }] }] }, "block");
    expect(ask(stranger.stack, a.address)).toBe("a");
  });

  it("[NET-240] labels of Pods and namespaces, and changes of policies, count at once", () => {
    const { ask, apply, client, simulation, make } = world;
    const other = make(1, "other", { namespace: "shop" });
    apply({ podSelector: { matchLabels: { app: "a" } }, ...fromApp("near") });
    expect([near, far].map(({ stack }) => ask(stack, a.address))).toEqual(["a", silence]);
    const relabel = (name: string, app: string): void => {
      client.patch(podType, { namespace: "default", name }, "merge", { metadata: { labels: { app } } });
      simulation.advance(0);
    };
    relabel("near", "far");
    relabel("far", "near");
    expect([near, far].map(({ stack }) => ask(stack, a.address))).toEqual([silence, "a"]);
    client.patch(networkPolicies, { namespace: "default", name: "policy" }, "merge", {
      spec: { ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: "blue" } } }] }] },
    });
    simulation.advance(0);
    expect([far, other].map(({ stack }) => ask(stack, a.address))).toEqual([silence, silence]);
    client.patch(namespaces, { namespace: "", name: "shop" }, "merge", { metadata: { labels: { team: "blue" } } });
    simulation.advance(0);
    expect([far, other].map(({ stack }) => ask(stack, a.address))).toEqual([silence, "a"]);
    relabel("a", "b");
    expect(ask(far.stack, a.address)).toBe("a");
  });

  it("a Pod is isolated from its first moment, and for as long as it is being deleted", () => {
    const { ask, apply, client, make, simulation } = world;
    apply(denyIngress);
    const late = make(1, "late");
    expect(ask(a.stack, late.address)).toBe(silence);
    client.patch(podType, { namespace: "default", name: "late" }, "merge", { metadata: { finalizers: ["example.com/hold"] } });
    client.delete(podType, { namespace: "default", name: "late" });
    simulation.advance(0);
    expect(client.get(podType, { namespace: "default", name: "late" }).metadata.deletionTimestamp).toBeDefined();
    expect(ask(a.stack, late.address)).toBe(silence);
    // As a peer it still counts, too.
    apply(fromApp("late"), "from-late");
    expect(ask(late.stack, a.address)).toBe("a");
  });

  it("a Pod that has ended gave its address back: who has it now is another one", () => {
    const { ask, apply, node, client } = world;
    apply({ podSelector: { matchLabels: { app: "a" } }, ...fromApp("near") });
    const { address } = near;
    client.patch(podType, { namespace: "default", name: "near" }, "merge", { status: { phase: "Succeeded", podIP: address } });
    near.remove();
    let next = node(0).addPod();
    while (next.address !== address) {
      next.remove();
      next = node(0).addPod();
    }
    expect(ask(next.stack, a.address)).toBe(silence);
  });

  it("while the API server is away the last that was heard counts, and all that is new as soon as it is back", () => {
    const { ask, apply, remove, server, simulation } = world;
    apply(denyIngress);
    server.stop();
    simulation.advance(5000);
    expect(ask(a.stack, far.address)).toBe(silence);
    server.start();
    remove();
    simulation.advance(60_000);
    expect(ask(a.stack, far.address)).toBe("far");
  });

  it("an open connection goes on when a policy comes", () => {
    const { simulation, apply } = world;
    let heard = "";
    let stream: ByteStream | undefined;
    far.stack.listen({
      port: 7000,
      onStream: (accepted) => {
        accepted.onData = (bytes) => {
          heard += decodeUtf8(bytes);
          accepted.write(encodeUtf8("yes"));
        };
      },
    });
    let answered = "";
    a.stack.connect({ address: far.address, port: 7000 }, {}, (result) => {
      if (!result.ok) return;
      stream = result.stream;
      stream.onData = (bytes) => {
        answered += decodeUtf8(bytes);
      };
    });
    simulation.advance(100);
    stream?.write(encodeUtf8("before"));
    simulation.advance(100);
    apply({ policyTypes: ["Ingress", "Egress"] });
    stream?.write(encodeUtf8(" after"));
    simulation.advance(100);
    expect([heard, answered]).toEqual(["before after", "yesyes"]);
    expect(world.ask(a.stack, far.address)).toBe(silence);
  });

  it("answers to datagrams pass, and what is not an answer does not", () => {
    const { simulation, apply } = world;
    const server = new DatagramFile(far.stack.datagrams, 5353, undefined);
    const client = new DatagramFile(a.stack.datagrams, 4000, undefined);
    const said = (from: DatagramFile, to: DatagramFile, address: string, port: number): string | undefined => {
      from.send(encodeUtf8("?"), { address, port });
      simulation.advance(100);
      const got = to.take();
      return got && decodeUtf8(got.bytes);
    };
    apply({ podSelector: { matchLabels: { app: "a" } }, policyTypes: ["Ingress"] }, "shut");
    apply({ podSelector: { matchLabels: { app: "far" } }, policyTypes: ["Egress"] }, "mute");
    expect(said(server, client, a.address, 4000)).toBeUndefined();
    expect(said(client, server, far.address, 5353)).toBe("?");
    expect(said(server, client, a.address, 4000)).toBe("?");
    const other = new DatagramFile(a.stack.datagrams, 4001, undefined);
    expect(said(server, other, a.address, 4001)).toBeUndefined();
  });

  it("[NET-239] questions to name servers are judged as datagrams to port 53", () => {
    const { simulation, apply } = world;
    far.stack.serveDns((_question, _client, reply) =>
      reply({ code: "NOERROR", records: [], server: far.address, authoritative: true }),
    );
    const lookUp = (): unknown => {
      let answer: unknown;
      a.stack.query(far.address, [{ name: "x", type: "A" }], (found) => {
        answer = typeof found === "string" ? found : found[0]?.code;
      });
      simulation.advance(10_000);
      return answer;
    };
    const to = (protocol: string): Partial<NetworkPolicySpec> => ({
      policyTypes: ["Egress"],
      egress: [{ ports: [{ port: 53, protocol }] }],
    });
    apply(to("TCP"));
    expect(lookUp()).toBe("ETIMEDOUT");
    apply(to("UDP"), "udp");
    expect(lookUp()).toBe("NOERROR");
  });
});
