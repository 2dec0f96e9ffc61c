// kube-proxy's nftables mode: the table as nft prints it, and what becomes of packets by it.

import { describe, expect, it } from "vitest";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { endpointSlices, services } from "#cluster/api/kinds.ts";
import { saveTable } from "../../netfilter/iptables-save.ts";
import type { NftTable } from "../../netfilter/nftables/nft-table.ts";
import { blocksText, chainBlock, setBlock, tableText } from "../../netfilter/nftables/nft-text.ts";
import { createService, createSlice, endpointsOf, fetchFrom, networkWorld, serveName } from "../../network.test-kit.ts";
import { startKubeProxy } from "../kube-proxy.ts";
import { type ProxySettings, usualSettings } from "../settings.ts";

const web: ServiceSpec = { clusterIP: "10.96.10.20", selector: { app: "web" }, ports: [{ port: 80 }] };
const nodePort: Partial<ServiceSpec> = { type: "NodePort", ports: [{ port: 80, nodePort: 30_007 }] };
const own = "PFISGYVC-default/web/tcp/";

/** A Service `web` with a Pod on each of two nodes. */
function running(spec: Partial<ServiceSpec> = {}, settings: Partial<ProxySettings> = {}) {
  const world = networkWorld();
  const { client, simulation, nodes, network } = world;
  for (const { metadata } of client.list(services).items)
    client.delete(services, { namespace: metadata.namespace ?? "", name: metadata.name });
  const pods = nodes.map((node) => node.addPod());
  pods.forEach((pod, index) => {
    serveName(pod.stack, `pod-${index}`);
  });
  createService(client, "web", { ...web, ...spec });
  createSlice(
    client,
    "web",
    pods.map((pod, index) => ({ address: pod.address, nodeName: `node-${index + 1}` })),
  );
  const start = (more: Partial<ProxySettings>) =>
    nodes.map((node) =>
      startKubeProxy({
        simulation,
        client,
        network: node,
        settings: { ...usualSettings("10.244.0.0/16"), nodePortAddresses: [`${node.address}/32`], ...more },
      }),
    );
  const proxies = start({ mode: "nftables", ...settings });
  const settle = (seconds = 2): void => simulation.advance(seconds * 1000);
  settle();
  const table = (index = 0): NftTable => world.node(index).packetFilter.hooked as NftTable;
  const chain = (name: string, index = 0): readonly string[] => {
    const found = table(index).chains.get(name);
    return found === undefined
      ? []
      : chainBlock(name, found)
          .slice(1, -1)
          .map((line) => line.trim());
  };
  const elements = (name: string, index = 0): readonly string[] => [
    ...(table(index).maps.get(name)?.elements.keys() ?? table(index).sets.get(name)?.elements.keys() ?? []),
  ];
  const laptop = network.addHost("laptop", "172.18.0.1");
  const ask = (from: Parameters<typeof fetchFrom>[1], address: string, port = 80): string =>
    fetchFrom(simulation, from, address, port).text;
  const shrink = (count: number): void => {
    const slice = client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    client.update(endpointSlices, { ...slice, endpoints: slice.endpoints?.slice(0, count) ?? [] });
    settle();
  };
  const balance = (ip: string): void => {
    const service = client.get(services, { namespace: "default", name: "web" });
    client.updateStatus(services, { ...service, status: { loadBalancer: { ingress: [{ ip }] } } });
    settle();
  };
  const pod = (index: number) => pods[index] as (typeof pods)[number];
  return { ...world, table, chain, elements, laptop, ask, shrink, balance, settle, pod, proxies, start };
}

const seen = (ask: () => string, times = 40): readonly string[] => [...new Set(Array.from({ length: times }, ask))].sort();

