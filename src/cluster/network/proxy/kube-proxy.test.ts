import { describe, expect, it } from "vitest";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { endpointSlices, events, nodes, services } from "#cluster/api/kinds.ts";
import { formatRule, saveTable } from "../netfilter/iptables-save.ts";
import { oneIn } from "../netfilter/rules.ts";
import {
  createService,
  createSlice,
  endpointsOf,
  fetchFrom,
  networkWorld,
  type SliceEndpoint,
  serveName,
} from "../network.test-kit.ts";
import { endpointChain, servicePortHash } from "./chain-names.ts";
import { startKubeProxy } from "./kube-proxy.ts";

const web: ServiceSpec = { clusterIP: "10.96.10.20", selector: { app: "web" }, ports: [{ port: 80 }] };

const three: readonly SliceEndpoint[] = [
  { address: "10.244.1.5", nodeName: "node-1" },
  { address: "10.244.2.7", nodeName: "node-2" },
  { address: "10.244.2.8", nodeName: "node-2" },
];

function proxied(spec: ServiceSpec, endpoints: readonly SliceEndpoint[]) {
  const world = networkWorld();
  // The Service `kubernetes` is in no one's way here.
  for (const { metadata } of world.client.list(services).items) {
    world.client.delete(services, { namespace: metadata.namespace ?? "", name: metadata.name });
  }
  createService(world.client, "web", spec);
  createSlice(world.client, "web", endpoints);
  const proxies = world.nodes.map((network) =>
    startKubeProxy({ simulation: world.simulation, client: world.client, network, ruleCache: world.network.ruleCache }),
  );
  world.simulation.advance(2000);
  const rules = (table: "nat" | "filter", pattern: RegExp, index = 0): readonly string[] =>
    saveTable(world.node(index).packetFilter, table, 0)
      .split("\n")
      .filter((line) => line.startsWith("-A") && pattern.test(line));
  return { ...world, proxies, rules };
}

/** A web Service with a pod on each node that tells its name. */
function running(spec: Partial<ServiceSpec> = {}) {
  const world = networkWorld();
  const pods = world.nodes.map((node) => node.addPod());
  pods.forEach((pod, index) => {
    serveName(pod.stack, `pod-${index}`);
  });
  createService(world.client, "web", { ...web, ...spec });
  createSlice(
    world.client,
    "web",
    pods.map((pod, index) => ({ address: pod.address, nodeName: `node-${index + 1}` })),
  );
  const proxies = world.nodes.map((network) => startKubeProxy({ simulation: world.simulation, client: world.client, network }));
  world.simulation.advance(2000);
  const laptop = world.network.addHost("laptop", "172.18.0.1");
  const pod = (index: number) => pods[index] as (typeof pods)[number];
  return { ...world, pod, proxies, laptop };
}

describe("chain names", () => {
  it.each([
    ["default/kubernetes:https", "tcp", "NPX46M4PTMTKRN6Y"],
    ["default/web", "tcp", "LOLE4ISW44XBNF3G"],
    ["default/web:http", "tcp", "CDGGSHYLG3RE2FKL"],
    ["default/nginx", "tcp", "2CMXP7HKUVJN7L6M"],
    ["default/my-service", "tcp", "FXIYY6OHUSNBITIX"],
    ["default/my-service:http", "tcp", "I37Z43XJW6BD4TLV"],
    ["kube-system/kube-dns:dns-tcp", "tcp", "ERIFXISQEP7F7OF4"],
    ["kube-system/kube-dns:metrics", "tcp", "JD5MR3NA4I4DYORP"],
    ["kube-system/kube-dns:dns", "udp", "TCOU7JCQXEZGVUNU"],
  ])("[NET-115] %s %s", (name, protocol, hash) => {
    expect(servicePortHash(name, protocol)).toBe(hash);
  });

  it.each([
    ["10.244.1.5:80", "KUBE-SEP-3BXOQLMOWG4452TJ"],
    ["10.244.2.7:80", "KUBE-SEP-4OIMBIYGK4QJUGT7"],
    ["10.244.2.8:80", "KUBE-SEP-R53NX34J3PCIETEY"],
  ])("[NET-116] endpoint %s", (endpoint, chain) => {
    expect(endpointChain("default/web", "tcp", endpoint)).toBe(chain);
  });

  it.each([
    [2, "0.50000000000"],
    [3, "0.33333333349"],
    [4, "0.25000000000"],
    [5, "0.20000000019"],
    [6, "0.16666666651"],
    [7, "0.14285714272"],
    [8, "0.12500000000"],
    [9, "0.11111111101"],
    [10, "0.10000000009"],
  ])("[NET-127] prints one in %i as %s", (n, text) => {
    expect(formatRule("X", { matches: [oneIn(n)] })).toBe(`-A X -m statistic --mode random --probability ${text}`);
  });
});

