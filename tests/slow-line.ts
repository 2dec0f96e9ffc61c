// The way from a server to a reader, held to a line's speed and delay: a relay before the server. What a browser's own tools slow down
// does not hold for workers; a relay holds for all. A connection begins with ten packets and doubles each round trip, as TCP does, and
// connections share the line evenly. Requests are small and only delayed.

import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

export interface LineSpeed {
  readonly bitsPerSecond: number;
  readonly roundTripMs: number;
}

const packetBytes = 1460;
const firstWindowBytes = 10 * packetBytes;
const tickMs = 4;

/** One connection's way down. */
class Flow {
  readonly #browser: Socket;
  readonly #line: LineSpeed;
  readonly #waiting: Buffer[] = [];
  #window = firstWindowBytes;
  #underWay = 0;
  #ends = false;

  constructor(browser: Socket, line: LineSpeed) {
    this.#browser = browser;
    this.#line = line;
  }

  push(bytes: Buffer): void {
    this.#waiting.push(bytes);
  }

  end(): void {
    this.#ends = true;
    if (this.#waiting.length === 0) this.#close();
  }

  /** Sends a packet, if one may be sent; its bytes. */
  send(): number {
    const first = this.#waiting[0];
    if (first === undefined || this.#underWay >= this.#window) return 0;
    const packet = first.subarray(0, packetBytes);
    if (packet.length === first.length) this.#waiting.shift();
    else this.#waiting[0] = first.subarray(packet.length);
    this.#underWay += packet.length;
    const { roundTripMs } = this.#line;
    setTimeout(() => this.#browser.write(packet), roundTripMs / 2);
    setTimeout(() => {
      this.#underWay -= packet.length;
      this.#window += packet.length;
    }, roundTripMs);
    if (this.#ends && this.#waiting.length === 0) this.#close();
    return packet.length;
  }

  #close(): void {
    setTimeout(() => this.#browser.end(), this.#line.roundTripMs / 2);
  }
}

export class SlowLine {
  readonly #server: Server;
  readonly #flows = new Set<Flow>();
  readonly #timer: NodeJS.Timeout;
  readonly #line: LineSpeed;
  #lastMs = performance.now();
  /** Bytes that may be sent by now. */
  #credit = 0;
  /** Bytes that have gone down the line, heads of answers included. */
  downBytes = 0;

  private constructor(server: Server, line: LineSpeed) {
    this.#server = server;
    this.#line = line;
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  /** A line to a port of this machine. */
  static async open(line: LineSpeed, toPort: number): Promise<SlowLine> {
    const server = createServer();
    const slow = new SlowLine(server, line);
    server.on("connection", (browser) => slow.#join(browser, toPort));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return slow;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
  }

  #join(browser: Socket, toPort: number): void {
    const { roundTripMs } = this.#line;
    const flow = new Flow(browser, this.#line);
    this.#flows.add(flow);
    const server = connect(toPort, "127.0.0.1");
    // The first request waits for the handshake too, and none overtakes another.
    const openMs = performance.now() + roundTripMs;
    browser.on("data", (bytes: Buffer) => {
      setTimeout(() => server.write(bytes), Math.max(0, openMs - performance.now()) + roundTripMs / 2);
    });
    server.on("data", (bytes: Buffer) => flow.push(bytes));
    server.on("end", () => flow.end());
    browser.on("close", () => {
      this.#flows.delete(flow);
      server.destroy();
    });
    for (const socket of [browser, server]) socket.on("error", () => socket.destroy());
  }

  #tick(): void {
    const nowMs = performance.now();
    const bytesPerMs = this.#line.bitsPerSecond / 8000;
    this.#credit += (nowMs - this.#lastMs) * bytesPerMs;
    this.#lastMs = nowMs;
    let isSending = true;
    while (isSending && this.#credit > 0) {
      isSending = false;
      for (const flow of this.#flows) {
        if (this.#credit <= 0) break;
        const bytes = flow.send();
        this.#credit -= bytes;
        this.downBytes += bytes;
        isSending ||= bytes > 0;
      }
    }
    // What was not used is gone.
    if (!isSending) this.#credit = Math.min(this.#credit, 0);
  }
}
