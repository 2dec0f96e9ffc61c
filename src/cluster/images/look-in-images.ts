// Images that people bring to look into a cluster's network: nicolaka/netshoot and curlimages/curl. Of their tools they have those that are known here.

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { digestOf } from "./fingerprint.ts";
import { configOf, type Image } from "./image.ts";
import { alpineTools, debianTools, withCurl, withUser } from "./tools.ts";

const networkTools = "curl dig getent host ip jq nc nslookup openssl ping ss".split(" ");
const isNetworkTool = (path: string): boolean => path === "/bin/bash" || networkTools.some((name) => path === `/usr/bin/${name}`);

/** Tools of netshoot (its Dockerfile tells which packages it has) that say here that there is nothing behind them. */
const absentTools =
  "ab arping bird brctl bridge calicoctl clockdiff conntrack ctop dhcping drill dumpcap ethtool file fortio fping git grpcurl http https iftop iperf iperf3 ip6tables ipset iptables iptables-save iptraf-ng ipvsadm ltrace mtr ncat nft ngrep nmap nping nsupdate oping python3 scapy snmpget snmpwalk socat speedtest-cli ssh strace swaks tc tcpdump tcptraceroute termshark tracepath traceroute trip tshark vim websocat zsh".split(
    " ",
  );
const absent = `#!/bin/sh
echo "$(basename "$0") is not simulated here; ${networkTools.slice(0, -1).join(", ")} and ${networkTools.at(-1)} are" >&2
exit 1
`;

const netshoot: FileTree = new Map<string, TreeEntry>([
  ...alpineTools,
  ...[...debianTools].filter(([path]) => isNetworkTool(path)),
  ...absentTools.map((name): [string, TreeEntry] => [`/usr/bin/${name}`, { type: "file", content: absent, permissions: 0o755 }]),
]);

/** Options and addresses alone are curl's. */
const entrypoint = `#!/bin/sh
case "$1" in
  -* | *://*) set -- curl "$@" ;;
esac
exec "$@"
`;

const curl: FileTree = new Map<string, TreeEntry>([
  ...withUser(
    withCurl(alpineTools),
    "curl_user:x:100:101:Linux User,,,:/home/curl_user:/sbin/nologin",
    "curl_group:x:101:curl_user",
  ),
  ["/entrypoint.sh", { type: "file", content: entrypoint, permissions: 0o755 }],
  ["/home/curl_user", { type: "directory" }],
]);

export const lookInImages: readonly Image[] = [
  ...["latest", "v0.14"].map((tag) => ({
    repository: "docker.io/nicolaka/netshoot",
    tag,
    digest: digestOf("nicolaka/netshoot v0.14"),
    sizeBytes: 201_893_254,
    // Its own shell is zsh.
    config: { ...configOf([], ["bash"]), workingDir: "/root" },
    files: netshoot,
  })),
  ...["latest", "8.14.1"].map((tag) => ({
    repository: "docker.io/curlimages/curl",
    tag,
    digest: digestOf("curlimages/curl 8.14.1"),
    sizeBytes: 9_964_310,
    config: { ...configOf(["/entrypoint.sh"], ["curl"]), user: "curl_user", workingDir: "/home/curl_user" },
    files: curl,
  })),
];
