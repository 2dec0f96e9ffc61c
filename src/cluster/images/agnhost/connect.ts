// agnhost connect: tries a connection and says in one word what came of it.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { command } from "./command.ts";
import { datagramsMissing } from "./datagrams.ts";
import { GoNetError, joinHostPort, reasonOf, resolveAddress, splitHostPort } from "./http-client.ts";

export const connect = command({
  flags: { timeout: { ms: 0 }, protocol: "tcp", "udp-data": "hostname", "sctp-data": "hostname" },
  words: 1,
  operands: " [host:port]",
  *run(self, { flags, words: [target = ""] }) {
    const failure = yield* failureOf(self, flags.protocol, target, flags.timeout.ms);
    if (failure === undefined) return 0;
    yield* self.write(2, `${failure}\n`);
    return 1;
  },
});

/** Undefined: it is connected. */
function* failureOf(self: Process, protocol: string, target: string, timeoutMs: number): Sys<string | undefined> {
  if (protocol === "udp" || protocol === "sctp") return `UNKNOWN: ${datagramsMissing(protocol)}`;
  if (protocol !== "" && protocol !== "tcp") return `Unsupported protocol\n${protocol}`;
  const parts = splitHostPort(target);
  if (parts === undefined) {
    const reason = target.includes(":") ? "too many colons in address" : "missing port in address";
    return `UNKNOWN: address ${target}: ${reason}`;
  }
  if (!/^\d+$/u.test(parts.port) || Number(parts.port) > 65_535) return `DNS: address ${parts.port}: invalid port`;
  let address: string;
  try {
    address = yield* resolveAddress(self, parts.host);
  } catch (error) {
    if (!(error instanceof GoNetError)) throw error;
    return `DNS: ${error.message}`;
  }
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
