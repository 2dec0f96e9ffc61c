// What datagram sockets need of their namespace: the way of each datagram through the cluster's wires.

import { SysError } from "#sim/errors.ts";
import type { DatagramRoute, DatagramWires, Endpoint, Listening, LocalPorts } from "#sim/net.ts";
import { DatagramPorts } from "#sim/network/datagrams.ts";
import type { Simulation } from "#sim/simulation.ts";
import { isLoopback } from "./addresses.ts";
import type { NamespaceStack, Router } from "./namespace-stack.ts";

class StackWires implements DatagramWires {
  readonly simulation: Simulation;
  readonly #stack: NamespaceStack;

  constructor(stack: NamespaceStack, simulation: Simulation) {
    this.#stack = stack;
    this.simulation = simulation;
  }

  get attached(): boolean {
    return this.#stack.attached;
  }

  get localPorts(): LocalPorts | undefined {
    return this.#stack.localPorts;
  }

  checkBinding(port: number, address: string | undefined): void {
    this.#stack.checkAddress(address);
    // A DNS server is no socket of these.
    const { openDatagrams, listening } = this.#stack;
    if (listening.udp.some((service) => service.port === port) && openDatagrams?.has(port) !== true)
      throw new SysError("EADDRINUSE");
  }

  sourceFor(address: string): string {
    return isLoopback(address) || address === this.#stack.address ? address : this.#stack.address;
  }

  routeDatagram({ port, address }: Listening, target: Endpoint): DatagramRoute {
    if (address !== undefined && isLoopback(address) && !isLoopback(this.sourceFor(target.address)))
      return { ok: false, error: "EINVAL", afterMs: 0 };
    const route = this.#stack.routeTo(target, "udp", port);
    if (!route.ok) {
      this.#stack.tell(target, undefined, false);
      return route;
    }
    const { target: end, stack, delayMs } = route;
    const source = { address: route.sourceAddress, port: route.sourcePort ?? port };
    const ports = stack.openDatagrams;
    if (route.isKnown !== true) this.#stack.tell(target, stack, ports?.find(end, source) !== undefined);
    return { ok: true, ports, source, target: end, delayMs };
  }
}

export function datagramPorts(stack: NamespaceStack, { simulation }: Router): DatagramPorts {
  return new DatagramPorts(new StackWires(stack, simulation));
}
