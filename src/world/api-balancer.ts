// The way to the API servers of several control-plane nodes by their common address. A connection stays with the server that it came to,
// until that one is gone; the next connection goes to the next server.

import { type ClientHost, InProcessClient } from "#cluster/apiserver/client.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client, ClientFactory, ClientWire, UserInfo } from "#cluster/client/client.ts";

/** A server behind the common address. */
export interface ServerBehind {
  readonly apiServer: ApiServer;
  /** Its machine is on, and on the wire. */
  isReachable(): boolean;
}

export class ApiBalancer implements ClientFactory {
  readonly #behind: readonly [ServerBehind, ...ServerBehind[]];
  #next = 0;

  constructor(behind: readonly [ServerBehind, ...ServerBehind[]]) {
    this.#behind = behind;
  }

  clientFor(user: UserInfo, userAgent: string, wire?: ClientWire): Client {
    return new InProcessClient(new Connection(this), user, userAgent, wire);
  }

  /** Those that get connections: whoever says that it is ready, or else whoever listens. */
  get answering(): readonly ServerBehind[] {
    const listening = this.#behind.filter(({ apiServer, isReachable }) => apiServer.running && isReachable());
    const ready = listening.filter(({ apiServer }) => apiServer.etcd.isReachable);
    return ready.length > 0 ? ready : listening;
  }

  /** For a new connection; undefined while nobody answers. */
  take(): ServerBehind | undefined {
    const { answering } = this;
    this.#next += 1;
    return answering[this.#next % answering.length];
  }

  /** As `take`: where the next connection goes. */
  takeAddress(): string | undefined {
    return this.take()?.apiServer.advertisedAddress.split(":")[0];
  }

  get first(): ServerBehind {
    return this.#behind[0];
  }
}

/** From a machine to the load balancer. The servers see the load balancer where they would see the machine. */
export class ThroughBalancer implements ClientWire {
  readonly address: string;
  readonly onCut: ClientWire["onCut"];
  readonly #cable: ClientWire;

  /** `cable`: of the machine. */
  constructor(address: string, cable: ClientWire) {
    this.address = address;
    this.onCut = cable.onCut;
    this.#cable = cable;
  }

  get isCut(): boolean {
    return this.#cable.isCut;
  }
}

class Connection implements ClientHost {
  readonly #balancer: ApiBalancer;
  #current: ServerBehind | undefined;

  constructor(balancer: ApiBalancer) {
    this.#balancer = balancer;
  }

  get pipeline(): ClientHost["pipeline"] {
    return this.#server.pipeline;
  }

  get running(): boolean {
    return this.#balancer.answering.length > 0;
  }

  get openWatches(): ClientHost["openWatches"] {
    return this.#server.openWatches;
  }

  ask(...call: Parameters<ClientHost["ask"]>): void {
    this.#server.ask(...call);
  }

  get #server(): ApiServer {
    if (this.#current === undefined || !this.#balancer.answering.includes(this.#current)) this.#current = this.#balancer.take();
    // Who asks learns from `running` that nobody is there.
    return (this.#current ?? this.#balancer.first).apiServer;
  }
}
