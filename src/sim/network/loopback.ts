// A network namespace with nothing but the loopback interface: hosts without network, and tests.

import type { Errno } from "../errors.ts";
import { SysError } from "../errors.ts";
import type { HttpExchange, HttpRequest } from "../http.ts";
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
  NetworkLink,
  NetworkPlace,
  NetworkStack,
  TlsFailure,
} from "../net.ts";
import type { Simulation } from "../simulation.ts";
import type { DatagramPorts } from "./datagrams.ts";
import { askAll } from "./dns-questions.ts";
import { lateDatagrams } from "./late-datagrams.ts";
import { openConnection, sendRequest, type Way } from "./listener.ts";
import { PortTable } from "./ports.ts";

export class LoopbackNetwork implements NetworkStack {
  readonly addresses = ["127.0.0.1"];
  readonly #simulation: Simulation;
  readonly #ports = new PortTable(this);
  sysctls?: NetworkStack["sysctls"];
  unprivilegedFrom?: NetworkStack["unprivilegedFrom"];
  localPorts?: NetworkStack["localPorts"];
  #dns: DnsHandler | undefined;
  #dnsService: Listening | undefined;
  #datagrams: DatagramPorts | undefined;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  get listening(): NetworkStack["listening"] {
    const dns = this.#dnsService === undefined ? [] : [this.#dnsService];
    return { tcp: this.#ports.entries, udp: [...dns, ...(this.#datagrams?.unconnected ?? [])] };
  }

  get datagrams(): DatagramPorts {
    this.#datagrams ??= new lateDatagrams.code.DatagramPorts({
      simulation: this.#simulation,
      attached: true,
      checkBinding: (port, address) => {
        if (address !== undefined && address !== "0.0.0.0" && !isLoopback(address)) throw new SysError("EADDRNOTAVAIL");
        if (port === this.#dnsService?.port) throw new SysError("EADDRINUSE");
      },
      sourceFor: (address) => address,
      routeDatagram: ({ port }, target) =>
        isLoopback(target.address)
          ? { ok: true, ports: this.#datagrams, source: { address: target.address, port }, target, delayMs: 0 }
          : { ok: false, error: "ENETUNREACH", afterMs: 0 },
    });
    return this.#datagrams;
  }

  place(): NetworkPlace {
    return { links: [loopbackLink], routes: [] };
  }

  echo(address: string): EchoResult {
    return isLoopback(address) ? { ok: true, afterMs: 0, ttl: 64 } : { ok: false, error: "ENETUNREACH", afterMs: 0 };
  }

  listen(options: ListenOptions): Listening {
    if (options.address !== undefined && options.address !== "0.0.0.0" && !isLoopback(options.address)) {
      throw new SysError("EADDRNOTAVAIL");
    }
    return this.#ports.listen(options);
  }

  connect(target: Endpoint, options: CallOptions, done: (result: ConnectResult) => void): void {
    this.#simulation.after(0, () => {
      const listener = this.#find(target);
      if (typeof listener === "string") done({ ok: false, error: listener });
      else openConnection(this.#way(listener, target), options.tls, done);
    });
  }

  request(
    target: Endpoint,
    request: HttpRequest,
    options: CallOptions,
    done: (
      result: { readonly ok: true; readonly exchange: HttpExchange } | { readonly ok: false; readonly error: Errno | TlsFailure },
    ) => void,
  ): void {
    this.#simulation.after(0, () => {
      const listener = this.#find(target);
      if (typeof listener === "string") done({ ok: false, error: listener });
      else sendRequest(this.#way(listener, target), request, options, done);
    });
  }

  query(server: string, questions: readonly DnsQuestion[], done: (result: readonly DnsAnswer[] | DnsFailure) => void): void {
    this.#simulation.after(0, () => {
      if (this.#dns === undefined || !isLoopback(server)) done("ECONNREFUSED");
      else askAll(this.#dns, questions, { address: "127.0.0.1", port: this.#ports.ephemeral() }, done);
    });
  }

  serveDns(handler: DnsHandler): Listening {
    if (this.#dns !== undefined || this.#datagrams?.has(53) === true) throw new SysError("EADDRINUSE");
    this.#dns = handler;
    this.#dnsService = {
      port: 53,
      close: () => {
        this.#dns = undefined;
        this.#dnsService = undefined;
      },
    };
    return this.#dnsService;
  }

  #find(target: Endpoint): ListenOptions | Errno {
    if (!isLoopback(target.address)) return "ENETUNREACH";
    return this.#ports.find(target.address, target.port) ?? "ECONNREFUSED";
  }

  #way(listener: ListenOptions, target: Endpoint): Way {
    const source = { address: target.address, port: this.#ports.ephemeral() };
    return { simulation: this.#simulation, listener, source, target, delayMs: 0 };
  }
}

/** Every namespace's. */
export const loopbackLink: NetworkLink = {
  index: 1,
  name: "lo",
  kind: "loopback",
  hardware: "00:00:00:00:00:00",
  address: "127.0.0.1/8",
  isUp: true,
};

export function isLoopback(address: string): boolean {
  return address.startsWith("127.");
}
