import { describe, expect, it } from "vitest";
import { endpointSlices, services } from "#cluster/api/kinds.ts";
import { Kernel } from "#sim/kernel.ts";
import type { DnsAnswer, DnsQuestion } from "#sim/net.ts";
import { createService, createSlice, endpointsOf, networkWorld } from "../network.test-kit.ts";
import { startKubeProxy } from "../proxy/kube-proxy.ts";
import { startCoreDns } from "./coredns.ts";

const http = [{ name: "http", port: 8080, protocol: "TCP" }];

function dnsWorld() {
  const world = networkWorld();
  const { client, simulation } = world;
  createService(client, "foo", { clusterIP: "10.96.5.5", ports: [{ name: "http", port: 80, targetPort: 8080 }] }, "bar");
  createService(client, "stateful", { clusterIP: "None", ports: [{ name: "http", port: 8080 }] }, "bar");
  createSlice(
    client,
    "stateful",
    [{ address: "10.244.0.5", hostname: "stateful-0" }, { address: "10.244.1.6" }, { address: "10.244.1.7", ready: false }],
    http,
    "bar",
  );
  createService(client, "empty", { clusterIP: "None", ports: [{ port: 80 }] }, "bar");
  createService(client, "outside", { type: "ExternalName", externalName: "example.com" }, "bar");
  const pod = world.node(0).addPod();
  const dns = startCoreDns({ simulation, client, stack: pod.stack });
  simulation.advance(1);
  const asker = world.node(1).addPod();
  const ask = (name: string, type: DnsQuestion["type"] = "A", server = pod.address): DnsAnswer | undefined => {
    let answer: DnsAnswer | undefined;
    asker.stack.query(server, [{ name, type }], (given) => {
      answer = typeof given === "string" ? undefined : given[0];
    });
    simulation.advance(10_000);
    return answer;
  };
  const short = (name: string, type?: DnsQuestion["type"]): string => {
    const answer = ask(name, type);
    return answer === undefined ? "no answer" : [answer.code, ...answer.records.map(({ data }) => data).sort()].join(" ");
  };
  return { ...world, pod, dns, asker, ask, short };
}

describe("the cluster's DNS", () => {
  const world = dnsWorld();

  it.each<[string, string, DnsQuestion["type"], string]>([
    ["[NET-167] a Service by its cluster IP", "foo.bar.svc.cluster.local", "A", "NOERROR 10.96.5.5"],
    ["[NET-173] the AAAA of a Service that has none: NODATA", "foo.bar.svc.cluster.local", "AAAA", "NOERROR"],
    ["[NET-167] the API server", "kubernetes.default.svc.cluster.local", "A", "NOERROR 10.96.0.1"],
    ["a name in another case", "FOO.Bar.svc.cluster.local", "A", "NOERROR 10.96.5.5"],
    ["[NET-173] a Service that does not exist", "gone.bar.svc.cluster.local", "A", "NXDOMAIN"],
    ["a namespace that does not exist", "foo.gone.svc.cluster.local", "A", "NXDOMAIN"],
    ["a namespace as such", "bar.svc.cluster.local", "A", "NOERROR"],
    ["the domain as such", "cluster.local", "A", "NOERROR"],
    ["[NET-168] a headless Service by its ready endpoints", "stateful.bar.svc.cluster.local", "A", "NOERROR 10.244.0.5 10.244.1.6"],
    ["[NET-168] a headless Service without endpoints", "empty.bar.svc.cluster.local", "A", "NXDOMAIN"],
    ["[NET-169] an endpoint by its host name", "stateful-0.stateful.bar.svc.cluster.local", "A", "NOERROR 10.244.0.5"],
    ["[NET-169] an endpoint by its dashed address", "10-244-1-6.stateful.bar.svc.cluster.local", "A", "NOERROR 10.244.1.6"],
    ["an endpoint that is not ready", "10-244-1-7.stateful.bar.svc.cluster.local", "A", "NXDOMAIN"],
    ["[NET-170] a port of a Service", "_http._tcp.foo.bar.svc.cluster.local", "SRV", "NOERROR 0 100 80 foo.bar.svc.cluster.local"],
    [
      "[NET-170] a port of a headless Service",
      "_http._tcp.stateful.bar.svc.cluster.local",
      "SRV",
      "NOERROR 0 50 8080 10-244-1-6.stateful.bar.svc.cluster.local 0 50 8080 stateful-0.stateful.bar.svc.cluster.local",
    ],
    ["a port that the Service does not have", "_https._tcp.foo.bar.svc.cluster.local", "SRV", "NXDOMAIN"],
    ["[NET-174] a pod by its address, whether it exists or not", "10-244-9-9.bar.pod.cluster.local", "A", "NOERROR 10.244.9.9"],
    ["what is no address", "10-244-9.bar.pod.cluster.local", "A", "NXDOMAIN"],
    ["[NET-175] a cluster IP's name", "5.5.96.10.in-addr.arpa", "PTR", "NOERROR foo.bar.svc.cluster.local"],
    ["[NET-175] an endpoint's name", "5.0.244.10.in-addr.arpa", "PTR", "NOERROR stateful-0.stateful.bar.svc.cluster.local"],
    ["an address that nobody has", "1.2.0.192.in-addr.arpa", "PTR", "NXDOMAIN"],
    ["[NET-171] an ExternalName with its target's answer", "outside.bar.svc.cluster.local", "A", "NOERROR 192.0.2.10 example.com"],
    ["[NET-180] a name of the world outside", "example.com", "A", "NOERROR 192.0.2.10"],
    ["a name that nobody knows", "nowhere.invalid", "A", "NXDOMAIN"],
  ])("answers for %s", (_title, name, type, expected) => {
    expect(world.short(name, type)).toBe(expected);
  });

  it("[NET-167] gives records 30 seconds", () => {
    expect(world.ask("foo.bar.svc.cluster.local")).toEqual({
      authoritative: true,
      code: "NOERROR",
      records: [{ name: "foo.bar.svc.cluster.local", type: "A", ttlSeconds: 30, data: "10.96.5.5" }],
      server: "10.244.0.2",
    });
  });

  it("[NET-168] orders endpoints anew for each answer", () => {
    const orders = new Set(
      Array.from({ length: 20 }, () =>
        world
          .ask("stateful.bar.svc.cluster.local")
          ?.records.map(({ data }) => data)
          .join(),
      ),
    );
    expect(orders.size).toBe(2);
  });
});

