// ip: addresses, links, routes and neighbours; iproute2's output, and busybox's.

import type { NetworkLink, NetworkPlace, NetworkRoute } from "#sim/net.ts";
import type { Sys } from "#sim/program.ts";
import { isAddress } from "../toolkit/http-client.ts";
import { broadcast, everyAddress, mtuOf, neighbours, readRange, routeTo } from "../toolkit/network-view.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

const objects = ["address", "link", "route", "neighbor", "neighbour"] as const;
const otherObjects =
  "addrlabel amt fou help ila ioam l2tp macsec maddress monitor mptcp mroute mrule netconf netns nexthop ntable ntbl rule sr tap tcpmetrics token tunnel tuntap vrf xfrm".split(
    " ",
  );

const gnuUsage = `Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }
       ip [ -force ] -batch filename
where  OBJECT := { address | link | neighbor | neighbour | route }
       OPTIONS := { -V[ersion] | -f[amily] { inet | inet6 | link } | -4 | -6 | -br[ief] | -o[neline] }
`;

interface Call {
  readonly tool: Tool;
  readonly place: NetworkPlace;
  readonly brief: boolean;
  readonly oneLine: boolean;
  /** "link": addresses of IP are left out; "inet6": nothing has one. */
  readonly family: "all" | "inet" | "inet6" | "link";
}

export const ip: CommandDefinition = {
  name: "ip",
  usage: "ip [OPTIONS] address|route|link|neigh [ARGS]\n\nOPTIONS := -f[amily] inet|inet6|link | -o[neline]",
  run: (tool) => plainly(tool, look(tool)),
};

function* look(tool: Tool): Sys<number> {
  const words = [...tool.operands];
  let brief = false;
  let oneLine = false;
  let family: Call["family"] = "all";
  while (words[0]?.startsWith("-") === true) {
    const word = (words.shift() as string).replace(/^--?/u, "");
    const is = (name: string, least = 1) => word.length >= least && name.startsWith(word);
    if (word === "4") family = "inet";
    else if (word === "6") family = "inet6";
    else if (word === "0") family = "link";
    else if (is("family")) {
      const name = words.shift() ?? "";
      if (name !== "inet" && name !== "inet6" && name !== "link") throw new ToolFailure(`invalid protocol family: ${name}`);
      family = name;
    } else if (is("oneline")) oneLine = true;
    else if (tool.gnu && is("brief", 2)) brief = true;
    else if (tool.gnu && is("Version")) {
      yield* tool.print("ip utility, iproute2-6.15.0, libbpf 1.5.0\n");
      return 0;
    } else if (tool.gnu && (is("color") || word.startsWith("color="))) continue;
    else if (tool.gnu && ["statistics", "details", "resolve", "json", "pretty", "netns", "all", "batch"].some((name) => is(name)))
      throw failure(`option -${word} is not supported here`);
    else if (tool.gnu) throw failure(`Option "-${word}" is unknown, try "ip -help".`);
    else throw new UsageFailure("");
  }
  const [object = "", ...rest] = words;
  const chosen = object === "" ? undefined : objects.find((name) => name.startsWith(object));
  if (chosen === undefined) {
    if (!tool.gnu) throw new UsageFailure("");
    if (object === "" || object === "help") {
      yield* tool.self.write(2, gnuUsage);
      return object === "" ? 255 : 0;
    }
    if (otherObjects.some((name) => name.startsWith(object))) throw failure(`ip ${object} is not supported here`);
    throw failure(`Object "${object}" is unknown, try "ip help".`);
  }
  const call: Call = { tool, place: tool.self.networkPlace(), brief, oneLine, family };
  if (chosen === "address" || chosen === "link") return yield* listInterfaces(call, chosen, rest);
  if (chosen === "route") return yield* listRoutes(call, rest);
  return yield* listNeighbours(call, rest);
}

/** What iproute2 says without its name before it. */
class PlainFailure extends ToolFailure {}

function failure(message: string, status = 255): ToolFailure {
  return new PlainFailure(message, status);
}

function* plainly(tool: Tool, run: Sys<number>): Sys<number> {
  try {
    return yield* run;
  } catch (error) {
    if (!(error instanceof PlainFailure) || !tool.gnu) throw error;
    yield* tool.flush();
    yield* tool.self.write(
      2,
      `${error.message}
`,
    );
    return error.status;
  }
}