describe("the table of a Service", () => {
  it("[NET-154] is printed by nft with its sets, maps and chains", () => {
    const { table, settle } = running(nodePort);
    settle(1);
    expect(tableText(table()).replaceAll("\t", "  ")).toBe(
      `table ip kube-proxy {
  comment "rules for kube-proxy"
  set hairpin-connections {
    type ipv4_addr . ipv4_addr . inet_proto . inet_service
    comment "service hairpin connections"
    elements = { 10.244.0.2 . 10.244.0.2 . tcp . 80 }
  }

  set cluster-ips {
    type ipv4_addr
    comment "Active ClusterIPs"
    elements = { 10.96.10.20 }
  }

  set nodeport-ips {
    type ipv4_addr
    comment "IPs that accept NodePort traffic"
    elements = { 172.18.0.2 }
  }

  map no-endpoint-services {
    type ipv4_addr . inet_proto . inet_service : verdict
    comment "vmap to drop or reject packets to services with no endpoints"
  }

  map no-endpoint-nodeports {
    type inet_proto . inet_service : verdict
    comment "vmap to drop or reject packets to service nodeports with no endpoints"
  }

  map firewall-ips {
    type ipv4_addr . inet_proto . inet_service : verdict
    comment "destinations that are subject to LoadBalancerSourceRanges"
  }

  map service-ips {
    type ipv4_addr . inet_proto . inet_service : verdict
    comment "ClusterIP, ExternalIP and LoadBalancer IP traffic"
    elements = { 10.96.10.20 . tcp . 80 : goto service-HASH-default/web/tcp/ }
  }

  map service-nodeports {
    type inet_proto . inet_service : verdict
    comment "NodePort traffic"
    elements = { tcp . 30007 : goto external-HASH-default/web/tcp/ }
  }

  chain filter-prerouting-pre-dnat {
    type filter hook prerouting priority dstnat - 10; policy accept;
    ct state new jump firewall-check
  }

  chain filter-output-pre-dnat {
    type filter hook output priority -110; policy accept;
    ct state new jump firewall-check
  }

  chain filter-input {
    type filter hook input priority filter; policy accept;
    ct state new jump nodeport-endpoints-check
    ct state new jump service-endpoints-check
  }

  chain filter-forward {
    type filter hook forward priority filter; policy accept;
    ct state new jump service-endpoints-check
    ct state new jump cluster-ips-check
  }

  chain filter-output {
    type filter hook output priority filter; policy accept;
    ct state new jump service-endpoints-check
    ct state new jump cluster-ips-check
  }

  chain nat-prerouting {
    type nat hook prerouting priority dstnat; policy accept;
    jump services
  }

  chain nat-output {
    type nat hook output priority -100; policy accept;
    jump services
  }

  chain nat-postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    jump masquerading
  }

  chain nodeport-endpoints-check {
    ip daddr @nodeport-ips meta l4proto . th dport vmap @no-endpoint-nodeports
  }

  chain service-endpoints-check {
    ip daddr . meta l4proto . th dport vmap @no-endpoint-services
  }

  chain firewall-check {
    ip daddr . meta l4proto . th dport vmap @firewall-ips
  }

  chain services {
    ip daddr @cluster-ips ip saddr != 10.244.0.0/16 meta mark set meta mark | 0x00004000 comment "masquerade clusterIP traffic from outside cluster"
    ip daddr . meta l4proto . th dport vmap @service-ips
    ip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports
  }

  chain masquerading {
    meta mark & 0x00004000 != 0x00000000 meta mark set meta mark ^ 0x00004000 masquerade fully-random
    ct status dnat ip saddr . ip daddr . meta l4proto . th dport @hairpin-connections masquerade fully-random
  }

  chain cluster-ips-check {
    ip daddr @cluster-ips reject comment "Reject traffic to invalid ports of ClusterIPs"
    ip daddr 10.96.0.0/12 drop comment "Drop traffic to unallocated ClusterIPs"
  }

  chain reject-chain {
    comment "helper for @no-endpoint-services / @no-endpoint-nodeports"
    reject
  }

  chain external-HASH-default/web/tcp/ {
    meta mark set meta mark | 0x00004000
    goto service-HASH-default/web/tcp/
  }

  chain service-HASH-default/web/tcp/ {
    meta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.244.0.2 . 80, 1 : 10.244.1.2 . 80 }
  }
}
`.replaceAll("HASH", own.slice(0, 8)),
    );
  });

  it("[NET-154] sorts the elements of maps as nft does, the last part first", () => {
    const { elements, table, client, settle } = running();
    createService(client, "dns", {
      clusterIP: "10.96.0.10",
      ports: [
        { name: "dns", port: 53, protocol: "UDP" },
        { name: "dns-tcp", port: 53 },
        { name: "metrics", port: 9153 },
      ],
    });
    createSlice(
      client,
      "dns",
      [{ address: "10.244.0.9" }],
      [
        { name: "dns", port: 53, protocol: "UDP" },
        { name: "dns-tcp", port: 53, protocol: "TCP" },
        { name: "metrics", port: 9153, protocol: "TCP" },
      ],
    );
    settle();
    expect(elements("service-ips")).toHaveLength(4);
    const text = tableText(table());
    const keys = [...text.slice(text.indexOf("map service-ips")).matchAll(/(\S+ \. \S+ \. \d+) : goto service/gu)];
    expect(keys.map(([, key]) => key)).toEqual([
      "10.96.0.10 . tcp . 53",
      "10.96.0.10 . udp . 53",
      "10.96.10.20 . tcp . 80",
      "10.96.0.10 . tcp . 9153",
    ]);
  });

  it("[NET-154] has a chain for each endpoint and a set of its clients under session affinity", () => {
    const { chain, table, simulation, ask, node } = running({ sessionAffinity: "ClientIP" });
    const client = node(0).addPod();
    const answers = seen(() => ask(client.stack, "10.96.10.20"), 20);
    expect(answers).toHaveLength(1);
    const names = [...table().chains.keys()].filter((name) => name.startsWith("endpoint-"));
    const [first = "", second = ""] = names.map((name) => name.slice("endpoint-".length));
    expect(first).toMatch(/^[A-Z2-7]{8}-default\/web\/tcp\/__10\.244\.0\.2\/80$/u);
    expect(chain(`service-${own}`)).toEqual([
      `ip saddr @affinity-${first} goto endpoint-${first}`,
      `ip saddr @affinity-${second} goto endpoint-${second}`,
      `numgen random mod 2 vmap { 0 : goto endpoint-${first}, 1 : goto endpoint-${second} }`,
    ]);
    expect(chain(`endpoint-${first}`)).toEqual([
      `update @affinity-${first} { ip saddr }`,
      "meta l4proto tcp dnat to 10.244.0.2:80",
    ]);
    const chosen = answers[0]?.startsWith("pod-0") === true ? first : second;
    simulation.advance(10_000);
    const set = table().sets.get(`affinity-${chosen}`);
    if (set === undefined) throw new Error("no set of clients");
    const text = blocksText(table(), [setBlock(`affinity-${chosen}`, set, simulation.nowMs)]);
    expect(text).toMatch(/\t\ttype ipv4_addr\n\t\tsize 65535\n\t\tflags dynamic,timeout\n\t\ttimeout 3h\n/u);
    expect(text).toMatch(new RegExp(`elements = \\{ ${client.address} expires 2h59m\\d+s(\\d+ms)? \\}`, "u"));
    simulation.advance(10_800_000);
    expect(setBlock("x", set, simulation.nowMs).join("")).not.toContain("elements");
  });
});

