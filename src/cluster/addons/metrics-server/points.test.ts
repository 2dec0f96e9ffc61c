import { describe, expect, it } from "vitest";
import { resourceMetrics } from "#cluster/node/kubelet/server/resource-metrics.ts";
import type { NodeUsage, PodUsage } from "#cluster/node/kubelet/server/usage.ts";
import { pointsOf, readPoints } from "./points.ts";

const text = `# HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the container in core-seconds
# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{container="c",namespace="default",pod="web"} 1.5 1767225660000
container_cpu_usage_seconds_total{container="side",namespace="default",pod="web"} 0.25 1767225660000
container_cpu_usage_seconds_total{container="c",namespace="default",pod="still"} 0 1767225660000
container_memory_working_set_bytes{container="c",namespace="default",pod="web"} 1.048576e+06 1767225660000
container_memory_working_set_bytes{container="side",namespace="default",pod="web"} 4096 1767225660000
container_memory_working_set_bytes{container="c",namespace="default",pod="still"} 4096 1767225660000
container_start_time_seconds{container="c",namespace="default",pod="web"} 1.767225602345e+09
container_start_time_seconds{container="side",namespace="default",pod="web"} 1.767225603e+09
node_cpu_usage_seconds_total 120.000000001
node_memory_working_set_bytes 3.28204288e+08
resource_scrape_error 0
`;

describe("what a kubelet tells", () => {
  it("is a point for the node and each container; a pod that lacks a figure is left out whole", () => {
    const { nodes, pods } = readPoints(text, "node-1", 1_767_225_661_000);
    const shown = [...pods].map(([pod, points]) => [pod, Object.fromEntries(points)]);
    expect([Object.fromEntries(nodes), shown]).toEqual([
      {
        "node-1": { startMs: 0, timeMs: 1_767_225_661_000, cpuNanoSeconds: 120_000_000_001, memoryBytes: 328_204_288 },
      },
      [
        [
          "default/web",
          {
            c: { startMs: 1_767_225_602_345, timeMs: 1_767_225_660_000, cpuNanoSeconds: 1_500_000_000, memoryBytes: 1_048_576 },
            side: { startMs: 1_767_225_603_000, timeMs: 1_767_225_660_000, cpuNanoSeconds: 250_000_000, memoryBytes: 4096 },
          },
        ],
      ],
    ]);
  });

  it("is the same whether its text is read or what that was written from", () => {
    const use = (cpuNanoSeconds: number, memoryBytes: number) => ({ cpuNanoSeconds, cpuNanoCores: 1, memoryBytes, swapBytes: 0 });
    const container = (name: string, startedMs: number, own: ReturnType<typeof use>) => ({
      ...own,
      name,
      startedMs,
      memoryLimitBytes: undefined,
      swapLimitBytes: 0,
      writableLayerBytes: 0,
    });
    const pod = (name: string, ...containers: PodUsage["containers"]): PodUsage => ({
      ...use(1, 1),
      name,
      namespace: "default",
      uid: name,
      startedMs: 1_767_225_600_001,
      containers,
    });
    const figures = [1, 29, 999_999, 1_000_001, 20_000_000, 1_100_000_000, 123_456_789_012_345, 4_503_599_627_370_497];
    const pods = figures.map((nanos, index) =>
      pod(
        `web-${index}`,
        container("c", 1_767_225_600_000 + (nanos % 60_007), use(nanos, 4096 + nanos)),
        container("d", 1_767_225_604_999, use(nanos * 2 + 1, 1_048_576)),
      ),
    );
    const usage: NodeUsage = {
      ...use(987_654_321_987, 328_204_289),
      timeMs: 1_767_225_661_003,
      startedMs: 1_767_225_000_000,
      capacityBytes: 4 * 1024 ** 3,
      pods: [...pods, pod("none"), pod("still", container("c", 1_767_225_602_000, use(0, 4096)))],
    };
    const shown = ({ nodes, pods: byPod }: ReturnType<typeof readPoints>) => [
      Object.fromEntries(nodes),
      Object.fromEntries([...byPod].map(([name, points]) => [name, Object.fromEntries(points)])),
    ];
    expect(shown(pointsOf(usage, "node-1"))).toEqual(shown(readPoints(resourceMetrics(usage), "node-1", 1)));
    expect(pointsOf(usage, "node-1").pods.size).toBe(figures.length);
  });

  it("is nothing where it is no metrics", () => {
    expect(readPoints("<html>hello</html>", "node-1", 1)).toEqual({ nodes: new Map(), pods: new Map() });
  });
});
