// What the programs share that show a machine's place on the network.

import { SysError } from "#sim/errors.ts";
import type { Endpoint, NetworkLink, NetworkPlace, SocketInfo } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";

export const everyAddress = "0.0.0.0/0";
/** Linux's, of the loopback interface and of all others here. */
export const mtuOf = (link: NetworkLink): number => (link.kind === "loopback" ? 65_536 : 1500);

export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
}

/** `10.244.1.5/24`; without a slash a single address. */
export function readRange(text: string): AddressRange {
  const [address = "", prefix = "32"] = text.split("/");
  return { address, prefix: Number(prefix) };
}

function numberOf(address: string): number {
  return address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}

function addressOf(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

export function netmask(prefix: number): string {
  return addressOf(prefix === 0 ? 0 : (0xffff_ffff << (32 - prefix)) >>> 0);
}

export function broadcast({ address, prefix }: AddressRange): string {
  return addressOf((numberOf(address) | (prefix === 0 ? 0xffff_ffff : 0xffff_ffff >>> prefix)) >>> 0);
}

export function rangeHolds(range: AddressRange, address: string): boolean {
  if (range.prefix === 0) return true;
  return (numberOf(range.address) ^ numberOf(address)) >>> (32 - range.prefix) === 0;
}

/** Undefined when there is no way. */
export function routeTo(place: NetworkPlace, address: string): NetworkPlace["routes"][number] | undefined {
  let best: { readonly route: NetworkPlace["routes"][number]; readonly prefix: number } | undefined;
  for (const route of place.routes) {
    const range = readRange(route.destination);
    if (rangeHolds(range, address) && range.prefix > (best?.prefix ?? -1)) best = { route, prefix: range.prefix };
  }
  return best?.route;
}

export interface Neighbour {
  readonly address: string;
  readonly link: string;
  readonly hardware: string;
}

/** Those on the same links that open connections lead to, directly or as gateways. */
export function neighbours(self: Process): readonly Neighbour[] {
  const place = self.networkPlace();
  const own = self.addresses();
  const found = new Map<string, Neighbour>();
  for (const { peer } of self.sockets()) {
    if (peer === undefined || own.includes(peer.address) || peer.address.startsWith("127.")) continue;
    const route = routeTo(place, peer.address);
    if (route === undefined) continue;
    const address = route.gateway ?? peer.address;
    const link = place.links.find(({ name }) => name === route.link);
    if (link !== undefined) found.set(address, { address, link: link.name, hardware: hardwareLike(link.hardware, address) });
  }
  return [...found.values()].sort((a, b) => numberOf(a.address) - numberOf(b.address));
}

/** Hardware addresses of a link carry the IP address behind the same two first bytes. */
function hardwareLike(own: string, address: string): string {
  const hex = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return [own.slice(0, 5), ...hex].join(":");
}

/** The name in /etc/hosts, or by DNS, that an address has. */
export function* nameOf(self: Process, address: string): Sys<string | undefined> {
  for (const line of linesOf(self, "/etc/hosts")) {
    const [first, name] = (line.split("#")[0] as string).trim().split(/\s+/u);
    if (first === address && name !== undefined) return name;
  }
  const server = linesOf(self, "/etc/resolv.conf").map((line) => /^nameserver\s+(\S+)/u.exec(line)?.[1]);
  const [first] = server.filter((each) => each !== undefined);
  if (first === undefined) return undefined;
  try {
    const name = `${address.split(".").reverse().join(".")}.in-addr.arpa`;
    const answer = yield* self.queryDns(first, { name, type: "PTR" });
    return answer.records[0]?.data.replace(/\.$/u, "");
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}

function linesOf(self: Process, path: string): readonly string[] {
  try {
    return self.readText(path).split("\n");
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
}

/** `0.0.0.0:80`; `*` for any port. */
export function endpointText(endpoint: Endpoint | undefined): string {
  return endpoint === undefined ? "0.0.0.0:*" : `${endpoint.address}:${endpoint.port}`;
}

/** Words of the command line of a socket's first owner, and the owner. */
export function ownerOf(self: Process, socket: SocketInfo): { readonly pid: number; readonly argv: readonly string[] } | undefined {
  const [owner] = socket.owners;
  if (owner === undefined) return undefined;
  return { pid: owner.pid, argv: self.processes().find(({ pid }) => pid === owner.pid)?.argv ?? [] };
}
