// What kube-proxy's iptables mode makes of its settings, of load balancers, and of very many endpoints; and what packets make of that.

import { describe, expect, it } from "vitest";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { endpointSlices, services } from "#cluster/api/kinds.ts";
import { saveTable } from "../netfilter/iptables-save.ts";
import { createService, createSlice, endpointsOf, fetchFrom, networkWorld, serveName } from "../network.test-kit.ts";
import { endpointChain } from "./chain-names.ts";
import { startKubeProxy } from "./kube-proxy.ts";
import { type ProxySettings, usualSettings } from "./settings.ts";

const web: ServiceSpec = { clusterIP: "10.96.10.20", selector: { app: "web" }, ports: [{ port: 80 }] };
const hash = "LOLE4ISW44XBNF3G";

/** A Service `web` with a Pod on each of two nodes. */
function running(spec: Partial<ServiceSpec> = {}, settings: Partial<ProxySettings> = {}) {
  const world = networkWorld();
  // The Service `kubernetes` is in no one's way here.
  for (const { metadata } of world.client.list(services).items)
    world.client.delete(services, { namespace: metadata.namespace ?? "", name: metadata.name });
  const pods = world.nodes.map((node) => node.addPod());
  pods.forEach((pod, index) => {
    serveName(pod.stack, `pod-${index}`);
  });
  createService(world.client, "web", { ...web, ...spec });
  const endpoints = pods.map((pod, index) => ({ address: pod.address, nodeName: `node-${index + 1}` }));
  createSlice(world.client, "web", endpoints);
  const all = { ...usualSettings("10.244.0.0/16"), ...settings };
  for (const network of world.nodes)
    startKubeProxy({
      simulation: world.simulation,
      client: world.client,
      network,
      settings: all,
      ruleCache: world.network.ruleCache,
    });
  const settle = (): void => world.simulation.advance(2000);
  settle();
  const rules = (table: "nat" | "filter", pattern: RegExp, index = 0): readonly string[] =>
    saveTable(world.node(index).packetFilter, table, 0)
      .split("\n")
      .filter((line) => line.startsWith("-A") && pattern.test(line));
  const laptop = world.network.addHost("laptop", "172.18.0.1");
  const ask = (from: Parameters<typeof fetchFrom>[1], address: string, port = 80): string =>
    fetchFrom(world.simulation, from, address, port).text;
  /** Gives the Service an address of a load balancer's. */
  const balance = (ingress: { ip: string; ipMode?: "VIP" | "Proxy" }): void => {
    const service = world.client.get(services, { namespace: "default", name: "web" });
    world.client.updateStatus(services, { ...service, status: { loadBalancer: { ingress: [ingress] } } });
    settle();
  };
  return { ...world, rules, laptop, ask, balance, settle, pod: (index: number) => pods[index] as (typeof pods)[number] };
}

const nodePort: Partial<ServiceSpec> = { type: "NodePort", ports: [{ port: 80, nodePort: 30_007 }] };
const note = '-m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain"';

describe("chains of a Service port", () => {
  it("[NET-114] [NET-117] share one hash of its name and protocol, whatever they are for", () => {
    const { rules, balance } = running({
      ...nodePort,
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      loadBalancerSourceRanges: ["192.0.2.0/24"],
    });
    balance({ ip: "203.0.113.2" });
    const chains = new Set(rules("nat", /^-A KUBE-(SVC|SVL|EXT|FW)/).map((line) => line.split(" ")[1]));
    expect([...chains].sort()).toEqual(["EXT", "FW", "SVC", "SVL"].map((kind) => `KUBE-${kind}-${hash}`));
    expect(rules("nat", /^-A KUBE-SEP/)[0]).not.toContain(hash);
  });

  it("[NET-102] are not made for a Service that has no cluster IP yet", () => {
    const { client, simulation, rules } = running();
    createService(client, "bare", { type: "ExternalName", externalName: "example.com" });
    createSlice(client, "bare", [{ address: "10.244.0.9" }]);
    simulation.advance(2000);
    expect(client.get(services, { namespace: "default", name: "bare" }).spec?.clusterIP).toBeUndefined();
    expect([...rules("nat", /bare/), ...rules("filter", /bare/)]).toEqual([]);
  });

  it("[NET-134] keep internal traffic to the node's own endpoints under internalTrafficPolicy Local", () => {
    const { rules, ask, node, client, settle } = running({ internalTrafficPolicy: "Local" });
    expect(rules("nat", /cluster IP" -m tcp --dport 80 -j KUBE-SV/)).toEqual([
      `-A KUBE-SERVICES -d 10.96.10.20/32 -p tcp -m comment --comment "default/web cluster IP" -m tcp --dport 80 -j KUBE-SVL-${hash}`,
    ]);
    expect(rules("nat", /KUBE-SVC/)).toEqual([]);
    expect(new Set(Array.from({ length: 12 }, () => ask(node(1).addPod().stack, "10.96.10.20").split(" ")[0]))).toEqual(
      new Set(["pod-1"]),
    );
    const slice = client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    client.update(endpointSlices, { ...slice, endpoints: slice.endpoints?.slice(0, 1) ?? [] });
    settle();
    expect(rules("filter", /web/, 1)).toEqual([
      '-A KUBE-SERVICES -d 10.96.10.20/32 -p tcp -m comment --comment "default/web has no local endpoints" -m tcp --dport 80 -j DROP',
    ]);
    expect(ask(node(1).addPod().stack, "10.96.10.20")).toBe("ETIMEDOUT");
  });
});

