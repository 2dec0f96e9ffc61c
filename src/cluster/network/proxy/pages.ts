// What kube-proxy answers on port 10249 (cmd/kube-proxy/app). Nobody needs a right for it: it is for the node itself.

import type { JsonObject } from "#cluster/api/wire.ts";
import { flagValuesOf } from "#cluster/zpages/flag-values.ts";
import { flagzPage } from "#cluster/zpages/flagz.ts";
import { healthPage } from "#cluster/zpages/health-pages.ts";
import { notFound, type Page, pageOrRefusal, pathOf, plainText } from "#cluster/zpages/page.ts";
import { debugFlagsPage, profilingPage } from "#cluster/zpages/profiling.ts";
import { sliPage } from "#cluster/zpages/sli-page.ts";
import { statuszPage } from "#cluster/zpages/statusz.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import type { PacketFilter } from "../netfilter/packet-filter.ts";
import { proxyMetrics } from "./proxy-metrics.ts";
import { type ProxySettings, usualSettings } from "./settings.ts";

/** A kube-proxy that runs. */
export interface AskedProxy {
  readonly filter: PacketFilter;
  readonly startedMs: number;
  readonly nowMs: number;
  readonly lastSyncMs: number;
  readonly argv: readonly string[];
  readonly nodeName: string;
  readonly clusterCidr: string;
  /** Undefined: kubeadm's. */
  readonly settings: ProxySettings | undefined;
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
  const { argv, startedMs, nowMs, lastSyncMs, filter, counts } = asked;
  const component = { name, argv, startedMs, nowMs, paths };
  const accept = request.headers["accept"] ?? "";
  const path = pathOf(request);
  if (path === "/healthz") counts.set(path, (counts.get(path) ?? 0) + 1);
  if (path === "/proxyMode") return { status: 200, headers: plainText, text: "iptables" };
  if (path === "/metrics") {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return { status: 200, headers, text: proxyMetrics(filter, { startedMs, lastSyncMs }) };
  }
  if (path === "/metrics/slis") return sliPage(health, counts, startedMs);
  if (path === "/statusz") return statuszPage(component, accept);
  if (path === "/flagz") return flagzPage(component, accept);
  if (path === "/configz") {
    const headers = { ...plainText, "content-type": "application/json" };
    const { settings = usualSettings } = asked;
    const configz = { "kubeproxy.config.k8s.io": usualConfiguration({ ...asked, settings }) };
    return { status: 200, headers, text: JSON.stringify(configz) };
  }
  // Off unless it is asked for, unlike everywhere else.
  const isProfiled = path.startsWith("/debug/") && flagValuesOf(name, argv).get("profiling") === "true";
  const debug = isProfiled ? (profilingPage(request, argv) ?? debugFlagsPage(request)) : undefined;
  return healthPage(health, request) ?? debug ?? notFound;
}

/** What this one acts by, in the fields of pkg/proxy/apis/config/v1alpha1 with their defaults. */
export function usualConfiguration({
  nodeName,
  clusterCidr,
  settings,
}: Pick<AskedProxy, "nodeName" | "clusterCidr"> & { readonly settings: ProxySettings }): JsonObject {
  const { nodePortAddresses, localhostNodePorts } = settings;
  return {
    kind: "KubeProxyConfiguration",
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    clientConnection: {
      kubeconfig: "/var/lib/kube-proxy/kubeconfig.conf",
      acceptContentTypes: "",
      contentType: "application/vnd.kubernetes.protobuf",
      qps: 5,
      burst: 10,
    },
    logging: {
      format: "text",
      flushFrequency: "5s",
      verbosity: 0,
      options: { text: { infoBufferSize: "0" }, json: { infoBufferSize: "0" } },
    },
    hostnameOverride: nodeName,
    bindAddress: "0.0.0.0",
    healthzBindAddress: "0.0.0.0:10256",
    metricsBindAddress: "127.0.0.1:10249",
    bindAddressHardFail: false,
    enableProfiling: false,
    showHiddenMetricsForVersion: "",
    mode: "iptables",
    ...modes,
    iptables: { masqueradeBit: 14, masqueradeAll: false, localhostNodePorts, syncPeriod: "30s", minSyncPeriod: "1s" },
    detectLocalMode: "ClusterCIDR",
    detectLocal: { bridgeInterface: "", interfaceNamePrefix: "" },
    clusterCIDR: clusterCidr,
    nodePortAddresses: nodePortAddresses.length === 0 ? null : [...nodePortAddresses],
    oomScoreAdj: -999,
    conntrack: {
      maxPerCore: 32_768,
      min: 131_072,
      tcpEstablishedTimeout: "24h0m0s",
      tcpCloseWaitTimeout: "1h0m0s",
      tcpBeLiberal: false,
      udpTimeout: "0s",
      udpStreamTimeout: "0s",
    },
    configSyncPeriod: "15m0s",
    portRange: "",
  };
}

const modes = {
  ipvs: {
    syncPeriod: "0s",
    minSyncPeriod: "0s",
    scheduler: "",
    excludeCIDRs: null,
    strictARP: false,
    tcpTimeout: "0s",
    tcpFinTimeout: "0s",
    udpTimeout: "0s",
  },
  nftables: { masqueradeBit: 14, masqueradeAll: false, syncPeriod: "0s", minSyncPeriod: "0s" },
  winkernel: { networkName: "", sourceVip: "", enableDSR: false, rootHnsEndpointName: "", forwardHealthCheckVip: false },
};
