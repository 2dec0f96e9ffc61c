// What kube-proxy tells at /metrics: when it wrote its rules, and how many there are (pkg/proxy/metrics).

import type { PacketFilter } from "../netfilter/packet-filter.ts";
import type { ProxyMode } from "./settings.ts";

/** Named as kube-proxy's are. */
const kubeletChain = "KUBE-FIREWALL";

export function proxyMetrics(
  filter: PacketFilter,
  mode: ProxyMode,
  times: { readonly startedMs: number; readonly lastSyncMs: number },
): string {
  const rulesIn = (table: "filter" | "nat"): number => {
    let count = 0;
    for (const { name, rules } of filter.chains(table))
      if (name.startsWith("KUBE-") && name !== kubeletChain) count += rules.length;
    return count;
  };
  const family = (name: string, help: string, rows: readonly string[]) =>
    `# HELP ${name} [ALPHA] ${help}\n# TYPE ${name} gauge\n${rows.map((row) => `${name}${row}\n`).join("")}`;
  const tables = (["filter", "nat"] as const).map((table) => `{ip_family="IPv4",table="${table}"} ${rulesIn(table)}`);
  const synced = Number.isFinite(times.lastSyncMs) ? [`{ip_family="IPv4"} ${times.lastSyncMs / 1000}`] : [];
  const total = family("kubeproxy_sync_proxy_rules_iptables_total", "Total number of iptables rules owned by kube-proxy", tables);
  return [
    mode === "nftables" ? "" : total,
    family("kubeproxy_sync_proxy_rules_last_timestamp_seconds", "The last time proxy rules were successfully synced", synced),
    family("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", [` ${times.startedMs / 1000}`]),
  ].join("");
}
