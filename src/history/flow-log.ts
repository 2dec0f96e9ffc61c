// Connections to the cluster's Services and Pods, counted between two looks: what the picture shows as traffic.

import type { SeenConnection } from "#cluster/network/namespace-stack.ts";
import type { Happenings } from "#world/happenings.ts";

/** Connections that took the same way. */
export interface Flow {
  /** Address of the client: a Pod's, a node's, the learner's machine's. */
  readonly from: string;
  /** What the client asked for: a Service's address, a node's, a Pod's. */
  readonly asked: string;
  readonly port: number;
  /** Address where they ended; "" when they were led nowhere. */
  readonly to: string;
  readonly count: number;
  /** How many of them nobody took. */
  readonly failed: number;
}

/** Ways that are told of at one look: every Pod of a large cluster may talk to another. What is beyond is not counted. */
const mostFlows = 1000;

export class FlowLog {
  readonly #flows = new Map<string, Flow>();
  readonly #nodeAddresses: ReadonlySet<string>;
  readonly #isPodAddress: (address: string) => boolean;

  /** Listens from now on. */
  constructor(happenings: Happenings) {
    this.#nodeAddresses = new Set(happenings.nodeAddresses);
    this.#isPodAddress = (address) => happenings.isPodAddress(address);
    happenings.onConnection.add((seen) => this.#note(seen));
  }

  get isEmpty(): boolean {
    return this.#flows.size === 0;
  }

  /** The flows since the last call, in the order of their first connection. */
  take(): readonly Flow[] {
    const flows = [...this.#flows.values()];
    this.#flows.clear();
    return flows;
  }

  #note({ from, asked, reached, accepted }: SeenConnection): void {
    if (!this.#isTraffic(from, asked.address, reached)) return;
    const to = reached ?? "";
    const key = `${from} ${asked.address} ${asked.port} ${to}`;
    const known = this.#flows.get(key);
    if (known === undefined && this.#flows.size >= mostFlows) return;
    const count = (known?.count ?? 0) + 1;
    const failed = (known?.failed ?? 0) + (accepted ? 0 : 1);
    this.#flows.set(key, { from, asked: asked.address, port: asked.port, to, count, failed });
  }

  /**
   * By a rule's doing, as with Services and ports of nodes, or straight to a Pod. A node's own connections to addresses
   * that are nobody's but a Pod's are probes: they would never end.
   */
  #isTraffic(from: string, asked: string, reached: string | undefined): boolean {
    if (asked === reached && !this.#isPodAddress(asked)) return false;
    return !(this.#nodeAddresses.has(from) && this.#isPodAddress(asked));
  }
}
