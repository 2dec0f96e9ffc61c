// exec and attach for clients that upgrade to SPDY (kubectl before 1.31, and newer ones as a fallback): a stream each for
// stdin, stdout, stderr, errors and terminal sizes, carried over the handler's channels.

import type { Bytes } from "#sim/bytes.ts";
import type { InnerCall } from "./inner-call.ts";
import { SpdySession, type SpdyStream, type SpdyTransport } from "./session.ts";

const channelOf: { readonly [streamType: string]: number } = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 };

export interface RemoteCommand {
  readonly session: SpdySession;
  /** A message of the handler. */
  receive(channel: number, bytes: Bytes): void;
  /** The handler has nothing more to say. */
  finish(): void;
}

/** `call` is the upgraded call to the handler; it is asked for only after that. */
export function remoteCommand(transport: SpdyTransport, call: () => InnerCall): RemoteCommand {
  const streams = new Map<number, SpdyStream>();
  /** Output for streams that the client has not opened yet. */
  const early = new Map<number, Bytes[]>();
  let over = false;
  const session = new SpdySession(transport, (stream) => {
    const channel = channelOf[stream.headers["streamtype"] ?? ""];
    if (channel === undefined) {
      stream.end();
      return;
    }
    streams.set(channel, stream);
    for (const bytes of early.get(channel) ?? []) stream.write(bytes);
    early.delete(channel);
    if (over) stream.end();
    stream.onData = (bytes) => call().send(channel, bytes);
    stream.onEnd = () => {
      if (channel === channelOf["stdin"]) call().endOf(channel);
    };
  });
  return {
    session,
    receive(channel, bytes) {
      const stream = streams.get(channel);
      if (stream !== undefined) stream.write(bytes);
      else if (bytes.length > 0) early.set(channel, [...(early.get(channel) ?? []), bytes]);
    },
    finish() {
      over = true;
      for (const stream of streams.values()) stream.end();
    },
  };
}
