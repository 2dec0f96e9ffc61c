// How a probe (or a lifecycle hook) asks: over HTTP, by opening a TCP connection, by running a command. Each answers once.

import type { GRPCAction, HTTPGetAction } from "#cluster/api/generated/types.ts";
import type { IntOrString } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, concatBytes, decodeUtf8, noBytes } from "#sim/bytes.ts";
import type { Errno } from "#sim/errors.ts";
import { healthCheckRequest, isGrpc, statusOfReply } from "#sim/grpc.ts";
import type { HttpRequest } from "#sim/http.ts";
import type { NetworkStack, TlsClient, TlsFailure } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime } from "../../runtime/cri.ts";

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

const success: ProbeAnswer = { result: "success", output: "" };
const maximumOutputBytes = 10 * 1024;
const unverified: TlsClient = { serverName: "" };

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

function joinHost(host: string, port: number): string {
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
function addressOfHost(host: string): string | undefined {
  if (host === "localhost") return "127.0.0.1";
  if (host.includes(":")) return host;
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256) ? host : undefined;
}

const unknownHost = (host: string): string => `dial tcp: lookup ${host}: no such host`;

const maximumRedirects = 10;

/** Where a redirect leads on the same host; undefined elsewhere (pkg/probe/http, RedirectChecker). */
function redirected(get: PreparedGet, location: string): PreparedGet | undefined {
  const absolute = /^(https?):\/\/(\[[^\]]+\]|[^/:?#]*)(?::(\d+))?([^#]*)/u.exec(location);
  if (absolute === null) {
    if (location.startsWith("//")) return undefined;
    const target = location.startsWith("/") ? location : get.request.target.replace(/[^/]*(?:\?.*)?$/u, location);
    return { ...get, url: /^\w+:\/\/[^/]*/.exec(get.url)?.[0] + target, request: { ...get.request, target } };
  }
  const [, scheme = "", host = "", port = scheme === "https" ? "443" : "80", path = ""] = absolute;
  if (host.replace(/^\[|\]$/gu, "") !== get.host) return undefined;
  const target = path.startsWith("/") ? path : `/${path}`;
  const headers = { ...get.request.headers, host: joinHost(get.host, Number(port)) };
  const { timeoutMs } = get.options;
  return {
    ...get,
    url: location,
    port: Number(port),
    request: { ...get.request, target, headers },
    options: scheme === "https" ? { timeoutMs, tls: unverified } : { timeoutMs },
  };
}

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
    const { status, body, headers } = result.exchange;
    if (body === undefined) result.exchange.abort();
    const { location } = headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
    const next = isRedirect ? redirected(get, location) : undefined;
    if (next !== undefined && redirects + 1 >= maximumRedirects)
      done({ result: "failure", output: `Get "${next.url}": stopped after ${maximumRedirects} redirects` });
    else if (next !== undefined) probeHttp(stack, next, done, redirects + 1);
    else if (status >= 200 && status < 300) done(success);
    else if (status >= 300 && status < 400) {
      const text = decodeUtf8((body ?? noBytes).subarray(0, maximumOutputBytes));
      done({ result: "warning", output: `Probe terminated redirects, Response body: ${text}` });
    } else done({ result: "failure", output: `HTTP probe failed with statuscode: ${status}` });
  });
}

export function probeTcp(
  stack: NetworkStack,
  { host: asked, port, podIp }: { readonly host: string | undefined; readonly port: number; readonly podIp: string },
  timeoutMs: number,
  done: (answer: ProbeAnswer) => void,
): void {
  const host = asked === undefined || asked === "" ? podIp : asked;
  const address = host === podIp ? podIp : addressOfHost(host);
  if (address === undefined) {
    done({ result: "failure", output: unknownHost(host) });
    return;
  }
  stack.connect({ address, port }, { timeoutMs }, (result) => {
    if (result.ok) {
      result.stream.destroy();
      done(success);
    } else done({ result: "failure", output: dialError(joinHost(address, port), result.error) });
  });
}

/** google.rpc.Code of a method that a server does not have, and the names of others that health services answer with. */
const unimplemented = 12;
const codeNames: { readonly [code: string]: string } = { "2": "Unknown", "5": "NotFound", "13": "Internal", "14": "Unavailable" };

/** As long as nobody speaks gRPC there it dials again, until the time is over (pkg/probe/grpc). */
export function probeGrpc(
  simulation: Simulation,
  stack: NetworkStack,
  { port, service = "" }: GRPCAction,
  asker: { readonly podIp: string; readonly userAgent: string; readonly timeoutMs: number },
  done: (answer: ProbeAnswer) => void,
): void {
  const { podIp, userAgent, timeoutMs } = asker;
  const authority = joinHost(podIp, port);
  const deadlineMs = simulation.nowMs + timeoutMs;
  const fail = (output: string): void => done({ result: "failure", output });
  const timedOut = (): void =>
    fail(`timeout: failed to connect service "${authority}" within ${goSeconds(timeoutMs)}: context deadline exceeded`);
  stack.request({ address: podIp, port }, healthCheckRequest(authority, userAgent, service), { timeoutMs }, (result) => {
    if (!result.ok || !isGrpc(result.exchange.headers)) {
      if (result.ok && result.exchange.body === undefined) result.exchange.abort();
      simulation.at(deadlineMs, timedOut, { background: true });
      return;
    }
    const { headers, body = noBytes } = result.exchange;
    const { "grpc-status": code = "2", "grpc-message": message = "" } = headers;
    if (code === "0") {
      const status = statusOfReply(body);
      if (status === "SERVING") done(success);
      else fail(`service unhealthy (responded with "${status}")`);
    } else if (Number(code) === unimplemented) {
      fail(`error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${message}`);
    } else fail(`error: health rpc probe failed: rpc error: code = ${codeNames[code] ?? `Code(${code})`} desc = ${message}`);
  });
}

/** time.Duration's text of whole seconds. */
function goSeconds(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** Runs a command in a container and collects what it prints. */
export function probeExec(
  simulation: Simulation,
  runtime: ContainerRuntime,
  { containerId, argv }: { readonly containerId: string; readonly argv: readonly string[] },
  timeoutMs: number,
  done: (answer: ProbeAnswer) => void,
): void {
  const started = runtime.exec(containerId, { argv, tty: false, stdin: false });
  if (!started.ok) {
    done({ result: "error", output: `rpc error: code = Unknown desc = failed to exec in container: ${started.message}` });
    return;
  }
  const stream = started.value;
  const pieces: Bytes[] = [];
  let bytes = 0;
  const collect = (piece: Bytes): void => {
    if (bytes < maximumOutputBytes) pieces.push(piece);
    bytes += piece.length;
  };
  const timer = simulation.after(
    timeoutMs,
    () => {
      stream.onExit = undefined;
      stream.abort();
      const seconds = timeoutMs / 1000;
      done({ result: "failure", output: `command timed out: "${argv.join(" ")}" timed out after ${seconds}s` });
    },
    { background: true },
  );
  stream.onStdout = collect;
  stream.onStderr = collect;
  stream.onExit = (code) => {
    simulation.cancel(timer);
    const output = decodeUtf8(concatBytes(pieces).subarray(0, maximumOutputBytes));
    done(code === 0 ? success : { result: "failure", output });
  };
}
