import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import { pods, runtimeClasses } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../small-cluster.test-kit.ts";
import { instancesOf, logOf, shell, startedCluster } from "./kubelet.test-kit.ts";

const show = (...files: readonly string[]) => `cd /sys/fs/cgroup; for f in ${files.join(" ")}; do echo "$f: $(cat $f)"; done`;
const amounts = (cpu: string, memory: string) => ({ cpu, memory });

/** What a container with these resources logs. */
function logged(script: string, resources: object, spec: Partial<PodSpec> = {}): string {
  const cluster = startedCluster();
  cluster.createPod("p", { containers: [shell("c", `${script}; sleep 100000`, { resources })], ...spec });
  cluster.simulation.advance(6_000);
  return logOf(cluster, "p", "c");
}

/** What a command on the machine prints. */
function onMachine(cluster: SmallCluster, command: string): string {
  let output = "";
  const decoder = new TextDecoder();
  cluster.node.machine.start({
    run: "/bin/sh",
    argv: ["sh", "-c", command],
    stdout: (bytes) => {
      output += decoder.decode(bytes);
    },
  });
  cluster.simulation.advance(1_000);
  return output;
}

describe("what a container sees of its control group", () => {
  it.each<[string, object, string, string]>([
    ["a limit", { limits: { cpu: "500m" } }, "cpu.max", "50000 100000"],
    ["a limit of less than a hundredth", { limits: { cpu: "5m" } }, "cpu.max", "1000 100000"],
    ["none", {}, "cpu.max", "max 100000"],
  ])("[POD-468] cpu.max of %s", (_title, resources, file, text) => {
    expect(logged(show(file), resources)).toBe(`${file}: ${text}\n`);
  });

  it.each([
    ["1", 100],
    ["100m", 17],
    ["250m", 35],
    ["2", 174],
    ["0", 1],
  ])("[POD-469] cpu.weight of a request of %s, by way of shares", (cpu, weight) => {
    expect(logged(show("cpu.weight"), { requests: { cpu } })).toBe(`cpu.weight: ${weight}\n`);
  });

  it("[POD-472] memory and processes", () => {
    const script = `sleep 1000 & ${show("memory.max", "memory.oom.group", "pids.max")}; cat /sys/fs/cgroup/pids.current`;
    expect(logged(script, { limits: { memory: "100Mi" } })).toBe("memory.max: 104857600\nmemory.oom.group: 1\npids.max: max\n3\n");
    const held = logged("dd if=/dev/zero of=/dev/shm/f bs=1M count=20 2>/dev/null; cat /sys/fs/cgroup/memory.current", {});
    expect(Number(held)).toBeGreaterThan(20 * 1024 ** 2);
    expect(Number(held)).toBeLessThan(26 * 1024 ** 2);
  });

  it("is read-only, and the root of what it sees", () => {
    const script =
      "echo 1 > /sys/fs/cgroup/cpu.weight; cat /proc/self/cgroup; ls /sys/fs/cgroup | head -n 3; grep cgroup /proc/mounts";
    expect(logged(`exec 2>&1; ${script}`, {})).toBe(
      "sh: can't create /sys/fs/cgroup/cpu.weight: Read-only file system\n0::/\ncgroup.controllers\ncgroup.procs\ncpu.max\ncgroup /sys/fs/cgroup cgroup2 ro,relatime 0 0\n",
    );
  });

  it("follows a resize, and so does the Pod's", () => {
    const cluster = startedCluster();
    const resources = (cpu: string, memory: string) => ({ limits: amounts(cpu, memory), requests: amounts(cpu, memory) });
    const script = "while true; do cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/memory.max; sleep 5; done";
    const container = shell("c", script, { resources: resources("100m", "64Mi") });
    cluster.createPod("p", { containers: [container] });
    cluster.untilReady("p");
    const pod = cluster.pod("p");
    const key = { namespace: "default", name: "p" };
    const spec = { ...pod.spec, containers: [{ ...pod.spec?.containers[0], resources: resources("300m", "128Mi") }] };
    cluster.client.patch(pods, key, "merge", { spec }, { subresource: "resize" });
    cluster.simulation.advance(12_000);
    expect(logOf(cluster, "p", "c").split("\n").slice(-3, -1)).toEqual(["30000 100000", "134217728"]);
    const uid = pod.metadata.uid.replaceAll("-", "_");
    const slice = `/sys/fs/cgroup/kubepods.slice/kubepods-pod${uid}.slice`;
    expect(onMachine(cluster, `cat ${slice}/cpu.max ${slice}/memory.max`)).toBe("30000 100000\n134217728\n");
  });
});

