// /metrics/resource: what metrics-server reads (pkg/kubelet/metrics/collectors/resource_metrics.go), in Prometheus' text
// format. `scrape_error`, deprecated in 1.29, is hidden by 1.36.

import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { UnwrittenBody } from "#sim/http.ts";
import type { ContainerUsage, NodeUsage, PodUsage, Use } from "./usage.ts";

/** One metric: what stands above its rows, and what it tells of each. */
interface Family<Used> {
  readonly name: string;
  readonly head: string;
  readonly value: (used: Used) => number;
  /** Its rows say when they were measured. */
  readonly hasTime: boolean;
}

interface Row<Used> {
  /** In braces; "" for the node's own. */
  readonly labels: string;
  readonly used: Used;
}

function family<Used>(
  name: string,
  told: { readonly type: "counter" | "gauge"; readonly stability: "STABLE" | "ALPHA"; readonly help: string },
  value: (used: Used) => number,
  { hasTime = true } = {},
): Family<Used> {
  const head = `# HELP ${name} [${told.stability}] ${told.help}\n# TYPE ${name} ${told.type}\n`;
  return { name, head, value, hasTime };
}

const cpuSeconds = ({ cpuNanoSeconds }: Use): number => cpuNanoSeconds / 1e9;
const memory = ({ memoryBytes }: Use): number => memoryBytes;
const swap = ({ swapBytes }: Use): number => swapBytes;
const none = (): number => 0;

const stableCounter = (help: string) => ({ type: "counter", stability: "STABLE", help }) as const;
const stableGauge = (help: string) => ({ type: "gauge", stability: "STABLE", help }) as const;
const swapGauge = (help: string) =>
  ({ type: "gauge", stability: "ALPHA", help: `${help}. Reported only on non-windows systems` }) as const;

// In the order of the output, which is that of their names.

const ofContainers: readonly Family<ContainerUsage>[] = [
  family(
    "container_cpu_usage_seconds_total",
    stableCounter("Cumulative cpu time consumed by the container in core-seconds"),
    cpuSeconds,
  ),
  family("container_memory_working_set_bytes", stableGauge("Current working set of the container in bytes"), memory),
  family(
    "container_start_time_seconds",
    stableGauge("Start time of the container since unix epoch in seconds"),
    ({ startedMs }) => startedMs / 1000,
    { hasTime: false },
  ),
  family(
    "container_swap_limit_bytes",
    swapGauge("Current amount of the container swap limit in bytes"),
    ({ swapLimitBytes }) => swapLimitBytes,
  ),
  family("container_swap_usage_bytes", swapGauge("Current amount of the container swap usage in bytes"), swap),
];

const ofNodes: readonly Family<NodeUsage>[] = [
  family("node_cpu_usage_seconds_total", stableCounter("Cumulative cpu time consumed by the node in core-seconds"), cpuSeconds),
  family("node_memory_working_set_bytes", stableGauge("Current working set of the node in bytes"), memory),
  family("node_swap_usage_bytes", swapGauge("Current swap usage of the node in bytes"), swap),
];

const ofPods: readonly Family<PodUsage>[] = [
  family("pod_cpu_usage_seconds_total", stableCounter("Cumulative cpu time consumed by the pod in core-seconds"), cpuSeconds),
  family("pod_memory_working_set_bytes", stableGauge("Current working set of the pod in bytes"), memory),
  family("pod_swap_usage_bytes", swapGauge("Current amount of the pod swap usage in bytes"), swap),
];

const ofReadings: readonly Family<NodeUsage>[] = [
  family("resource_scrape_error", stableGauge("1 if there was an error while getting container metrics, 0 otherwise"), none, {
    hasTime: false,
  }),
];

/** The answer of /metrics/resource: read four times a minute by a metrics-server, and by nobody else as a rule. */
export class ResourceMetrics implements UnwrittenBody {
  readonly usage: NodeUsage;

  constructor(usage: NodeUsage) {
    this.usage = usage;
  }

  write(): Bytes {
    return encodeUtf8(resourceMetrics(this.usage));
  }
}

export function resourceMetrics(usage: NodeUsage): string {
  const containers = containersInOrder(usage).map(
    ({ pod, container }): Row<ContainerUsage> => ({
      labels: `{container="${container.name}",namespace="${pod.namespace}",pod="${pod.name}"}`,
      used: container,
    }),
  );
  const pods = [...usage.pods]
    .sort(byNamespaceAndName)
    .map((pod): Row<PodUsage> => ({ labels: `{namespace="${pod.namespace}",pod="${pod.name}"}`, used: pod }));
  const node: readonly Row<NodeUsage>[] = [{ labels: "", used: usage }];
  const { timeMs } = usage;
  return (
    textOf(ofContainers, containers, timeMs) +
    textOf(ofNodes, node, timeMs) +
    textOf(ofPods, pods, timeMs) +
    textOf(ofReadings, node, timeMs)
  );
}

/** Of no rows nothing is told. */
function textOf<Used>(families: readonly Family<Used>[], rows: readonly Row<Used>[], timeMs: number): string {
  if (rows.length === 0) return "";
  let text = "";
  for (const { name, head, value, hasTime } of families) {
    text += head;
    const end = hasTime ? ` ${timeMs}\n` : "\n";
    for (const { labels, used } of rows) text += `${name}${labels} ${goFloat(value(used))}${end}`;
  }
  return text;
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

function byNamespaceAndName(a: Named, b: Named): number {
  return compareTexts(a.namespace, b.namespace) || compareTexts(a.name, b.name);
}

/** By the values of their labels in the order of the labels' names: container, namespace, pod. */
function containersInOrder({ pods }: NodeUsage) {
  return pods
    .flatMap((pod) => pod.containers.map((container) => ({ pod, container })))
    .sort((a, b) => compareTexts(a.container.name, b.container.name) || byNamespaceAndName(a.pod, b.pod));
}

/** As Go's `strconv.FormatFloat(value, 'g', -1, 64)` writes it: `1.048576e+06`. */
export function goFloat(value: number): string {
  if (value === 0 || (value >= 1e-4 && value < 1e6)) return String(value);
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