const changes = ["add", "change", "replace", "del", "delete", "flush", "set", "append", "save", "restore", "prepend"];

/** The capability NET_ADMIN, bit 12 (include/uapi/linux/capability.h), in what the kernel says of this process. */
function mayChange({ tool }: Call): boolean {
  const digit = /^CapEff:\t[0-9a-f]*([0-9a-f])[0-9a-f]{3}$/mu.exec(tool.self.readText("/proc/self/status"))?.[1] ?? "0";
  return Number.parseInt(digit, 16) % 2 === 1;
}

/** The word after `show`; throws for what changes something: whoever may do so is told that it is not simulated. */
function shown(call: Call, words: readonly string[]): readonly string[] {
  const [verb = ""] = words;
  if (verb === "" || (verb !== "" && ["show", "list", "lst"].some((name) => name.startsWith(verb)))) return words.slice(1);
  if (changes.includes(verb)) {
    if (mayChange(call)) throw failure(`${verb} is not supported here: the network cannot be changed`);
    throw failure("RTNETLINK answers: Operation not permitted", 2);
  }
  return words;
}

/** `dev NAME` or the name alone; undefined: all. */
function chosenLink(call: Call, words: readonly string[]): NetworkLink | undefined {
  const rest = [...words];
  let name: string | undefined;
  while (rest.length > 0) {
    const word = rest.shift() as string;
    if (word === "dev") name = rest.shift();
    else if (["up", "to", "scope", "label", "master", "type", "vrf", "primary", "secondary", "dynamic"].includes(word))
      throw failure(`${word} is not supported here`);
    else name = word;
  }
  if (name === undefined) return undefined;
  const link = call.place.links.find((each) => each.name === name);
  if (link !== undefined) return link;
  if (call.tool.gnu) throw failure(`Device "${name}" does not exist.`, 1);
  throw new ToolFailure(`can't find device '${name}'`);
}

function* listInterfaces(call: Call, object: "address" | "link", words: readonly string[]): Sys<number> {
  const { tool, brief, family } = call;
  const rest = shown(call, words);
  const only = chosenLink(call, rest);
  const withAddresses = object === "address" && family !== "link";
  for (const link of call.place.links) {
    if (only !== undefined && link !== only) continue;
    if (withAddresses && (family === "inet6" || (family === "inet" && link.address === undefined))) continue;
    if (brief) yield* tool.print(briefLine(link, withAddresses));
    else yield* tool.print(wholeText(call, link, object));
  }
  return 0;
}

function nameWithPeer(link: NetworkLink): string {
  return link.peerIndex === undefined ? link.name : `${link.name}@if${link.peerIndex}`;
}

function flags(link: NetworkLink, gnu: boolean): string {
  if (link.kind === "loopback") return "LOOPBACK,UP,LOWER_UP";
  const state = link.isUp ? "BROADCAST,MULTICAST,UP,LOWER_UP" : "NO-CARRIER,BROADCAST,MULTICAST,UP";
  // busybox cannot see the other end in its namespace and takes it for down.
  return !gnu && link.peerIndex !== undefined ? `${state},M-DOWN` : state;
}

function stateOf(link: NetworkLink): string {
  if (link.kind === "loopback") return "UNKNOWN";
  return link.isUp ? "UP" : "DOWN";
}

function briefLine(link: NetworkLink, withAddresses: boolean): string {
  const start = `${nameWithPeer(link).padEnd(16)} ${stateOf(link).padEnd(14)} `;
  if (withAddresses) return `${start}${link.address === undefined ? "" : `${link.address} `}\n`;
  return `${start}${link.hardware} <${flags(link, true)}> \n`;
}

