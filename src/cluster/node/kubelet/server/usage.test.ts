import { describe, expect, it } from "vitest";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { shell, startedCluster } from "../kubelet.test-kit.ts";
import { nodeUsage } from "./usage.ts";

function usageOf(cluster: SmallCluster, ...pods: readonly string[]) {
  return nodeUsage(
    cluster.node.kubelet.options,
    pods.map((name) => cluster.pod(name)),
  );
}

const spin = "while true; do :; done";

describe("use of the node", () => {
  it("counts a busy shell as a core, or as much as its limit gives", () => {
    const cluster = startedCluster();
    cluster.createPod("free", { containers: [shell("c", spin)] });
    cluster.createPod("held", { containers: [shell("c", spin, { resources: { limits: { cpu: "200m" } } })] });
    cluster.untilReady("held");
    cluster.untilReady("free");
    const nanos = () => usageOf(cluster, "free", "held").pods.map(({ cpuNanoSeconds }) => cpuNanoSeconds);
    const before = nanos();
    cluster.simulation.advance(1_000);
    const millis = nanos().map((value, index) => Math.round((value - (before[index] as number)) / 1e6));
    expect(millis).toEqual([1000, 200]);
  });

  it("keeps what ended containers have used in the pod's and the node's sums, which never fall", () => {
    const cluster = startedCluster();
    cluster.createPod("again", { containers: [shell("c", "sleep 2; exit 1")] });
    cluster.untilReady("again");
    const samples = Array.from({ length: 60 }, () => {
      cluster.simulation.advance(1_000);
      const usage = usageOf(cluster, "again");
      return [usage.pods[0]?.cpuNanoSeconds ?? 0, usage.cpuNanoSeconds] as const;
    });
    const falls = samples.filter(([pod, node], index) => {
      const [podBefore, nodeBefore] = samples[index - 1] ?? [0, 0];
      return pod < podBefore || node < nodeBefore;
    });
    const starts = cluster.pod("again").status?.containerStatuses?.[0]?.restartCount ?? 0;
    expect([falls, samples.at(-1)?.[0]]).toEqual([[], (starts + 1) * 20_000_000]);
    expect(starts).toBeGreaterThan(1);
  });

  it("leaves out pods whose sandbox is gone, and counts the machine's own services", () => {
    const cluster = startedCluster();
    cluster.createPod("once", { containers: [shell("c", "sleep 1")], restartPolicy: "Never" });
    cluster.simulation.advance(20_000);
    const { pods, cpuNanoCores, memoryBytes } = usageOf(cluster, "once");
    expect([pods, cpuNanoCores, memoryBytes]).toEqual([[], 45_000_000, 310 * 1024 ** 2]);
  });

  it("[POD-504] counts memory that no pod holds", () => {
    const cluster = startedCluster();
    const { machine } = cluster.node;
    machine.start({
      argv: ["agent"],
      *run(self) {
        self.holdMemory(500 * 1024 ** 2, 0);
        yield* self.sleep(1e9);
        return 0;
      },
    });
    cluster.simulation.advance(1_000);
    const { memoryBytes } = usageOf(cluster);
    expect(memoryBytes).toBeGreaterThanOrEqual(810 * 1024 ** 2);
    expect(memoryBytes).toBe(machine.memoryBytes - machine.availableMemoryBytes);
  });
});
