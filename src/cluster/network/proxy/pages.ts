// What kube-proxy answers on port 10249 (cmd/kube-proxy/app). Nobody needs a right for it: it is for the node itself.

import type { JsonValue } from "#cluster/api/objects.ts";
import { flagzPage } from "#cluster/zpages/flagz.ts";
import { healthPage } from "#cluster/zpages/health-pages.ts";
import { notFound, type Page, pageOrRefusal, pathOf, plainText } from "#cluster/zpages/page.ts";
import { debugFlagsPage, profilingPage } from "#cluster/zpages/profiling.ts";
import { sliPage } from "#cluster/zpages/sli-page.ts";
import { statuszPage } from "#cluster/zpages/statusz.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import type { PacketFilter } from "../netfilter/packet-filter.ts";
import { printedConfiguration, withDefaults } from "./configuration-fields.ts";
import { proxyMetrics } from "./proxy-metrics.ts";
import type { ProxySettings } from "./settings.ts";

/** A kube-proxy that runs. */
export interface AskedProxy {
  readonly filter: PacketFilter;
  readonly startedMs: number;
  readonly nowMs: number;
  readonly lastSyncMs: number;
  readonly argv: readonly string[];
  readonly nodeName: string;
  readonly settings: ProxySettings;
  /** How often /healthz was asked for. */
  readonly counts: Map<string, number>;
}

const name = "kube-proxy";
const health = [{ path: "/healthz", checks: ["ping"], hasSingleChecks: true }];
const paths = ["/configz", "/flagz", "/healthz", "/metrics", "/proxyMode"];

export function serveProxyPage(asked: AskedProxy, request: HttpRequest, responder: HttpResponder): void {
  const { status, headers, text } = pageOrRefusal(() => pageAt(asked, request), request);
  responder.reply(status, headers, encodeUtf8(text));
}

function pageAt(asked: AskedProxy, request: HttpRequest): Page {
  const { argv, startedMs, nowMs, lastSyncMs, filter, counts, settings } = asked;
  const component = { name, argv, startedMs, nowMs, paths };
  const accept = request.headers["accept"] ?? "";
  const path = pathOf(request);
  if (path === "/healthz") counts.set(path, (counts.get(path) ?? 0) + 1);
  if (path === "/proxyMode") return { status: 200, headers: plainText, text: settings.mode };
  if (path === "/metrics") {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return { status: 200, headers, text: proxyMetrics(filter, settings.mode, { startedMs, lastSyncMs }) };
  }
  if (path === "/metrics/slis") return sliPage(health, counts, startedMs);
  if (path === "/statusz") return statuszPage(component, accept);
  if (path === "/flagz") return flagzPage(component, accept);
  if (path === "/configz") {
    const headers = { ...plainText, "content-type": "application/json" };
    return { status: 200, headers, text: JSON.stringify(configz(asked)) };
  }
  // Off unless it is asked for, unlike everywhere else.
  const isProfiled = path.startsWith("/debug/") && settings.isProfiled;
  const debug = isProfiled ? (profilingPage(request, argv) ?? debugFlagsPage(request)) : undefined;
  return healthPage(health, request) ?? debug ?? notFound;
}

/** What this one acts by, in the fields of pkg/proxy/apis/config/v1alpha1 with their defaults. */
function configz({ nodeName, settings }: AskedProxy): JsonValue {
  const kubeadms = { clientConnection: { kubeconfig: "/var/lib/kube-proxy/kubeconfig.conf" }, detectLocalMode: "ClusterCIDR" };
  const usual = withDefaults({ ...kubeadms, mode: settings.mode, clusterCIDR: settings.podRange ?? "" });
  const configuration = {
    kind: "KubeProxyConfiguration",
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    ...printedConfiguration(settings.configuration ?? usual),
    hostnameOverride: nodeName,
  };
  return { "kubeproxy.config.k8s.io": configuration };
}
