// pods/portforward over a WebSocket: two channels a port, data and errors; the first message of each is the port's number. Who
// names no protocol speaks the binary one; in v4.base64 messages are text.

import { badRequest } from "#cluster/api/errors.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import type { ByteStream } from "#sim/net.ts";
import { chooseProtocol, isUpgradeRequest, type WebSocket } from "#sim/network/websocket.ts";
import type { HttpCall } from "../http/call.ts";
import { channelMessage, channelProtocols, firstVersion, readMessage } from "./channels.ts";
import { requireUpgrade, type StreamTarget, streamTarget, upgrade } from "./streaming.ts";

const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io", "v4.base64.channel.k8s.io"];
/** Sent by the door for SPDY clients: the forwarded connections come as calls of their own, this one only asks whether they may. */
const enquiry = "portforward.k8s.io";
/** As a message's channel: the end of the channel named behind it (v5). */
const closeSignal = 255;
/** Channel numbers are a byte. */
const maxPorts = 100;

/** `ports` names the ports, several times or with commas. */
export function servePortForward(call: HttpCall, definition: ResourceDefinition): void {
  const target = streamTarget(call, definition);
  target.gateway.requireKubelet(target.node, target.key);
  const ports = call.info.query.getAll("ports").flatMap((text) => text.split(","));
  if (ports.length === 0 && chooseProtocol(call.request.headers, [enquiry]) !== undefined) {
    upgrade(call, requireUpgrade(call, [enquiry]));
    return;
  }
  if (ports.length === 0) throw badRequest('query parameter "ports" is required');
  if (ports.length > maxPorts) throw badRequest(`at most ${maxPorts} ports can be forwarded`);
  const numbers = ports.map((text) => {
    const port = Number(text);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw badRequest(`invalid port number ${JSON.stringify(text)}`);
    return port;
  });
  const offersNone = (call.request.headers["sec-websocket-protocol"] ?? "") === "" && isUpgradeRequest(call.request.headers);
  const name = offersNone ? "" : requireUpgrade(call, protocols);
  const protocol = channelProtocols[name] ?? firstVersion;
  const socket = upgrade(call, name);
  const send = (channel: number, bytes: Bytes): void => void socket.send(channelMessage(protocol, channel, bytes));
  const forwards = numbers.map((port, index) => new Forward({ socket, send }, target, port, index * 2));
  socket.onMessage = (message) => {
    const [channel, bytes] = readMessage(protocol, message) ?? [];
    if (channel === undefined || bytes === undefined) return;
    const [ended = 0] = bytes;
    if (channel === closeSignal) forwards[ended >> 1]?.end(ended);
    else forwards[channel >> 1]?.receive(channel, bytes);
  };
  socket.onClose = () => {
    for (const forward of forwards) forward.close();
  };
}

interface Line {
  readonly socket: WebSocket;
  send(channel: number, bytes: Bytes): void;
}

/** One port: what comes before the kubelet has connected waits. */
class Forward {
  readonly #line: Line;
  readonly #dataChannel: number;
  #waiting: Bytes[] | undefined = [];
  #stream: ByteStream | undefined;
  #closed = false;
  #ended = false;

  constructor(line: Line, target: StreamTarget, port: number, dataChannel: number) {
    this.#line = line;
    this.#dataChannel = dataChannel;
    const number = new Uint8Array([port & 0xff, port >> 8]);
    line.send(dataChannel, number);
    line.send(dataChannel + 1, number);
    target.gateway.portForward(target.node, target.key, port, (stream) => this.#connected(stream));
  }

  receive(channel: number, payload: Bytes): void {
    if (channel !== this.#dataChannel) return;
    if (this.#stream === undefined) this.#waiting?.push(payload);
    else this.#stream.write(payload);
  }

  /** The client sends no more. */
  end(channel: number): void {
    if (channel !== this.#dataChannel) return;
    this.#ended = true;
    this.#stream?.end();
  }

  close(): void {
    this.#closed = true;
    this.#waiting = undefined;
    this.#stream?.destroy();
  }

  #connected(stream: ByteStream | string): void {
    if (typeof stream === "string") {
      this.#line.send(this.#dataChannel + 1, encodeUtf8(stream));
      return;
    }
    if (this.#closed) {
      stream.destroy();
      return;
    }
    this.#stream = stream;
    stream.onData = (bytes) => this.#line.send(this.#dataChannel, bytes);
    stream.onEnd = () => this.#line.socket.close();
    for (const bytes of this.#waiting ?? []) stream.write(bytes);
    this.#waiting = undefined;
    if (this.#ended) stream.end();
  }
}
