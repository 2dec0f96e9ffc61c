// Asks the handler itself for an upgrade, in the channel protocol it speaks: what SPDY clients want is carried over it.

import type { Bytes } from "#sim/bytes.ts";
import type { HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { ByteStream } from "#sim/net.ts";
import { WebSocket } from "#sim/network/websocket.ts";

/** Sent as a channel's number it announces the end of the channel named behind it (v5.channel.k8s.io). */
const closeSignal = 255;

export interface InnerCall {
  /** One message on a channel. */
  send(channel: number, bytes: Bytes): void;
  endOf(channel: number): void;
  close(): void;
}

export interface InnerCallbacks {
  /** Before anything else comes. */
  onOpen(): void;
  onMessage(channel: number, bytes: Bytes): void;
  onClose(): void;
  /** Instead of all others. */
  onRefused(status: number, headers: HttpHeaders, body: Bytes): void;
}

export function innerCall(
  handler: HttpHandler,
  request: HttpRequest,
  peer: HttpPeer,
  protocol: string,
  callbacks: InnerCallbacks,
): InnerCall {
  let socket: WebSocket | undefined;
  let closed = false;
  const responder: HttpResponder = {
    reply: (status, headers, body) => callbacks.onRefused(status, headers, body),
    stream: () => {
      throw new Error("an upgrade was answered with a stream");
    },
    upgrade() {
      const [near, far] = pipe(peer);
      socket = new WebSocket(near);
      socket.onMessage = (message) => callbacks.onMessage(message[0] ?? 0, message.subarray(1));
      socket.onClose = () => {
        closed = true;
        callbacks.onClose();
      };
      callbacks.onOpen();
      return far;
    },
  };
  handler({ ...request, headers: channelHeaders(request.headers, protocol) }, peer, responder);
  return {
    send(channel, bytes) {
      const message = new Uint8Array(bytes.length + 1);
      message[0] = channel;
      message.set(bytes, 1);
      if (!closed) socket?.send(message);
    },
    endOf(channel) {
      if (!closed) socket?.send(new Uint8Array([closeSignal, channel]));
    },
    close: () => void socket?.close(),
  };
}

function channelHeaders(headers: HttpHeaders, protocol: string): HttpHeaders {
  const { "sec-websocket-key": _key, ...rest } = headers;
  return { ...rest, connection: "Upgrade", upgrade: "websocket", "sec-websocket-protocol": protocol };
}

/** Two ends of a stream inside this process; what one writes the other has at once. */
function pipe(peer: HttpPeer): readonly [ByteStream, ByteStream] {
  const near = end(peer);
  const far = end(peer);
  connect(near, far);
  connect(far, near);
  return [near, far];
}

type End = { -readonly [Name in keyof ByteStream]: ByteStream[Name] };

function end(peer: HttpPeer): End {
  return {
    local: peer.local,
    peer: peer.address,
    peerCertificate: peer.certificate,
    write: () => true,
    end: () => undefined,
    destroy: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    onData: undefined,
    onEnd: undefined,
    onDrain: undefined,
    onClose: undefined,
  };
}

function connect(from: End, to: End): void {
  let ended = false;
  from.write = (bytes) => {
    if (!ended) to.onData?.(bytes);
    return true;
  };
  from.end = () => {
    if (ended) return;
    ended = true;
    to.onEnd?.();
  };
  from.destroy = () => {
    if (ended) return;
    ended = true;
    to.onClose?.(undefined);
  };
}
