// Where SPDY comes in: port-forward tunnelled in a WebSocket (kubectl since 1.31), and upgrades to SPDY/3.1 itself. The
// handler is asked first and refuses as it would; what it takes is carried over its own channels.

import type { HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import { upgradeReplyHeaders, WebSocket } from "#sim/network/websocket.ts";
import { type InnerCall, innerCall } from "./inner-call.ts";
import { portForwardSession } from "./port-forward.ts";
import { remoteCommand } from "./remote-command.ts";
import type { SpdySession, SpdyTransport } from "./session.ts";

const tunnel = "SPDY/3.1+portforward.k8s.io";
/** The handler's name for a port-forward whose connections come as calls of their own. */
const portForwardProtocol = "portforward.k8s.io";
const commandProtocols = ["v4.channel.k8s.io", "v3.channel.k8s.io"];

export function withSpdy(handler: HttpHandler): HttpHandler {
  return (request, peer, responder) => {
    const { upgrade = "", "sec-websocket-protocol": offered = "" } = request.headers;
    const isSpdy = upgrade.toLowerCase() === "spdy/3.1";
    if (upgrade !== "" && offered.split(",").some((name) => name.trim() === tunnel)) {
      servePortForward(handler, request, peer, responder, () => tunnelTransport(responder));
    } else if (isSpdy && /\/portforward(\?|$)/.test(request.target)) {
      servePortForward(handler, request, peer, responder, () => plainTransport(responder, portForwardProtocol));
    } else if (isSpdy && /\/(exec|attach)(\?|$)/.test(request.target)) {
      serveCommand(handler, request, peer, responder);
    } else handler(request, peer, responder);
  };
}

/** Bytes both ways once the client has been answered. */
interface Carrier {
  readonly transport: SpdyTransport;
  feed(session: SpdySession, onGone: () => void): void;
}

function servePortForward(
  handler: HttpHandler,
  request: HttpRequest,
  peer: HttpPeer,
  responder: HttpResponder,
  open: () => Carrier,
): void {
  const keep: { call?: InnerCall; carrier?: Carrier } = {};
  keep.call = innerCall(handler, request, peer, portForwardProtocol, {
    onOpen() {
      const carrier = open();
      keep.carrier = carrier;
      carrier.feed(portForwardSession(handler, request, peer, carrier.transport), () => keep.call?.close());
    },
    onMessage: () => undefined,
    onClose: () => keep.carrier?.transport.close(),
    onRefused: (status, headers, body) => responder.reply(status, headers, body),
  });
}

function serveCommand(handler: HttpHandler, request: HttpRequest, peer: HttpPeer, responder: HttpResponder): void {
  const offered = (request.headers["x-stream-protocol-version"] ?? "").split(",").map((name) => name.trim());
  const protocol = commandProtocols.find((name) => offered.includes(name)) ?? "v4.channel.k8s.io";
  const keep: { call?: InnerCall; command?: ReturnType<typeof remoteCommand>; carrier?: Carrier } = {};
  keep.call = innerCall(handler, request, peer, "v5.channel.k8s.io", {
    onOpen() {
      const carrier = plainTransport(responder, protocol);
      const command = remoteCommand(carrier.transport, () => keep.call as InnerCall);
      Object.assign(keep, { carrier, command });
      carrier.feed(command.session, () => keep.call?.close());
    },
    onMessage: (channel, bytes) => keep.command?.receive(channel, bytes),
    onClose: () => keep.command?.finish(),
    onRefused: (status, headers, body) => responder.reply(status, headers, body),
  });
}

/** Every binary message is a piece of the byte stream. */
function tunnelTransport(responder: HttpResponder): Carrier {
  const socket = new WebSocket(responder.upgrade(upgradeReplyHeaders(tunnel)));
  return {
    transport: { write: (bytes) => void socket.send(bytes), close: () => socket.close() },
    feed(session, onGone) {
      socket.onMessage = (bytes) => session.receive(bytes);
      socket.onClose = () => {
        session.closed();
        onGone();
      };
    },
  };
}

function plainTransport(responder: HttpResponder, protocol: string): Carrier {
  const headers: HttpHeaders = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": protocol };
  const stream = responder.upgrade(headers);
  return {
    transport: { write: (bytes) => void stream.write(bytes), close: () => stream.end() },
    feed(session, onGone) {
      const gone = (): void => {
        session.closed();
        onGone();
      };
      stream.onData = (bytes) => session.receive(bytes);
      stream.onEnd = gone;
      stream.onClose = gone;
    },
  };
}
