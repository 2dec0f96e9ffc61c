// What kube-proxy logs of itself: klog's lines, for each the place that logs it upstream.

import { release } from "#cluster/api/generated/release.ts";
import { klogText } from "#cluster/api/klog.ts";
import type { LogMoment } from "#cluster/images/log-line.ts";
import { isLoopback } from "../addresses.ts";
import type { NodeNetwork } from "../network.ts";
import { chosenPlaces } from "./chosen-places.ts";
import type { ProxySettings } from "./settings.ts";

/** Where it logs: `words` are put together when somebody reads them. */
export type ProxyLog = (words: (at: LogMoment) => string) => void;

type Line = readonly [severity: "I" | "E", place: string, message: string];

function written(at: LogMoment, lines: readonly Line[]): string {
  return lines.map(([severity, place, message]) => `${klogText(at, severity, place, message)}\n`).join("");
}

const unsetAddresses =
  "nodePortAddresses is unset; NodePort connections will be accepted on all local IPs. Consider using `--nodeport-addresses primary`";
const onlyOther =
  "cluster appears to be IPv4-primary but nodePortAddresses contains only IPv6 addresses; NodePort connections will be accepted on all local IPv4 IPs";
const localRoutes =
  "Setting route_localnet=1 to allow node-ports on localhost; to change this either disable iptables.localhostNodePorts (--iptables-localhost-nodeports) or set nodePortAddresses (--nodeport-addresses) to filter loopback addresses";
const loopbackInVain = {
  iptables: "--nodeport-addresses includes localhost but --iptables-localhost-nodeports=false was passed",
  nftables: "--nodeport-addresses includes localhost but localhost NodePorts are not supported",
} as const;
const ofFamily = 'ipFamily="IPv4"';
const controllers = ["service config", "endpoint slice config", "serviceCIDR config", "node config"] as const;
const places: { readonly [controller in (typeof controllers)[number]]: string } = {
  "service config": "config.go:200",
  "endpoint slice config": "config.go:106",
  "serviceCIDR config": "config.go:403",
  "node config": "config.go:309",
};
const proxierPlaces = { iptables: "server_linux.go:137", ipvs: "server_linux.go:194", nftables: "server_linux.go:254" } as const;

/** In the order of cmd/kube-proxy/app: defaults, the node, what may be wrong, the proxier, the controllers. */
export function startLines(at: LogMoment, node: NodeNetwork, settings: ProxySettings): string {
  const { mode, isModeAssumed, podRange } = settings;
  return written(at, [
    ...(isModeAssumed ? [["I", "server_linux.go:53", '"Using iptables proxy"'] satisfies Line] : []),
    ["I", "shared_informer.go:402", '"Waiting for caches to sync"'],
    ["I", "shared_informer.go:409", '"Caches are synced"'],
    ["I", "server.go:228", `"Successfully retrieved NodeIPs" NodeIPs=["${node.address}"]`],
    ...wrongAddresses(settings),
    ["I", "server_linux.go:119", '"No kernel support for family" ipFamily="IPv6"'],
    ["I", "server.go:276", `"kube-proxy running in single-stack mode" ${ofFamily}`],
    ...(podRange === undefined ? [noPodRange] : []),
    ["I", proxierPlaces[mode], `"Using ${mode} Proxier"`],
    ...proxierLines(node, settings),
    ["I", "server.go:539", `"Version info" version="v${release}.0"`],
    ["I", "server.go:541", '"Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""'],
    ...controllers.flatMap((name): Line[] => [
      ["I", places[name], `"Starting ${name} controller"`],
      ["I", "shared_informer.go:381", `"Waiting for caches to sync" controller="${name}"`],
    ]),
  ]);
}

const noPodRange: Line = [
  "I",
  "server_linux.go:307",
  `"Detect-local-mode set to ClusterCIDR, but no cluster CIDR specified for primary IP family" ${ofFamily} clusterCIDRs=[]`,
];

function wrongAddresses({ nodePortAddresses }: ProxySettings): readonly Line[] {
  const about = (error: string): Line => [
    "E",
    "server.go:265",
    `"Kube-proxy configuration may be incomplete or incorrect" err=${JSON.stringify(error)}`,
  ];
  if (nodePortAddresses.length === 0) return [about(unsetAddresses)];
  return nodePortAddresses.every((range) => range.includes(":")) ? [about(onlyOther)] : [];
}

function proxierLines(node: NodeNetwork, settings: ProxySettings): readonly Line[] {
  const { mode } = settings;
  if (mode === "ipvs") return [];
  const { addresses, isOnLoopback } = chosenPlaces(node, { ...settings, localhostNodePorts: true });
  const isAllowed = mode === "iptables" && settings.localhostNodePorts;
  if (isAllowed && isOnLoopback) return [["I", "proxier.go:242", `"${localRoutes}" ${ofFamily}`]];
  const vain = isAllowed ? [] : (addresses ?? []).filter(isLoopback);
  return vain.map((address): Line => ["E", "proxier.go:1400", `"${loopbackInVain[mode]}" ${ofFamily} address="${address}"`]);
}

/** Before its first rules. */
export function syncedLines(at: LogMoment): string {
  return written(
    at,
    controllers.map((name): Line => ["I", "shared_informer.go:388", `"Caches are synced" controller="${name}"`]),
  );
}

export function failedLine(at: LogMoment): string {
  return written(at, [["E", "proxier.go:1755", `"nftables sync failed" ${ofFamily}`]]);
}

/** Its canary is gone in the table mangle only. */
export function inconsistentLine(at: LogMoment): string {
  return written(at, [["I", "iptables.go:493", '"Inconsistent iptables state detected"']]);
}
