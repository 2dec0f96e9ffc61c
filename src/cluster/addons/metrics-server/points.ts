// One reading of a kubelet: what /metrics/resource says, as points by node, pod and container
// (pkg/scraper/client/resource/decode.go).

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

/** Metric, labels in braces, value, time in milliseconds. */
const series = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)(?: (-?\d+))?$/;

const namespaceLabel = /(?:^|,)namespace="([^"]*)"/;
const podLabel = /(?:^|,)pod="([^"]*)"/;
const containerLabel = /(?:^|,)container="([^"]*)"/;

function empty(): Draft {
  return { startMs: 0, timeMs: 0, cpuNanoSeconds: 0, memoryBytes: 0 };
}

/** `readMs` stands for times that are not told. Lines of other metrics, and such as are none, say nothing. */
export function readPoints(text: string, nodeName: string, readMs: number): Batch {
  const node = empty();
  const pods = new Map<string, Map<string, Draft>>();
  for (const line of text.split("\n")) {
    const match = series.exec(line);
    if (match === null) continue;
    const [, metric = "", labels = "", value = "", time] = match;
    const timeMs = time === undefined ? readMs : Number(time);
    const amount = Number(value);
    if (metric === "node_cpu_usage_seconds_total") setUse(node, "cpuNanoSeconds", amount * 1e9, timeMs);
    else if (metric === "node_memory_working_set_bytes") setUse(node, "memoryBytes", amount, timeMs);
    else if (metric === "container_cpu_usage_seconds_total") setUse(pointOf(pods, labels), "cpuNanoSeconds", amount * 1e9, timeMs);
    else if (metric === "container_memory_working_set_bytes") setUse(pointOf(pods, labels), "memoryBytes", amount, timeMs);
    else if (metric === "container_start_time_seconds") pointOf(pods, labels).startMs = Math.floor(amount * 1000);
  }
  return {
    nodes: isWhole(node) ? new Map([[nodeName, node]]) : new Map(),
    pods: new Map([...pods].filter(([, points]) => [...points.values()].every(isWhole))),
  };
}

function setUse(point: Draft, field: "cpuNanoSeconds" | "memoryBytes", value: number, timeMs: number): void {
  point[field] = Math.trunc(value);
  point.timeMs = timeMs;
}

/** A pod of which one container lacks a figure counts as not read. */
function isWhole({ timeMs, cpuNanoSeconds, memoryBytes }: Draft): boolean {
  return timeMs !== 0 && cpuNanoSeconds !== 0 && memoryBytes !== 0;
}

function pointOf(pods: Map<string, Map<string, Draft>>, labels: string): Draft {
  const key = `${namespaceLabel.exec(labels)?.[1] ?? ""}/${podLabel.exec(labels)?.[1] ?? ""}`;
  const container = containerLabel.exec(labels)?.[1] ?? "";
  let points = pods.get(key);
  if (points === undefined) {
    points = new Map();
    pods.set(key, points);
  }
  let point = points.get(container);
  if (point === undefined) {
    point = empty();
    points.set(container, point);
  }
  return point;
}
