import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import { logOf, shell, startedCluster } from "./kubelet.test-kit.ts";

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

describe("kernel parameters of a Pod", () => {
  const started = (script: string, sysctls: { name: string; value: string }[], more: Partial<PodSpec> = {}) => {
    const cluster = startedCluster({ kubelet: { allowedUnsafeSysctls: ["net.core.*", "kernel.msgmax"] } });
    cluster.createPod("p", {
      restartPolicy: "Never",
      securityContext: { sysctls },
      containers: [shell("c", `${script}; exit 0`)],
      ...more,
    });
    cluster.simulation.advance(20_000);
    return cluster;
  };

  it("are set before its containers start, safe ones and those that the node allows", () => {
    const names = "kernel.shm_rmid_forced net.core.somaxconn kernel.msgmax net.ipv4.ip_unprivileged_port_start vm.swappiness";
    const script = `sysctl ${names}; cat /proc/sys/net/core/somaxconn; ls /proc/sys`;
    const cluster = started(script, [
      { name: "kernel.shm_rmid_forced", value: "1" },
      { name: "net/core/somaxconn", value: "1024" },
      { name: "kernel.msgmax", value: "65536" },
    ]);
    expect(logOf(cluster, "p", "c")).toBe(`kernel.shm_rmid_forced = 1
net.core.somaxconn = 1024
kernel.msgmax = 65536
net.ipv4.ip_unprivileged_port_start = 0
vm.swappiness = 60
1024
fs
kernel
net
vm
`);
    cluster.createPod("other", {
      restartPolicy: "Never",
      containers: [shell("c", "sysctl kernel.shm_rmid_forced net.core.somaxconn")],
    });
    cluster.simulation.advance(20_000);
    expect(logOf(cluster, "other", "c")).toBe("kernel.shm_rmid_forced = 0\nnet.core.somaxconn = 4096\n");
  });

  it("are not its containers' to write, unless they are privileged", () => {
    const script =
      "sysctl -w net.core.somaxconn=9; echo $?; echo 9 > /proc/sys/net/core/somaxconn; sysctl -n net.core.somaxconn; sysctl nosuch.key";
    expect(
      logOf(started(`exec 2>&1; ${script}`, []), "p", "c"),
    ).toBe(`sysctl: error setting key 'net.core.somaxconn': Read-only file system
1
sh: can't create /proc/sys/net/core/somaxconn: Read-only file system
4096
sysctl: error: 'nosuch.key' is an unknown key
`);
    const securityContext = { privileged: true };
    const privileged = started("", [], { containers: [{ ...shell("c", `exec 2>&1; ${script}`), securityContext }] });
    expect(logOf(privileged, "p", "c")).toBe("net.core.somaxconn = 9\n0\n9\nsysctl: error: 'nosuch.key' is an unknown key\n");
  });

  it("act: which ports a connection takes, and who may listen on low ones", () => {
    const script = `nc -l -p 5000 > /dev/null & sleep 1; sleep 3 | nc 127.0.0.1 5000 & sleep 1; netstat -tn | grep -o '40[0-9]* ' ; nc -l -p 80`;
    const cluster = started(
      `exec 2>&1; ${script}`,
      [
        { name: "net.ipv4.ip_local_port_range", value: "40000 40010" },
        { name: "net.ipv4.ip_unprivileged_port_start", value: "1024" },
      ],
      { containers: [{ ...shell("c", `exec 2>&1; ${script}`), securityContext: { runAsUser: 1000 } }] },
    );
    expect(logOf(cluster, "p", "c")).toBe("40000 \n40000 \nnc: bind: Permission denied\n");
  });

  it("that the kernel does not have keep the sandbox from being made", () => {
    const cluster = started("true", [{ name: "net.core.nosuch", value: "1" }]);
    expect(cluster.eventsOf("p").find((event) => event.includes("FailedCreatePodSandBox"))).toContain(
      "runc create failed: open /proc/sys/net/core/nosuch: no such file or directory",
    );
  });
});
