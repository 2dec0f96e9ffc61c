// HTTP to the API server: addresses, credentials, Status errors, warnings.

import { formatGoDuration } from "#cluster/api/duration.ts";
import { ApiError, type StatusReason } from "#cluster/api/errors.ts";
import type { Status } from "#cluster/api/generated/types.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { type HttpHeaders, type HttpReply, joinedHeader } from "#sim/http.ts";
import type { TlsClient } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import { readPrivateKey } from "#x509/keys.ts";
import { askWho, isNobody } from "../config/asking.ts";
import type { ServerSettings } from "../config/effective.ts";
import type { ProxyAddress } from "../config/proxy-url.ts";
import { isObject, textAt, valueAt, writeJson } from "../documents.ts";
import { ConnectionError, KubectlError } from "../errors.ts";
import type { RequestLog } from "./request-log.ts";

export type Query = { readonly [name: string]: string | number | boolean | undefined };

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Query;
  readonly body?: JsonValue | string | Bytes;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: HttpHeaders;
  /** Not below the path that the server's address has. */
  readonly atRoot?: boolean;
  /** How long it may take where --request-timeout does not say. */
  readonly timeoutMs?: number;
}

export const tableAccept =
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

const reasonOf: { readonly [code: number]: readonly [StatusReason, string] } = {
  400: ["BadRequest", "the server rejected our request for an unknown reason"],
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  403: ["Forbidden", "the server does not allow access to the requested resource"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  406: ["NotAcceptable", "the server was unable to respond with a content type that the client supports"],
  409: ["Conflict", "the server reported a conflict"],
  415: ["UnsupportedMediaType", "the body of the request was in an unknown format"],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: ["Timeout", "the server was unable to return a response in the time allotted, but may still be processing the request"],
};

/** `get deployments.apps web`: what a request was about; "" for paths that are no resources. */
function subjectOf({ method, path }: RestRequest): string {
  const parts = /^\/(?:api\/[^/]+|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)(?:\/([^/]+))?/.exec(path);
  if (parts === null) return "";
  const [, group, plural = "", name] = parts;
  return `${asciiLowerCase(method)} ${group === undefined ? plural : `${plural}.${group}`}${name === undefined ? "" : ` ${name}`}`;
}

/** The refusal that a reply carries. */
export function refusalOf(status: number, text: string, request?: RestRequest): ApiError {
  if (text.startsWith("{")) {
    try {
      const body: unknown = JSON.parse(text);
      if (isObject(body) && body["kind"] === "Status") return new ApiError(body as Status);
    } catch {
      // Not JSON: described below.
    }
  }
  const [reason, message] = reasonOf[status] ?? [
    "InternalError",
    `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
  ];
  const about = request === undefined ? "" : subjectOf(request);
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: about === "" ? message : `${message} (${about})`,
    reason,
    code: status,
  });
}

/** A key as part of a header's name: what may not stand there as %XX, and % itself. */
function escapedKey(key: string): string {
  return key.replace(/[^\w!#$&'*+.^`|~-]/gu, (character) =>
    [...encodeUtf8(character)].map((byte) => `%${asciiUpperCase(byte.toString(16)).padStart(2, "0")}`).join(""),
  );
}

function queryText(query: Query | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== "");
  if (pairs.length === 0) return "";
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
  return `?${pairs
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join("&")}`;
}

function bytesOf(body: RestRequest["body"]): Bytes {
  if (body === undefined) return noBytes;
  if (body instanceof Uint8Array) return body;
  return encodeUtf8(typeof body === "string" ? body : writeJson(body));
}

const networkTexts: { readonly [code: string]: string } = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "i/o timeout",
  ECONNRESET: "read: connection reset by peer",
};

const writingPlaces: { readonly [method: string]: string } = {
  POST: "helper.go:246",
  PATCH: "helper.go:269",
  PUT: "helper.go:319",
  DELETE: "helper.go:202",
};

