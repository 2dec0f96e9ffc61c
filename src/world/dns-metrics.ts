// What CoreDNS answers on port 9153 (its plugin metrics): how often it was asked for what, and what it answered.

import { compareBytes } from "#cluster/api/json-write.ts";
import { notFound, type Page, pathOf } from "#cluster/zpages/page.ts";
import { prometheusText } from "#cluster/zpages/sli-page.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler } from "#sim/http.ts";
import { type Metric, metricsPage } from "./metric-text.ts";

/** Number of answers by type of question and code: `A NXDOMAIN`. */
export type DnsCounts = ReadonlyMap<string, number>;

const build = 'goversion="go1.25.2",revision="1db4568",version="1.13.1"';
/** The plugins of kubeadm's Corefile that take part in answers. */
const plugins = ["cache", "errors", "forward", "kubernetes", "loadbalance", "loop", "prometheus"];

export function dnsMetrics(counts: DnsCounts, startedMs: number, ...[request, , responder]: Parameters<HttpHandler>): void {
  const { status, headers, text } = pathOf(request) === "/metrics" ? page(counts, startedMs) : notFound;
  responder.reply(status, headers, encodeUtf8(text));
}

function page(counts: DnsCounts, startedMs: number): Page {
  const asked = new Map<string, number>();
  const answered = new Map<string, number>();
  const add = (to: Map<string, number>, labels: string, count: number) => to.set(labels, (to.get(labels) ?? 0) + count);
  for (const [key, count] of counts) {
    const [type = "", code = ""] = key.split(" ");
    add(asked, `family="1",proto="udp",server="dns://:53",type="${type}",view="",zone="."`, count);
    // The plugin that wrote it last; what no plugin has written has none.
    const writer = code === "SERVFAIL" ? "" : "loadbalance";
    add(answered, `plugin="${writer}",rcode="${code}",server="dns://:53",view="",zone="."`, count);
  }
  const metrics: readonly Metric[] = [
    {
      name: "coredns_build_info",
      type: "gauge",
      help: "A metric with a constant '1' value labeled by version, revision, and goversion from which CoreDNS was built.",
      samples: [{ labels: build, value: 1 }],
    },
    {
      name: "coredns_dns_requests_total",
      type: "counter",
      help: "Counter of DNS requests made per zone, protocol and family.",
      samples: samplesOf(asked),
    },
    {
      name: "coredns_dns_responses_total",
      type: "counter",
      help: "Counter of response status codes.",
      samples: samplesOf(answered),
    },
    {
      name: "coredns_panics_total",
      type: "counter",
      help: "A metric that counts the number of panics.",
      samples: [{ labels: "", value: 0 }],
    },
    {
      name: "coredns_plugin_enabled",
      type: "gauge",
      help: "A metric that indicates whether a plugin is enabled on per server and zone basis.",
      samples: plugins.map((name) => ({ labels: `name="${name}",server="dns://:53",view="",zone="."`, value: 1 })),
    },
    {
      name: "process_start_time_seconds",
      type: "gauge",
      help: "Start time of the process since unix epoch in seconds.",
      samples: [{ labels: "", value: startedMs / 1000 }],
    },
  ];
  return { status: 200, headers: { "content-type": prometheusText }, text: metricsPage(metrics) };
}

function samplesOf(counts: ReadonlyMap<string, number>): Metric["samples"] {
  return [...counts].sort(([a], [b]) => compareBytes(a, b)).map(([labels, value]) => ({ labels, value }));
}