describe("an endpoint's hints", () => {
  const zones = ["a", "b"];
  const zoned = (spec: readonly SliceEndpoint[]) => {
    const world = networkWorld();
    for (const [index, zone] of zones.entries())
      world.client.create(nodes, { metadata: { name: `node-${index + 1}`, labels: { "topology.kubernetes.io/zone": zone } } });
    createService(world.client, "web", web);
    createSlice(world.client, "web", spec);
    for (const network of world.nodes) startKubeProxy({ simulation: world.simulation, client: world.client, network });
    world.simulation.advance(2000);
    const chain = `${servicePortHash("default/web", "tcp")} .*-j KUBE-SEP`;
    return world.nodes.map(
      ({ packetFilter }) => [...saveTable(packetFilter, "nat", 0).matchAll(new RegExp(`-A KUBE-SVC-${chain}.*`, "g"))].length,
    );
  };
  const inZone = (name: string) => ({ hints: { forZones: [{ name }] } });
  const onNode = (name: string) => ({ hints: { forNodes: [{ name }], forZones: [{ name: "a" }] } });

  it.each<[string, readonly SliceEndpoint[], readonly number[]]>([
    ["keep a node to its own zone", three.map((each, index) => ({ ...each, ...inZone(index === 0 ? "a" : "b") })), [1, 2]],
    ["keep a node to itself before its zone", three.map((each) => ({ ...each, ...onNode(each.nodeName ?? "") })), [1, 2]],
    [
      "count for nothing where one endpoint has none",
      three.map((each, index) => (index === 0 ? each : { ...each, ...inZone("b") })),
      [3, 3],
    ],
    ["count for nothing on a node that none is for", three.map((each) => ({ ...each, ...inZone("b") })), [3, 3]],
  ])("[NET-106] %s", (_case, endpoints, expected) => {
    expect(zoned(endpoints)).toEqual(expected);
  });
});

