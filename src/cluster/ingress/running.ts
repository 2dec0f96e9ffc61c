// The configuration that nginx runs by: servers and certificates at once, endpoints when its workers ask for them, each second.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Certificate } from "#sim/net.ts";
import type { Random } from "#sim/random.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { Balancer } from "./balancer.ts";
import { wildcardOf } from "./certificates.ts";
import { type Configuration, catchAll } from "./configuration.ts";

const workersAskMs = 1000;

export class Running {
  configuration: Configuration;
  readonly #simulation: Simulation;
  readonly #random: Random;
  readonly #balancers = new Map<string, Balancer>();
  /** When the workers began: they ask each second from then on. */
  #sinceMs: number;
  #timer: Timer | undefined;

  constructor(simulation: Simulation, random: Random, own: Certificate) {
    this.#simulation = simulation;
    this.#random = random;
    this.#sinceMs = simulation.nowMs;
    this.configuration = { servers: new Map(), upstreams: new Map(), defaultCertificate: own };
  }

  get isEmpty(): boolean {
    return this.configuration.servers.size === 0;
  }

  /** `reloads`: with new workers. */
  use(configuration: Configuration, reloads: boolean): void {
    const { nowMs } = this.#simulation;
    if (reloads) this.#sinceMs = nowMs;
    this.configuration = configuration;
    const untilAskedMs = workersAskMs - ((nowMs - this.#sinceMs) % workersAskMs);
    this.#simulation.cancel(this.#timer);
    this.#timer = this.#simulation.after(untilAskedMs, () => this.#sync());
  }

  stop(): void {
    this.#simulation.cancel(this.#timer);
  }

  #sync(): void {
    const { upstreams } = this.configuration;
    for (const name of this.#balancers.keys()) if (!upstreams.has(name)) this.#balancers.delete(name);
    for (const [name, upstream] of upstreams) {
      const known = this.#balancers.get(name);
      if (upstream.endpoints.length === 0) this.#balancers.delete(name);
      else if (known === undefined) this.#balancers.set(name, new Balancer(upstream, this.#random));
      else known.sync(upstream);
    }
  }

  /** Undefined: nobody is behind it. */
  balancer(upstream: string): Balancer | undefined {
    return this.#balancers.get(upstream);
  }

  /** Of a host that the configuration says something of TLS for. */
  certificateOf(host: string): Certificate | undefined {
    const { servers } = this.configuration;
    const name = asciiLowerCase(host);
    return (servers.get(name) ?? servers.get(wildcardOf(name)))?.certificate;
  }

  get defaultCertificate(): Certificate {
    return this.configuration.servers.get(catchAll)?.certificate ?? this.configuration.defaultCertificate;
  }
}