describe("a load balancer's address", () => {
  const balanced: Partial<ServiceSpec> = { ...nodePort, type: "LoadBalancer" };

  it("[NET-135] leads to the Service's external chain from nodes and Pods, unless the balancer is a proxy", () => {
    const { rules, balance, ask, node } = running(balanced);
    balance({ ip: "203.0.113.2", ipMode: "VIP" });
    expect(rules("nat", /loadbalancer IP/)).toEqual([
      `-A KUBE-SERVICES -d 203.0.113.2/32 -p tcp -m comment --comment "default/web loadbalancer IP" -m tcp --dport 80 -j KUBE-EXT-${hash}`,
    ]);
    expect(ask(node(0).addPod().stack, "203.0.113.2")).toMatch(/^pod-/);
    balance({ ip: "203.0.113.2", ipMode: "Proxy" });
    expect(rules("nat", /loadbalancer IP/)).toEqual([]);
    expect(ask(node(0).addPod().stack, "203.0.113.2")).toBe("ETIMEDOUT");
  });

  it("[NET-136] [NET-137] takes only sources in its ranges, while node ports take all", () => {
    const { rules, balance, ask, node, laptop } = running({ ...balanced, loadBalancerSourceRanges: ["10.244.1.0/24"] });
    balance({ ip: "203.0.113.2" });
    expect(rules("nat", /loadbalancer IP|KUBE-FW/)).toEqual([
      `-A KUBE-FW-${hash} -s 10.244.1.0/24 -m comment --comment "default/web loadbalancer IP" -j KUBE-EXT-${hash}`,
      `-A KUBE-FW-${hash} -m comment --comment "other traffic to default/web will be dropped by KUBE-PROXY-FIREWALL"`,
      `-A KUBE-SERVICES -d 203.0.113.2/32 -p tcp -m comment --comment "default/web loadbalancer IP" -m tcp --dport 80 -j KUBE-FW-${hash}`,
    ]);
    expect(rules("filter", /^-A KUBE-PROXY-FIREWALL/)).toEqual([
      `-A KUBE-PROXY-FIREWALL -d 203.0.113.2/32 -p tcp -m comment --comment "default/web traffic not accepted by KUBE-FW-${hash}" -m tcp --dport 80 -j DROP`,
    ]);
    expect(ask(node(1).addPod().stack, "203.0.113.2")).toMatch(/^pod-/);
    expect(ask(node(0).addPod().stack, "203.0.113.2")).toBe("ETIMEDOUT");
    expect(ask(laptop, "172.18.0.2", 30_007)).toMatch(/^pod-/);
  });

  it("[NET-136] takes what a node in its ranges sends as that address, too", () => {
    const { rules, balance } = running({ ...balanced, loadBalancerSourceRanges: ["172.18.0.2/32"] });
    balance({ ip: "203.0.113.2" });
    const sources = (index: number) => rules("nat", /^-A KUBE-FW.* -s /, index).map((line) => line.split(" ")[3]);
    expect([sources(0), sources(1)]).toEqual([["172.18.0.2/32", "203.0.113.2/32"], ["172.18.0.2/32"]]);
  });

  it("[NET-142] [NET-113] opens the health check port under externalTrafficPolicy Local, and says how many endpoints the node has", () => {
    const { rules, client, ask, laptop } = running({ ...balanced, externalTrafficPolicy: "Local" });
    const port = client.get(services, { namespace: "default", name: "web" }).spec?.healthCheckNodePort ?? 0;
    expect(rules("filter", /^-A KUBE-NODEPORTS/)).toEqual([
      `-A KUBE-NODEPORTS -p tcp -m comment --comment "default/web health check node port" -m tcp --dport ${port} -j ACCEPT`,
    ]);
    expect(ask(laptop, "172.18.0.2", port)).toContain('"localEndpoints": 1');
  });
});