describe("kube-proxy's rules", () => {
  it("[NET-124] [NET-125] [NET-126] [NET-128] lead a cluster IP to each endpoint with equal chance", () => {
    const { rules } = proxied(web, three);
    expect(rules("nat", /^-A KUBE-(SERVICES|SVC|SEP)/)).toEqual([
      "-A KUBE-SEP-3BXOQLMOWG4452TJ -s 10.244.1.5/32 -m comment --comment default/web -j KUBE-MARK-MASQ",
      "-A KUBE-SEP-3BXOQLMOWG4452TJ -p tcp -m comment --comment default/web -m tcp -j DNAT --to-destination 10.244.1.5:80",
      "-A KUBE-SEP-4OIMBIYGK4QJUGT7 -s 10.244.2.7/32 -m comment --comment default/web -j KUBE-MARK-MASQ",
      "-A KUBE-SEP-4OIMBIYGK4QJUGT7 -p tcp -m comment --comment default/web -m tcp -j DNAT --to-destination 10.244.2.7:80",
      "-A KUBE-SEP-R53NX34J3PCIETEY -s 10.244.2.8/32 -m comment --comment default/web -j KUBE-MARK-MASQ",
      "-A KUBE-SEP-R53NX34J3PCIETEY -p tcp -m comment --comment default/web -m tcp -j DNAT --to-destination 10.244.2.8:80",
      '-A KUBE-SERVICES -d 10.96.10.20/32 -p tcp -m comment --comment "default/web cluster IP" -m tcp --dport 80 -j KUBE-SVC-LOLE4ISW44XBNF3G',
      '-A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS',
      '-A KUBE-SVC-LOLE4ISW44XBNF3G ! -s 10.244.0.0/16 -d 10.96.10.20/32 -p tcp -m comment --comment "default/web cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ',
      '-A KUBE-SVC-LOLE4ISW44XBNF3G -m comment --comment "default/web -> 10.244.1.5:80" -m statistic --mode random --probability 0.33333333349 -j KUBE-SEP-3BXOQLMOWG4452TJ',
      '-A KUBE-SVC-LOLE4ISW44XBNF3G -m comment --comment "default/web -> 10.244.2.7:80" -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-4OIMBIYGK4QJUGT7',
      '-A KUBE-SVC-LOLE4ISW44XBNF3G -m comment --comment "default/web -> 10.244.2.8:80" -j KUBE-SEP-R53NX34J3PCIETEY',
    ]);
  });

  it("[NET-118] [NET-119] [NET-120] [NET-121] [NET-122] [NET-123] print as iptables-save prints them", () => {
    const { node } = proxied({ clusterIP: "None", ports: [{ port: 80 }] }, []);
    const filter = node(0).packetFilter;
    expect(
      saveTable(filter, "nat", 1_767_225_600_000),
    ).toBe(`# Generated by iptables-save v1.8.11 (nf_tables) on Thu Jan  1 00:00:00 2026
*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
:KUBE-KUBELET-CANARY - [0:0]
:KUBE-MARK-MASQ - [0:0]
:KUBE-NODEPORTS - [0:0]
:KUBE-POSTROUTING - [0:0]
:KUBE-PROXY-CANARY - [0:0]
:KUBE-SERVICES - [0:0]
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully
-A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
COMMIT
# Completed on Thu Jan  1 00:00:00 2026
`);
    expect(saveTable(filter, "mangle", 0).split("\n").slice(2, -3)).toEqual([
      ":PREROUTING ACCEPT [0:0]",
      ":INPUT ACCEPT [0:0]",
      ":FORWARD ACCEPT [0:0]",
      ":OUTPUT ACCEPT [0:0]",
      ":POSTROUTING ACCEPT [0:0]",
      ":KUBE-IPTABLES-HINT - [0:0]",
      ":KUBE-KUBELET-CANARY - [0:0]",
      ":KUBE-PROXY-CANARY - [0:0]",
    ]);
  });

  it("[NET-143] [NET-144] [NET-145] [NET-146] hold the filter table's jumps in order", () => {
    const { rules } = proxied(web, three);
    expect(rules("filter", /^-A (INPUT|FORWARD|OUTPUT|KUBE-FORWARD|KUBE-FIREWALL)/)).toEqual([
      '-A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL',
      '-A INPUT -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS',
      '-A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES',
      "-A INPUT -j KUBE-FIREWALL",
      '-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL',
      '-A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD',
      '-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
      '-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES',
      '-A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL',
      '-A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
      "-A OUTPUT -j KUBE-FIREWALL",
      '-A KUBE-FIREWALL ! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment "block incoming localnet connections" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP',
      "-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP",
      '-A KUBE-FORWARD -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x4000/0x4000 -j ACCEPT',
      '-A KUBE-FORWARD -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    ]);
  });

  it("[NET-131] [NET-132] take a node port to the cluster's endpoints, masqueraded", () => {
    const { rules } = proxied({ ...web, type: "NodePort", ports: [{ port: 80, nodePort: 30_007 }] }, three);
    expect(rules("nat", /^-A KUBE-(NODEPORTS|EXT)/)).toEqual([
      '-A KUBE-EXT-LOLE4ISW44XBNF3G -m comment --comment "masquerade traffic for default/web external destinations" -j KUBE-MARK-MASQ',
      "-A KUBE-EXT-LOLE4ISW44XBNF3G -j KUBE-SVC-LOLE4ISW44XBNF3G",
      "-A KUBE-NODEPORTS -p tcp -m comment --comment default/web -m tcp --dport 30007 -j KUBE-EXT-LOLE4ISW44XBNF3G",
    ]);
  });

  it("[NET-133] [NET-141] keep to the node's own endpoints under externalTrafficPolicy Local", () => {
    const { rules } = proxied(
      { ...web, type: "NodePort", externalTrafficPolicy: "Local", ports: [{ port: 80, nodePort: 30_007 }] },
      three.slice(0, 1),
    );
    const common = [
      '-A KUBE-EXT-LOLE4ISW44XBNF3G -s 10.244.0.0/16 -m comment --comment "pod traffic for default/web external destinations" -j KUBE-SVC-LOLE4ISW44XBNF3G',
      '-A KUBE-EXT-LOLE4ISW44XBNF3G -m comment --comment "masquerade LOCAL traffic for default/web external destinations" -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ',
      '-A KUBE-EXT-LOLE4ISW44XBNF3G -m comment --comment "route LOCAL traffic for default/web external destinations" -m addrtype --src-type LOCAL -j KUBE-SVC-LOLE4ISW44XBNF3G',
    ];
    expect(rules("nat", /^-A KUBE-EXT/, 0)).toEqual([...common, "-A KUBE-EXT-LOLE4ISW44XBNF3G -j KUBE-SVL-LOLE4ISW44XBNF3G"]);
    expect(rules("nat", /^-A KUBE-EXT/, 1)).toEqual(common);
    expect(rules("filter", /local endpoints/, 0)).toEqual([]);
    expect(rules("filter", /local endpoints/, 1)).toEqual([
      '-A KUBE-EXTERNAL-SERVICES -p tcp -m comment --comment "default/web has no local endpoints" -m addrtype --dst-type LOCAL -m tcp --dport 30007 -j DROP',
    ]);
  });

  it("[NET-129] remember clients under session affinity", () => {
    const { rules } = proxied({ ...web, sessionAffinity: "ClientIP" }, three.slice(0, 1));
    expect(rules("nat", /recent/)).toEqual([
      "-A KUBE-SEP-3BXOQLMOWG4452TJ -p tcp -m comment --comment default/web -m recent --set --name KUBE-SEP-3BXOQLMOWG4452TJ --mask 255.255.255.255 --rsource -m tcp -j DNAT --to-destination 10.244.1.5:80",
      '-A KUBE-SVC-LOLE4ISW44XBNF3G -m comment --comment "default/web -> 10.244.1.5:80" -m recent --rcheck --seconds 10800 --reap --name KUBE-SEP-3BXOQLMOWG4452TJ --mask 255.255.255.255 --rsource -j KUBE-SEP-3BXOQLMOWG4452TJ',
    ]);
  });

  it("[NET-139] [NET-140] reject what has no endpoints", () => {
    const { rules } = proxied({ ...web, type: "NodePort", ports: [{ port: 80, nodePort: 30_007 }] }, [
      { address: "10.244.1.5", ready: false },
    ]);
    expect(rules("nat", /web/)).toEqual([]);
    expect(rules("filter", /web/)).toEqual([
      '-A KUBE-EXTERNAL-SERVICES -p tcp -m comment --comment "default/web has no endpoints" -m addrtype --dst-type LOCAL -m tcp --dport 30007 -j REJECT --reject-with icmp-port-unreachable',
      '-A KUBE-SERVICES -d 10.96.10.20/32 -p tcp -m comment --comment "default/web has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable',
    ]);
  });

  it("[POD-278] [NET-105] fall back to endpoints that still serve while they terminate", () => {
    const { rules } = proxied(web, [
      { address: "10.244.1.5", ready: false, serving: true, terminating: true },
      { address: "10.244.2.7", ready: false, serving: false, terminating: true },
    ]);
    expect(rules("nat", /->/).map((line) => /"(.*)"/.exec(line)?.[1])).toEqual(["default/web -> 10.244.1.5:80"]);
  });

  it("[NET-100] are not made for headless Services", () => {
    expect(proxied({ clusterIP: "None", ports: [{ port: 80 }] }, three).rules("nat", /web/)).toEqual([]);
  });

  it.each(["service.kubernetes.io/service-proxy-name", "service.kubernetes.io/headless"])(
    "[NET-101] are not made for Services and slices labelled %s, whatever the value",
    (label) => {
      const { client, simulation, rules } = proxied(web, three);
      const reference = { namespace: "default", name: "web" };
      const labelled = <T extends { metadata: { labels?: object } }>(object: T, value?: string) => ({
        ...object,
        metadata: { ...object.metadata, labels: { ...object.metadata.labels, [label]: value } },
      });
      client.update(services, labelled(client.get(services, reference), ""));
      simulation.advance(2000);
      expect(rules("nat", /web/)).toEqual([]);
      client.update(services, {
        ...client.get(services, reference),
        metadata: { ...client.get(services, reference).metadata, labels: {} },
      });
      simulation.advance(2000);
      expect(rules("nat", /->/)).toHaveLength(3);
      client.update(endpointSlices, labelled(client.get(endpointSlices, { namespace: "default", name: "web-abcde" }), "x"));
      simulation.advance(2000);
      expect(rules("nat", /->/)).toEqual([]);
      expect(rules("filter", /no endpoints/)).toHaveLength(1);
    },
  );

  it("[NET-097] are counted at /metrics", () => {
    const { simulation, node } = proxied(web, three);
    const { text } = fetchFrom(simulation, node(0).host, "127.0.0.1", 10_249, "/metrics");
    expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
      'kubeproxy_sync_proxy_rules_iptables_total{ip_family="IPv4",table="filter"} 3',
      'kubeproxy_sync_proxy_rules_iptables_total{ip_family="IPv4",table="nat"} 16',
      'kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv4"} 1767225600',
      "process_start_time_seconds 1767225600",
    ]);
  });

  it("[NET-138] take an external IP", () => {
    const { rules } = proxied({ ...web, externalIPs: ["198.51.100.7"] }, three);
    expect(rules("nat", /external IP/)).toEqual([
      '-A KUBE-SERVICES -d 198.51.100.7/32 -p tcp -m comment --comment "default/web external IP" -m tcp --dport 80 -j KUBE-EXT-LOLE4ISW44XBNF3G',
    ]);
  });

  it("[NET-148] [NET-150] follow changes at once after a quiet second, else a second after the last", () => {
    const { client, simulation, rules } = proxied(web, three);
    const endpoints = () => rules("nat", /->/).length;
    const slice = () => client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    client.update(endpointSlices, { ...slice(), endpoints: endpointsOf(three.slice(0, 2)) });
    simulation.advance(0);
    expect(endpoints()).toBe(2);
    client.update(endpointSlices, { ...slice(), endpoints: endpointsOf(three.slice(0, 1)) });
    simulation.advance(999);
    expect(endpoints()).toBe(2);
    simulation.advance(1);
    expect(endpoints()).toBe(1);
    client.delete(services, { namespace: "default", name: "web" });
    simulation.advance(1000);
    expect(rules("nat", /web|SEP/)).toEqual([]);
  });

  it("[NET-074] are in the order of addresses, whatever the slice's", () => {
    expect(proxied(web, three.toReversed()).rules("nat", /->/)).toEqual(proxied(web, three).rules("nat", /->/));
  });

  it("[NET-094] know an endpoint on every node within a second after its slice says that it is ready", () => {
    const { client, simulation, rules } = proxied(web, [{ address: "10.244.1.5", ready: false }]);
    const onNodes = () => [0, 1].map((index) => rules("nat", /->/, index).length);
    expect(onNodes()).toEqual([0, 0]);
    const slice = client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    client.update(endpointSlices, { ...slice, endpoints: endpointsOf([{ address: "10.244.1.5" }]) });
    simulation.advance(1_000);
    expect(onNodes()).toEqual([1, 1]);
  });

  it("[NET-107] stay when kube-proxy stops", () => {
    const { client, simulation, rules, proxies } = proxied(web, three);
    for (const proxy of proxies) proxy.stop();
    client.delete(endpointSlices, { namespace: "default", name: "web-abcde" });
    simulation.advance(10_000);
    expect(rules("nat", /web ->/).length).toBe(3);
  });
});

