// The kernel's side of the network: what a network namespace offers to processes. The wires between namespaces
// (addresses, kube-proxy rules, DNS servers, policies) are made by `cluster/network`, which implements NetworkStack.

import type { Bytes } from "./bytes.ts";
import type { Errno } from "./errors.ts";
import type { HttpExchange, HttpHandler, HttpPeer, HttpRequest } from "./http.ts";
import type { DatagramPorts } from "./network/datagrams.ts";
import type { Simulation } from "./simulation.ts";

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** A certificate as far as connections need it; `src/x509` has whole ones. */
export interface Certificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** DNS names and IP addresses it is valid for. */
  readonly alternativeNames: readonly string[];
  /** Whether it names any host beside its common name, even one that no client can ask for; as `alternativeNames` says unless stated. */
  readonly namesHosts?: boolean;
  /** Common name of whoever signed it. */
  readonly issuer: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Whether the authority's key made its signature; absent: nobody vouches for it. */
  isSignedBy?(authority: Certificate): boolean;
  /** SHA-256 of the encoded certificate, in hex. */
  fingerprint?(): string;
}

export interface TlsClient {
  readonly serverName: string;
  readonly certificate?: Certificate;
  /** Certificates of the authorities that the client trusts; undefined skips verification. */
  readonly authorities?: readonly Certificate[];
  /** OpenSSL's order: who signed is asked before for whom. */
  readonly asksAuthorityFirst?: boolean;
  /** Is told what the server shows, before it is looked at. */
  readonly onServer?: (certificate: Certificate) => void;
}

export interface TlsServer {
  readonly certificate: Certificate;
  /** The one for a name that a client asks for (SNI), of a server with several; `certificate` where it has none for it. */
  certificateFor?(serverName: string): Certificate | undefined;
  /** Requests in the clear come to the HTTP handler too: what is wrong with them the server says itself. */
  readonly answersPlainHttp?: boolean;
}

/** One end of a duplex byte stream. Callbacks run inside the simulation; at most one of each. */
export interface ByteStream {
  readonly local: Endpoint;
  readonly peer: Endpoint;
  /** The certificate that the other side showed, on a TLS stream. */
  readonly peerCertificate: Certificate | undefined;
  /** False: the other side is not keeping up; wait for `onDrain`. The bytes are taken anyway. */
  write(bytes: Bytes): boolean;
  /** No more writes from this end; the other end reads end of file. */
  end(): void;
  /** Breaks the stream; the other end gets ECONNRESET. */
  destroy(): void;
  /** While paused nothing is delivered, and the other end's `write` turns false. */
  pause(): void;
  resume(): void;
  onData: ((bytes: Bytes) => void) | undefined;
  onEnd: (() => void) | undefined;
  onDrain: (() => void) | undefined;
  onClose: ((error: Errno | undefined) => void) | undefined;
}

export type ConnectResult =
  | { readonly ok: true; readonly stream: ByteStream }
  | { readonly ok: false; readonly error: Errno | TlsFailure };

/** What verification refused, in the words that clients print after "x509: " or "tls: ". */
export interface TlsFailure {
  readonly tls: string;
  /** Nobody but itself vouches for the certificate: some clients say so. */
  readonly isSelfSigned?: boolean;
}

/** Reads what stands before HTTP on a connection, then calls `serve` and gives the rest to `onData`; or breaks the stream. */
export type HttpPreface = (stream: ByteStream, serve: (peer: HttpPeer) => void) => void;

export interface ListenOptions {
  readonly port: number;
  /** Default: every address of the namespace. */
  readonly address?: string;
  readonly tls?: TlsServer;
  /** One of the two; an HTTP listener also serves plain byte streams by parsing HTTP/1.1 from them. */
  readonly onStream?: (stream: ByteStream) => void;
  readonly onHttp?: HttpHandler;
}

export interface Listening {
  readonly port: number;
  /** Undefined: every address of the namespace. */
  readonly address?: string | undefined;
  close(): void;
}

/** An interface of a namespace. */
export interface NetworkLink {
  readonly index: number;
  readonly name: string;
  readonly kind: "loopback" | "ethernet";
  /** Index of the other end, in another namespace, of a pair of virtual interfaces. */
  readonly peerIndex?: number;
  /** Name of the bridge that it is a port of. */
  readonly master?: string;
  /** Hardware address, `02:42:ac:12:00:03`. */
  readonly hardware: string;
  /** `10.244.1.5/24` */
  readonly address?: string;
  /** Something is plugged in. */
  readonly isUp: boolean;
}

export interface NetworkRoute {
  /** A range as `10.244.0.0/16`; everything is `0.0.0.0/0`. */
  readonly destination: string;
  /** Undefined: straight on the link. */
  readonly gateway?: string;
  readonly link: string;
  /** Own address of whoever takes it; only of routes that came with an address of the link. */
  readonly source?: string;
}

/** What netlink tells of a namespace's place on the wires. */
export interface NetworkPlace {
  /** By index. */
  readonly links: readonly NetworkLink[];
  readonly routes: readonly NetworkRoute[];
}