describe("the processor", () => {
  it.each<[string, object, number]>([
    ["[POD-470] is given up to a container's limit, and the rest has to wait", { limits: { cpu: "500m" } }, 0.5],
    ["[POD-471] is given as a whole to a container without one", {}, 2],
  ])("%s", (_title, resources, cores) => {
    const cluster = startedCluster();
    const script = "for i in 1 2 3; do while true; do :; done & done; wait";
    cluster.createPod("p", { containers: [shell("c", script, { resources })] });
    cluster.untilReady("p");
    const { uid } = cluster.pod("p").metadata;
    const usedMs = () => cluster.node.runtime.podUse(uid).cpuMs;
    const before = usedMs();
    cluster.simulation.advance(10_000);
    const used = (usedMs() - before) / 10_000;
    expect(used).toBeLessThanOrEqual(cores * 1.01);
    expect(used).toBeGreaterThan(cores * 0.9);
    expect(cluster.pod("p").status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });
});

describe("a processor that is not enough for all", () => {
  const busy = (cpu?: string, limit?: string) => ({
    containers: [
      {
        name: "c",
        image: "polinux/stress",
        command: ["stress", "--cpu", "2"],
        resources: { ...(cpu && { requests: { cpu } }), ...(limit && { limits: { cpu: limit } }) },
      },
    ],
  });

  /** Millicores that each Pod uses when all have run for a while. */
  function usedBy(pods: { readonly [name: string]: Partial<PodSpec> }): { readonly [name: string]: number } {
    const cluster = startedCluster();
    for (const [name, spec] of Object.entries(pods)) cluster.createPod(name, { containers: [], ...spec });
    cluster.simulation.advance(30_000);
    const uses = Object.keys(pods).map((name) => [name, cluster.node.runtime.podUse(cluster.pod(name).metadata.uid)] as const);
    const before = uses.map(([, { cpuMs }]) => cpuMs);
    cluster.simulation.advance(10_000);
    for (const [index, [name, { cpuMillicores }]] of uses.entries()) {
      const { cpuMs } = cluster.node.runtime.podUse(cluster.pod(name).metadata.uid);
      expect((cpuMs - (before[index] ?? 0)) / 10).toBeCloseTo(cpuMillicores, 0);
    }
    return Object.fromEntries(uses.map(([name, { cpuMillicores }]) => [name, Math.round(cpuMillicores)]));
  }

  it.each<[string, { [name: string]: Partial<PodSpec> }, { [name: string]: number }]>([
    ["as much as their requests", { a: busy("100m"), b: busy("300m") }, { a: 489, b: 1466 }],
    ["what a limit leaves over goes to the others", { a: busy("100m"), b: busy("300m", "500m") }, { a: 1455, b: 500 }],
    ["Pods without requests come last", { a: busy("500m"), none: busy() }, { a: 1862, none: 93 }],
    [
      "the limit of a Pod holds for its containers together",
      { a: { ...busy("100m"), resources: { limits: { cpu: "700m" } } } },
      { a: 700 },
    ],
  ])("[POD-469] is shared by weight: %s", (_title, pods, millicores) => {
    expect(usedBy(pods)).toEqual(millicores);
  });

  it("[POD-470] cpu.stat counts the periods of 100 ms in which a limit held somebody back", () => {
    const cluster = startedCluster();
    const { containers } = busy(undefined, "500m");
    const calm = shell("calm", "sleep 8; cat /sys/fs/cgroup/cpu.stat; sleep 1000", { resources: { limits: { cpu: "100m" } } });
    cluster.createPod("p", { containers: [...containers, calm] });
    cluster.simulation.advance(14_000);
    expect(logOf(cluster, "p", "calm")).toMatch(/nr_periods \d\nnr_throttled \d\nthrottled_usec \d+\n/u);
    const id = instancesOf(cluster, "p", "c")[0]?.id;
    const stat = `cat /sys/fs/cgroup/kubepods.slice/*/*/cri-containerd-${id}.scope/cpu.stat`;
    const read = () =>
      Object.fromEntries(
        onMachine(cluster, stat)
          .split("\n")
          .map((line) => line.split(" ")),
      );
    const before = read();
    cluster.simulation.advance(9_000);
    const after = read();
    const grown = (name: string) => Number(after[name]) - Number(before[name]);
    expect([grown("nr_periods"), grown("nr_throttled"), grown("usage_usec"), grown("throttled_usec")]).toEqual([
      100, 100, 5_000_000, 15_000_000,
    ]);
  });
});

describe("the control groups of a node", () => {
  it("[POD-479] hold Pods by quality of service", () => {
    const cluster = startedCluster();
    const of = (name: string, resources: object) =>
      cluster.createPod(name, { containers: [shell("c", "sleep 100000", { resources })] });
    of("guaranteed", { limits: amounts("100m", "64Mi"), requests: amounts("100m", "64Mi") });
    of("burstable", { requests: amounts("100m", "64Mi") });
    of("best-effort", {});
    cluster.simulation.advance(6_000);
    const paths = ["guaranteed", "burstable", "best-effort"].map((name) => {
      const uid = cluster.pod(name).metadata.uid.replaceAll("-", "_");
      const among = name === "guaranteed" ? "" : `-${name.replace("-", "")}`;
      const parent = among === "" ? "" : `/kubepods${among}.slice`;
      const id = instancesOf(cluster, name, "c")[0]?.id;
      return `/kubepods.slice${parent}/kubepods${among}-pod${uid}.slice/cri-containerd-${id}.scope`;
    });
    for (const path of paths) expect(onMachine(cluster, `cat /sys/fs/cgroup${path}/pids.current`)).toBe("2\n");
    const seen = onMachine(cluster, "for p in /proc/[0-9]*; do cat $p/cgroup; done | grep kubepods | sort -u");
    expect(seen).toBe(
      paths
        .map((path) => `0::${path}\n`)
        .sort()
        .join(""),
    );
    expect(onMachine(cluster, "cat /sys/fs/cgroup/kubepods.slice/memory.max; cat /proc/self/cgroup")).toBe("4294967296\n0::/\n");
    expect(onMachine(cluster, "ls -d /sys/fs/cgroup/kubepods.slice/*/")).toContain("kubepods-besteffort.slice/");
  });

  it.each<[string, PodSpec["containers"], string]>([
    [
      "the sum where all containers have limits",
      [
        shell("a", "sleep 100000", { resources: { limits: amounts("100m", "64Mi") } }),
        shell("b", "sleep 100000", { resources: { limits: amounts("200m", "64Mi") } }),
      ],
      "30000 100000\n134217728\n",
    ],
    [
      "nothing where one has none",
      [shell("a", "sleep 100000", { resources: { limits: amounts("100m", "64Mi") } }), shell("b", "sleep 100000")],
      "max 100000\nmax\n",
    ],
  ])("[POD-480] limit a Pod to %s", (_title, containers, text) => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers });
    cluster.simulation.advance(6_000);
    const uid = cluster.pod("p").metadata.uid.replaceAll("-", "_");
    expect(
      onMachine(
        cluster,
        `cd /sys/fs/cgroup/kubepods.slice/*/*pod${uid}.slice || cd /sys/fs/cgroup/kubepods.slice/*pod${uid}.slice; cat cpu.max memory.max`,
      ),
    ).toBe(text);
  });

  it("[POD-092] leave a Pod its runtime's overhead beside its containers, where there is a limit at all", () => {
    const cluster = startedCluster();
    const overhead = { podFixed: amounts("250m", "100Mi") };
    cluster.client.create(runtimeClasses, { metadata: { name: "vm" }, handler: "runc", overhead });
    const of = (name: string, resources: object) =>
      cluster.createPod(name, { runtimeClassName: "vm", containers: [shell("c", "sleep 100000", { resources })] });
    of("guaranteed", { limits: amounts("500m", "64Mi") });
    of("burstable", { limits: { memory: "64Mi" }, requests: { cpu: "100m" } });
    of("best-effort", {});
    cluster.simulation.advance(6_000);
    const read = (name: string): string => {
      const uid = cluster.pod(name).metadata.uid.replaceAll("-", "_");
      return onMachine(
        cluster,
        `cd /sys/fs/cgroup/kubepods.slice; cd *pod${uid}.slice || cd */*pod${uid}.slice; cat cpu.max memory.max cpu.weight cri*/memory.max`,
      );
    };
    const mebibytes = (count: number) => `${count * 1024 ** 2}\n`;
    expect(read("guaranteed")).toBe(`75000 100000\n${mebibytes(164)}30\n${mebibytes(64)}`);
    expect(read("burstable")).toBe(`max 100000\n${mebibytes(164)}14\n${mebibytes(64)}`);
    expect(read("best-effort")).toBe("max 100000\nmax\n1\nmax\n");
  });
});

