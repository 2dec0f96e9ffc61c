// One load balancer: an address whose ports pass connections on to ports of machines, as the client's own, in turn over those whose
// health check answers 200.

import { noBytes } from "#sim/bytes.ts";
import type { Endpoint, NetworkStack } from "#sim/net.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { contains, parseAddress, parseRange } from "../network/addresses.ts";
import type { Balancer, WiredClusterNetwork } from "../network/cluster-network.ts";

export interface BalancerPort {
  readonly port: number;
  /** Of the machines. */
  readonly targetPort: number;
}

export interface HealthCheck {
  readonly port: number;
  readonly path: string;
}

export interface BalancerWish {
  /** Whom it is for, as `simcloud lb` shows it. */
  readonly label: string;
  /** An address of one's own choice. */
  readonly address: string | undefined;
  /** Its address is of the machines' own network, and nobody outside of it has a way there. */
  readonly isInternal: boolean;
  readonly ports: readonly BalancerPort[];
  /** Names of machines. */
  readonly targets: readonly string[];
  readonly healthCheck: HealthCheck;
  /** Ranges of clients; empty: everyone. */
  readonly sourceRanges: readonly string[];
  /** A client stays with its machine. */
  readonly isSticky: boolean;
}

/** `initial`: not asked yet. */
export type TargetHealth = "initial" | "healthy" | "unhealthy";

export interface BalancerOptions {
  readonly simulation: Simulation;
  readonly name: string;
  readonly address: string;
  readonly wish: BalancerWish;
  readonly readyMs: number;
  readonly addressOf: (machine: string) => string | undefined;
}

/** Of the machines, and of the workstation beside them. */
const machinesRange = parseRange("172.18.0.0/16");
const checkEveryMs = 5_000;
const checkTimeoutMs = 2_000;
/** So many checks that fail, one after the other, make a target unhealthy; one that does not makes it healthy. */
const failuresAllowed = 2;

interface Target {
  health: TargetHealth;
  failures: number;
}

export class LoadBalancer implements Balancer {
  readonly keepsSource = true;
  readonly name: string;
  readonly address: string;
  readonly readyMs: number;
  readonly #simulation: Simulation;
  readonly #addressOf: BalancerOptions["addressOf"];
  readonly #targets = new Map<string, Target>();
  #wish: BalancerWish;
  #stack: NetworkStack | undefined;
  #timer: Timer | undefined;
  #turn = 0;

  constructor({ simulation, name, address, wish, readyMs, addressOf }: BalancerOptions) {
    this.#simulation = simulation;
    this.name = name;
    this.address = address;
    this.readyMs = readyMs;
    this.#addressOf = addressOf;
    this.#wish = wish;
    this.#setTargets();
  }

  get wish(): BalancerWish {
    return this.#wish;
  }

  get isReady(): boolean {
    return this.#simulation.nowMs >= this.readyMs;
  }

  /** Machines and their health, in the order in which they were named. */
  get targets(): readonly { readonly machine: string; readonly health: TargetHealth }[] {
    return [...this.#targets].map(([machine, { health }]) => ({ machine, health }));
  }

  attach(network: WiredClusterNetwork): void {
    this.#stack = network.attachBalancer(this.address, this);
    this.#timer = this.#simulation.at(this.readyMs, () => this.#check(), { background: true });
  }

  detach(network: WiredClusterNetwork): void {
    this.#simulation.cancel(this.#timer);
    network.detachBalancer(this.address);
    this.#stack = undefined;
  }

  /** Connections that are open stay open. */
  change(wish: BalancerWish): void {
    const { healthCheck: before } = this.#wish;
    const { healthCheck: now } = wish;
    this.#wish = wish;
    if (before.port !== now.port || before.path !== now.path) this.#targets.clear();
    if (!this.#setTargets() || !this.isReady) return;
    this.#simulation.cancel(this.#timer);
    this.#check();
  }

  /** Whether there are new ones, or fewer. */
  #setTargets(): boolean {
    const wanted = new Set(this.#wish.targets);
    let isChanged = false;
    for (const machine of this.#targets.keys()) {
      if (wanted.has(machine)) continue;
      this.#targets.delete(machine);
      isChanged = true;
    }
    for (const machine of wanted) {
      if (this.#targets.has(machine)) continue;
      this.#targets.set(machine, { health: "initial", failures: 0 });
      isChanged = true;
    }
    return isChanged;
  }

  isReachedBy(client: string): boolean {
    return !this.#wish.isInternal || contains(machinesRange, parseAddress(client));
  }

  takes(port: number): boolean {
    return this.isReady && this.#wish.ports.some((each) => each.port === port);
  }

  next(port: number, client: string): Endpoint | "drop" | undefined {
    const { ports, sourceRanges, isSticky } = this.#wish;
    const isAllowed = sourceRanges.length === 0 || sourceRanges.some((range) => contains(parseRange(range), parseAddress(client)));
    if (!isAllowed) return "drop";
    const targetPort = ports.find((each) => each.port === port)?.targetPort;
    const healthy = [...this.#targets].flatMap(([machine, { health }]) => {
      const address = health === "healthy" ? this.#addressOf(machine) : undefined;
      return address === undefined ? [] : [address];
    });
    if (healthy.length === 0 || targetPort === undefined) return undefined;
    const turn = isSticky ? parseAddress(client) : this.#turn;
    if (!isSticky) this.#turn += 1;
    return { address: healthy[turn % healthy.length] as string, port: targetPort };
  }

  /** Asks every target, and again after a while. */
  #check(): void {
    this.#timer = this.#simulation.after(checkEveryMs, () => this.#check(), { background: true });
    const { port, path } = this.#wish.healthCheck;
    for (const [machine, target] of this.#targets) {
      const address = this.#addressOf(machine);
      if (address === undefined || this.#stack === undefined) {
        note(target, false);
        continue;
      }
      const request = {
        method: "GET",
        target: path,
        headers: { host: `${address}:${port}`, "user-agent": "sim-health-check" },
        body: noBytes,
      };
      this.#stack.request({ address, port }, request, { timeoutMs: checkTimeoutMs }, (result) =>
        note(target, result.ok && result.exchange.status === 200),
      );
    }
  }
}

function note(target: Target, isAnswered: boolean): void {
  target.failures = isAnswered ? 0 : target.failures + 1;
  if (isAnswered) target.health = "healthy";
  else if (target.failures >= failuresAllowed) target.health = "unhealthy";
}
