import { describe, expect, it } from "vitest";
import type { PodDNSConfig, PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeletConfiguration } from "../configuration-fields.ts";
import { logOf, shell, startedCluster, stateOf } from "../kubelet.test-kit.ts";

function printed(script: string, spec: Partial<PodSpec>, clusterDns?: readonly string[]): string {
  const cluster = startedCluster(clusterDns === undefined ? {} : { kubelet: { clusterDns } });
  cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", script)], ...spec });
  cluster.simulation.advance(20_000);
  return logOf(cluster, "p", "c");
}

describe("what a Pod is called by its kernel", () => {
  const names = "hostname; cat /etc/hostname; echo $HOSTNAME; grep -o 'p1.*' /etc/hosts; hostname -f";
  const full = "p1.web.default.svc.cluster.local";

  it.each<[string, Partial<PodSpec>, readonly string[]]>([
    ["its hostname", { hostname: "p1", subdomain: "web" }, ["p1", "p1", "p1", `${full}\tp1`, full]],
    [
      "its whole name where it asks for it",
      { hostname: "p1", subdomain: "web", setHostnameAsFQDN: true },
      [full, full, full, `${full}\tp1`, full],
    ],
    ["its hostname where it has no subdomain", { hostname: "p1", setHostnameAsFQDN: true }, ["p1", "p1", "p1", "p1", "p1"]],
    [
      "an override, whatever its subdomain",
      { hostnameOverride: "p1.example.com", subdomain: "web" },
      ["p1.example.com", "p1.example.com", "p1.example.com", "p1.example.com", "p1.example.com"],
    ],
  ])("[NET-182] is %s", (_case, spec, expected) => {
    expect(printed(names, spec).trimEnd().split("\n")).toEqual(expected);
  });

  it("[NET-182] is the Pod's own name where it names no other, before its domain too", () => {
    expect(printed("hostname; hostname -f", {})).toBe("p\np\n");
    expect(printed("hostname; hostname -f", { subdomain: "web" })).toBe("p\np.web.default.svc.cluster.local\n");
  });

  it("[NET-184] has at most 64 characters", () => {
    const cluster = startedCluster();
    const hostname = "p".repeat(40);
    cluster.createPod("p", { hostname, subdomain: "web", setHostnameAsFQDN: true });
    cluster.simulation.advance(5_000);
    expect(cluster.eventsOf("p").filter((event) => event.includes("PodSandBox"))).toEqual([
      `Warning FailedCreatePodSandBox Failed to create pod sandbox: failed to construct FQDN from pod hostname and cluster domain, FQDN ${hostname}.web.default.svc.cluster.local is too long (64 characters is the max, 70 characters requested)`,
    ]);
    expect(stateOf(cluster, "p", "web")).toBe("waiting: ContainerCreating");
    expect(cluster.pod("p").status?.phase).toBe("Pending");
  });
});

it("[NET-183] its /etc/hosts is the kubelet's: the loopback, its own address, then the aliases that it asks for", () => {
  const cluster = startedCluster();
  const hostAliases = [{ ip: "192.0.2.7", hostnames: ["depot", "depot.example"] }, { ip: "192.0.2.8" }];
  cluster.createPod("p", { hostAliases, restartPolicy: "Never", containers: [shell("c", "cat /etc/hosts")] });
  cluster.simulation.advance(20_000);
  expect(logOf(cluster, "p", "c")).toBe(
    [
      "# Kubernetes-managed hosts file.",
      "127.0.0.1\tlocalhost",
      "::1\tlocalhost ip6-localhost ip6-loopback",
      "fe00::0\tip6-localnet",
      "fe00::0\tip6-mcastprefix",
      "fe00::1\tip6-allnodes",
      "fe00::2\tip6-allrouters",
      `${cluster.pod("p").status?.podIP}\tp`,
      "",
      "# Entries added by HostAliases.",
      "192.0.2.7\tdepot\tdepot.example",
      "192.0.2.8\t",
      "",
    ].join("\n"),
  );
});