const discoveryPlaces: { readonly [path: string]: number } = { "/api": 255, "/apis": 318, "/version": 667 };

/** Which line of upstream logs a request's bodies: those of cli-runtime's helper, and of the discovery client. */
function bodyPlace(request: RestRequest): string {
  const subject = subjectOf(request);
  if (subject === "") return `discovery_client.go:${discoveryPlaces[request.path] ?? 413}`;
  return writingPlaces[request.method] ?? (subject.split(" ").length > 2 ? "helper.go:105" : "helper.go:113");
}

export class RestClient {
  readonly self: Process;
  readonly server: ServerSettings;
  readonly #warned = new Set<string>();
  readonly #log: RequestLog;
  #address: string | undefined;
  /** What was asked for where the configuration names nobody. */
  #asked: { readonly username: string; readonly password: string } | undefined;

  constructor(self: Process, server: ServerSettings, log: RequestLog) {
    this.self = self;
    this.server = server;
    this.#log = log;
  }

  /** `host:port`, or the host alone on the scheme's own port. */
  get hostText(): string {
    const { host, port, scheme } = this.server;
    return port === (scheme === "https" ? 443 : 80) ? host : `${host}:${port}`;
  }

  /** The number of distinct warnings the server sent. */
  get warnings(): number {
    return this.#warned.size;
  }

  url(path: string, query?: Query): string {
    return `${this.server.scheme}://${this.hostText}${this.server.pathPrefix}${path}${queryText(query)}`;
  }

