// One node on the wire: its host namespace, its pods' namespaces and addresses, its packet filter.

import type { ClientWire } from "#cluster/client/client.ts";
import { wordsOf } from "#sim/errors.ts";
import { Listeners } from "#sim/listeners.ts";
import { AddressPool, isLoopback } from "./addresses.ts";
import { NamespaceStack, type Router } from "./namespace-stack.ts";
import type { Conntrack } from "./netfilter/conntrack.ts";
import { kubeletRules } from "./netfilter/kubelet-rules.ts";
import { lateConntrack } from "./netfilter/late-conntrack.ts";
import type { Packet } from "./netfilter/packet.ts";
import { PacketFilter, type Verdict } from "./netfilter/packet-filter.ts";
import { address, comment, jump, type Rule } from "./netfilter/rules.ts";
import type { Cable, HostPortMapping, NodeNetwork, PodNetwork } from "./network.ts";

/** Who keeps the map of addresses. */
export interface Wires extends Router {
  attach(stack: NamespaceStack, node: WiredNode, pod?: string): void;
  detach(stack: NamespaceStack): void;
}

const hostPortChain = "CNI-HOSTPORT-DNAT";
const toHostPorts: Rule = {
  matches: [{ kind: "addressType", end: "destination" }],
  target: jump(hostPortChain),
};

export class WiredNode implements NodeNetwork {
  readonly nodeName: string;
  readonly address: string;
  readonly host: NamespaceStack;
  readonly packetFilter: PacketFilter;
  isOn = true;
  readonly cable: Cable = new PluggedCable();
  /** The flows of datagrams; there since the first came by. */
  conntrack: Conntrack | undefined;
  readonly #wires: Wires;
  readonly #pods = new Set<WiredPod>();
  #links = 3;
  #pool: AddressPool | undefined;
  #podCidr: string | undefined;

  constructor(wires: Wires, nodeName: string, nodeAddress: string) {
    this.#wires = wires;
    this.nodeName = nodeName;
    this.address = nodeAddress;
    this.host = new NamespaceStack(wires, nodeAddress);
    const { simulation } = wires;
    this.packetFilter = new PacketFilter({
      random: simulation.random,
      get nowMs() {
        return simulation.nowMs;
      },
      isLocalAddress: (other) => this.ownsAddress(other),
    });
    kubeletRules(this.packetFilter);
    wires.attach(this.host, this);
  }

  get isReachable(): boolean {
    return this.isOn && !this.cable.isCut;
  }

  forgetRules(): void {
    this.packetFilter.clear();
    this.conntrack = undefined;
    kubeletRules(this.packetFilter);
    this.packetFilter.onEdit.tell();
  }

  get podCidr(): string | undefined {
    return this.#podCidr;
  }

