import { describe, expect, it } from "vitest";
import { readPoints } from "./points.ts";

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

  it("is nothing where it is no metrics", () => {
    expect(readPoints("<html>hello</html>", "node-1", 1)).toEqual({ nodes: new Map(), pods: new Map() });
  });
});