describe("/etc/resolv.conf", () => {
  const read = "cat /etc/resolv.conf";
  const usual = "search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n";
  const nodes = startedCluster().node.machine.files.readText("/etc/resolv.conf");

  it.each<[string, Partial<PodSpec>, string]>([
    ["the cluster's, of a Pod that says nothing", {}, usual],
    ["the node's, of a Pod on the node's network that says nothing", { hostNetwork: true }, nodes],
    ["the cluster's, of one there that asks for it", { hostNetwork: true, dnsPolicy: "ClusterFirstWithHostNet" }, usual],
    ["the node's, by the policy Default", { dnsPolicy: "Default" }, nodes],
  ])("[NET-161] is %s", (_case, spec, expected) => {
    expect(printed(read, spec)).toBe(expected);
  });

  it("[NET-161] a Pod without a policy is stored with ClusterFirst, also on the node's network", () => {
    const cluster = startedCluster();
    for (const hostNetwork of [false, true])
      expect(cluster.createPod(`p-${hostNetwork}`, { hostNetwork }).spec?.dnsPolicy).toBe("ClusterFirst");
  });

  it.each<[string, Partial<PodSpec>, string]>([
    [
      "behind the policy's values, each once; an option goes over the policy's of that name",
      {
        dnsConfig: {
          nameservers: ["192.0.2.53", "10.96.0.10"],
          searches: ["corp.example", "svc.cluster.local"],
          options: [{ name: "ndots", value: "2" }, { name: "edns0" }, { name: "rotate", value: "" }],
        },
      },
      "search default.svc.cluster.local svc.cluster.local cluster.local corp.example\nnameserver 10.96.0.10\nnameserver 192.0.2.53\noptions ndots:2 edns0 rotate\n",
    ],
    [
      "alone, by the policy None",
      { dnsPolicy: "None", dnsConfig: { nameservers: ["192.0.2.53"], searches: ["_sites.example", "."] } },
      "search _sites.example .\nnameserver 192.0.2.53\n",
    ],
  ])("[NET-164] has the Pod's own values %s", (_case, spec, expected) => {
    expect(printed(read, spec)).toBe(expected);
  });

  const tooMuch = (dnsConfig: PodDNSConfig) => {
    const cluster = startedCluster();
    cluster.createPod("p", { dnsConfig, restartPolicy: "Never", containers: [shell("c", read)] });
    cluster.simulation.advance(20_000);
    return { text: logOf(cluster, "p", "c"), events: cluster.eventsOf("p").filter((event) => event.includes("DNSConfigForming")) };
  };

  it("[NET-165] has three name servers; that more were left out is told", () => {
    const { text, events } = tooMuch({ nameservers: ["192.0.2.1", "192.0.2.2", "192.0.2.3"] });
    expect(text.match(/^nameserver .*$/gmu)).toEqual(["nameserver 10.96.0.10", "nameserver 192.0.2.1", "nameserver 192.0.2.2"]);
    expect(events).toEqual([
      "Warning DNSConfigForming Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.96.0.10 192.0.2.1 192.0.2.2",
    ]);
  });

  it("[NET-165] has 32 domains of 2048 characters together; that more were left out is told", () => {
    const own = "default.svc.cluster.local svc.cluster.local cluster.local";
    const many = Array.from({ length: 30 }, (_, index) => `d${index}.example`);
    const first = tooMuch({ searches: many });
    expect(first.text.split("\n")[0]).toBe(`search ${own} ${many.slice(0, 29).join(" ")}`);
    const told =
      "Warning DNSConfigForming Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ";
    expect(first.events).toEqual([`${told}${own} ${many.slice(0, 29).join(" ")}`]);
    const long = Array.from({ length: 20 }, (_, index) => `${"x".repeat(60)}.${"y".repeat(35)}${index + 10}.z`);
    const second = tooMuch({ searches: long });
    const applied = `${own} ${long.slice(0, 19).join(" ")}`;
    expect(`${applied} ${long[19]}`.length).toBeGreaterThan(2048);
    expect(second.events).toEqual([`${told}${applied}`]);
    expect(tooMuch({ searches: many.slice(0, 29) }).events).toEqual([]);
  });

  it("[NET-166] is the node's where its kubelet knows no DNS of the cluster, which is told of both", () => {
    const cluster = startedCluster({ kubelet: { clusterDns: [] } });
    const { uid } = cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", read)] }).metadata;
    cluster.createPod("other", { dnsPolicy: "Default" });
    cluster.simulation.advance(20_000);
    expect(logOf(cluster, "p", "c")).toBe(nodes);
    const said =
      'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
    const missing = (name: string) => cluster.eventsOf(name).filter((event) => event.includes("MissingClusterDNS"));
    expect(missing("p")).toEqual([`Warning MissingClusterDNS pod: "p_default(${uid})". ${said}`]);
    expect(missing("node-1")).toEqual([`Warning MissingClusterDNS ${said}`]);
    expect(missing("other")).toEqual([]);
  });

  it("is made anew for a new sandbox, by what the node's says then", () => {
    const cluster = startedCluster();
    const { uid } = cluster.createPod("p", { dnsPolicy: "Default", containers: [shell("c", `${read}; sleep 1000`)] }).metadata;
    cluster.untilReady("p");
    cluster.node.machine.files.writeFile("/etc/resolv.conf", "search corp.example. .\nnameserver 192.0.2.9\n");
    cluster.node.runtime.stopSandbox(cluster.node.runtime.sandboxesOf(uid)[0]?.id ?? "", () => {});
    cluster.simulation.advance(60_000);
    expect(logOf(cluster, "p", "c")).toBe("search corp.example .\nnameserver 192.0.2.9\n");
  });
});