describe("packets under nftables", () => {
  it("[NET-154] [NET-103] go to each endpoint by chance; a Pod keeps its address, but not towards itself", () => {
    const { ask, node, pod } = running();
    const client = node(0).addPod();
    expect(seen(() => ask(client.stack, "10.96.10.20"))).toEqual([`pod-0 to ${client.address}`, `pod-1 to ${client.address}`]);
    expect(seen(() => ask(node(0).host, "10.96.10.20"))).toEqual(["pod-0 to 10.244.0.1", "pod-1 to 172.18.0.2"]);
    expect(seen(() => ask(pod(0).stack, "10.96.10.20"))).toEqual(["pod-0 to 10.244.0.1", `pod-1 to ${pod(0).address}`]);
  });

  it("[NET-155] reach a node port at the node's primary address only, never at the loopback", () => {
    const { ask, node, laptop, elements } = running(nodePort);
    expect(elements("nodeport-ips")).toEqual(["172.18.0.2"]);
    expect(seen(() => ask(laptop, "172.18.0.2", 30_007))).toEqual(["pod-0 to 10.244.0.1", "pod-1 to 172.18.0.2"]);
    expect(ask(node(0).host, "172.18.0.2", 30_007)).toMatch(/^pod-/);
    expect(ask(node(0).host, "127.0.0.1", 30_007)).toBe("ECONNREFUSED");
    expect(ask(node(0).host, "10.244.0.1", 30_007)).toBe("ECONNREFUSED");
  });

  it("[NET-155] reach it at every other address where all are named", () => {
    const { ask, node, chain, table } = running(nodePort, { nodePortAddresses: ["0.0.0.0/0"] });
    expect(table().sets.has("nodeport-ips")).toBe(false);
    expect(chain("services").at(-1)).toBe(
      "fib daddr type local ip daddr != 127.0.0.0/8 meta l4proto . th dport vmap @service-nodeports",
    );
    expect(ask(node(0).host, "10.244.0.1", 30_007)).toMatch(/^pod-/);
    expect(ask(node(0).host, "127.0.0.1", 30_007)).toBe("ECONNREFUSED");
  });

  it("are refused at once where nothing is behind a Service, at its other ports too, and dropped where no Service is", () => {
    const { ask, node, laptop, shrink, table } = running(nodePort);
    const client = node(0).addPod();
    expect(ask(client.stack, "10.96.10.20", 81)).toBe("ECONNREFUSED");
    expect(ask(node(0).host, "10.96.10.20", 81)).toBe("ECONNREFUSED");
    expect(ask(client.stack, "10.96.77.77")).toBe("ETIMEDOUT");
    shrink(0);
    expect([...(table().maps.get("no-endpoint-services")?.elements ?? [])]).toEqual([
      ["10.96.10.20 . tcp . 80", { verdict: { kind: "goto", chain: "reject-chain" }, comment: "default/web" }],
    ]);
    for (const from of [client.stack, node(0).host]) expect(ask(from, "10.96.10.20")).toBe("ECONNREFUSED");
    expect(ask(laptop, "172.18.0.2", 30_007)).toBe("ECONNREFUSED");
  });

  it("keep the client's address under externalTrafficPolicy Local, and are dropped on a node without endpoint, but for its own", () => {
    const { ask, node, laptop, shrink, chain } = running({ ...nodePort, externalTrafficPolicy: "Local" });
    expect(ask(laptop, "172.18.0.3", 30_007)).toBe("pod-1 to 172.18.0.1");
    shrink(1);
    expect(chain(`external-${own}`, 1)).toEqual([
      `ip saddr 10.244.0.0/16 goto service-${own} comment "short-circuit pod traffic"`,
      'fib saddr type local meta mark set meta mark | 0x00004000 comment "masquerade local traffic"',
      `fib saddr type local goto service-${own} comment "short-circuit local traffic"`,
    ]);
    expect(chain(`external-${own}`, 0).at(-1)).toBe(`goto local-${own}`);
    expect(ask(laptop, "172.18.0.3", 30_007)).toBe("ETIMEDOUT");
    expect(ask(node(1).host, "172.18.0.3", 30_007)).toMatch(/^pod-0/);
  });

  it("are dropped outside of the ranges of a load balancer's sources", () => {
    const { ask, node, chain, balance, elements } = running({
      ...nodePort,
      type: "LoadBalancer",
      loadBalancerSourceRanges: ["10.244.1.0/24", "198.51.100.0/24"],
    });
    balance("203.0.113.2");
    expect(elements("firewall-ips")).toEqual(["203.0.113.2 . tcp . 80"]);
    expect(chain(`firewall-${own}`)).toEqual(["ip saddr != { 10.244.1.0/24, 198.51.100.0/24 } drop"]);
    expect(ask(node(1).addPod().stack, "203.0.113.2")).toMatch(/^pod-/);
    expect(ask(node(0).addPod().stack, "203.0.113.2")).toBe("ETIMEDOUT");
  });

  it("masquerade all traffic to cluster IPs when told so", () => {
    const { ask, node, chain } = running({}, { masqueradeAll: true, masqueradeMark: 2 ** 31 });
    expect(chain("services")[0]).toMatch(/^ip daddr @cluster-ips meta mark set meta mark \| 0x80000000 comment/u);
    expect(seen(() => ask(node(0).addPod().stack, "10.96.10.20"))).toEqual(["pod-0 to 10.244.0.1", "pod-1 to 172.18.0.2"]);
  });
});

