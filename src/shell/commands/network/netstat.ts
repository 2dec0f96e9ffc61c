// netstat and route: sockets and routes as net-tools and busybox print them; ifconfig and arp.

import { asciiUpperCase } from "#sim/ascii.ts";
import type { NetworkLink, SocketInfo } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../tool.ts";
import { broadcast, endpointText, everything, mtuOf, nameOf, neighbours, netmask, ownerOf, readRange } from "./view.ts";

export const netstat: CommandDefinition = {
  name: "netstat",
  options:
    "r,route a,all l,listening t,tcp u,udp w,raw x,unix n,numeric e,extend W,wide p,programs 4,inet 6,inet6 i,interfaces s,statistics c,continuous v,verbose g,groups M,masquerade o,timers F,fib C,cache",
  unsupported: "e i s c v g M o F C",
  usage: "netstat [-ral] [-tuwx] [-enWp]",
  *run(tool) {
    const { self } = tool;
    if (tool.has("r")) {
      yield* routeTable(tool, ["MSS", "Window", "irtt"]);
      return 0;
    }
    const wanted = (["t", "u", "w", "x"] as const).filter((option) => tool.has(option));
    const shows = (option: (typeof wanted)[number]): boolean => wanted.length === 0 || wanted.includes(option);
    const which = tool.has("l") ? "only servers" : tool.has("a") ? "servers and established" : "w/o servers";
    const internet = wanted.length === 0 || wanted.some((option) => option !== "x") || tool.has("4") || tool.has("6");
    if (tool.has("p") && self.uid !== 0) {
      yield* self.write(
        2,
        tool.gnu
          ? "(Not all processes could be identified, non-owned process info\n will not be shown, you would have to be root to see it all.)\n"
          : "netstat: showing only processes with your user ID\n",
      );
    }
    if (internet) {
      const title = tool.has("p") ? `${tool.gnu ? "" : " "}PID/Program name    ` : tool.gnu ? "" : " ";
      yield* tool.print(`Active Internet connections (${which})\n`);
      yield* tool.print(
        `Proto Recv-Q Send-Q Local Address           Foreign Address         State      ${tool.gnu && tool.has("p") ? " " : ""}${title}\n`,
      );
      for (const socket of self.sockets()) {
        if (!shows(socket.protocol === "tcp" ? "t" : "u") || tool.has("6")) continue;
        const serves = socket.peer === undefined;
        if (!(tool.has("a") || (tool.has("l") ? serves : !serves))) continue;
        yield* tool.print(yield* socketLine(tool, socket));
      }
    }
    if (shows("x") && !tool.has("4") && !tool.has("6")) {
      yield* tool.print(`Active UNIX domain sockets (${which})\n`);
      const owner = tool.has("p") ? (tool.gnu ? "PID/Program name     " : "PID/Program name    ") : "";
      yield* tool.print(`Proto RefCnt Flags       Type       State         I-Node ${tool.gnu ? "  " : ""}${owner}Path\n`);
    }
    return 0;
  },
};

const addressWidth = 23;