describe("a Pod's resolv.conf", () => {
  const usual = "search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n";

  it("[NET-158] [NET-159] has its namespace's domain, the Services' and the cluster's, then the node's; one name server; ndots", () => {
    const resolvers = (own: string): string => {
      const cluster = startedCluster();
      cluster.node.machine.files.writeFile("/etc/resolv.conf", own);
      cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", "cat /etc/resolv.conf")] });
      cluster.simulation.advance(20_000);
      return logOf(cluster, "p", "c");
    };
    expect(resolvers("nameserver 192.0.2.53\n")).toBe(usual);
    const own = "search corp.example example.net\nnameserver 192.0.2.53\noptions timeout:1\n";
    expect(resolvers(own)).toBe(usual.replace("cluster.local\nname", "cluster.local corp.example example.net\nname"));
  });

  it.each<[string, KubeletConfiguration, string, Partial<PodSpec>, string]>([
    ["usual", {}, "cluster.local", {}, usual],
    ["of another domain", {}, "k8s.corp", {}, usual.replaceAll("cluster.local", "k8s.corp")],
    [
      "of another file",
      { resolvConf: "/etc/other.conf" },
      "cluster.local",
      {},
      usual.replace("local\nname", "local other.example\nname"),
    ],
    [
      "of another file, for Pods with the node's settings",
      { resolvConf: "/etc/other.conf" },
      "cluster.local",
      { dnsPolicy: "Default" },
      "search other.example\nnameserver 192.0.2.54\n",
    ],
    ["of no file", { resolvConf: "" }, "cluster.local", {}, usual],
    [
      "of no file, for Pods with the node's settings",
      { resolvConf: "" },
      "cluster.local",
      { dnsPolicy: "Default" },
      "search .\nnameserver 127.0.0.1\n",
    ],
  ])(
    "[NET-160] is as the kubelet's clusterDNS, clusterDomain and resolvConf say: %s",
    (_case, configuration, clusterDomain, spec, expected) => {
      const cluster = startedCluster({ kubelet: { clusterDomain, configuration } });
      cluster.node.machine.files.writeFile("/etc/other.conf", "search other.example\nnameserver 192.0.2.54\n");
      cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", "cat /etc/resolv.conf")], ...spec });
      cluster.simulation.advance(20_000);
      expect(logOf(cluster, "p", "c")).toBe(expected);
    },
  );

  it("[NET-160] is not made while the node's file is not there: the Pod gets no sandbox", () => {
    const cluster = startedCluster({ kubelet: { configuration: { resolvConf: "/run/none.conf" } } });
    cluster.createPod("p", { containers: [shell("c", "sleep 1d")] });
    cluster.simulation.advance(5_000);
    const text = "Warning FailedCreatePodSandBox Failed to create pod sandbox: open /run/none.conf: no such file or directory";
    expect(cluster.eventsOf("p")).toContain(text);
    cluster.node.machine.files.writeFile("/run/none.conf", "nameserver 192.0.2.53\n");
    cluster.simulation.advance(60_000);
    expect(cluster.pod("p").status?.phase).toBe("Running");
  });
});

it("[NET-160] all of the cluster's name servers are in a Pod's resolv.conf", () => {
  expect(printed("grep nameserver /etc/resolv.conf", {}, ["10.96.0.10", "10.96.0.11"])).toBe(
    "nameserver 10.96.0.10\nnameserver 10.96.0.11\n",
  );
});
