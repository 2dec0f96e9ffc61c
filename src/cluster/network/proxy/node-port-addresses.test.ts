import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { services } from "#cluster/api/kinds.ts";
import { saveTable } from "../netfilter/iptables-save.ts";
import { createService, createSlice, fetchFrom, networkWorld, serveName } from "../network.test-kit.ts";
import { chainHash, servicePortHash } from "./chain-names.ts";
import { startKubeProxy } from "./kube-proxy.ts";
import { type ProxySettings, usualSettings } from "./settings.ts";

const open: ServiceSpec = {
  clusterIP: "10.96.10.20",
  type: "NodePort",
  selector: { app: "web" },
  ports: [{ port: 80, nodePort: 30_007 }],
};
const noteText = '--comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain"';

/** A Service with a Pod on node-2, where kube-proxy is told `settings` on both nodes. */
function serving(settings: Partial<ProxySettings>, spec: Partial<ServiceSpec> = {}) {
  const world = networkWorld();
  world.client.delete(services, { namespace: "default", name: "kubernetes" });
  const pod = world.node(1).addPod();
  serveName(pod.stack, "pod");
  createService(world.client, "web", { ...open, ...spec });
  createSlice(world.client, "web", [{ address: pod.address, nodeName: "node-2" }]);
  for (const network of world.nodes) {
    startKubeProxy({ simulation: world.simulation, client: world.client, network, settings: { ...usualSettings, ...settings } });
  }
  world.simulation.advance(2000);
  const laptop = world.network.addHost("laptop", "172.18.0.9");
  const lines = (pattern: RegExp, index = 0): readonly string[] =>
    saveTable(world.node(index).packetFilter, "nat", 0)
      .split("\n")
      .filter((line) => pattern.test(line));
  return { ...world, laptop, lines };
}

describe("names of chains", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  /** The 80 bits that 16 letters stand for. */
  function bytesOf(letters: string): string {
    const bits = [...letters].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
    return BigInt(`0b${bits}`).toString(16).padStart(20, "0");
  }

  it.each([
    ["default/web", "tcp"],
    ["default/web:http", "tcp"],
    ["kube-system/kube-dns:dns", "udp"],
  ])("[NET-114] begin with the first 80 bits of SHA-256 of %s and %s, in base32", (name, protocol) => {
    const digest = createHash("sha256").update(`${name}${protocol}`).digest("hex");
    expect(bytesOf(servicePortHash(name, protocol))).toBe(digest.slice(0, 20));
    expect(chainHash("")).toHaveLength(16);
  });

  it("[NET-117] differ by what a chain is for, and share one hash but for those of endpoints", () => {
    const { client, simulation, lines } = serving(
      {},
      { type: "LoadBalancer", externalTrafficPolicy: "Local", loadBalancerSourceRanges: ["192.0.2.0/24"] },
    );
    const web = client.get(services, { namespace: "default", name: "web" });
    client.updateStatus(services, { ...web, status: { loadBalancer: { ingress: [{ ip: "203.0.113.7" }] } } });
    simulation.advance(2000);
    const hash = servicePortHash("default/web", "tcp");
    const names = lines(/^:KUBE-(SVC|SVL|EXT|FW|SEP)-/, 1).map((line) => line.slice(1, line.indexOf(" ")));
    expect(names).toEqual([
      `KUBE-EXT-${hash}`,
      `KUBE-FW-${hash}`,
      expect.stringMatching(/^KUBE-SEP-[A-Z2-7]{16}$/),
      `KUBE-SVC-${hash}`,
      `KUBE-SVL-${hash}`,
    ]);
    expect(names[2]).not.toContain(hash);
  });
});

describe("[NET-130] the last rule of Services leads to node ports", () => {
  it.each<[string, Partial<ProxySettings>, readonly string[]]>([
    ["on every address of the node", {}, [`-m comment ${noteText} -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS`]],
    [
      "on every one in 0.0.0.0/0, whatever stands beside it",
      { nodePortAddresses: ["172.18.0.0/16", "0.0.0.0/0"] },
      [`-m comment ${noteText} -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS`],
    ],
    [
      "on all but loopback without localhostNodePorts",
      { localhostNodePorts: false },
      [`! -d 127.0.0.0/8 -m comment ${noteText} -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS`],
    ],
    [
      "on each address of a range",
      { nodePortAddresses: ["172.18.0.0/16"] },
      [`-d 172.18.0.2/32 -m comment ${noteText} -j KUBE-NODEPORTS`],
    ],
    [
      "on addresses of several ranges, a line each",
      { nodePortAddresses: ["127.0.0.0/8", "10.0.0.0/8"] },
      [`-d 127.0.0.1/32 -m comment ${noteText} -j KUBE-NODEPORTS`, `-d 10.244.0.1/32 -m comment ${noteText} -j KUBE-NODEPORTS`],
    ],
    [
      "on no loopback address where localhostNodePorts forbids it",
      { nodePortAddresses: ["127.0.0.0/8"], localhostNodePorts: false },
      [],
    ],
    ["nowhere where the node has no address of the range", { nodePortAddresses: ["192.0.2.0/24"] }, []],
  ])("%s", (_case, settings, expected) => {
    const { lines } = serving(settings);
    const rules = lines(/^-A KUBE-SERVICES /);
    expect(rules.filter((rule) => rule.includes("KUBE-NODEPORTS"))).toEqual(expected.map((rule) => `-A KUBE-SERVICES ${rule}`));
    if (expected.length > 0) expect(rules.at(-1)).toContain("KUBE-NODEPORTS");
  });

  it("is what connections go by", () => {
    const answers = (settings: Partial<ProxySettings>) => {
      const { simulation, laptop, node } = serving(settings);
      return [
        fetchFrom(simulation, laptop, "172.18.0.2", 30_007).text,
        fetchFrom(simulation, node(0).host, "127.0.0.1", 30_007).text,
      ];
    };
    expect(answers({})).toEqual(["pod to 172.18.0.2", "pod to 172.18.0.2"]);
    expect(answers({ nodePortAddresses: ["172.18.0.2/32"] })).toEqual(["pod to 172.18.0.2", "ECONNREFUSED"]);
    expect(answers({ localhostNodePorts: false })).toEqual(["pod to 172.18.0.2", "ECONNREFUSED"]);
    expect(answers({ nodePortAddresses: ["127.0.0.0/8"] })).toEqual(["ECONNREFUSED", "pod to 172.18.0.2"]);
  });

  it("is kept to by the servers of health check node ports", () => {
    const { simulation, laptop, node } = serving(
      { nodePortAddresses: ["172.18.0.0/16"] },
      { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30_100 },
    );
    expect(fetchFrom(simulation, laptop, "172.18.0.3", 30_100).text).toContain('"localEndpoints": 1');
    expect(fetchFrom(simulation, node(1).host, "127.0.0.1", 30_100).text).toBe("ECONNREFUSED");
  });
});
