// net/http's client as agnhost uses it: GET and POST, redirections, a time-out, and errors in its words.

import { decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { TlsClient } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import { isIpAddress } from "#sim/network/resolver.ts";
import type { Process, Sys } from "#sim/program.ts";
import { goQuoted } from "./go-words.ts";

/** A call that failed, in net's or net/http's words. */
export class GoNetError extends Error {}

export interface GoReply {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string;
}

interface Call {
  readonly method?: "GET" | "POST";
  readonly headers?: HttpHeaders;
  readonly body?: string;
  /** Of the whole call with all its redirections (http.Client.Timeout). */
  readonly timeoutMs?: number;
  /** For https. */
  readonly tls?: (serverName: string) => TlsClient;
}

const maximumRedirects = 10;
const redirects: readonly number[] = [301, 302, 303, 307, 308];
const userAgent = "Go-http-client/1.1";

/** `host:port` or `[v6]:port`, as net.JoinHostPort makes it. */
export function joinHostPort(host: string, port: string | number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The parts of `host:port`; undefined when it is none. */
export function splitHostPort(text: string): { readonly host: string; readonly port: string } | undefined {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/u.exec(text);
  return match === null ? undefined : { host: match[1] ?? match[2] ?? "", port: match[3] ?? "" };
}

/** An address of a name, as net.ResolveTCPAddr finds it. Throws GoNetError. */
export function* resolveAddress(self: Process, host: string): Sys<string> {
  if (host === "") return "127.0.0.1";
  if (isIpAddress(host)) return host;
  try {
    const [address] = yield* self.resolve(host);
    if (address !== undefined) return address;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new GoNetError(`lookup ${host}${serverOf(self)}: ${error.code === "EAGAIN" ? "server misbehaving" : reasonOf(error)}`);
  }
  throw new GoNetError(`lookup ${host}${serverOf(self)}: no such host`);
}

/** Whom the resolver asked. */
function serverOf(self: Process): string {
  try {
    const [, server] = /^nameserver\s+(\S+)/mu.exec(self.readText("/etc/resolv.conf")) ?? [];
    return server === undefined ? "" : ` on ${server}:53`;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return "";
  }
}

/** What a system call that failed is called in an error of net. */
export function reasonOf(error: SysError): string {
  const words: { readonly [code: string]: string } = {
    ECONNREFUSED: "connection refused",
    ECONNRESET: "connection reset by peer",
    EHOSTUNREACH: "no route to host",
    ENETUNREACH: "network is unreachable",
    EADDRINUSE: "address already in use",
    EACCES: "permission denied",
    ENOENT: "no such file or directory",
  };
  return (
    words[error.code] ??
    error.message.charAt(0).replace(/[A-Z]/u, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32)) + error.message.slice(1)
  );
}

interface Place {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly target: string;
}

function placeOf(url: string): Place | undefined {
  const match = /^(https?):\/\/(\[[^\]]+\]|[^/:?#]*)(?::(\d+))?([^#]*)/u.exec(url);
  if (match === null) return undefined;
  const [, scheme = "http", host = "", port, rest = ""] = match;
  const target = rest.startsWith("/") ? rest : `/${rest}`;
  return {
    scheme: scheme as Place["scheme"],
    host: host.replace(/^\[|\]$/gu, ""),
    port: Number(port ?? (scheme === "https" ? 443 : 80)),
    target: escaped(target),
  };
}

/** What net/url would not leave as it is. */
function escaped(target: string): string {
  return target.replace(/[^\u0021-\u007e]|["<>\\^`{|}]/gu, (each) => encodeURIComponent(each));
}

/** Where a Location leads. */
function followed(from: string, location: string): string {
  if (/^[a-z]+:\/\//u.test(location)) return location;
  const origin = /^[a-z]+:\/\/[^/?#]*/u.exec(from)?.[0] ?? "";
  if (location.startsWith("/")) return `${origin}${location}`;
  const path = from.slice(origin.length).replace(/[?#].*$/u, "");
  return `${origin}${path.slice(0, path.lastIndexOf("/") + 1) || "/"}${location}`;
}

/** One call to its end. Throws GoNetError: `Get "http://…": dial tcp 10.0.0.1:80: connect: connection refused`. */
export function* call(
  self: Process,
  url: string,
  { method = "GET", headers = {}, body = "", timeoutMs, tls }: Call = {},
): Sys<GoReply> {
  const beganMs = self.nowMs;
  const verb = method === "GET" ? "Get" : "Post";
  const failed = (at: string, reason: string) => new GoNetError(`${verb} ${goQuoted(at)}: ${reason}`);
  for (let at = url, hops = 0; ; hops += 1) {
    const place = placeOf(at);
    if (place === undefined) throw failed(at, `unsupported protocol scheme ${goQuoted(/^([a-z]*):/u.exec(at)?.[1] ?? "")}`);
    if (hops >= maximumRedirects) throw failed(at, `stopped after ${maximumRedirects} redirects`);
    const left = timeoutMs === undefined ? undefined : Math.max(1, timeoutMs - (self.nowMs - beganMs));
    let reply: GoReply;
    try {
      reply = yield* exchange(self, place, { method, headers, body, timeoutMs: left, tls });
    } catch (error) {
      if (error instanceof GoNetError) throw failed(at, error.message);
      throw error;
    }
    const location = reply.headers["location"];
    if (!redirects.includes(reply.status) || location === undefined || method !== "GET") return reply;
    at = followed(at, location);
  }
}

type Exchange = Required<Pick<Call, "method" | "headers" | "body">> & {
  readonly timeoutMs: number | undefined;
  readonly tls: Call["tls"];
};

function* exchange(self: Process, place: Place, { method, headers, body, timeoutMs, tls }: Exchange): Sys<GoReply> {
  const { scheme, host, port, target } = place;
  let address: string;
  try {
    address = yield* resolveAddress(self, host);
  } catch (error) {
    if (error instanceof GoNetError) throw new GoNetError(`dial tcp: ${error.message}`);
    throw error;
  }
  const isUsual = port === (scheme === "https" ? 443 : 80);
  const named = host.includes(":") ? `[${host}]` : host;
  const sent = { host: isUsual ? named : `${named}:${port}`, "user-agent": userAgent, ...headers };
  try {
    const {
      status,
      headers: got,
      fd,
    } = yield* self.http({
      method,
      target,
      headers: sent,
      body: body === "" ? noBytes : encodeUtf8(body),
      address,
      port,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(scheme === "https" ? { tls: tls?.(host) ?? { serverName: host, authorities: [] } } : {}),
    });
    const text = yield* readAll(self, fd);
    return { status, headers: got, body: text };
  } catch (error) {
    if (error instanceof TlsError) throw new GoNetError(`tls: failed to verify certificate: ${error.message}`);
    if (!(error instanceof SysError)) throw error;
    if (error.code === "EINTR") throw error;
    if (error.code === "ETIMEDOUT" && timeoutMs !== undefined)
      throw new GoNetError("context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
    if (error.code === "ETIMEDOUT") throw new GoNetError(`dial tcp ${joinHostPort(address, port)}: connect: connection timed out`);
    if (error.code === "ECONNRESET") throw new GoNetError("EOF");
    throw new GoNetError(`dial tcp ${joinHostPort(address, port)}: connect: ${reasonOf(error)}`);
  }
}

export function* readAll(self: Process, fd: number): Sys<string> {
  let text = "";
  for (let bytes = yield* self.read(fd); bytes.length > 0; bytes = yield* self.read(fd)) text += decodeUtf8(bytes);
  self.close(fd);
  return text;
}
