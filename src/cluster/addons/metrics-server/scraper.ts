// Reads the use of all nodes from their kubelets, each in a thread of its own (pkg/scraper).

import { dialFailure } from "#cluster/api/dial-failure.ts";
import { formatGoDuration } from "#cluster/api/duration.ts";
import type { Node } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import { ResourceMetrics } from "#cluster/node/kubelet/server/resource-metrics.ts";
import { concatBytes, decodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { TlsClient } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import { reasonPhrase } from "#sim/network/http-status.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import { type AccountToken, accountDirectory } from "./account-token.ts";
import type { Flags } from "./flags.ts";
import { type Batch, type PodPoints, type Point, pointsOf, readPoints } from "./points.ts";

const path = "/metrics/resource";
/** Nodes are not all asked at the same moment. */
const spreadPerNodeMs = 8;
const largestSpreadMs = 4000;

class ScrapeError extends Error {}
class LookupError extends Error {}

/** Who reads, and how. */
export interface Scraping {
  readonly self: Process;
  readonly flags: Flags;
  readonly token: AccountToken;
}

/** Starts a thread a node; `done` gets all points once the last node has answered, or has failed to. */
export function scrapeAll(scraping: Scraping, nodes: readonly Stored<Node>[], done: (batch: Batch) => void): void {
  const { self } = scraping;
  const nodePoints = new Map<string, Point>();
  const podPoints = new Map<string, PodPoints>();
  let left = nodes.length;
  if (left === 0) done({ nodes: nodePoints, pods: podPoints });
  const spreadMs = Math.min(spreadPerNodeMs * nodes.length, largestSpreadMs);
  for (const node of nodes) {
    self.startThread(function* () {
      yield* self.sleep(self.random.below(spreadMs));
      const batch = yield* scrapeOrComplain(scraping, node);
      for (const [name, point] of batch?.nodes ?? []) nodePoints.set(name, point);
      for (const [key, points] of batch?.pods ?? []) podPoints.set(key, points);
      left -= 1;
      if (left === 0) done({ nodes: nodePoints, pods: podPoints });
    });
  }
}

function* scrapeOrComplain(scraping: Scraping, node: Stored<Node>): Sys<Batch | undefined> {
  const { self, flags } = scraping;
  try {
    return yield* scrape(scraping, node);
  } catch (error) {
    if (!(error instanceof ScrapeError || error instanceof SysError)) throw error;
    // Of a node that is not ready nothing else is expected.
    const isReady = node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
    const { message } = error;
    const isLate = message.endsWith("context deadline exceeded");
    const what = isLate ? "Failed to scrape node, timeout to access kubelet" : "Failed to scrape node";
    const timeout = isLate ? ` timeout=${JSON.stringify(formatGoDuration(flags.requestTimeoutMs))}` : "";
    const text = `${JSON.stringify(what)} err=${JSON.stringify(message)} node=${JSON.stringify(node.metadata.name)}${timeout}`;
    if (isReady) klogLater(self, "E", isLate ? "scraper.go:147" : "scraper.go:149", text);
    return undefined;
  }
}

function addressOf({ status }: Stored<Node>, types: readonly string[]): string {
  for (const wanted of types) {
    const found = status?.addresses?.find(({ type }) => type === wanted);
    if (found !== undefined) return found.address;
  }
  throw new ScrapeError(`no address matched types [${types.join(" ")}]`);
}

/** Throws ScrapeError, and SysError for a token that cannot be read. */
function* scrape({ self, flags, token }: Scraping, node: Stored<Node>): Sys<Batch> {
  const host = addressOf(node, flags.addressTypes);
  const statusPort = flags.useNodeStatusPort ? node.status?.daemonEndpoints?.kubeletEndpoint?.Port : undefined;
  const port = statusPort || flags.kubeletPort;
  const authority = `${host}:${port}`;
  const startMs = self.nowMs;
  const request = {
    method: "GET",
    target: path,
    headers: { host: authority, "user-agent": "metrics-server/v0.8.0 (linux/amd64)", authorization: token.header },
    body: noBytes,
    port,
    tls: tlsOf(self, flags, host),
    timeoutMs: flags.requestTimeoutMs,
  };
  try {
    const address = /^[\d.]+$/.test(host) ? host : yield* lookUp(self, host);
    const { status, fd, unwritten } = yield* self.http({ ...request, address });
    if (status === 200 && unwritten instanceof ResourceMetrics) {
      self.close(fd);
      return pointsOf(unwritten.usage, node.metadata.name);
    }
    const text = yield* readAll(self, fd);
    if (status === 401) token.refused(startMs);
    if (status !== 200) throw new ScrapeError(`request failed, status: "${status} ${reasonPhrase(status) ?? ""}"`);
    return readPoints(text, node.metadata.name, startMs);
  } catch (error) {
    throw new ScrapeError(`Get "https://${authority}${path}": ${causeOf(error, authority)}`);
  }
}

/** Throws LookupError in the words of Go's resolver. */
function* lookUp(self: Process, host: string): Sys<string> {
  const server = /^nameserver\s+(\S+)/m.exec(self.readText("/etc/resolv.conf"))?.[1] ?? "127.0.0.1";
  const failure = (cause: string) => new LookupError(`dial tcp: lookup ${host} on ${server}:53: ${cause}`);
  try {
    const [address] = yield* self.resolve(host);
    if (address !== undefined) return address;
  } catch (error) {
    if (error instanceof SysError && error.code === "EAGAIN") throw failure("server misbehaving");
    throw error;
  }
  throw failure("no such host");
}

/** Throws what is no failure of the network. */
function causeOf(error: unknown, authority: string): string {
  if (error instanceof LookupError) return error.message;
  if (error instanceof TlsError) return dialFailure(authority, { tls: error.message });
  if (!(error instanceof SysError)) throw error;
  return error.code === "ETIMEDOUT" ? "context deadline exceeded" : dialFailure(authority, error.code);
}

function tlsOf(self: Process, { insecureTls }: Flags, serverName: string): TlsClient {
  if (insecureTls) return { serverName };
  return { serverName, authorities: readCertificates(self.readText(`${accountDirectory}/ca.crt`)) };
}

function* readAll(self: Process, fd: number): Sys<string> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const part = yield* self.read(fd);
    if (part.length === 0) break;
    parts.push(part);
  }
  self.close(fd);
  return decodeUtf8(concatBytes(parts));
}
