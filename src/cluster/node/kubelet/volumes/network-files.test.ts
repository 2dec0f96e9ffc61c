import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeletConfiguration } from "../configuration-fields.ts";
import { logOf, shell, startedCluster } from "../kubelet.test-kit.ts";

function printed(script: string, spec: Partial<PodSpec>, clusterDns?: readonly string[]): string {
  const cluster = startedCluster(clusterDns === undefined ? {} : { kubelet: { clusterDns } });
  cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", script)], ...spec });
  cluster.simulation.advance(20_000);
  return logOf(cluster, "p", "c");
}

describe("what a Pod is called by its kernel", () => {
  const names = "hostname; cat /etc/hostname; echo $HOSTNAME; grep -o 'p1.*' /etc/hosts";
  const full = "p1.web.default.svc.cluster.local";

  it.each<[string, Partial<PodSpec>, readonly string[]]>([
    ["its hostname", { hostname: "p1", subdomain: "web" }, ["p1", "p1", "p1", `${full}\tp1`]],
    [
      "its whole name where it asks for it",
      { hostname: "p1", subdomain: "web", setHostnameAsFQDN: true },
      [full, full, full, `${full}\tp1`],
    ],
    ["its hostname where it has no subdomain", { hostname: "p1", setHostnameAsFQDN: true }, ["p1", "p1", "p1", "p1"]],
    [
      "an override, whatever its subdomain",
      { hostnameOverride: "p1.example.com", subdomain: "web" },
      ["p1.example.com", "p1.example.com", "p1.example.com", "p1.example.com"],
    ],
  ])("is %s", (_case, spec, expected) => {
    expect(printed(names, spec).trimEnd().split("\n")).toEqual(expected);
  });

  it("has at most 64 characters", () => {
    const cluster = startedCluster();
    const hostname = "p".repeat(40);
    cluster.createPod("p", { hostname, subdomain: "web", setHostnameAsFQDN: true });
    cluster.simulation.advance(5_000);
    expect(cluster.eventsOf("p").filter((event) => event.includes("PodSandBox"))).toEqual([
      `Warning FailedCreatePodSandBox Failed to create pod sandbox: failed to construct FQDN from pod hostname and cluster domain, FQDN ${hostname}.web.default.svc.cluster.local is too long (64 characters is the max, 70 characters requested)`,
    ]);
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
