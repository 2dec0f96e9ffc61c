// How a scheduler's process calls an extender: a POST over its own network, with the words of Go's HTTP client where it fails.

import { isAddress, readBody, readUrl, type Url } from "#shell/toolkit/http-client.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { type Errno, SysError } from "#sim/errors.ts";
import type { HttpReply } from "#sim/http.ts";
import type { TlsClient } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";

export interface ExtenderCall {
  readonly url: string;
  readonly body: string;
  readonly timeoutMs: number;
  /** What a connection by https asks for; the server's name is the URL's where none is said. */
  readonly tls: Omit<TlsClient, "serverName"> & { readonly serverName?: string };
}

export type ExtenderReply = { readonly status: number; readonly text: string } | { readonly error: string };

/** Answers once, later. */
export type Transport = (call: ExtenderCall, done: (reply: ExtenderReply) => void) => void;

/** An address that there is no way to. */
class Unresolved extends Error {}

const overdue = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
const bodyOverdue = "context deadline exceeded (Client.Timeout or context cancellation while reading body)";

export function processTransport(self: Process, simulation: Simulation): Transport {
  return (call, done) => {
    const failed = (why: string) => `Post ${JSON.stringify(call.url)}: ${why}`;
    let isOpen = true;
    let hasHead = false;
    const finish = (reply: ExtenderReply): void => {
      if (!isOpen) return;
      isOpen = false;
      simulation.cancel(timer);
      done(reply);
    };
    const timer = simulation.after(call.timeoutMs, () => finish({ error: hasHead ? bodyOverdue : failed(overdue) }));
    self.startThread(function* () {
      let address = "";
      try {
        const target = targetOf(call.url);
        address = yield* addressOf(self, target.host);
        const reply = yield* post(self, call, target, address);
        hasHead = true;
        const pieces: Bytes[] = [];
        yield* readBody(self, reply.fd, function* (bytes) {
          pieces.push(bytes);
        });
        finish({ status: reply.status, text: decodeUtf8(concatBytes(pieces)) });
      } catch (error) {
        if (!(error instanceof SysError || error instanceof TlsError || error instanceof Unresolved)) throw error;
        finish({ error: failed(words(error, `${address}:${readUrl(call.url)?.port ?? 0}`)) });
      }
    });
  };
}

/** Throws Unresolved for what is no address of a server. */
function targetOf(url: string): Url {
  const target = /^\w+:\/\//u.test(url) ? readUrl(url) : undefined;
  if (target?.scheme === "http" || target?.scheme === "https") return target;
  throw new Unresolved(`unsupported protocol scheme ${JSON.stringify(target?.scheme ?? "")}`);
}

function* post(self: Process, { url, body, timeoutMs, tls }: ExtenderCall, target: Url, address: string): Sys<HttpReply> {
  const bytes = encodeUtf8(body);
  const isSecure = target.scheme === "https";
  return yield* self.http({
    method: "POST",
    target: target.target,
    headers: {
      host: authority(url),
      "user-agent": "Go-http-client/1.1",
      "content-length": String(bytes.length),
      "content-type": "application/json",
      "accept-encoding": "gzip",
    },
    body: bytes,
    address,
    port: target.port,
    timeoutMs,
    ...(isSecure ? { tls: { ...tls, serverName: tls.serverName ?? target.host } } : {}),
  });
}

/** `host[:port]` as the URL has it. */
function authority(url: string): string {
  return /^\w+:\/\/([^/?#]*)/u.exec(url)?.[1] ?? "";
}

function* addressOf(self: Process, host: string): Sys<string> {
  if (isAddress(host)) return host;
  const failed = (why: string) => new Unresolved(`dial tcp: lookup ${host}${nameServer(self)}: ${why}`);
  try {
    const [address] = yield* self.resolve(host);
    if (address !== undefined) return address;
  } catch (error) {
    if (error instanceof SysError && error.code === "EAGAIN") throw failed("server misbehaving");
    throw error;
  }
  throw failed("no such host");
}

function nameServer(self: Process): string {
  try {
    const [, server] = /^nameserver\s+(\S+)/mu.exec(self.readText("/etc/resolv.conf")) ?? [];
    return ` on ${server ?? "127.0.0.1"}:53`;
  } catch (error) {
    if (error instanceof SysError) return "";
    throw error;
  }
}

const dialFaults: { readonly [code in Errno]?: string } = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
};

function words(error: SysError | TlsError | Unresolved, place: string): string {
  if (error instanceof Unresolved) return error.message;
  if (error instanceof TlsError) {
    if (error.message.startsWith("first record")) return "http: server gave HTTP response to HTTPS client";
    return `tls: failed to verify certificate: x509: ${error.message}`;
  }
  if (error.code === "ETIMEDOUT") return overdue;
  if (error.code === "ECONNRESET") return "EOF";
  return `dial tcp ${place}: ${dialFaults[error.code] ?? error.message}`;
}
