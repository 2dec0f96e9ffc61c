import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import { startedCluster } from "./kubelet.test-kit.ts";

function refusalOf(spec: Partial<PodSpec>): string | undefined {
  const cluster = startedCluster();
  cluster.createPod("p", spec);
  cluster.simulation.advance(20_000);
  const { phase, reason, message } = cluster.pod("p").status ?? {};
  return phase === "Failed" ? `${reason}: ${message}` : undefined;
}

const sysctl = (name: string, more: Partial<PodSpec> = {}): Partial<PodSpec> => ({
  securityContext: { sysctls: [{ name, value: "1" }] },
  ...more,
});

describe("a Pod whose host port another one has", () => {
  const serving = (hostPort: number, more: object = {}): Partial<PodSpec> => ({
    containers: [{ name: "c", image: "nginx:1.27", ports: [{ containerPort: 80, hostPort, ...more }] }],
  });

  it.each<[string, Partial<PodSpec>, string | undefined]>([
    [
      "the same",
      serving(8080),
      "NodePorts: Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    ],
    [
      "one address of all",
      serving(8080, { hostIP: "127.0.0.1" }),
      "NodePorts: Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    ],
    ["the same of another protocol", serving(8080, { protocol: "UDP" }), undefined],
    ["another", serving(8081), undefined],
  ])("[NET-064] is refused where nobody scheduled it: %s", (_case, spec, expected) => {
    const cluster = startedCluster();
    cluster.createPod("first", serving(8080));
    cluster.untilReady("first");
    cluster.createPod("p", spec);
    cluster.simulation.advance(20_000);
    const { phase, reason, message } = cluster.pod("p").status ?? {};
    expect(phase === "Failed" ? `${reason}: ${message}` : undefined).toBe(expected);
  });
});

describe("a Pod that the node's system is not made for", () => {
  it.each<[string, Partial<PodSpec>, string | undefined]>([
    ["for Linux", { os: { name: "linux" } }, undefined],
    [
      "for Windows",
      { os: { name: "windows" } },
      "PodOSNotSupported: Pod was rejected: Failed to admit pod as the OS field doesn't match node OS",
    ],
    [
      "for nodes with Windows",
      { nodeSelector: { "kubernetes.io/os": "windows" } },
      "PodOSSelectorNodeLabelDoesNotMatch: Pod was rejected: Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    ],
    ["a safe kernel parameter", sysctl("net.ipv4.tcp_syncookies"), undefined],
    ["a safe kernel parameter written with slashes", sysctl("net/ipv4/tcp_syncookies"), undefined],
    [
      "another kernel parameter",
      sysctl("net.core.somaxconn"),
      'SysctlForbidden: Pod was rejected: forbidden sysctl: "net.core.somaxconn" not allowlisted',
    ],
  ])("is refused: %s", (_case, spec, expected) => {
    expect(refusalOf(spec)).toBe(expected);
  });
});