/** A socket of a namespace, seen by a process of it. */
export interface SocketInfo {
  readonly protocol: "tcp" | "udp";
  readonly state: "LISTEN" | "ESTABLISHED" | "CLOSE_WAIT" | "UNCONN";
  readonly local: Endpoint;
  /** Undefined for those that wait for anyone. */
  readonly peer: Endpoint | undefined;
  /** Bytes that nobody has read yet, or connections that nobody has accepted. */
  readonly waiting: number;
  /** Processes that have it, of those whose descriptors the looking process may see. */
  readonly owners: readonly { readonly pid: number; readonly fd: number }[];
}

/** How a call goes out: in the clear without `tls`. */
export interface CallOptions {
  readonly tls?: TlsClient;
  /** Of all of it; of the connecting alone. */
  readonly timeoutMs?: number;
  readonly dialMs?: number;
}

/** Where a process calls, and how. */
export interface CallTarget extends CallOptions {
  readonly address: string;
  readonly port: number;
}

/** Where a datagram comes to, and from whom it seems to be; or why it does not come. */
export type DatagramRoute =
  | {
      readonly ok: true;
      /** The sockets there; undefined: none was ever opened. */
      readonly ports: DatagramPorts | undefined;
      readonly source: Endpoint;
      readonly target: Endpoint;
      readonly delayMs: number;
    }
  | { readonly ok: false; readonly error: Errno; readonly afterMs: number };

/** What datagram sockets need of their namespace. */
export interface DatagramWires {
  readonly simulation: Simulation;
  /** False once the namespace is gone. */
  readonly attached: boolean;
  readonly localPorts?: LocalPorts | undefined;
  /** Throws SysError EADDRINUSE or EADDRNOTAVAIL. */
  checkBinding(port: number, address: string | undefined): void;
  /** The own address from which a call to another goes out. */
  sourceFor(address: string): string;
  routeDatagram(from: Listening, target: Endpoint): DatagramRoute;
}

/** Whose kernel parameters somebody has set: a namespace, or a machine. */
export interface WithSysctls {
  sysctls?: Map<string, string> | undefined;
}

/** Ports for connections that name none; absent: the kernel's defaults. */
export interface LocalPorts {
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** Never taken by themselves. */
  readonly reserved?: ReadonlySet<number> | undefined;
}

/** The answer to an ICMP echo request, or why none comes: EHOSTUNREACH is told to the sender, ETIMEDOUT is silence. */
export type EchoResult =
  | { readonly ok: true; readonly afterMs: number; readonly ttl: number }
  | { readonly ok: false; readonly error: Errno; readonly afterMs: number };

/** A network namespace: a node's host network, or a pod's. */
export interface NetworkStack extends WithSysctls {
  /** Lower ports are for those with NET_BIND_SERVICE; absent: none is. */
  unprivilegedFrom?: number | undefined;
  localPorts?: LocalPorts | undefined;
  /** Own addresses, loopback first. */
  readonly addresses: readonly string[];
  /** Listening sockets by protocol. */
  readonly listening: { readonly tcp: readonly Listening[]; readonly udp: readonly Listening[] };
  place(): NetworkPlace;
  /** Throws SysError EADDRINUSE or EADDRNOTAVAIL. Port 0 picks a free one. */
  listen(options: ListenOptions): Listening;
  /** Calls `done` once, at once or later in virtual time. */
  connect(target: Endpoint, options: CallOptions, done: (result: ConnectResult) => void): void;
  /**
   * One HTTP exchange. Reaches an HTTP listener without turning the request into bytes; a byte-stream listener gets
   * real HTTP/1.1. Calls `done` once with the head of the reply, or the failure.
   */
  request(
    target: Endpoint,
    request: HttpRequest,
    options: CallOptions,
    done: (
      result: { readonly ok: true; readonly exchange: HttpExchange } | { readonly ok: false; readonly error: Errno | TlsFailure },
    ) => void,
  ): void;
  /**
   * DNS queries to one server, sent from one socket at once: its answers in their order, or why none came. `limitMs`: how long one waits
   * for them, 5 s unless stated.
   */
  query(
    server: string,
    questions: readonly DnsQuestion[],
    done: (result: readonly DnsAnswer[] | DnsFailure) => void,
    limitMs?: number,
  ): void;
  /** Sends an ICMP echo request and says at once what will come of it. */
  echo(address: string): EchoResult;
  /** Answers DNS queries on port 53 of every address of the namespace. */
  serveDns(handler: DnsHandler): Listening;
  /** Made when the first datagram socket is. */
  readonly datagrams: DatagramPorts;
}

export type DnsHandler = (question: DnsQuestion, client: Endpoint, answer: (answer: DnsAnswer) => void) => void;

export interface DnsQuestion {
  /** Absolute name without the trailing dot. */
  readonly name: string;
  readonly type: "A" | "AAAA" | "SRV" | "PTR" | "CNAME" | "TXT";
}

/** The address was refused (nothing listens, no endpoints), or nobody said a word. */
export type DnsFailure = "ECONNREFUSED" | "ETIMEDOUT";

export interface DnsAnswer {
  readonly code: "NOERROR" | "NXDOMAIN" | "SERVFAIL" | "REFUSED";
  readonly records: readonly { readonly name: string; readonly type: string; readonly ttlSeconds: number; readonly data: string }[];
  /** Address of the server that answered. */
  readonly server: string;
  /** The AA flag. */
  readonly authoritative: boolean;
}
