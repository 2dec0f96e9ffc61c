// What kube-proxy logs of itself: klog's lines, for each the place that logs it upstream.

import { release } from "#cluster/api/generated/release.ts";
import { klogText } from "#cluster/api/klog.ts";
import type { LogMoment } from "#cluster/images/log-line.ts";
import { isIpv4, takesLoopback } from "./node-port-addresses.ts";
import { type ProxySettings, usualSettings } from "./settings.ts";

/** Where it logs: `words` are put together when somebody reads them. */
export type ProxyLog = (words: (at: LogMoment) => string) => void;

type Line = readonly [severity: "I" | "E", place: string, message: string];

function written(at: LogMoment, lines: readonly Line[]): string {
  return lines.map(([severity, place, message]) => `${klogText(at, severity, place, message)}\n`).join("");
}

const incomplete = '"Kube-proxy configuration may be incomplete or incorrect"';
const unsetAddresses =
  "nodePortAddresses is unset; NodePort connections will be accepted on all local IPs. Consider using `--nodeport-addresses primary`";
const otherFamily =
  "cluster appears to be IPv4-primary but nodePortAddresses contains only IPv6 addresses; NodePort connections will be accepted on all local IPv4 IPs";
const routeLocalnet =
  '"Setting route_localnet=1 to allow node-ports on localhost; to change this either disable iptables.localhostNodePorts (--iptables-localhost-nodeports) or set nodePortAddresses (--nodeport-addresses) to filter loopback addresses" ipFamily="IPv4"';
const controllers = ["service config", "endpoint slice config", "node config"] as const;
const places: { readonly [controller in (typeof controllers)[number]]: string } = {
  "service config": "config.go:200",
  "endpoint slice config": "config.go:106",
  "node config": "config.go:309",
};

export function startLines(at: LogMoment, nodeAddress: string, settings: ProxySettings = usualSettings): string {
  const { loose, nodePortAddresses } = settings;
  return written(at, [
    ...(loose.length === 0 ? [] : [lenient(loose)]),
    ["I", "server_linux.go:53", '"Using iptables proxy"'],
    ["I", "server.go:219", `"Successfully retrieved NodeIPs" NodeIPs=["${nodeAddress}"]`],
    ...faultsOf(nodePortAddresses).map((fault): Line => ["E", "server.go:256", `${incomplete} err=${JSON.stringify(fault)}`]),
    ["I", "server.go:267", '"kube-proxy running in single-stack mode" ipFamily="IPv4"'],
    ["I", "server_linux.go:132", '"Using iptables Proxier"'],
    ...(takesLoopback(settings) ? [["I", "proxier.go:242", routeLocalnet] as const] : []),
    ["I", "server.go:527", `"Version info" version="v${release}.0"`],
    ["I", "server.go:529", '"Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""'],
    ...controllers.flatMap((name): Line[] => [
      ["I", places[name], `"Starting ${name} controller"`],
      ["I", "shared_informer.go:349", `"Waiting for caches to sync" controller="${name}"`],
    ]),
  ]);
}

/** What kube-proxy complains of and goes on (checkBadConfig). */
function faultsOf(nodePortAddresses: readonly string[]): readonly string[] {
  if (nodePortAddresses.length === 0) return [unsetAddresses];
  return nodePortAddresses.some(isIpv4) ? [] : [otherFamily];
}

function lenient(loose: readonly string[]): Line {
  const words = JSON.stringify(`strict decoding error: ${loose.join(", ")}`);
  return ["I", "options.go:362", `"Using lenient decoding as strict decoding failed" err=${words}`];
}

/** Before its first rules. */
export function syncedLines(at: LogMoment): string {
  return written(
    at,
    controllers.map((name): Line => ["I", "shared_informer.go:356", `"Caches are synced" controller="${name}"`]),
  );
}