describe("settings", () => {
  it("[NET-130] let node ports be taken by every address of the node", () => {
    const { rules, ask, node, laptop } = running(nodePort);
    expect(rules("nat", /NOTE/)).toEqual([`-A KUBE-SERVICES ${note} -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS`]);
    expect(ask(node(0).host, "127.0.0.1", 30_007)).toMatch(/^pod-/);
    expect(ask(laptop, "172.18.0.2", 30_007)).toMatch(/^pod-/);
  });

  it("[NET-130] keep node ports from the loopback", () => {
    const { rules, ask, node } = running(nodePort, { localhostNodePorts: false });
    expect(rules("nat", /NOTE/)).toEqual([
      `-A KUBE-SERVICES ! -d 127.0.0.0/8 ${note} -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS`,
    ]);
    expect(ask(node(0).host, "127.0.0.1", 30_007)).toBe("ECONNREFUSED");
    expect(ask(node(0).host, "172.18.0.2", 30_007)).toMatch(/^pod-/);
  });

  it("[NET-130] give each address in the ranges a line of its own", () => {
    const { rules, ask, node, laptop } = running(nodePort, { nodePortAddresses: ["127.0.0.0/8", "10.244.0.0/16"] });
    expect(rules("nat", /NOTE/)).toEqual([
      `-A KUBE-SERVICES -d 127.0.0.1/32 ${note} -j KUBE-NODEPORTS`,
      `-A KUBE-SERVICES -d 10.244.0.1/32 ${note} -j KUBE-NODEPORTS`,
    ]);
    expect(ask(laptop, "172.18.0.2", 30_007)).toBe("ECONNREFUSED");
    expect(ask(node(0).host, "127.0.0.1", 30_007)).toMatch(/^pod-/);
  });

  it("[NET-125] masquerade all traffic to cluster IPs, or that from elsewhere, or none when nobody knows where Pods are", () => {
    const first = (settings: Partial<ProxySettings>) => {
      const { rules, ask, node, pod } = running({}, settings);
      const seen = new Set(Array.from({ length: 24 }, () => ask(node(0).addPod().stack, "10.96.10.20")));
      expect([...seen].some((text) => text.startsWith("pod-1"))).toBe(true);
      const masqueraded = [...seen].some((text) => text === "pod-1 to 172.18.0.2");
      return [rules("nat", /^-A KUBE-SVC.*MARK-MASQ/).map((line) => line.split(" -d ")[0]), masqueraded, pod(0).address];
    };
    expect(first({})).toEqual([[`-A KUBE-SVC-${hash} ! -s 10.244.0.0/16`], false, "10.244.0.2"]);
    expect(first({ masqueradeAll: true })).toEqual([[`-A KUBE-SVC-${hash}`], true, "10.244.0.2"]);
    expect(first({ podRange: undefined })).toEqual([[], false, "10.244.0.2"]);
  });

  it("[NET-122] [NET-123] choose the bit that marks what is masqueraded", () => {
    const { rules, ask, laptop } = running(nodePort, { masqueradeMark: 2 ** 31 });
    expect(rules("nat", /^-A KUBE-(MARK|POSTROUTING).*mark/)).toEqual([
      "-A KUBE-MARK-MASQ -j MARK --set-xmark 0x80000000/0x80000000",
      "-A KUBE-POSTROUTING -m mark ! --mark 0x80000000/0x80000000 -j RETURN",
      "-A KUBE-POSTROUTING -j MARK --set-xmark 0x80000000/0x0",
    ]);
    expect(["pod-0 to 10.244.0.1", "pod-1 to 172.18.0.2"]).toContain(ask(laptop, "172.18.0.2", 30_007));
  });
});

describe("a large cluster", () => {
  it("[NET-147] leaves comments out above 1,000 endpoints, and cleans chains up once a sync period", () => {
    const { client, simulation, rules, node, settle } = running();
    expect(rules("nat", /web ->/)).toHaveLength(2);
    createService(client, "big", { clusterIP: "10.96.10.21", ports: [{ port: 80 }] });
    const many = Array.from({ length: 999 }, (_, index) => ({ address: `10.245.${index >> 8}.${index & 255}` }));
    createSlice(client, "big", many);
    settle();
    expect(rules("nat", /->|KUBE-SEP.*comment/)).toEqual([]);
    expect(rules("nat", /^-A KUBE-SEP-/)).toHaveLength(2 * 1001);
    expect(rules("nat", /"default\/web cluster IP"/)).toHaveLength(2);
    const isThere = (address: string): boolean =>
      node(0).packetFilter.hasChain("nat", endpointChain("default/web", "tcp", `${address}:80`));
    const slice = () => client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    const only = (address: string): void => {
      client.update(endpointSlices, { ...slice(), endpoints: endpointsOf([{ address }, { address: "10.245.9.9" }]) });
      settle();
    };
    only("10.245.9.1");
    expect(["10.244.0.2", "10.244.1.2", "10.245.9.1", "10.245.9.9"].map(isThere)).toEqual([true, true, true, true]);
    simulation.advance(30_000);
    only("10.245.9.2");
    expect(["10.244.0.2", "10.244.1.2", "10.245.9.1", "10.245.9.2", "10.245.9.9"].map(isThere)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
