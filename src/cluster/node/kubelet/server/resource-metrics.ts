// /metrics/resource: what metrics-server reads (pkg/kubelet/metrics/collectors/resource_metrics.go), in Prometheus' text
// format. `scrape_error`, deprecated in 1.29, is hidden by 1.36.

import type { NodeUsage } from "./usage.ts";

interface Family {
  readonly type: "counter" | "gauge";
  readonly stability: "STABLE" | "ALPHA";
  readonly help: string;
}

const nonWindows = "Reported only on non-windows systems";

/** In the order of the output, which is that of their names. */
const families = {
  container_cpu_usage_seconds_total: stable("counter", "Cumulative cpu time consumed by the container in core-seconds"),
  container_memory_working_set_bytes: stable("gauge", "Current working set of the container in bytes"),
  container_start_time_seconds: stable("gauge", "Start time of the container since unix epoch in seconds"),
  container_swap_limit_bytes: alpha(`Current amount of the container swap limit in bytes. ${nonWindows}`),
  container_swap_usage_bytes: alpha(`Current amount of the container swap usage in bytes. ${nonWindows}`),
  node_cpu_usage_seconds_total: stable("counter", "Cumulative cpu time consumed by the node in core-seconds"),
  node_memory_working_set_bytes: stable("gauge", "Current working set of the node in bytes"),
  node_swap_usage_bytes: alpha(`Current swap usage of the node in bytes. ${nonWindows}`),
  pod_cpu_usage_seconds_total: stable("counter", "Cumulative cpu time consumed by the pod in core-seconds"),
  pod_memory_working_set_bytes: stable("gauge", "Current working set of the pod in bytes"),
  pod_swap_usage_bytes: alpha(`Current amount of the pod swap usage in bytes. ${nonWindows}`),
  resource_scrape_error: stable("gauge", "1 if there was an error while getting container metrics, 0 otherwise"),
} as const;

type FamilyName = keyof typeof families;

function stable(type: Family["type"], help: string): Family {
  return { type, stability: "STABLE", help };
}

function alpha(help: string): Family {
  return { type: "gauge", stability: "ALPHA", help };
}

export function resourceMetrics(usage: NodeUsage): string {
  const rows = new Map<FamilyName, string[]>();
  const add = (family: FamilyName, labels: string, value: number, timeMs?: number): void => {
    const row = `${family}${labels} ${goFloat(value)}${timeMs === undefined ? "" : ` ${timeMs}`}`;
    const known = rows.get(family);
    if (known === undefined) rows.set(family, [row]);
    else known.push(row);
  };
  const { timeMs } = usage;
  add("node_cpu_usage_seconds_total", "", usage.cpuNanoSeconds / 1e9, timeMs);
  add("node_memory_working_set_bytes", "", usage.memoryBytes, timeMs);
  add("node_swap_usage_bytes", "", 0, timeMs);
  for (const pod of [...usage.pods].sort(byNamespaceAndName)) {
    const labels = `{namespace="${pod.namespace}",pod="${pod.name}"}`;
    add("pod_cpu_usage_seconds_total", labels, pod.cpuNanoSeconds / 1e9, timeMs);
    add("pod_memory_working_set_bytes", labels, pod.memoryBytes, timeMs);
    add("pod_swap_usage_bytes", labels, 0, timeMs);
  }
  for (const { pod, container } of containersInOrder(usage)) {
    const labels = `{container="${container.name}",namespace="${pod.namespace}",pod="${pod.name}"}`;
    add("container_cpu_usage_seconds_total", labels, container.cpuNanoSeconds / 1e9, timeMs);
    add("container_memory_working_set_bytes", labels, container.memoryBytes, timeMs);
    add("container_start_time_seconds", labels, container.startedMs / 1000);
    // Containers may not swap: kubeadm's kubelets leave memorySwap as it is, and NoSwap is its default.
    add("container_swap_limit_bytes", labels, 0, timeMs);
    add("container_swap_usage_bytes", labels, 0, timeMs);
  }
  add("resource_scrape_error", "", 0);
  const lines: string[] = [];
  for (const [name, { type, stability, help }] of Object.entries(families)) {
    const own = rows.get(name as FamilyName);
    if (own !== undefined) lines.push(`# HELP ${name} [${stability}] ${help}`, `# TYPE ${name} ${type}`, ...own);
  }
  return `${lines.join("\n")}\n`;
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

function byNamespaceAndName(a: Named, b: Named): number {
  return compare(a.namespace, b.namespace) || compare(a.name, b.name);
}

/** By the values of their labels in the order of the labels' names: container, namespace, pod. */
function containersInOrder({ pods }: NodeUsage) {
  return pods
    .flatMap((pod) => pod.containers.map((container) => ({ pod, container })))
    .sort((a, b) => compare(a.container.name, b.container.name) || byNamespaceAndName(a.pod, b.pod));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As Go's `strconv.FormatFloat(value, 'g', -1, 64)` writes it: `1.048576e+06`. */
export function goFloat(value: number): string {
  if (value === 0) return "0";
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
