// How a probe (or a lifecycle hook) asks over HTTP, and answers once; other ways to ask, and redirects, are in `handler-code.ts`.

import type { HTTPGetAction } from "#cluster/api/generated/types.ts";
import type { IntOrString } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { noBytes } from "#sim/bytes.ts";
import type { Errno } from "#sim/errors.ts";
import type { HttpRequest } from "#sim/http.ts";
import type { NetworkStack, TlsClient, TlsFailure } from "#sim/net.ts";
import { lateHandlers } from "./late-handlers.ts";

/** `error`: the question could not be put; says nothing about the container. */
export interface ProbeAnswer {
  /** `warning`: as good as a success, and worth an event. */
  readonly result: "success" | "warning" | "failure" | "error";
  /** What the event says after `probe failed: ` or `probe warning: `. */
  readonly output: string;
}

export interface NamedPort {
  readonly name?: string;
  readonly containerPort: number;
}

export const success: ProbeAnswer = { result: "success", output: "" };
export const unverified: TlsClient = { serverName: "" };

/** The number of a port given by number or by its name in the container; undefined when no port has that name. */
export function portNumber(port: IntOrString, ports: readonly NamedPort[]): number | undefined {
  if (typeof port === "number") return port;
  const named = ports.find((each) => each.name === port)?.containerPort;
  if (named !== undefined) return named;
  return /^\d+$/.test(port) ? Number(port) : undefined;
}

const dialTexts: { readonly [code in Errno]?: string } = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "i/o timeout",
};

/** As Go's net package words a connection that failed. */
export function dialError(endpoint: string, error: Errno | TlsFailure): string {
  if (typeof error === "object") return `tls: ${error.tls}`;
  if (error === "ECONNRESET") return `read tcp ${endpoint}: read: connection reset by peer`;
  return `dial tcp ${endpoint}: ${dialTexts[error] ?? error}`;
}

/** A GET, ready to be sent again and again. */
export interface PreparedGet {
  readonly url: string;
  readonly host: string;
  /** Undefined: no node knows an address of this host. */
  readonly address: string | undefined;
  readonly port: number;
  readonly request: HttpRequest;
  readonly options: { readonly timeoutMs: number; readonly tls?: TlsClient };
}

export function joinHost(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Header names as written replace the defaults of the same name. */
export function prepareGet(action: HTTPGetAction, port: number, podIp: string, userAgent: string, timeoutMs: number): PreparedGet {
  const host = action.host === undefined || action.host === "" ? podIp : action.host;
  const path = action.path ?? "/";
  const target = path.startsWith("/") ? path : `/${path}`;
  const secure = action.scheme === "HTTPS";
  const authority = joinHost(host, port);
  const headers: { [name: string]: string } = { host: authority, "user-agent": userAgent, accept: "*/*", connection: "close" };
  for (const { name, value } of action.httpHeaders ?? []) headers[asciiLowerCase(name)] = value;
  if (headers["accept"] === "") delete headers["accept"];
  return {
    url: `${secure ? "https" : "http"}://${authority}${target}`,
    host,
    address: host === podIp ? podIp : addressOfHost(host),
    port,
    request: { method: "GET", target, headers, body: noBytes },
    options: secure ? { timeoutMs, tls: unverified } : { timeoutMs },
  };
}

/** The address of a probe's `host`: of names a node knows its own only. */
export function addressOfHost(host: string): string | undefined {
  if (host === "localhost") return "127.0.0.1";
  if (host.includes(":")) return host;
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256) ? host : undefined;
}

export const unknownHost = (host: string): string => `dial tcp: lookup ${host}: no such host`;

export function probeHttp(stack: NetworkStack, get: PreparedGet, done: (answer: ProbeAnswer) => void, redirects = 0): void {
  const { address, host } = get;
  if (address === undefined) {
    done({ result: "failure", output: `Get "${get.url}": ${unknownHost(host)}` });
    return;
  }
  stack.request({ address, port: get.port }, get.request, get.options, (result) => {
    if (!result.ok) {
      const cause =
        result.error === "ETIMEDOUT"
          ? "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
          : dialError(joinHost(address, get.port), result.error);
      done({ result: "failure", output: `Get "${get.url}": ${cause}` });
      return;
    }
    const { status, body } = result.exchange;
    if (body === undefined) result.exchange.abort();
    if (status >= 200 && status < 300) done(success);
    else if (status >= 300 && status < 400) lateHandlers.code.followRedirect(stack, get, result.exchange, redirects, done);
    else done({ result: "failure", output: `HTTP probe failed with statuscode: ${status}` });
  });
}
