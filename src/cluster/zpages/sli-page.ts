// /metrics/slis: what the health checks of a component have come to (component-base, metrics/prometheus/slis).

import { compareBytes } from "#cluster/api/json-write.ts";
import type { HealthEndpoint } from "./health-pages.ts";
import type { Page } from "./page.ts";

export const prometheusText = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** How often a whole endpoint (`/healthz`), or one of its checks (`ping`), was asked for. All held each time. */
export type AskedCounts = ReadonlyMap<string, number>;

export function sliPage(endpoints: readonly HealthEndpoint[], asked: AskedCounts, startedMs: number): Page {
  const gauges: string[] = [];
  const counters: string[] = [];
  for (const { path, checks } of endpoints) {
    const type = path.slice(1);
    for (const name of checks) {
      const times = asked.get(name) ?? asked.get(path) ?? 0;
      if (times === 0) continue;
      gauges.push(`kubernetes_healthcheck{name="${name}",type="${type}"} 1\n`);
      counters.push(`kubernetes_healthchecks_total{name="${name}",status="success",type="${type}"} ${times}\n`);
    }
  }
  const text = [
    ...family("kubernetes_healthcheck", "gauge", "[STABLE] This metric records the result of a single healthcheck.", gauges),
    ...family("kubernetes_healthchecks_total", "counter", "[STABLE] This metric records the results of all healthcheck.", counters),
    startTimeText(startedMs),
  ].join("");
  const headers = { "content-type": prometheusText, "process-start-time-unix": String(Math.floor(startedMs / 1000)) };
  return { status: 200, headers, text };
}

/** The metric that tells when the process began. */
export function startTimeText(startedMs: number): string {
  const name = "process_start_time_seconds";
  const help = "[ALPHA] Start time of the process since unix epoch in seconds.";
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${goFloat(startedMs / 1000)}\n`;
}

function family(name: string, type: string, help: string, samples: readonly string[]): readonly string[] {
  if (samples.length === 0) return [];
  return [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...[...samples].sort(compareBytes)];
}

/** As the text format writes floats: large ones with an exponent. */
export function goFloat(value: number): string {
  if (Number.isInteger(value) ? Math.abs(value) < 1e21 && Math.abs(value) < 1e6 : Math.abs(value) < 1e6) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}
