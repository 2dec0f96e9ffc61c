// proxy of pods, services and nodes: passes a request on into the cluster's network and the answer back, with links and
// redirects to the backend's own paths led back through the proxy.

import { internalError } from "#cluster/api/errors.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { Errno } from "#sim/errors.ts";
import type { BodyWriter, HttpExchange, HttpHeaders } from "#sim/http.ts";
import type { ByteStream, TlsFailure } from "#sim/net.ts";
import { dialFailure } from "../dial-failure.ts";
import type { HttpCall } from "../http/call.ts";
import { requestOf } from "../http/request-reading.ts";
import { replyStatus } from "../http/writing.ts";
import { type ProxyTarget, proxyTarget, unavailable } from "./proxy-target.ts";

export function serveProxy(call: HttpCall, definition: ResourceDefinition): void {
  const { server, info, request, responder } = call;
  const target = server.pipeline.run(info.verb, requestOf(call, definition), 200, () => proxyTarget(call, definition.plural));
  const { prefix, path, query } = splitTarget(request.target, definition.namespaced);
  if (path === "" && (request.method === "GET" || request.method === "HEAD")) {
    responder.reply(301, { ...call.headers, location: `${prefix}/${query}` }, noBytes);
    return;
  }
  if (server.network === undefined) throw internalError("the cluster's network cannot be reached");
  const passedOn = {
    method: request.method,
    target: `${path === "" ? "/" : path}${query}`,
    headers: forwardedHeaders(call, target, `${prefix}${path}`),
    body: request.body,
  };
  const tls = target.secure ? { tls: { serverName: target.address } } : {};
  server.network.request(target, passedOn, tls, (result) => {
    if (result.ok) passBack(call, result.exchange, new Links(target, request.headers["host"] ?? "", prefix));
    else replyStatus(call, unavailable(`error trying to reach service: ${dialText(target, result.error)}`));
  });
}

/** `/api/v1/namespaces/NS/pods/NAME/proxy`, then the backend's path as it was sent, then `?…`. */
function splitTarget(target: string, namespaced: boolean) {
  const mark = target.indexOf("?");
  const whole = mark < 0 ? target : target.slice(0, mark);
  const parts = whole.split("/");
  const count = namespaced ? 8 : 6;
  const rest = parts.slice(count);
  return {
    prefix: parts.slice(0, count).join("/"),
    path: rest.length === 0 ? "" : `/${rest.join("/")}`,
    query: mark < 0 ? "" : target.slice(mark),
  };
}

/** Of one connection only, or of the way to the API server. */
const notPassedOn: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
]);

function passable(headers: HttpHeaders, isUpgrade: boolean): { [name: string]: string } {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers)) {
    if (notPassedOn.has(name) || name.startsWith("impersonate-") || (name === "upgrade" && !isUpgrade)) continue;
    result[name] = value;
  }
  if (isUpgrade) result["connection"] = "Upgrade";
  return result;
}

function forwardedHeaders(call: HttpCall, target: ProxyTarget, uri: string): HttpHeaders {
  const { headers } = call.request;
  const { "x-forwarded-for": before } = headers;
  return {
    ...passable(headers, headers["upgrade"] !== undefined),
    host: `${target.address}:${target.port}`,
    "x-forwarded-for": before === undefined ? call.clientAddress : `${before}, ${call.clientAddress}`,
    "x-forwarded-uri": uri,
  };
}

function dialText({ address, port }: ProxyTarget, error: Errno | TlsFailure): string {
  if (typeof error === "string") return dialFailure(`${address}:${port}`, error);
  return error.tls.startsWith("first record") ? "http: server gave HTTP response to HTTPS client" : error.tls;
}

function passBack(call: HttpCall, exchange: HttpExchange, links: Links): void {
  const { responder } = call;
  const { status, upgraded } = exchange;
  const headers: { [name: string]: string } = { ...call.headers, ...passable(exchange.headers, status === 101) };
  if (status === 101 && upgraded !== undefined) {
    join(responder.upgrade(headers), upgraded);
    return;
  }
  const { location, "content-type": type = "", "content-encoding": encoding = "" } = exchange.headers;
  if (location !== undefined) headers["location"] = links.rewrite(location);
  const isPage = location === undefined && type.split(";", 1)[0]?.trim() === "text/html" && encoding === "";
  if (exchange.body !== undefined) {
    responder.reply(status, headers, isPage ? links.rewritePage(exchange.body) : exchange.body);
    return;
  }
  if (isPage) {
    const parts: Bytes[] = [];
    exchange.onData = (bytes) => void parts.push(bytes);
    exchange.onEnd = () => responder.reply(status, headers, links.rewritePage(concatBytes(parts)));
    return;
  }
  const writer: BodyWriter = responder.stream(status, headers);
  exchange.onData = (bytes) => void writer.write(bytes);
  exchange.onEnd = () => writer.end();
  writer.onClose = () => exchange.abort();
}

/** What either side sends reaches the other; the end of one is the end of both. */
function join(client: ByteStream, backend: ByteStream): void {
  const link = (from: ByteStream, to: ByteStream): void => {
    from.onData = (bytes) => {
      if (!to.write(bytes)) from.pause();
    };
    to.onDrain = () => from.resume();
    from.onEnd = () => to.end();
    from.onClose = () => to.destroy();
  };
  link(client, backend);
  link(backend, client);
}

/** Links that lead to the backend's own paths, as its pages and redirects have them. */
class Links {
  readonly #hosts: ReadonlySet<string>;
  readonly #prefix: string;

  constructor(target: ProxyTarget, askedHost: string, prefix: string) {
    this.#hosts = new Set([`${target.address}:${target.port}`, target.address, askedHost]);
    this.#prefix = prefix;
  }

  /** Absolute paths, and addresses of the backend, lead through the proxy; others stay. */
  rewrite(link: string): string {
    const match = /^(?:https?:)?\/\/([^/?#]*)(.*)$/s.exec(link);
    if (match !== null && !this.#hosts.has(match[1] ?? "")) return link;
    const path = match === null ? link : match[2] || "/";
    return !path.startsWith("/") || path.startsWith(this.#prefix) ? path : `${this.#prefix}${path}`;
  }

  rewritePage(page: Bytes): Bytes {
    const text = decodeUtf8(page);
    const attribute = /(<[^>]*?\s(?:href|src|action|formaction|data|poster|cite|background)\s*=\s*)("|')(.*?)\2/gis;
    const changed = text.replace(attribute, (_whole, head: string, quote: string, link: string) => {
      return `${head}${quote}${this.rewrite(link)}${quote}`;
    });
    return changed === text ? page : encodeUtf8(changed);
  }
}
