// Requests that go on to another server, and its answers that come back: headers, streams, upgraded connections, links and
// redirects to the backend's own paths (apimachinery's pkg/util/proxy).

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { BodyWriter, HttpExchange, HttpHeaders, HttpResponder } from "#sim/http.ts";
import type { ByteStream, Endpoint } from "#sim/net.ts";

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

/** The headers that another server may see. */
export function passable(headers: HttpHeaders, isUpgrade: boolean): { [name: string]: string } {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers)) {
    if (notPassedOn.has(name) || name.startsWith("impersonate-") || (name === "upgrade" && !isUpgrade)) continue;
    result[name] = value;
  }
  if (isUpgrade) result["connection"] = "Upgrade";
  return result;
}

/** The client's headers as the next server gets them: who it was, and by which number its request is told in both audit logs. */
export function forwardedHeaders({ request, headers, clientAddress }: ForwardedCall): HttpHeaders {
  const { "x-forwarded-for": before } = request.headers;
  return {
    ...request.headers,
    "audit-id": headers["audit-id"] ?? "",
    "x-forwarded-for": before === undefined ? clientAddress : `${before}, ${clientAddress}`,
  };
}

interface ForwardedCall {
  readonly request: { readonly headers: HttpHeaders };
  /** Of every reply. */
  readonly headers: HttpHeaders;
  readonly clientAddress: string;
}

/** A client that waits, and the headers of every reply to it. */
interface WaitingClient {
  readonly responder: HttpResponder;
  readonly headers: HttpHeaders;
}

/** The answer of the server behind, to the client; `links` leads its pages' links through the proxy. */
export function passBack(client: WaitingClient, exchange: HttpExchange, links: Links): void {
  const { responder } = client;
  const { status, upgraded } = exchange;
  const headers: { [name: string]: string } = { ...client.headers, ...passable(exchange.headers, status === 101) };
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
export class Links {
  readonly #hosts: ReadonlySet<string>;
  readonly #prefix: string;

  constructor(target: Endpoint, askedHost: string, prefix: string) {
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
