// The wires: which namespace has which address, and the way of a connection from machine to machine through their packet
// filters. A hop between machines takes 1 ms, everything on one machine takes none.

import { Listeners } from "#sim/listeners.ts";
import type { Endpoint, NetworkPlace, NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import { contains, isLoopback, parseAddress, parseRange, type Range } from "./addresses.ts";
import { latePlaces } from "./late-places.ts";
import { NamespaceStack, type Route, type SeenConnection } from "./namespace-stack.ts";
import type { Packet } from "./netfilter/packet.ts";
import type { Verdict } from "./netfilter/packet-filter.ts";
import type { ClusterNetwork } from "./network.ts";
import { WiredNode, type Wires } from "./node-network.ts";
import type { AdmitOpening, End, Opening } from "./policy/opening.ts";
import { RuleCache } from "./proxy/rule-cache.ts";

export interface ClusterNetworkOptions {
  readonly simulation: Simulation;
  /** Pods everywhere; default 10.244.0.0/16. */
  readonly clusterCidr?: string;
}

const hopMs = 1;
/** A packet that is sent round between nodes more often than this is dropped. */
const maximumHops = 8;
/** Three ARP requests without an answer, a second each. */
const unreachableAfterMs = 3000;
/** Linux's connect time-out with the default of 6 retries. */
const connectTimeoutMs = 127_000;

/** Passes connections on, as the client's own where it says so. */
export interface Balancer {
  readonly keepsSource?: boolean;
  /** Whether a client's packets come as far as its address at all; everyone's unless it says otherwise. */
  isReachedBy?(client: string): boolean;
  takes(port: number): boolean;
  /** Whose turn it is; undefined while nobody takes connections, "drop" for a client that gets no answer. */
  next(port: number, client: string): Endpoint | "drop" | undefined;
}

interface Place {
  readonly stack: NamespaceStack;
  /** It passes connections to a port on to another machine. */
  readonly balancer?: Balancer;
  /** undefined: a machine outside of the cluster. */
  readonly node: WiredNode | undefined;
  /** `namespace/name`, of a Pod's namespace. */
  readonly pod?: string | undefined;
}

export class WiredClusterNetwork implements ClusterNetwork, Wires {
  readonly simulation: Simulation;
  readonly clusterCidr: string;
  /** Rules that are the same on every node are made once. */
  readonly ruleCache = new RuleCache();
  /** Network policies; undefined: there are none, or the network plugin does not act on them. */
  admitOpening: AdmitOpening | undefined;
  readonly onConnection = new Listeners<SeenConnection>();
  readonly #clusterRange: Range;
  readonly #places = new Map<string, Place>();
  readonly #placesByStack = new Map<NamespaceStack, Place>();
  readonly #nodes = new Map<string, WiredNode>();

  constructor(options: ClusterNetworkOptions) {
    this.simulation = options.simulation;
    this.clusterCidr = options.clusterCidr ?? "10.244.0.0/16";
    this.#clusterRange = parseRange(this.clusterCidr);
  }

  /** Whether an address is in the pods' range. */
  isPodAddress(address: string): boolean {
    return contains(this.#clusterRange, parseAddress(address));
  }

  addNode(nodeName: string, address: string): WiredNode {
    this.removeNode(nodeName);
    const node = new WiredNode(this, nodeName, address);
    this.#nodes.set(nodeName, node);
    return node;
  }

  removeNode(nodeName: string): void {
    this.#nodes.get(nodeName)?.unplug();
    this.#nodes.delete(nodeName);
  }

  node(nodeName: string): WiredNode | undefined {
    return this.#nodes.get(nodeName);
  }

  placeOf(stack: NamespaceStack): NetworkPlace {
    return latePlaces.code.placeOf(stack, this.#placesByStack.get(stack)?.node, this.#nodes.values());
  }

  addHost(_name: string, address: string): NetworkStack {
    const stack = new NamespaceStack(this, address);
    this.#attach({ stack, node: undefined });
    return stack;
  }

  /** A machine outside of the cluster that passes each connection to a port on to the same port of another machine, as its own. */
  addBalancer(address: string, port: number, next: () => string | undefined): void {
    const endpoint = (): Endpoint | undefined => {
      const turn = next();
      return turn === undefined ? undefined : { address: turn, port };
    };
    this.attachBalancer(address, { takes: (asked) => asked === port, next: endpoint });
  }

  /** The stack is the balancer's own, for what it asks itself. */
  attachBalancer(address: string, balancer: Balancer): NamespaceStack {
    const stack = new NamespaceStack(this, address);
    this.#attach({ stack, node: undefined, balancer });
    return stack;
  }

  detachBalancer(address: string): void {
    const place = this.#places.get(address);
    if (place?.balancer !== undefined) this.detach(place.stack);
  }

  attach(stack: NamespaceStack, node: WiredNode, pod?: string): void {
    this.#attach({ stack, node, pod });
  }

  detach(stack: NamespaceStack): void {
    stack.attached = false;
    this.#placesByStack.delete(stack);
    if (this.#places.get(stack.address)?.stack === stack) this.#places.delete(stack.address);
  }

  #attach(place: Place): void {
    const { address } = place.stack;
    if (this.#places.has(address)) throw new RangeError(`address ${address} is in use`);
    this.#places.set(address, place);
    this.#placesByStack.set(place.stack, place);
  }

  route(from: NamespaceStack, target: Endpoint, protocol: Packet["protocol"], sourcePort?: number): Route {
    const node = this.#placesByStack.get(from)?.node;
    const isHost = node?.host === from;
    const local = isLoopback(target.address) || target.address === from.address;
    if (local && !isHost) return { ok: true, stack: from, sourceAddress: target.address, target, delayMs: 0 };
    const packet: Packet = {
      source: local ? target.address : from.address,
      destination: target.address,
      destinationPort: target.port,
      protocol,
      mark: 0,
      ...(sourcePort === undefined ? {} : { sourcePort }),
    };
    if (node === undefined) return this.#fromOutside(packet);
    return this.#onNode(node, packet, node.judge(packet, isHost), 0, isHost ? undefined : from);
  }

  #fromOutside(packet: Packet): Route {
    const place = this.#places.get(packet.destination);
    // Other machines have no route to pod and Service addresses.
    if (place === undefined || (place.node !== undefined && place.node.host !== place.stack)) return noSuchHost(false);
    if (place.node === undefined) return this.#arrivedOutside(place, packet, hopMs);
    if (!place.node.isReachable) return noSuchHost(true);
    return this.#onNode(place.node, packet, place.node.judge(packet, false), hopMs, undefined);
  }

  #arrivedOutside({ stack, balancer }: Place, packet: Packet, delayMs: number): Route {
    if (balancer?.isReachedBy?.(packet.source) === false) return dropped;
    if (balancer === undefined || !balancer.takes(packet.destinationPort) || packet.protocol !== "tcp")
      return arrived(stack, packet, delayMs);
    const turn = balancer.next(packet.destinationPort, packet.source);
    if (turn === "drop") return dropped;
    const next = this.#places.get(turn?.address ?? "");
    if (turn === undefined || next?.node === undefined) return { ok: false, error: "ECONNREFUSED", afterMs: 2 * delayMs };
    // It has not noticed yet.
    if (!next.node.isReachable) return dropped;
    if (balancer.keepsSource !== true) packet.source = stack.address;
    packet.destination = turn.address;
    packet.destinationPort = turn.port;
    packet.mark = 0;
    return this.#onNode(next.node, packet, next.node.packetFilter.arrives(packet), delayMs + hopMs, undefined);
  }

  /** The packet has been judged by the node's rules and is sent on. */
  #onNode(node: WiredNode, packet: Packet, verdict: Verdict, delayMs: number, fromPod: NamespaceStack | undefined): Route {
    if (verdict === "reject") return { ok: false, error: "ECONNREFUSED", afterMs: 2 * delayMs };
    if (verdict === "drop" || delayMs > maximumHops * hopMs) return dropped;
    const isOwn = node.ownsAddress(packet.destination);
    const place = isOwn ? undefined : this.#places.get(packet.destination);
    if (packet.flow?.isKnown !== true) {
      if (!this.#isAdmitted(node, packet, place, fromPod)) return dropped;
      if (place !== undefined) this.#setSource(node, packet, place, fromPod !== undefined);
    }
    packet.flow?.confirm();
    if (place?.node === node) return arrived(place.stack, packet, delayMs);
    if (isOwn) return arrived(node.host, packet, delayMs);
    if (place === undefined) return noSuchHost(this.#isNear(packet.destination));
    if (node.cable.isCut || place.node?.isReachable === false) return noSuchHost(true);
    if (place.node === undefined) return this.#arrivedOutside(place, packet, delayMs + hopMs);
    // Of a datagram for a pod the pod's node takes note as well.
    if (place.node.host !== place.stack && packet.flow === undefined)
      return this.#isAdmitted(place.node, packet, place, undefined) ? arrived(place.stack, packet, delayMs + hopMs) : dropped;
    packet.mark = 0;
    return this.#onNode(place.node, packet, place.node.judge(packet, false), delayMs + hopMs, undefined);
  }

  /** On the way out of a node. */
  #setSource(node: WiredNode, packet: Packet, place: Place, isFromPod: boolean): void {
    const masqueraded = node.packetFilter.isMasqueraded(packet);
    if (place.node === node) {
      // Pods see their own node by its bridge.
      if (masqueraded || node.ownsAddress(packet.source)) packet.source = node.gateway ?? node.address;
      return;
    }
    const leavesPodNetwork = isFromPod && (place.node === undefined || place.node.host === place.stack);
    if (masqueraded || leavesPodNetwork || isLoopback(packet.source) || packet.source === node.gateway)
      packet.source = node.address;
  }

  /** Policies are a node's own affair: for what leaves its pods and for what enters them, but not on the way between them and itself. */
  #isAdmitted(node: WiredNode, packet: Packet, place: Place | undefined, fromPod: NamespaceStack | undefined): boolean {
    const { admitOpening } = this;
    if (admitOpening === undefined || packet.protocol === "icmp" || (fromPod !== undefined && fromPod === place?.stack))
      return true;
    const leaves = fromPod !== undefined && !node.ownsAddress(packet.destination);
    const enters = place?.node === node && !node.ownsAddress(packet.source);
    const opening: Opening = {
      source: this.#endAt(packet.source),
      destination: this.#endAt(packet.destination),
      port: packet.destinationPort,
      protocol: packet.protocol,
    };
    return (!leaves || admitOpening("egress", opening)) && (!enters || admitOpening("ingress", opening));
  }

  #endAt(address: string): End {
    return { address, pod: this.#places.get(address)?.pod };
  }

  /** On a network that the nodes are on themselves: somebody notices that nobody is there. */
  #isNear(address: string): boolean {
    if (this.isPodAddress(address)) return true;
    const value = parseAddress(address);
    for (const node of this.#nodes.values()) {
      if (parseAddress(node.address) >>> 16 === value >>> 16) return true;
    }
    return false;
  }
}

/** Nobody says so. */
const dropped: Route = { ok: false, error: "ETIMEDOUT", afterMs: connectTimeoutMs };

function arrived(stack: NamespaceStack, packet: Packet, delayMs: number): Route {
  const target = { address: packet.destination, port: packet.destinationPort };
  const { source: sourceAddress, sourcePort, flow } = packet;
  if (sourcePort === undefined) return { ok: true, stack, sourceAddress, target, delayMs };
  return { ok: true, stack, sourceAddress, target, delayMs, sourcePort, isKnown: flow?.isKnown === true };
}

function noSuchHost(near: boolean): Route {
  return near
    ? { ok: false, error: "EHOSTUNREACH", afterMs: unreachableAfterMs }
    : { ok: false, error: "ETIMEDOUT", afterMs: connectTimeoutMs };
}

export function createClusterNetwork(options: ClusterNetworkOptions): WiredClusterNetwork {
  return new WiredClusterNetwork(options);
}
