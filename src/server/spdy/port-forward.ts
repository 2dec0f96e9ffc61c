// Port-forward as kubectl does it: on one SPDY connection two streams a forwarded connection, for data and for errors,
// that name the port. Each pair becomes a call of its own to the handler.

import type { Bytes } from "#sim/bytes.ts";
import type { HttpHandler, HttpPeer, HttpRequest } from "#sim/http.ts";
import { type InnerCall, innerCall } from "./inner-call.ts";
import { SpdySession, type SpdyStream, type SpdyTransport } from "./session.ts";

const dataChannel = 0;
const errorChannel = 1;
/** The first message of each channel is the port's number. */
const portBytes = 2;

export function portForwardSession(
  handler: HttpHandler,
  request: HttpRequest,
  peer: HttpPeer,
  transport: SpdyTransport,
): SpdySession {
  /** Error streams whose data stream has not come yet. */
  const waiting = new Map<string, SpdyStream>();
  return new SpdySession(transport, (stream) => {
    const { streamtype: type, port = "", requestid: id = "" } = stream.headers;
    if (type === "error") {
      waiting.set(id, stream);
      return;
    }
    const errors = waiting.get(id);
    waiting.delete(id);
    if (type !== "data" || errors === undefined) {
      stream.end();
      return;
    }
    forward(handler, { ...request, target: targetFor(request.target, port) }, peer, stream, errors);
  });
}

function targetFor(target: string, port: string): string {
  return `${target.split("?", 1)[0]}?ports=${encodeURIComponent(port)}`;
}

function forward(handler: HttpHandler, request: HttpRequest, peer: HttpPeer, data: SpdyStream, errors: SpdyStream): void {
  const begun = new Set<number>();
  const finish = (): void => {
    errors.end();
    data.end();
  };
  const call: InnerCall = innerCall(handler, request, peer, "v5.channel.k8s.io", {
    onOpen: () => undefined,
    onMessage(channel, bytes) {
      if (!begun.has(channel)) {
        begun.add(channel);
        if (bytes.length === portBytes) return;
      }
      if (channel === dataChannel) data.write(bytes);
      else if (channel === errorChannel) {
        errors.write(bytes);
        finish();
      }
    },
    onClose: finish,
    onRefused(_status, _headers, body: Bytes) {
      errors.write(body);
      finish();
    },
  });
  data.onData = (bytes) => call.send(dataChannel, bytes);
  data.onEnd = () => call.endOf(dataChannel);
}