describe("changes", () => {
  it("[NET-179] are answered within a second", () => {
    const { client, short } = dnsWorld();
    createService(client, "late", { clusterIP: "10.96.6.6", ports: [{ port: 80 }] }, "bar");
    expect(short("late.bar.svc.cluster.local")).toBe("NOERROR 10.96.6.6");
    client.delete(services, { namespace: "bar", name: "late" });
    expect(short("late.bar.svc.cluster.local")).toBe("NXDOMAIN");
    const slice = client.get(endpointSlices, { namespace: "bar", name: "stateful-abcde" });
    client.update(endpointSlices, { ...slice, endpoints: endpointsOf([{ address: "10.244.1.7" }]) });
    expect(short("stateful.bar.svc.cluster.local")).toBe("NOERROR 10.244.1.7");
  });

  it("[NET-185] end with the server: lookups time out", () => {
    const { dns, pod, ask, short } = dnsWorld();
    dns.stop();
    expect(short("foo.bar.svc.cluster.local")).toBe("no answer");
    pod.remove();
    expect(ask("foo.bar.svc.cluster.local")).toBeUndefined();
  });
});

describe("the flag of authority", () => {
  it("is on answers about the cluster, and on the world outside's when they come from the cache", () => {
    const { simulation, ask } = dnsWorld();
    const flag = (name: string) => ask(name)?.authoritative;
    expect(["foo.bar.svc.cluster.local", "gone.bar.svc.cluster.local", "example.com", "example.com"].map(flag)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    simulation.advance(30_000);
    expect(flag("example.com")).toBe(false);
  });
});

describe("a pod that looks names up", () => {
  /** A pod with the resolv.conf that the kubelet writes; returns what the C library's lookup gives for each name. */
  function lookUp(namespace: string, names: readonly string[], extra?: (world: ReturnType<typeof dnsWorld>) => void): string {
    const world = dnsWorld();
    const { simulation, client, node, pod } = world;
    createService(
      client,
      "kube-dns",
      { clusterIP: "10.96.0.10", ports: [{ name: "dns", port: 53, protocol: "UDP" }] },
      "kube-system",
    );
    createSlice(client, "kube-dns", [{ address: pod.address }], [{ name: "dns", port: 53, protocol: "UDP" }], "kube-system");
    extra?.(world);
    for (const network of world.nodes) startKubeProxy({ simulation, client, network });
    simulation.advance(2000);
    const kernel = new Kernel(simulation);
    const search = [`${namespace}.svc.cluster.local`, "svc.cluster.local", "cluster.local"].join(" ");
    const files = new Map([
      ["/etc/resolv.conf", { type: "file", content: `search ${search}\nnameserver 10.96.0.10\noptions ndots:5\n` } as const],
    ]);
    let output = "";
    const handle = kernel.start({
      run: function* (self) {
        const found: string[] = [];
        for (const name of names) found.push((yield* self.resolve(name)).join());
        yield* self.write(1, found.join(" | "));
        return 0;
      },
      argv: ["getent"],
      hostname: "client",
      pidNamespace: kernel.createPidNamespace(),
      mounts: kernel.createMountNamespace(kernel.createOverlay(files)),
      network: node(1).addPod().stack,
      stdout: (bytes) => {
        output += new TextDecoder().decode(bytes);
      },
      stderr: (bytes) => {
        output += new TextDecoder().decode(bytes);
      },
    });
    simulation.runUntil(() => handle.exit !== undefined, { limitMs: 60_000 });
    return output;
  }

  it("[NET-178] finds short names in its own namespace only, through the DNS Service's address", () => {
    expect(lookUp("bar", ["foo", "foo.bar", "foo.bar.svc.cluster.local."])).toBe("10.96.5.5 | 10.96.5.5 | 10.96.5.5");
    expect(lookUp("quux", ["foo", "foo.bar", "kubernetes.default"])).toBe(" | 10.96.5.5 | 10.96.0.1");
  });

  it("[NET-177] finds the Service of a namespace named like a top-level domain, unless the name ends in a dot", () => {
    const shadow = ({ client }: ReturnType<typeof dnsWorld>): void => {
      createService(client, "example", { clusterIP: "10.96.8.8", ports: [{ port: 80 }] }, "com");
    };
    expect(lookUp("bar", ["example.com", "example.com."], shadow)).toBe("10.96.8.8 | 192.0.2.10");
    expect(lookUp("bar", ["example.com"])).toBe("192.0.2.10");
  });
});
