// Datagram sockets (udp(7)): which socket has which port of a namespace, what waits to be read, and the calls of processes.

import { type Bytes, noBytes } from "../bytes.ts";
import { type Errno, SysError } from "../errors.ts";
import type { DatagramWires, Endpoint, Listening } from "../net.ts";
import type { KernelProcess } from "../process/process.ts";
import { proceed } from "../process/thread.ts";
import { waitIn } from "../process/wait-queue.ts";
import type { Sys } from "../program.ts";
import { checkPrivilege } from "./calls.ts";
import { PortTable } from "./ports.ts";
import { NetworkFile } from "./socket.ts";

export interface Datagram {
  readonly bytes: Bytes;
  readonly from: Endpoint;
}

/** Linux's net.core.rmem_default: what finds no room is dropped. */
const receiveBufferBytes = 212_992;
/** What the kernel counts for a datagram beside its bytes. */
const overheadBytes = 768;
/** The largest that IPv4 carries. */
const maximumBytes = 65_507;

/** The sockets of one namespace. */
export class DatagramPorts {
  readonly wires: DatagramWires;
  readonly #table: PortTable;
  readonly #sockets = new Set<DatagramFile>();

  constructor(wires: DatagramWires) {
    this.wires = wires;
    this.#table = new PortTable(wires);
  }

  /** Sockets that anyone may send to, in the order in which they began. */
  get unconnected(): readonly Listening[] {
    return [...this.#sockets].flatMap(({ peer, listening }) => (peer === undefined ? [listening] : []));
  }

  has(port: number): boolean {
    return this.#table.entries.some((entry) => entry.port === port);
  }

  /** Throws EADDRINUSE. */
  bind(socket: DatagramFile, port: number, address: string | undefined): Listening {
    const entry = this.#table.listen({ port, ...(address === undefined ? {} : { address }) });
    this.#sockets.add(socket);
    return {
      port: entry.port,
      address: entry.address,
      close: () => {
        entry.close();
        this.#sockets.delete(socket);
      },
    };
  }

  /** The socket that takes what comes from there. */
  find(target: Endpoint, from: Endpoint): DatagramFile | undefined {
    for (const socket of this.#sockets) if (socket.takes(target, from)) return socket;
    return undefined;
  }
}

export class DatagramFile extends NetworkFile {
  override readonly listening: Listening;
  /** Whom `connect` named. */
  peer: Endpoint | undefined;
  readonly #ports: DatagramPorts;
  readonly #queue: Datagram[] = [];
  #queuedBytes = 0;
  /** What came back for something that was sent to the peer. */
  #error: Errno | undefined;

  constructor(ports: DatagramPorts, port: number, address: string | undefined) {
    super();
    this.#ports = ports;
    this.listening = ports.bind(this, port, address);
  }

  /** Bytes that nobody has read. */
  get receivedBytes(): number {
    return this.#queuedBytes;
  }

  /** As the processes see it: who has called somebody has an address of its own. */
  get local(): Endpoint {
    const { port, address = "0.0.0.0" } = this.listening;
    return { address: this.peer === undefined ? address : this.#ports.wires.sourceFor(this.peer.address), port };
  }

  takes(target: Endpoint, from: Endpoint): boolean {
    const { port, address } = this.listening;
    if (port !== target.port) return false;
    if (address !== undefined && address !== "0.0.0.0" && address !== target.address) return false;
    return this.peer === undefined || (this.peer.port === from.port && this.peer.address === from.address);
  }

  send(bytes: Bytes, target: Endpoint): void {
    this.#throwError();
    if (bytes.length > maximumBytes) throw new SysError("EMSGSIZE");
    const { wires } = this.#ports;
    const route = wires.routeDatagram(this.listening, target);
    if (!route.ok) {
      if (route.error === "ENETUNREACH" || route.error === "EINVAL") throw new SysError(route.error);
      // Nobody says anything of what is lost.
      if (route.error !== "ETIMEDOUT") wires.simulation.after(route.afterMs, () => this.refuse(target, route.error));
      return;
    }
    wires.simulation.after(route.delayMs, () => {
      if (route.ports?.wires.attached === false) return;
      const socket = route.ports?.find(route.target, route.source);
      if (socket !== undefined) socket.receive({ bytes, from: route.source });
      else wires.simulation.after(route.delayMs, () => this.refuse(target, "ECONNREFUSED"));
    });
  }

  receive(datagram: Datagram): void {
    if (this.#queuedBytes + datagram.bytes.length > receiveBufferBytes - overheadBytes) return;
    this.#queue.push(datagram);
    this.#queuedBytes += datagram.bytes.length + overheadBytes;
    this.readers.wake();
  }

  /** An ICMP message came back. Only who is connected is told. */
  refuse(target: Endpoint, error: Errno): void {
    if (this.peer === undefined || this.peer.address !== target.address || this.peer.port !== target.port) return;
    this.#error = error;
    this.readers.wake();
  }

  take(): Datagram | undefined {
    this.#throwError();
    const first = this.#queue.shift();
    if (first !== undefined) this.#queuedBytes -= first.bytes.length + overheadBytes;
    return first;
  }

  /** What comes next, without taking it. */
  get next(): Datagram | undefined {
    return this.#queue[0];
  }

  override tryRead(maxBytes: number): Bytes | undefined {
    // What does not fit is lost, as recv(2) has it.
    return this.take()?.bytes.subarray(0, maxBytes);
  }

  override tryWrite(data: Bytes): number {
    if (this.peer === undefined) throw new SysError("EDESTADDRREQ");
    this.send(data, this.peer);
    return data.length;
  }

  override isReadable(): boolean {
    return this.#queue.length > 0 || this.#error !== undefined;
  }

  override close(): void {
    this.listening.close();
  }

  #throwError(): void {
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw new SysError(error);
  }
}

function fileOf(process: KernelProcess, fd: number): DatagramFile {
  const file = process.table.get(fd);
  if (!(file instanceof DatagramFile)) throw new SysError("ENOTSOCK");
  return file;
}

export function openDatagrams(process: KernelProcess, options: { readonly port?: number; readonly address?: string }): number {
  const { port = 0, address } = options;
  const { datagrams } = process.network;
  checkPrivilege(process, port);
  datagrams.wires.checkBinding(port, address);
  return process.addFile(new DatagramFile(datagrams, port, address));
}

export function connectDatagrams(process: KernelProcess, fd: number, peer: Endpoint): void {
  fileOf(process, fd).peer = peer;
}

export function* sendDatagram(process: KernelProcess, fd: number, bytes: Bytes, to: Endpoint | undefined): Sys<void> {
  const file = fileOf(process, fd);
  yield proceed;
  const target = to ?? file.peer;
  if (target === undefined) throw new SysError("EDESTADDRREQ");
  file.send(bytes.length === 0 ? noBytes : bytes.slice(), target);
}

export function* receiveDatagram(process: KernelProcess, fd: number, options: { readonly peek?: boolean }): Sys<Datagram> {
  const file = fileOf(process, fd);
  yield proceed;
  for (;;) {
    const datagram = options.peek === true ? file.next : file.take();
    if (datagram !== undefined) return datagram;
    yield waitIn(file.readers);
  }
}