function* socketLine(tool: Tool, socket: SocketInfo): Sys<string> {
  const wide = tool.has("W");
  const shown = function* (endpoint: SocketInfo["peer"]): Sys<string> {
    const text = endpointText(endpoint);
    if (tool.has("n") || endpoint === undefined || endpoint.address === "0.0.0.0") return text;
    const name = (yield* nameOf(tool.self, endpoint.address)) ?? endpoint.address;
    const port = String(endpoint.port);
    return `${wide ? name : name.slice(0, addressWidth - 1 - port.length)}:${port}`;
  };
  const [local, peer] = [yield* shown(socket.local), yield* shown(socket.peer)];
  const state = socket.state === "UNCONN" ? "" : socket.state;
  const line = `${socket.protocol.padEnd(5)} ${String(socket.waiting).padStart(6)} ${"0".padStart(6)} ${local.padEnd(addressWidth)} ${peer.padEnd(addressWidth)} ${state.padEnd(tool.gnu ? 11 : 12)}`;
  if (!tool.has("p")) return `${line}\n`;
  const owner = ownerOf(tool.self, socket);
  const command = (owner?.argv[0] ?? "").replace(/^\S*\//u, "");
  if (tool.gnu) return `${line} ${(owner === undefined ? "-" : `${owner.pid}/${command}`).slice(0, 20).padEnd(20)}\n`;
  return `${line}${owner === undefined ? "-" : `${owner.pid}/${command}`.slice(0, 19)}\n`;
}

const routeColumns = ["Metric", "Ref", "Use"] as const;

/** `titles`: of the three columns between the flags and the interface. */
function* routeTable(tool: Tool, titles: readonly string[]): Sys<void> {
  const isNetstat = titles[0] === "MSS";
  yield* tool.print(
    `Kernel IP routing table\nDestination     Gateway         Genmask         Flags ${isNetstat ? "  MSS Window  irtt" : "Metric Ref    Use"} Iface\n`,
  );
  for (const route of tool.self.networkPlace().routes) {
    const range = readRange(route.destination);
    const numeric = tool.has("n");
    const to = route.destination === everything && !numeric ? "default" : range.address;
    const via = route.gateway ?? (numeric || tool.gnu ? "0.0.0.0" : "*");
    const flags = `U${route.gateway === undefined ? "" : "G"}${range.prefix === 32 ? "H" : ""}`;
    const middle = isNetstat ? `${flags.padEnd(5)}     0 0          0` : `${flags.padEnd(5)} 0      0        0`;
    yield* tool.print(`${to.padEnd(15)} ${via.padEnd(15)} ${netmask(range.prefix).padEnd(15)} ${middle} ${route.link}\n`);
  }
}

export const route: CommandDefinition = {
  name: "route",
  options: "n e A= v F C",
  unsupported: "e v F C",
  usage:
    "route [-ne] [-A inet[6]] [{add|del} [-net|-host] TARGET [netmask MASK]\n\t[gw GATEWAY] [metric N] [mss BYTES] [window BYTES] [reject] [IFACE]]",
  *run(tool) {
    const [verb] = tool.operands;
    if (verb === "add" || verb === "del" || verb === "flush")
      throw new ToolFailure(tool.gnu ? "SIOCADDRT: Operation not permitted" : "ioctl 0x890b failed: Operation not permitted", 1);
    if (verb !== undefined) throw new UsageFailure("");
    if (tool.has("A") && tool.value("A") !== "inet")
      throw new ToolFailure(`address family ${tool.value("A")} is not supported here`);
    yield* routeTable(tool, routeColumns);
    return 0;
  },
};

export const ifconfig: CommandDefinition = {
  name: "ifconfig",
  options: "a s v",
  unsupported: "s v",
  usage: "ifconfig [-a] [IFACE] [ADDRESS]",
  *run(tool) {
    const [name, ...settings] = tool.operands;
    const { links } = tool.self.networkPlace();
    const found = links.find((link) => link.name === name);
    if (name !== undefined && found === undefined) {
      const message = `${name}: error fetching interface information: Device not found`;
      if (!tool.gnu) throw new ToolFailure(message);
      yield* tool.self.write(2, `${message}\n`);
      return 1;
    }
    if (settings.length > 0)
      throw new ToolFailure(tool.gnu ? "SIOCSIFFLAGS: Operation not permitted" : "SIOCSIFFLAGS: Operation not permitted");
    const byName = [...links].sort(loopbackLast);
    for (const link of found === undefined ? byName : [found]) yield* tool.print(tool.gnu ? netToolsText(link) : busyboxText(link));
    return 0;
  },
};

/** Else by name. */
function loopbackLast(a: NetworkLink, b: NetworkLink): number {
  const byKind = Number(a.kind === "loopback") - Number(b.kind === "loopback");
  return byKind !== 0 ? byKind : Number(a.name > b.name) - Number(a.name < b.name);
}

function netToolsText(link: NetworkLink): string {
  const isLoopback = link.kind === "loopback";
  const [bits, words] = isLoopback
    ? [73, "UP,LOOPBACK,RUNNING"]
    : link.isUp
      ? [4163, "UP,BROADCAST,RUNNING,MULTICAST"]
      : [4099, "UP,BROADCAST,MULTICAST"];
  let text = `${link.name}: flags=${bits}<${words}>  mtu ${mtuOf(link)}\n`;
  if (link.address !== undefined) {
    const range = readRange(link.address);
    const around = isLoopback ? "" : `  broadcast ${broadcast(range)}`;
    text += `        inet ${range.address}  netmask ${netmask(range.prefix)}${around}\n`;
  }
  text += isLoopback
    ? "        loop  txqueuelen 1000  (Local Loopback)\n"
    : `        ether ${link.hardware}  txqueuelen 1000  (Ethernet)\n`;
  return `${text}\n`;
}

function busyboxText(link: NetworkLink): string {
  const isLoopback = link.kind === "loopback";
  let text = `${link.name.padEnd(9)} Link encap:${isLoopback ? "Local Loopback  " : `Ethernet  HWaddr ${asciiUpperCase(link.hardware)}  `}\n`;
  if (link.address !== undefined) {
    const range = readRange(link.address);
    text += `          inet addr:${range.address}${isLoopback ? "" : `  Bcast:${broadcast(range)}`}  Mask:${netmask(range.prefix)}\n`;
  }
  const flags = isLoopback ? "UP LOOPBACK RUNNING" : link.isUp ? "UP BROADCAST RUNNING MULTICAST" : "UP BROADCAST MULTICAST";
  return `${text}          ${flags}  MTU:${mtuOf(link)}  Metric:1\n          txqueuelen:1000 \n\n`;
}

export const arp: CommandDefinition = {
  name: "arp",
  options: "a,all n,numeric e i=,device= v,verbose d,delete s,set D f,file H= A= p=",
  unsupported: "v f H A p D",
  usage:
    "arp\n[-vn]\t[-H HWTYPE] [-i IF] -a [HOSTNAME]\n[-v]\t\t    [-i IF] -d HOSTNAME [pub]\n[-v]\t[-H HWTYPE] [-i IF] -s HOSTNAME HWADDR [temp]",
  *run(tool) {
    if (tool.has("d") || tool.has("s"))
      throw new ToolFailure(
        tool.has("d") ? "SIOCDARP(dontpub): Operation not permitted" : "SIOCSARP: Operation not permitted",
        255,
      );
    const [wanted] = tool.operands;
    const entries = neighbours(tool.self).filter(
      ({ address, link }) => (wanted === undefined || wanted === address) && link === (tool.value("i") ?? link),
    );
    if (wanted !== undefined && entries.length === 0) {
      yield* tool.print(tool.gnu ? `${wanted} (${wanted}) -- no entry\n` : `${wanted} (${wanted}) -- no entry\n`);
      return 1;
    }
    const bsd = !tool.gnu || tool.has("a");
    if (!bsd && entries.length > 0)
      yield* tool.print("Address                  HWtype  HWaddress           Flags Mask            Iface\n");
    for (const { address, link, hardware } of entries) {
      const name = yield* shownName(tool.self, address, tool.has("n"));
      yield* tool.print(
        bsd
          ? `${name ?? "?"} (${address}) at ${hardware} [ether] ${tool.gnu ? "" : " "}on ${link}\n`
          : `${(name ?? address).padEnd(23)}  ether   ${hardware}   C                     ${link}\n`,
      );
    }
    return 0;
  },
};

function* shownName(self: Process, address: string, numeric: boolean): Sys<string | undefined> {
  return numeric ? undefined : yield* nameOf(self, address);
}
