// /metrics/probes: what the probes of this node's containers have told so far, and since when the kubelet counts.

import type { ProbeCount } from "../probes/probe-counts.ts";
import { byText, Families, labelText } from "./prometheus.ts";
import { goFloat } from "./resource-metrics.ts";

/** Prometheus' default buckets, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const kindNames = { startup: "Startup", liveness: "Liveness", readiness: "Readiness" } as const;

export function probeMetrics(counts: readonly ProbeCount[], startedMs: number): string {
  const others = new Families();
  others.add("process_start_time_seconds", "gauge", "[ALPHA] Start time of the process since unix epoch in seconds.", {
    labels: {},
    value: startedMs / 1000,
  });
  for (const count of counts) {
    const { name, namespace = "", uid } = count.pod.metadata;
    const labels = { container: count.container, namespace, pod: name, pod_uid: uid, probe_type: kindNames[count.kind] };
    const help = "[BETA] Cumulative number of a liveness, readiness or startup probe for a container by result.";
    const add = (result: string, value: number) =>
      others.add("prober_probe_total", "counter", help, { labels: { ...labels, result }, value });
    if (count.failed > 0) add("failed", count.failed);
    if (count.durationsMs.size > 0)
      add(
        "successful",
        [...count.durationsMs.values()].reduce((sum, times) => sum + times, 0),
      );
  }
  return durations(counts) + others.toString();
}

function durations(counts: readonly ProbeCount[]): string {
  const measured = counts.filter(({ durationsMs }) => durationsMs.size > 0);
  if (measured.length === 0) return "";
  const name = "prober_probe_duration_seconds";
  const rows = measured.map((count): [string, string] => {
    const { name: pod, namespace = "" } = count.pod.metadata;
    const labels = [
      ["container", count.container],
      ["namespace", namespace],
      ["pod", pod],
      ["probe_type", kindNames[count.kind]],
    ] as const;
    return [labels.map(([, value]) => value).join("\0"), histogram(name, labels, count.durationsMs)];
  });
  const head = `# HELP ${name} [ALPHA] Duration in seconds for a probe response.\n# TYPE ${name} histogram\n`;
  return (
    head +
    rows
      .sort(byText)
      .map(([, text]) => text)
      .join("")
  );
}

function histogram(name: string, labels: readonly (readonly [string, string])[], durationsMs: ReadonlyMap<number, number>): string {
  const within = (seconds: number): number => {
    let times = 0;
    for (const [ms, each] of durationsMs) if (ms <= seconds * 1000) times += each;
    return times;
  };
  const all = within(Number.POSITIVE_INFINITY);
  let sumMs = 0;
  for (const [ms, times] of durationsMs) sumMs += ms * times;
  const lines = buckets.map((seconds) => `${name}_bucket${labelText([...labels, ["le", goFloat(seconds)]])} ${within(seconds)}\n`);
  const own = labelText(labels);
  return `${lines.join("")}${name}_bucket${labelText([...labels, ["le", "+Inf"]])} ${all}\n${name}_sum${own} ${goFloat(sumMs / 1000)}\n${name}_count${own} ${all}\n`;
}