  *#resolve(): Sys<string> {
    this.#address ??= yield* this.#lookUp(this.server.host, "");
    return this.#address;
  }

  /** `prefix`: what is tried, before the words of the failure. */
  *#lookUp(host: string, prefix: string): Sys<string> {
    const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
    let found: readonly string[] = isAddress ? [host] : ["127.0.0.1"];
    try {
      if (!isAddress && host !== "localhost") found = yield* this.self.resolve(host);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ConnectionError(this.hostText, `${prefix}dial tcp: lookup ${host}: Temporary failure in name resolution`, false);
    }
    const [address] = found;
    if (address === undefined) throw new ConnectionError(this.hostText, `${prefix}dial tcp: lookup ${host}: no such host`, false);
    return address;
  }

  /** Words a connection that could not be made. */
  #dialError(error: SysError, address: string, port: number, prefix: string): ConnectionError {
    const text = `${prefix}dial tcp ${address}:${port}: ${networkTexts[error.code] ?? asciiLowerCase(error.message)}`;
    return new ConnectionError(this.hostText, text, error.code === "ECONNREFUSED");
  }

  /** Reaches the proxy; what would have to be said through it is not part of this release. */
  *#meetProxy({ host, port }: ProxyAddress): Sys<never> {
    const prefix = "proxyconnect tcp: ";
    const address = yield* this.#lookUp(host, prefix);
    try {
      this.self.close(yield* this.self.connect({ address, port }));
    } catch (error) {
      if (!(error instanceof SysError) || error.code === "EINTR") throw error;
      throw this.#dialError(error, address, port, prefix);
    }
    throw new KubectlError("requests through a proxy are not part of this release of the embedded kubectl");
  }

  #tls(): TlsClient | undefined {
    const { server } = this;
    if (server.scheme === "http") return undefined;
    const { clientCertificate, clientKey } = server.credentials;
    const [certificate] = readCertificates(clientCertificate);
    if (certificate === undefined && clientCertificate !== "")
      throw new KubectlError("tls: failed to find any PEM data in certificate input");
    if (certificate !== undefined && readPrivateKey(clientKey)?.modulus !== certificate.publicKey.rsa?.modulus)
      throw new KubectlError("tls: private key does not match public key");
    return {
      serverName: server.serverName,
      ...(certificate === undefined ? {} : { certificate }),
      ...(server.insecure ? {} : { authorities: readCertificates(server.authority) }),
    };
  }

  #headers(request: RestRequest): HttpHeaders {
    const { impersonate } = this.server;
    const credentials = { ...this.server.credentials, ...this.#asked };
    const headers: { [name: string]: string } = {
      host: this.hostText,
      "user-agent": "kubectl/v1.36.3 (linux/amd64) kubernetes/$Format",
      accept: request.accept ?? "application/json, */*",
      ...request.headers,
    };
    if (credentials.token !== "") headers["authorization"] = `Bearer ${credentials.token}`;
    else if (credentials.username !== "") {
      headers["authorization"] = `Basic ${encodeBase64(`${credentials.username}:${credentials.password}`)}`;
    }
    if (impersonate.user !== "") headers["impersonate-user"] = impersonate.user;
    if (impersonate.uid !== "") headers["impersonate-uid"] = impersonate.uid;
    if (impersonate.groups.length > 0) headers["impersonate-group"] = joinedHeader("impersonate-group", impersonate.groups);
    for (const pair of impersonate.extra) {
      const equals = pair.indexOf("=");
      const name = `impersonate-extra-${asciiLowerCase(escapedKey(pair.slice(0, equals)))}`;
      const before = headers[name];
      headers[name] = joinedHeader(name, [...(before === undefined ? [] : [before]), pair.slice(equals + 1)]);
    }
    if (request.body !== undefined) headers["content-type"] = request.contentType ?? "application/json";
    return headers;
  }

  /** Sends and returns the reply with its body still to be read; close its descriptor. Throws ConnectionError. */
  *open(request: RestRequest): Sys<HttpReply> {
    if (this.#asked === undefined && isNobody(this.server)) this.#asked = yield* askWho(this.self);
    if (this.server.proxy !== undefined) yield* this.#meetProxy(this.server.proxy);
    const headers = this.#headers(request);
    const target = this.#target(request);
    const logged = { verb: request.method, url: `${this.server.scheme}://${this.hostText}${target}`, headers };
    yield* this.#log.request(logged);
    const startMs = this.self.nowMs;
    try {
      const reply = yield* this.#exchange(request, target, headers);
      yield* this.#log.response(logged, reply, this.self.nowMs - startMs);
      yield* this.#printWarnings(reply.headers["warning"]);
      return reply;
    } catch (error) {
      if (error instanceof ConnectionError) yield* this.#log.response(logged, undefined, this.self.nowMs - startMs);
      throw error;
    }
  }

  /** Zero: without end. */
  #timeoutOf(request: RestRequest): number {
    return this.server.timeoutMs || (request.timeoutMs ?? 0);
  }

  /** Path and query; the server is told how long it has. */
  #target(request: RestRequest): string {
    const timeoutMs = this.#timeoutOf(request);
    const text = queryText(timeoutMs === 0 ? request.query : { ...request.query, timeout: formatGoDuration(timeoutMs) });
    const prefix = request.atRoot === true ? "" : this.server.pathPrefix;
    return `${prefix}${request.path}${request.path.includes("?") ? text.replace("?", "&") : text}`;
  }

  *#exchange(request: RestRequest, target: string, headers: HttpHeaders): Sys<HttpReply> {
    const { server } = this;
    const address = yield* this.#resolve();
    const dial = { host: address === server.host ? "" : server.host, address, port: server.port };
    const tls = this.#tls();
    const timeoutMs = this.#timeoutOf(request);
    try {
      const reply = yield* this.self.http({
        method: request.method,
        target,
        headers,
        body: bytesOf(request.body),
        address,
        port: server.port,
        ...(tls === undefined ? {} : { tls }),
        ...(timeoutMs === 0 ? {} : { timeoutMs }),
      });
      yield* this.#log.dialed(dial);
      return reply;
    } catch (error) {
      if (error instanceof TlsError) {
        const prefix = error.message.startsWith("x509") ? "tls: failed to verify certificate: " : "";
        throw new ConnectionError(this.hostText, `${prefix}${error.message}`, false);
      }
      if (!(error instanceof SysError) || error.code === "EINTR") throw error;
      const failure = this.#dialError(error, address, server.port, "");
      yield* this.#log.dialed(dial, failure.message);
      throw failure;
    }
  }

  *#printWarnings(header: string | undefined): Sys<void> {
    if (header === undefined) return;
    for (const match of header.matchAll(/(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"/g)) {
      const text = (match[3] as string).replace(/\\(.)/g, "$1");
      if (match[1] !== "299" || text === "" || this.#warned.has(text)) continue;
      this.#warned.add(text);
      yield* this.self.write(2, `${this.warningLabel()} ${text}\n`);
    }
  }

  /** `Warning:`, in yellow on a terminal that shows colours. */
  warningLabel(): string {
    const plain = !this.self.isTty(2) || this.self.env.has("NO_COLOR") || this.self.env.get("TERM") === "dumb";
    return plain ? "Warning:" : "\u001b[33;1mWarning:\u001b[0m";
  }

  /** The whole body of a reply; closes it. */
  *readBody(reply: HttpReply): Sys<Bytes> {
    const parts: Bytes[] = [];
    try {
      for (;;) {
        const part = yield* this.self.read(reply.fd);
        if (part.length === 0) break;
        parts.push(part);
      }
    } finally {
      this.self.close(reply.fd);
    }
    return concatBytes(parts);
  }

  /** The body's text; throws ApiError for a refusal. */
  *text(request: RestRequest): Sys<string> {
    yield* this.#log.body(bodyPlace(request), "Request Body", bytesOf(request.body));
    const reply = yield* this.open(request);
    const body = yield* this.readBody(reply);
    yield* this.#log.body(bodyPlace(request), "Response Body", body);
    const text = decodeUtf8(body);
    if (reply.status < 200 || reply.status > 299) throw refusalOf(reply.status, text, request);
    return text;
  }

  /** The body as JSON; throws ApiError for a refusal. */
  *json(request: RestRequest): Sys<JsonValue> {
    const accept = request.accept ?? (subjectOf(request) === "" ? undefined : "application/json");
    return readJson(yield* this.text({ ...request, ...(accept === undefined ? {} : { accept }) }));
  }

  /**
   * A watch: hands over each event's type and object until `onEvent` answers false, the server ends the stream, or `deadlineMs`
   * (a point in time) comes. Throws ApiError for a refusal.
   */
  *watch(
    request: RestRequest,
    onEvent: (type: string, object: JsonValue) => Sys<boolean>,
    deadlineMs?: number,
  ): Sys<"ended" | "stopped" | "timeout"> {
    // --request-timeout ends a watch, too: quietly, as a server's own end does.
    const timeoutMs = this.#timeoutOf(request);
    const endMs = timeoutMs === 0 ? deadlineMs : Math.min(deadlineMs ?? Number.POSITIVE_INFINITY, this.self.nowMs + timeoutMs);
    const reply = yield* this.open(request);
    if (reply.status !== 200) throw refusalOf(reply.status, decodeUtf8(yield* this.readBody(reply)));
    const decoder = new TextDecoder();
    let held = "";
    try {
      for (;;) {
        if (endMs !== undefined) {
          const ready = yield* this.self.poll([reply.fd], Math.max(0, endMs - this.self.nowMs));
          if (ready.length === 0) return "timeout";
        }
        const part = yield* this.self.read(reply.fd);
        if (part.length === 0) return "ended";
        held += decoder.decode(part, { stream: true });
        for (let newline = held.indexOf("\n"); newline >= 0; newline = held.indexOf("\n")) {
          const line = held.slice(0, newline);
          held = held.slice(newline + 1);
          if (line.trim() === "") continue;
          const event = readJson(line);
          const object = valueAt(event, "object") ?? null;
          if (!(yield* onEvent(textAt(event, "type"), object))) return "stopped";
        }
      }
    } finally {
      this.self.close(reply.fd);
    }
  }
}
