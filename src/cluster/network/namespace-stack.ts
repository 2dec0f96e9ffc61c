// The network namespace of a pod, a node or another machine: its listeners, and the way out through the cluster's wires.

import { type Errno, SysError } from "#sim/errors.ts";
import type { HttpRequest } from "#sim/http.ts";
import type { Listeners } from "#sim/listeners.ts";
import type {
  CallOptions,
  ConnectResult,
  DnsAnswer,
  DnsFailure,
  DnsHandler,
  DnsQuestion,
  EchoResult,
  Endpoint,
  Listening,
  ListenOptions,
  NetworkPlace,
  NetworkStack,
} from "#sim/net.ts";
import type { DatagramPorts } from "#sim/network/datagrams.ts";
import { askAll } from "#sim/network/dns-questions.ts";
import { openConnection, type RequestResult, sendRequest, type Way } from "#sim/network/listener.ts";
import { PortTable } from "#sim/network/ports.ts";
import type { Simulation } from "#sim/simulation.ts";
import { isLoopback } from "./addresses.ts";
import { lateConntrack } from "./netfilter/late-conntrack.ts";

/** Where a connection ends up, and as whose it is seen there; or why it does not. */
export type Route =
  | {
      readonly ok: true;
      readonly stack: NamespaceStack;
      readonly sourceAddress: string;
      readonly target: Endpoint;
      readonly delayMs: number;
      /** Of datagrams: as it is seen there. */
      readonly sourcePort?: number | undefined;
      /** Of datagrams: others of their flow came before. */
      readonly isKnown?: boolean;
    }
  | { readonly ok: false; readonly error: Errno; readonly afterMs: number };

/** A new connection, or the try of one: what its client asked for and where the rules led it. */
export interface SeenConnection {
  /** The client's own address, before any rule put another in its place. */
  readonly from: string;
  readonly asked: Endpoint;
  /** Undefined when it was led nowhere. */
  readonly reached: string | undefined;
  /** Somebody listens there. */
  readonly accepted: boolean;
}

/** Finds the way of a new connection out of a namespace. */
export interface Router {
  readonly simulation: Simulation;
  /** Told of connections that leave their namespace, also those that come back to it, when it is known how they ended; DNS questions count as connections. */
  readonly onConnection: Listeners<SeenConnection>;
  route(from: NamespaceStack, target: Endpoint, protocol: "tcp" | "udp" | "icmp", sourcePort?: number): Route;
  isPodAddress(address: string): boolean;
  placeOf(stack: NamespaceStack): NetworkPlace;
}

/** The C library gives up on a name server after this time. */
const queryTimeoutMs = 5000;

export class NamespaceStack implements NetworkStack {
  readonly address: string;
  /** False once the pod or machine is gone. */
  attached = true;
  sysctls?: NetworkStack["sysctls"];
  unprivilegedFrom?: NetworkStack["unprivilegedFrom"];
  localPorts?: NetworkStack["localPorts"];
  readonly #router: Router;
  #ports: PortTable | undefined;
  #dns: DnsHandler | undefined;
  #dnsService: Listening | undefined;
  #datagrams: DatagramPorts | undefined;

  constructor(router: Router, address: string) {
    this.#router = router;
    this.address = address;
  }

  get addresses(): readonly string[] {
    return ["127.0.0.1", this.address];
  }

