import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
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

it("all of the cluster's name servers are in a Pod's resolv.conf", () => {
  expect(printed("grep nameserver /etc/resolv.conf", {}, ["10.96.0.10", "10.96.0.11"])).toBe(
    "nameserver 10.96.0.10\nnameserver 10.96.0.11\n",
  );
});