describe("Service traffic", () => {
  it("[NET-103] [NET-151] is spread over the endpoints by chance", () => {
    const { simulation, node } = running();
    const client = node(0).addPod();
    const count = { "pod-0": 0, "pod-1": 0 };
    for (let index = 0; index < 1000; index += 1) {
      const { text } = fetchFrom(simulation, client.stack, "10.96.10.20");
      count[text.split(" ")[0] as "pod-0"] += 1;
    }
    expect(count["pod-0"] + count["pod-1"]).toBe(1000);
    expect(Math.abs(count["pod-0"] - 500)).toBeLessThan(60);
  });

  it("[NET-151] [NET-152] keeps a pod's address, and replaces a node's and an outsider's", () => {
    const { simulation, node, laptop, pod } = running({ type: "NodePort", ports: [{ port: 80, nodePort: 30_007 }] });
    const seen = (ask: () => { readonly text: string }): readonly string[] =>
      [...new Set(Array.from({ length: 40 }, () => ask().text))].sort();
    const client = node(0).addPod();
    expect(seen(() => fetchFrom(simulation, client.stack, "10.96.10.20"))).toEqual([
      `pod-0 to ${client.address}`,
      `pod-1 to ${client.address}`,
    ]);
    expect(seen(() => fetchFrom(simulation, node(0).host, "10.96.10.20"))).toEqual(["pod-0 to 10.244.0.1", "pod-1 to 172.18.0.2"]);
    expect(seen(() => fetchFrom(simulation, laptop, "172.18.0.2", 30_007))).toEqual(["pod-0 to 10.244.0.1", "pod-1 to 172.18.0.2"]);
    expect(seen(() => fetchFrom(simulation, node(0).host, "127.0.0.1", 30_007))).toEqual([
      "pod-0 to 10.244.0.1",
      "pod-1 to 172.18.0.2",
    ]);
    expect(seen(() => fetchFrom(simulation, pod(0).stack, "10.96.10.20"))).toContain("pod-0 to 10.244.0.1");
  });

  it("keeps the client's address under externalTrafficPolicy Local, and is dropped on nodes without endpoint", () => {
    const { simulation, laptop, client } = running({
      type: "NodePort",
      externalTrafficPolicy: "Local",
      ports: [{ port: 80, nodePort: 30_007 }],
    });
    expect(fetchFrom(simulation, laptop, "172.18.0.3", 30_007).text).toBe("pod-1 to 172.18.0.1");
    const slice = client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    client.update(endpointSlices, { ...slice, endpoints: slice.endpoints?.slice(0, 1) ?? [] });
    simulation.advance(1000);
    expect(fetchFrom(simulation, laptop, "172.18.0.3", 30_007).text).toBe("ETIMEDOUT");
  });

  it("stays with one endpoint under session affinity, until the time is over", () => {
    const { simulation, node } = running({
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
    });
    const pod = node(0).addPod();
    const round = (): number =>
      new Set(Array.from({ length: 20 }, () => fetchFrom(simulation, pod.stack, "10.96.10.20").text)).size;
    expect(round()).toBe(1);
    const rounds = Array.from({ length: 20 }, () => {
      simulation.advance(61_000);
      return fetchFrom(simulation, pod.stack, "10.96.10.20").text;
    });
    expect(new Set(rounds).size).toBe(2);
  });

  it("[NET-104] is refused by a chosen endpoint that does not listen, and by a Service without endpoints", () => {
    const { simulation, node, client } = running();
    const slice = client.get(endpointSlices, { namespace: "default", name: "web-abcde" });
    client.update(endpointSlices, { ...slice, endpoints: endpointsOf([{ address: node(0).addPod().address }]) });
    simulation.advance(1000);
    const asker = node(1).addPod();
    expect(fetchFrom(simulation, asker.stack, "10.96.10.20")).toEqual({ text: "ECONNREFUSED", tookMs: 1 });
    client.delete(endpointSlices, { namespace: "default", name: "web-abcde" });
    simulation.advance(1000);
    expect(fetchFrom(simulation, asker.stack, "10.96.10.20")).toEqual({ text: "ECONNREFUSED", tookMs: 0 });
  });

  it("[NET-096] begins with an event on the node", () => {
    const { client } = running();
    const told = client
      .list(events)
      .items.map(({ type, reason, message, reportingComponent, involvedObject }) =>
        [type, reason, message ?? "", reportingComponent, involvedObject.kind, involvedObject.name].join(),
      );
    expect(told.sort()).toEqual(["Normal,Starting,,kube-proxy,Node,node-1", "Normal,Starting,,kube-proxy,Node,node-2"]);
  });

  it("[NET-097] tells load balancers at /healthz that a node is about to go, and only them", () => {
    const { simulation, node, client } = running();
    const status = (target: string): number => {
      let seen = 0;
      const request = { method: "GET", target, headers: {}, body: new Uint8Array() };
      node(0).host.request({ address: "127.0.0.1", port: 10_256 }, request, {}, (result) => {
        seen = result.ok ? result.exchange.status : 0;
      });
      simulation.advance(1);
      return seen;
    };
    const taints = [{ key: "ToBeDeletedByClusterAutoscaler", effect: "NoSchedule" }];
    client.create(nodes, { metadata: { name: "node-1" }, spec: { taints } });
    simulation.advance(1000);
    expect([status("/healthz"), status("/livez"), status("/other")]).toEqual([503, 200, 404]);
  });

  it("[NET-097] shows its mode and health on the node", () => {
    const { simulation, node } = running();
    const get = (target: string, port: number): string => {
      let text = "";
      node(0).host.request(
        { address: "127.0.0.1", port },
        { method: "GET", target, headers: {}, body: new Uint8Array() },
        {},
        (result) => {
          text = result.ok ? `${result.exchange.status} ${new TextDecoder().decode(result.exchange.body)}` : "refused";
        },
      );
      simulation.advance(1);
      return text;
    };
    expect(get("/proxyMode", 10_249)).toBe("200 iptables");
    const [, last = ""] = /"IPv4":\{"lastUpdated":"(.*?)"/u.exec(get("/livez", 10_256)) ?? [];
    const now = "2026-01-01T00:00:02.002Z";
    const rest = `"healthy":true,"status":{"IPv4":{"lastUpdated":"${last}","healthy":true}}}`;
    expect(get("/healthz", 10_256)).toBe(`200 {"lastUpdated":"${now}","currentTime":"${now}","nodeEligible":true,${rest}`);
    expect(last).toMatch(/^2026-01-01T00:00:0[01](?:\.\d+)?Z$/u);
    expect(get("/statusz", 10_249)).toMatch(
      /^200 \nkube-proxy statusz\n[\s\S]*\/configz \/flagz \/healthz \/metrics \/proxyMode\n$/u,
    );
    expect(get("/flagz", 10_249)).toMatch(/\nbind-address(:|: |=| )0\.0\.0\.0\n/u);
    expect(JSON.parse(get("/configz", 10_249).slice(4))).toMatchObject({
      "kubeproxy.config.k8s.io": { hostnameOverride: "node-1", mode: "iptables", clusterCIDR: "10.244.0.0/16" },
    });
    expect(get("/metrics/slis", 10_249)).not.toContain("kubernetes_healthcheck");
    expect(get("/healthz?verbose", 10_249)).toBe("200 [+]ping ok\nhealthz check passed\n");
    expect(get("/metrics/slis", 10_249)).toContain('kubernetes_healthcheck{name="ping",type="healthz"} 1\n');
    // Unlike everywhere else it must be asked for.
    expect(get("/debug/pprof/", 10_249)).toBe("404 404 page not found\n");
  });
});