  get listening(): NetworkStack["listening"] {
    const dns = this.#dnsService === undefined ? [] : [this.#dnsService];
    return { tcp: this.#ports?.entries ?? [], udp: [...dns, ...(this.#datagrams?.unconnected ?? [])] };
  }

  get datagrams(): DatagramPorts {
    this.#datagrams ??= lateConntrack.code.datagramPorts(this, this.#router);
    return this.#datagrams;
  }

  /** Undefined: none of its sockets was ever one for datagrams. */
  get openDatagrams(): DatagramPorts | undefined {
    return this.#datagrams;
  }

  place(): NetworkPlace {
    return this.#router.placeOf(this);
  }

  /** Ports that something listens on, ascending. */
  get listeningPorts(): readonly number[] {
    return this.#ports?.ports() ?? [];
  }

  listen(options: ListenOptions): Listening {
    const { address } = options;
    this.checkAddress(address);
    return this.#table().listen(address === "::" ? { ...options, address: "0.0.0.0" } : options);
  }

  connect(target: Endpoint, options: CallOptions, done: (result: ConnectResult) => void): void {
    this.#reach(target, options, done, (way) => openConnection(way, options.tls, done));
  }

  request(target: Endpoint, request: HttpRequest, options: CallOptions, done: (result: RequestResult) => void): void {
    this.#reach(target, options, done, (way) => sendRequest(way, request, options, done));
  }

  query(
    server: string,
    questions: readonly DnsQuestion[],
    done: (result: readonly DnsAnswer[] | DnsFailure) => void,
    limitMs = queryTimeoutMs,
  ): void {
    const { simulation } = this.#router;
    const asked = { address: server, port: 53 };
    const route = this.routeTo(asked, "udp");
    if (!route.ok) {
      this.tell(asked, undefined, false);
      if (route.error === "ECONNREFUSED") simulation.after(0, () => done("ECONNREFUSED"));
      else simulation.after(limitMs, () => done("ETIMEDOUT"));
      return;
    }
    simulation.after(route.delayMs, () => {
      const handler = route.stack.#dns;
      this.tell(asked, route.stack, handler !== undefined);
      if (handler === undefined || !route.stack.attached) {
        if (route.stack.attached) done("ECONNREFUSED");
        else simulation.after(limitMs, () => done("ETIMEDOUT"));
        return;
      }
      const client = { address: route.sourceAddress, port: this.#table().ephemeral() };
      askAll(handler, questions, client, (answers) => {
        // The replies come from the address that was asked.
        const replies = answers.map((answer) => (answer.server === server ? answer : { ...answer, server }));
        if (route.delayMs === 0) done(replies);
        else simulation.after(route.delayMs, () => done(replies));
      });
    });
  }

  echo(address: string): EchoResult {
    return lateConntrack.code.echo(this, this.#router, address);
  }

  serveDns(handler: DnsHandler): Listening {
    if (this.#dns !== undefined || this.#datagrams?.has(53) === true) throw new SysError("EADDRINUSE");
    this.#dns = handler;
    const service: Listening = {
      port: 53,
      close: () => {
        if (this.#dnsService !== service) return;
        this.#dns = undefined;
        this.#dnsService = undefined;
      },
    };
    this.#dnsService = service;
    return service;
  }

  /** Throws EADDRNOTAVAIL for what is none of its own. */
  checkAddress(address: string | undefined): void {
    if (address !== undefined && address !== "0.0.0.0" && address !== "::" && address !== this.address && !isLoopback(address)) {
      throw new SysError("EADDRNOTAVAIL");
    }
  }

  #table(): PortTable {
    this.#ports ??= new PortTable(this);
    return this.#ports;
  }

  routeTo(target: Endpoint, protocol: "tcp" | "udp" | "icmp", sourcePort?: number): Route {
    if (!this.attached) return { ok: false, error: "ENETUNREACH", afterMs: 0 };
    return this.#router.route(this, target, protocol, sourcePort);
  }

  /** Walks to the listener and calls `arrive` there, or `done` with the reason why not. */
  #reach(
    target: Endpoint,
    options: CallOptions,
    done: (result: { readonly ok: false; readonly error: Errno }) => void,
    arrive: (way: Way) => void,
  ): void {
    const { simulation } = this.#router;
    const route = this.routeTo(target, "tcp");
    if (!route.ok) {
      const { timeoutMs = Number.POSITIVE_INFINITY, dialMs = Number.POSITIVE_INFINITY } = options;
      const limitMs = Math.min(timeoutMs, dialMs);
      const error = route.afterMs > limitMs ? "ETIMEDOUT" : route.error;
      simulation.after(Math.min(route.afterMs, limitMs), () => {
        this.tell(target, undefined, false);
        done({ ok: false, error });
      });
      return;
    }
    simulation.after(route.delayMs, () => {
      const { stack, target: end } = route;
      const listener = stack.attached ? stack.#ports?.find(end.address, end.port) : undefined;
      this.tell(target, stack, listener !== undefined);
      if (listener === undefined) {
        done({ ok: false, error: stack.attached ? "ECONNREFUSED" : "EHOSTUNREACH" });
        return;
      }
      const source = { address: route.sourceAddress, port: this.#table().ephemeral() };
      arrive({ simulation, listener, source, target: end, delayMs: route.delayMs });
    });
  }

  tell(asked: Endpoint, stack: NamespaceStack | undefined, accepted: boolean): void {
    const { onConnection } = this.#router;
    const stays = stack === this && (asked.address === this.address || isLoopback(asked.address));
    if (onConnection.isEmpty || stays) return;
    onConnection.tell({ from: this.address, asked, reached: stack?.address, accepted });
  }
}
