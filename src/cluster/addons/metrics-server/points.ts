// One reading of a kubelet: what /metrics/resource says, as points by node, pod and container
// (pkg/scraper/client/resource/decode.go).

import type { NodeUsage, Use } from "#cluster/node/kubelet/server/usage.ts";

export interface Point {
  /** Of the container; 0 for a node. Nothing was used before it. */
  readonly startMs: number;
  readonly timeMs: number;
  /** Processor time since the start, in nanoseconds of one core. */
  readonly cpuNanoSeconds: number;
  readonly memoryBytes: number;
}

/** Container → point. */
export type PodPoints = ReadonlyMap<string, Point>;

export interface Batch {
  readonly nodes: ReadonlyMap<string, Point>;
  /** `namespace/name` → points. */
  readonly pods: ReadonlyMap<string, PodPoints>;
}

type Draft = { -readonly [field in keyof Point]: Point[field] };

/** Of the many metrics those that count. */
const metrics = [
  "container_cpu_usage_seconds_total",
  "container_memory_working_set_bytes",
  "container_start_time_seconds",
  "node_cpu_usage_seconds_total",
  "node_memory_working_set_bytes",
] as const;

/** What follows a metric's name: labels in braces, value, time in milliseconds. */
const series = /^(?:\{([^}]*)\})? (\S+)(?: (-?\d+))?$/;

const namespaceLabel = /(?:^|,)namespace="([^"]*)"/;
const podLabel = /(?:^|,)pod="([^"]*)"/;
const containerLabel = /(?:^|,)container="([^"]*)"/;

function empty(): Draft {
  return { startMs: 0, timeMs: 0, cpuNanoSeconds: 0, memoryBytes: 0 };
}

/** `readMs` stands for times that are not told. Lines of other metrics, and such as are none, say nothing. */
export function readPoints(text: string, nodeName: string, readMs: number): Batch {
  const node = empty();
  const containers = new ContainerPoints();
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    const metric = metrics.find((name) => text.startsWith(name, start));
    const match = metric === undefined ? null : series.exec(text.slice(start + metric.length, end));
    if (match === null) continue;
    const [, labels = "", value = "", time] = match;
    const timeMs = time === undefined ? readMs : Number(time);
    const amount = Number(value);
    switch (metric) {
      case "node_cpu_usage_seconds_total":
        setUse(node, "cpuNanoSeconds", amount * 1e9, timeMs);
        break;
      case "node_memory_working_set_bytes":
        setUse(node, "memoryBytes", amount, timeMs);
        break;
      case "container_cpu_usage_seconds_total":
        setUse(containers.of(labels), "cpuNanoSeconds", amount * 1e9, timeMs);
        break;
      case "container_memory_working_set_bytes":
        setUse(containers.of(labels), "memoryBytes", amount, timeMs);
        break;
      case "container_start_time_seconds":
        containers.of(labels).startMs = Math.floor(amount * 1000);
        break;
    }
  }
  return {
    nodes: isWhole(node) ? new Map([[nodeName, node]]) : new Map(),
    pods: new Map([...containers.byPod].filter(([, points]) => [...points.values()].every(isWhole))),
  };
}

/** What `readPoints` reads in the text that a kubelet writes of this. */
export function pointsOf({ pods, timeMs, ...use }: NodeUsage, nodeName: string): Batch {
  const point = ({ cpuNanoSeconds, memoryBytes }: Use, startMs: number): Point => ({
    startMs,
    timeMs,
    // The text tells seconds.
    cpuNanoSeconds: Math.trunc((cpuNanoSeconds / 1e9) * 1e9),
    memoryBytes,
  });
  const node = point(use, 0);
  const byPod = new Map<string, PodPoints>();
  for (const { namespace, name, containers } of pods) {
    const points = new Map(containers.map((one) => [one.name, point(one, Math.floor((one.startedMs / 1000) * 1000))]));
    if (points.size > 0 && [...points.values()].every(isWhole)) byPod.set(`${namespace}/${name}`, points);
  }
  return { nodes: isWhole(node) ? new Map([[nodeName, node]]) : new Map(), pods: byPod };
}

function setUse(point: Draft, field: "cpuNanoSeconds" | "memoryBytes", value: number, timeMs: number): void {
  point[field] = Math.trunc(value);
  point.timeMs = timeMs;
}

/** A pod of which one container lacks a figure counts as not read. */
function isWhole({ timeMs, cpuNanoSeconds, memoryBytes }: Draft): boolean {
  return timeMs !== 0 && cpuNanoSeconds !== 0 && memoryBytes !== 0;
}

/** The points of a reading's containers, found by the labels of a line. */
class ContainerPoints {
  /** `namespace/name` → container → point. */
  readonly byPod = new Map<string, Map<string, Draft>>();
  readonly #byLabels = new Map<string, Draft>();

  of(labels: string): Draft {
    let point = this.#byLabels.get(labels);
    if (point === undefined) {
      point = this.#pointOf(labels);
      this.#byLabels.set(labels, point);
    }
    return point;
  }

  #pointOf(labels: string): Draft {
    const key = `${namespaceLabel.exec(labels)?.[1] ?? ""}/${podLabel.exec(labels)?.[1] ?? ""}`;
    const container = containerLabel.exec(labels)?.[1] ?? "";
    const points = this.byPod.get(key) ?? new Map<string, Draft>();
    this.byPod.set(key, points);
    const point = points.get(container) ?? empty();
    points.set(container, point);
    return point;
  }
}