describe("a change", () => {
  it("empties the chains of what is gone at once, and deletes them a second later at the next sync", () => {
    const { client, table, chain, settle } = running();
    client.delete(services, { namespace: "default", name: "web" });
    settle(0.5);
    expect(table().chains.has(`service-${own}`)).toBe(true);
    expect(chain(`service-${own}`)).toEqual([]);
    expect(table().sets.get("cluster-ips")?.elements.size).toBe(0);
    settle();
    createService(client, "other", { clusterIP: "10.96.10.21", ports: [{ port: 80 }] });
    settle();
    expect(table().chains.has(`service-${own}`)).toBe(false);
  });

  it("of a table that somebody deleted fails, and is made good after the sync period", () => {
    const { client, node, ask, settle, table } = running();
    const from = node(0).addPod().stack;
    node(0).packetFilter.hooked = undefined;
    const slice = client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    client.update(endpointSlices, { ...slice, endpoints: endpointsOf([{ address: "10.244.1.2" }]) });
    settle(3);
    expect(node(0).packetFilter.hooked === undefined).toBe(true);
    settle(30);
    expect(table().chains.size).toBeGreaterThan(10);
    expect(ask(from, "10.96.10.20")).toMatch(/^pod-1/);
  });

  it("of the mode takes away what the other had written, and traffic goes on", () => {
    const { node, proxies, start, settle, ask, table } = running(nodePort);
    const chains = (kind: "filter" | "nat" | "mangle") => saveTable(node(0).packetFilter, kind, 0).match(/^:KUBE-[A-Z-]+/gmu) ?? [];
    expect([...chains("mangle"), ...chains("filter"), ...chains("nat")]).toEqual([
      ":KUBE-IPTABLES-HINT",
      ":KUBE-KUBELET-CANARY",
      ":KUBE-FIREWALL",
      ":KUBE-KUBELET-CANARY",
      ":KUBE-KUBELET-CANARY",
    ]);
    for (const proxy of proxies) proxy.stop();
    const others = start({});
    settle();
    expect(table() === undefined).toBe(true);
    expect(ask(node(0).addPod().stack, "10.96.10.20")).toMatch(/^pod-/);
    expect(chains("nat")).toContain(":KUBE-SERVICES");
    for (const proxy of others) proxy.stop();
    start({ mode: "nftables" });
    settle();
    expect(chains("nat")).toEqual([":KUBE-KUBELET-CANARY"]);
    expect(ask(node(0).addPod().stack, "10.96.10.20")).toMatch(/^pod-/);
  });
});
