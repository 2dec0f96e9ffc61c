// agnhost connect: tries a connection and says in one word what came of it.

import { SysError } from "#sim/errors.ts";
import type { Endpoint } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { command } from "./command.ts";
import { askByDatagram, sctpMissing } from "./datagrams.ts";
import { GoNetError, joinHostPort, reasonOf, resolveAddress, splitHostPort } from "./http-client.ts";

export const connect = command({
  flags: { timeout: { ms: 0 }, protocol: "tcp", "udp-data": "hostname", "sctp-data": "hostname" },
  words: 1,
  operands: " [host:port]",
  *run(self, { flags, words: [target = ""] }) {
    const way = { protocol: flags.protocol, timeoutMs: flags.timeout.ms, data: flags["udp-data"] };
    const failure = yield* failureOf(self, way, target);
    if (failure === undefined) return 0;
    yield* self.write(2, `${failure}\n`);
    return 1;
  },
});

interface Way {
  readonly protocol: string;
  /** 0: as long as it takes. */
  readonly timeoutMs: number;
  /** What a datagram has in it. */
  readonly data: string;
}

/** Undefined: it is connected, or answered a datagram. */
function* failureOf(self: Process, { protocol, timeoutMs, data }: Way, target: string): Sys<string | undefined> {
  if (protocol === "sctp") return `UNKNOWN: ${sctpMissing}`;
  if (protocol !== "" && protocol !== "tcp" && protocol !== "udp") return `Unsupported protocol\n${protocol}`;
  const parts = splitHostPort(target);
  if (parts === undefined) {
    const reason = target.includes(":") ? "too many colons in address" : "missing port in address";
    return `${protocol === "udp" ? "DNS" : "UNKNOWN"}: address ${target}: ${reason}`;
  }
  if (!/^\d+$/u.test(parts.port) || Number(parts.port) > 65_535) return `DNS: address ${parts.port}: invalid port`;
  let address: string;
  try {
    address = yield* resolveAddress(self, parts.host);
  } catch (error) {
    if (!(error instanceof GoNetError)) throw error;
    return `DNS: ${error.message}`;
  }
  if (protocol === "udp") return yield* datagramFailure(self, { address, port: Number(parts.port) }, `${data}\n`, timeoutMs);
  try {
    const limit = timeoutMs > 0 ? { timeoutMs } : {};
    self.close(yield* self.connect({ address, port: Number(parts.port), ...limit }));
    return undefined;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (error.code === "ETIMEDOUT") return "TIMEOUT";
    if (error.code === "ECONNREFUSED") return "REFUSED";
    return `OTHER: dial tcp ${joinHostPort(address, parts.port)}: connect: ${reasonOf(error)}`;
  }
}

function* datagramFailure(self: Process, peer: Endpoint, data: string, timeoutMs: number): Sys<string | undefined> {
  try {
    const answer = yield* askByDatagram(self, peer, data, timeoutMs > 0 ? timeoutMs : undefined);
    if (answer.length > 0) return undefined;
    return "OTHER: No data received from the server. Cannot guarantee the server received the request.";
  } catch (error) {
    if (!(error instanceof GoNetError)) throw error;
    if (error.message.endsWith("i/o timeout")) return `TIMEOUT: ${error.message}`;
    return `${error.message.includes("connection refused") ? "REFUSED" : "UNKNOWN"}: ${error.message}`;
  }
}