describe("what a container sees of its node", () => {
  it("processors and memory are the node's, whatever its limits", () => {
    const script = "nproc; grep MemTotal /proc/meminfo; free -m | sed -n 2p";
    expect(logged(script, { limits: amounts("500m", "64Mi") })).toMatch(
      /^2\nMemTotal: +4194304 kB\nMem: +4096 +31\d +378\d +0 +0 +378\d\n$/u,
    );
  });

  it("the disk is the node's, with what others have written", () => {
    const cluster = startedCluster();
    cluster.createPod("p", {
      containers: [
        shell("c", "dd if=/dev/zero of=/f bs=1M count=1024 2>/dev/null; df -m / | tail -n 1; df -i / | tail -n 1; sleep 1000"),
      ],
    });
    cluster.simulation.advance(8_000);
    const { disk } = cluster.node.machine;
    const [first = "", second = ""] = logOf(cluster, "p", "c").split("\n");
    const availableMebibytes = Math.ceil(disk.roomBytes / 1024 ** 2);
    expect(first.split(/ +/u)).toEqual(["overlay", "20480", expect.any(String), String(availableMebibytes), "6%", "/"]);
    expect(second.split(/ +/u).slice(0, 2)).toEqual(["overlay", "1310720"]);
    expect(onMachine(cluster, "df -m /").split("\n")[1]?.split(/ +/u).slice(0, 2)).toEqual(["/dev/vda1", "20480"]);
  });
});
