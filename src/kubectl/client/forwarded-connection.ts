// One connection to a port of a pod: two channels of a WebSocket, data and errors, each begun by the port's number.

import { type Bytes, concatBytes, noBytes } from "#sim/bytes.ts";
import { encodeFrame, FrameDecoder, opcodes } from "#sim/network/websocket.ts";
import type { Sys } from "#sim/program.ts";
import type { RestClient } from "./rest-client.ts";
import { openUpgraded } from "./upgraded-stream.ts";

const protocol = "v4.channel.k8s.io";
const mask = new Uint8Array(4);

export interface Received {
  readonly data: Bytes;
  readonly error: Bytes;
  readonly ended: boolean;
}

export interface ForwardedConnection {
  /** To poll. */
  readonly fd: number;
  send(data: Bytes): Sys<void>;
  receive(): Sys<Received>;
}

/** Throws KubectlError for a refusal. */
export function* openForward(client: RestClient, path: string, port: number): Sys<ForwardedConnection> {
  const { self } = client;
  const fd = yield* openUpgraded(client, { path, query: { ports: port }, protocol });
  const decoder = new FrameDecoder();
  const begun = new Set<number>();
  return {
    fd,
    *send(data) {
      yield* self.write(fd, encodeFrame(opcodes.binary, concatBytes([new Uint8Array([0]), data]), mask));
    },
    *receive() {
      const part = yield* self.read(fd);
      const received: { readonly data: Bytes[]; readonly error: Bytes[] } = { data: [], error: [] };
      let ended = part.length === 0;
      for (const { opcode, payload } of decoder.push(part)) {
        if (opcode === opcodes.close) ended = true;
        if (opcode !== opcodes.binary) continue;
        const channel = payload[0] ?? 0;
        if (begun.has(channel)) (channel === 0 ? received.data : received.error).push(payload.subarray(1));
        begun.add(channel);
      }
      return {
        data: received.data.length === 0 ? noBytes : concatBytes(received.data),
        error: received.error.length === 0 ? noBytes : concatBytes(received.error),
        ended,
      };
    },
  };
}