function wholeText({ tool, family, oneLine }: Call, link: NetworkLink, object: "address" | "link"): string {
  const joint = oneLine ? "\\" : "\n";
  const broadcastHardware = link.kind === "loopback" ? link.hardware : "ff:ff:ff:ff:ff:ff";
  const scope = link.kind === "loopback" ? "host" : "global";
  const withAddresses = object === "address" && family !== "link" && link.address !== undefined;
  const around = link.address === undefined || link.kind === "loopback" ? "" : ` brd ${broadcast(readRange(link.address))}`;
  const lifetime = `${joint}       valid_lft forever preferred_lft forever`;
  const address = `    inet ${link.address}${around} scope ${scope} ${link.name}${lifetime}\n`;
  if (oneLine && object === "address" && family !== "link") return withAddresses ? `${link.index}: ${link.name}${address}` : "";
  let text = `${link.index}: ${nameWithPeer(link)}: <${flags(link, tool.gnu)}> mtu ${mtuOf(link)} qdisc noqueue `;
  if (link.master !== undefined) text += `master ${link.master} `;
  if (tool.gnu) text += `state ${stateOf(link)} ${object === "link" ? "mode DEFAULT " : ""}group default `;
  text += "qlen 1000";
  if (object === "link" || family === "all" || family === "link") {
    text += `${joint}    link/${link.kind === "loopback" ? "loopback" : "ether"} ${link.hardware} brd ${broadcastHardware}`;
    if (tool.gnu && link.peerIndex !== undefined) text += ` link-netnsid ${Math.max(0, link.index - 4)}`;
  }
  return `${text}\n${withAddresses ? address : ""}`;
}

function routeText(route: NetworkRoute, gnu: boolean): string {
  const to = route.destination === everyAddress ? "default" : route.destination;
  const via = route.gateway === undefined ? "" : ` via ${route.gateway}`;
  const scope = gnu ? " proto kernel scope link src" : " scope link  src";
  const own = route.source === undefined ? "" : `${scope} ${route.source}`;
  return `${to}${via} dev ${route.link}${own} \n`;
}

function* listRoutes(call: Call, words: readonly string[]): Sys<number> {
  const { tool, place } = call;
  if (words[0] === "get") return yield* wayTo(call, words.slice(1));
  const rest = [...shown(call, words)];
  let only: string | undefined;
  let device: string | undefined;
  while (rest.length > 0) {
    const word = rest.shift() as string;
    if (word === "default") only = everyAddress;
    else if (word === "dev") device = rest.shift();
    else if (/^[\d.]+(?:\/\d+)?$/u.test(word)) only = word;
    else throw failure(`ip route show ${word} is not supported here`);
  }
  if (call.family === "inet6") return 0;
  for (const route of place.routes) {
    const isWanted = (only === undefined || route.destination === only) && (device === undefined || route.link === device);
    if (isWanted) yield* tool.print(routeText(route, tool.gnu));
  }
  return 0;
}

function* wayTo({ tool, place }: Call, words: readonly string[]): Sys<number> {
  const [address = ""] = words;
  if (!isAddress(address) || words.length > 1) throw failure(`any valid prefix is expected rather than "${words.join(" ")}".`, 1);
  const end = tool.gnu ? ` uid ${tool.self.uid} \n    cache \n` : " \n";
  const own = tool.self.addresses();
  const spaces = tool.gnu ? " " : "  ";
  if (own.includes(address) || address.startsWith("127.")) {
    yield* tool.print(`local ${address} dev lo${spaces}src ${address}${tool.gnu ? end.replace("cache", "cache <local>") : end}`);
    return 0;
  }
  const route = routeTo(place, address);
  if (route === undefined) throw failure("RTNETLINK answers: Network is unreachable", 2);
  const source = place.links.find(({ name }) => name === route.link)?.address;
  const via = route.gateway === undefined ? "" : ` via ${route.gateway}`;
  yield* tool.print(`${address}${via} dev ${route.link}${spaces}src ${readRange(source ?? "0.0.0.0").address}${end}`);
  return 0;
}

function* listNeighbours(call: Call, words: readonly string[]): Sys<number> {
  const { tool } = call;
  const only = chosenLink(call, shown(call, words));
  for (const { address, link, hardware } of neighbours(tool.self)) {
    if (only !== undefined && only.name !== link) continue;
    const counts = tool.gnu ? "" : "ref 1 used 0/0/0 probes 1 ";
    yield* tool.print(`${address} dev ${link} lladdr ${hardware} ${counts}REACHABLE${tool.gnu ? " " : ""}\n`);
  }
  return 0;
}