  /** A node keeps its range for life; running pods keep their addresses when it is set again. */
  set podCidr(cidr: string | undefined) {
    if (cidr === this.#podCidr) return;
    this.#podCidr = cidr;
    this.#pool = cidr === undefined ? undefined : new AddressPool(cidr);
    this.packetFilter.addressesChanged();
  }

  /** Address of the bridge that the pods are on; connections of the node to them come from there. */
  get gateway(): string | undefined {
    return this.#pool?.gateway;
  }

  get addresses(): readonly string[] {
    return [...this.host.addresses, ...(this.gateway === undefined ? [] : [this.gateway])];
  }

  ownsAddress(other: string): boolean {
    return other === this.address || isLoopback(other) || other === this.gateway;
  }

  /** What the rules do with a packet that begins on the machine itself, or comes in from a pod or another machine. */
  judge(packet: Packet, isFromHost: boolean): Verdict {
    const filter = this.packetFilter;
    if (packet.sourcePort === undefined) return isFromHost ? filter.leavesHost(packet) : filter.arrives(packet);
    this.conntrack ??= new lateConntrack.code.Conntrack(this.#wires.simulation);
    return this.conntrack.judge(packet, () => (isFromHost ? filter.leavesHost(packet) : filter.arrives(packet)));
  }

  addPod(name?: string): PodNetwork {
    const pool = this.#pool;
    if (pool === undefined) throw new Error("cni plugin not initialized");
    let podAddress: string;
    try {
      podAddress = pool.take();
    } catch (error) {
      throw new Error(`plugin type="ptp" failed (add): ${wordsOf(error)}`);
    }
    const stack = new NamespaceStack(this.#wires, podAddress);
    this.#wires.attach(stack, this, name);
    this.#links += 1;
    const pod = new WiredPod(this, stack, this.#links, () => {
      this.#pods.delete(pod);
      this.#wires.detach(stack);
      pool.release(podAddress);
    });
    this.#pods.add(pod);
    return pod;
  }

  /** In the order in which they came. */
  get pods(): Iterable<WiredPod> {
    return this.#pods;
  }

  /** The machine is gone from the wire. */
  unplug(): void {
    for (const pod of [...this.#pods]) pod.remove();
    this.#wires.detach(this.host);
  }

  addHostPort(rule: Rule): void {
    const filter = this.packetFilter;
    filter.ensureRule("nat", "PREROUTING", toHostPorts, "append");
    filter.ensureRule("nat", "OUTPUT", toHostPorts, "append");
    filter.setChain("nat", hostPortChain, [...(filter.chain("nat", hostPortChain) ?? []), rule]);
  }

  removeHostPorts(rules: readonly Rule[]): void {
    const left = (this.packetFilter.chain("nat", hostPortChain) ?? []).filter((rule) => !rules.includes(rule));
    this.packetFilter.setChain("nat", hostPortChain, left);
  }
}

export class WiredPod implements PodNetwork {
  readonly stack: NamespaceStack;
  /** Index of the node's end of its link. */
  readonly linkIndex: number;
  readonly #node: WiredNode;
  readonly #release: () => void;
  #hostPorts: Rule[] | undefined;

  constructor(node: WiredNode, stack: NamespaceStack, linkIndex: number, release: () => void) {
    this.linkIndex = linkIndex;
    this.#node = node;
    this.stack = stack;
    this.#release = release;
  }

  get address(): string {
    return this.stack.address;
  }

  mapHostPort({ hostPort, hostIp, protocol, containerPort }: HostPortMapping): void {
    const everywhere = hostIp === undefined || hostIp === "" || hostIp === "0.0.0.0";
    const rule: Rule = {
      ...(everywhere ? {} : { destination: address(hostIp) }),
      protocol,
      matches: [comment(`dnat hostport ${hostPort}`), { kind: "protocol", destinationPort: hostPort }],
      target: { kind: "destinationNat", address: this.address, port: containerPort },
    };
    this.#hostPorts ??= [];
    this.#hostPorts.push(rule);
    this.#node.addHostPort(rule);
  }

  remove(): void {
    if (!this.stack.attached) return;
    if (this.#hostPorts !== undefined) this.#node.removeHostPorts(this.#hostPorts);
    this.#release();
  }
}

/** The way from one machine to a port of another: over both cables, and past the rules that somebody wrote on either. */
export class ThroughBoth implements ClientWire {
  readonly onCut = new Listeners();
  readonly address: string;
  readonly #machines: readonly [WiredNode, WiredNode];
  readonly #port: number;
  #isRefused = false;

  constructor(from: WiredNode, to: WiredNode, port: number) {
    this.address = from.address;
    this.#machines = [from, to];
    this.#port = port;
    for (const { cable, packetFilter } of this.#machines) {
      cable.onCut.add(() => this.onCut.tell());
      packetFilter.onEdit.add(() => this.#judge());
    }
    this.#judge();
  }

  get isCut(): boolean {
    return this.#isRefused || this.#machines.some(({ cable }) => cable.isCut);
  }

  /** A rule that refuses packets refuses those of open connections too. */
  #judge(): void {
    const [from, to] = this.#machines;
    const before = this.#isRefused;
    const packet = (): Packet => ({
      source: from.address,
      destination: to.address,
      destinationPort: this.#port,
      protocol: "tcp",
      mark: 0,
    });
    this.#isRefused = from.judge(packet(), true) !== "accept" || to.judge(packet(), false) !== "accept";
    if (this.#isRefused && !before) this.onCut.tell();
  }
}

class PluggedCable implements Cable {
  isCut = false;
  readonly onCut = new Listeners();
  readonly onMend = new Listeners();

  cut(): void {
    this.isCut = true;
    this.onCut.tell();
  }

  mend(): void {
    if (!this.isCut) return;
    this.isCut = false;
    this.onMend.tell();
  }
}
