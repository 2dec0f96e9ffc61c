// The simulated cloud: machines, load balancers and routes, and what it answers to whoever manages them. It knows no Kubernetes: load
// balancers and routes have the names that their makers give them.

import type { Simulation } from "#sim/simulation.ts";
import { contains, formatAddress, parseAddress, parseRange } from "../network/addresses.ts";
import type { WiredClusterNetwork } from "../network/cluster-network.ts";
import { type BalancerWish, LoadBalancer } from "./load-balancer.ts";
import type { CloudInstance } from "./node-marks.ts";

/** What the cloud refuses, in its own words. */
export class CloudError extends Error {}

/** `pending`: it starts. `stopping`: its programs get time to end. */
export type MachineState = "running" | "pending" | "stopping" | "stopped";

export interface CloudMachine extends CloudInstance {
  readonly name: string;
  readonly instanceId: string;
  readonly address: string;
  readonly state: MachineState;
}

export interface Route {
  readonly name: string;
  readonly destination: string;
  /** A machine. */
  readonly target: string;
}

export interface CloudOptions {
  readonly simulation: Simulation;
  readonly network: WiredClusterNetwork;
  readonly machines: readonly CloudMachine[];
  readonly routeLimit: number | undefined;
}

/** Public addresses of load balancers, and those within the machines' own network. */
const publicRange = "203.0.113.0/24";
const privateRange = "172.18.254.0/24";
/** Last bytes of addresses in them: the first, and how many. */
const firstHost = 2;
const hosts = 253;
/** From the order to the first connection. */
export const creationMs = 4_000;

export class Cloud {
  readonly #options: CloudOptions;
  readonly #gone = new Set<string>();
  readonly #balancers = new Map<string, LoadBalancer>();
  readonly #routes = new Map<string, Route>();
  /** Of the last address that was given out, by range: the next one is another. */
  readonly #last = new Map<string, number>();

  constructor(options: CloudOptions) {
    this.#options = options;
  }

  /** Without those that were removed. */
  get machines(): readonly CloudMachine[] {
    return this.#options.machines.filter(({ name }) => !this.#gone.has(name));
  }

  get loadBalancers(): readonly LoadBalancer[] {
    return [...this.#balancers.values()];
  }

  get routes(): readonly Route[] {
    return [...this.#routes.values()];
  }

  /** By name or instance ID. */
  machine(name: string): CloudMachine | undefined {
    return this.machines.find((each) => each.name === name || each.instanceId === name);
  }

  /** By what Nodes call it; undefined: it is gone, or never was. */
  machineOf(providerId: string): CloudMachine | undefined {
    return this.machines.find((each) => each.providerId === providerId);
  }

  /** For ever; whoever calls it has cut its power. */
  removeMachine(name: string): void {
    this.#gone.add(name);
  }

  loadBalancer(name: string): LoadBalancer | undefined {
    return this.#balancers.get(name);
  }

  /** Makes the load balancer, or changes it. Throws CloudError. */
  ensureLoadBalancer(name: string, wish: BalancerWish): LoadBalancer {
    const known = this.#balancers.get(name);
    if (known !== undefined && this.#keepsAddress(known, wish)) {
      known.change(wish);
      return known;
    }
    const address = this.#addressFor(wish, known?.address);
    if (known !== undefined) this.deleteLoadBalancer(name);
    const { simulation, network } = this.#options;
    const made = new LoadBalancer({
      simulation,
      name,
      address,
      wish,
      readyMs: simulation.nowMs + creationMs,
      addressOf: (machine) => this.machine(machine)?.address,
    });
    made.attach(network);
    this.#balancers.set(name, made);
    return made;
  }

  #keepsAddress({ address, wish: before }: LoadBalancer, { isInternal, address: asked }: BalancerWish): boolean {
    return before.isInternal === isInternal && (asked === undefined || asked === address);
  }

  #addressFor({ isInternal, address }: BalancerWish, own: string | undefined): string {
    const range = isInternal ? privateRange : publicRange;
    if (address === undefined) return this.#freeAddress(range);
    if (!contains(parseRange(range), parseAddress(address)))
      throw new CloudError(`address ${address} is not in the range ${range} of this cloud`);
    if (own !== address && this.#isUsed(address)) throw new CloudError(`address ${address} is in use`);
    return address;
  }

  #isUsed(address: string): boolean {
    return [...this.#balancers.values()].some((each) => each.address === address);
  }

  /** One after the other, so that an address is not given out again right after it came back. */
  #freeAddress(range: string): string {
    const { base } = parseRange(range);
    const last = this.#last.get(range) ?? firstHost - 1;
    for (let tried = 0; tried < hosts; tried += 1) {
      const host = firstHost + ((last - firstHost + 1 + tried) % hosts);
      const address = formatAddress(base + host);
      if (this.#isUsed(address)) continue;
      this.#last.set(range, host);
      return address;
    }
    throw new CloudError(`no address is left in ${range}`);
  }

  deleteLoadBalancer(name: string): void {
    const found = this.#balancers.get(name);
    if (found === undefined) return;
    found.detach(this.#options.network);
    this.#balancers.delete(name);
  }

  /** Throws CloudError where the table is full. */
  createRoute(route: Route): void {
    const { routeLimit = Number.POSITIVE_INFINITY } = this.#options;
    if (!this.#routes.has(route.name) && this.#routes.size >= routeLimit)
      throw new CloudError(`route table is full: it has ${this.#routes.size} of ${routeLimit} routes`);
    this.#routes.set(route.name, route);
  }

  deleteRoute(name: string): void {
    this.#routes.delete(name);
  }
}
