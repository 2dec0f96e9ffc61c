// UDP as agnhost's commands serve and call it. SCTP there is none.

import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Endpoint } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { GoNetError, joinHostPort, reasonOf } from "./http-client.ts";

/** What is said where SCTP is asked for. */
export const sctpMissing = "SCTP is not supported here";

/** A datagram in, the text that goes back; undefined: nothing does. */
export type DatagramAnswer = (bytes: Bytes, from: Endpoint) => string | undefined;

/** Answers until the process ends. A text says why the port cannot be had, in net's words. */
export function serveDatagrams(self: Process, port: number, answer: DatagramAnswer, address?: string): string | undefined {
  let fd: number;
  try {
    fd = self.openDatagrams({ port, ...(address === undefined ? {} : { address }) });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return `listen udp ${joinHostPort(address ?? "", port)}: bind: ${reasonOf(error)}`;
  }
  self.startThread(function* () {
    for (;;) {
      const { bytes, from } = yield* self.receiveDatagram(fd);
      const text = answer(bytes, from);
      if (text !== undefined) yield* self.sendDatagram(fd, encodeUtf8(text), from);
    }
  });
  return undefined;
}

/** Sends one datagram and waits for one; without a time-out, for ever. Throws GoNetError: `read udp …: i/o timeout`. */
export function* askByDatagram(self: Process, peer: Endpoint, text: string, timeoutMs?: number): Sys<Bytes> {
  const fd = self.openDatagrams();
  const way = (call: string) =>
    `${call} udp ${joinHostPort(self.addresses()[1] ?? "127.0.0.1", localPort(self, fd))}->${joinHostPort(peer.address, peer.port)}`;
  let call = "write";
  try {
    self.connectDatagrams(fd, peer);
    yield* self.write(fd, text);
    call = "read";
    const ready = yield* self.poll([fd], timeoutMs);
    if (ready.length === 0) throw new GoNetError(`${way("read")}: i/o timeout`);
    return yield* self.read(fd);
  } catch (error) {
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    throw new GoNetError(`${way(call)}: ${call}: ${reasonOf(error)}`);
  } finally {
    self.close(fd);
  }
}

function localPort(self: Process, fd: number): number {
  const own = self.sockets().find(({ owners }) => owners.some((owner) => owner.pid === self.pid && owner.fd === fd));
  return own?.local.port ?? 0;
}
