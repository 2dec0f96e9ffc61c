// How probes ask that no Pod of a cluster's own has: by opening a TCP connection, over gRPC, by running a command; and where an HTTP
// probe goes on when it is sent elsewhere.

import type { GRPCAction } from "#cluster/api/generated/types.ts";
import { type Bytes, concatBytes, decodeUtf8, noBytes } from "#sim/bytes.ts";
import { healthCheckRequest, isGrpc, statusOfReply } from "#sim/grpc.ts";
import type { HttpExchange } from "#sim/http.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime } from "../../runtime/cri.ts";
import {
  addressOfHost,
  dialError,
  joinHost,
  type PreparedGet,
  type ProbeAnswer,
  probeHttp,
  success,
  unknownHost,
  unverified,
} from "./handlers.ts";

const maximumOutputBytes = 10 * 1024;
const maximumRedirects = 10;

/** After an answer of 300 to 399; `redirects` were followed before it. */
export function followRedirect(
  stack: NetworkStack,
  get: PreparedGet,
  { status, body, headers }: HttpExchange,
  redirects: number,
  done: (answer: ProbeAnswer) => void,
): void {
  const { location } = headers;
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
  const next = isRedirect ? redirected(get, location) : undefined;
  if (next === undefined) {
    const text = decodeUtf8((body ?? noBytes).subarray(0, maximumOutputBytes));
    done({ result: "warning", output: `Probe terminated redirects, Response body: ${text}` });
  } else if (redirects + 1 >= maximumRedirects) {
    done({ result: "failure", output: `Get "${next.url}": stopped after ${maximumRedirects} redirects` });
  } else probeHttp(stack, next, done, redirects + 1);
}

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
