// How a running nginx answers: files, redirects, fixed texts and proxied requests, with its logs.

import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, concatBytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { BodyWriter, HttpHandler, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { commonLogDate, httpDate } from "../http-dates.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import type { Location, ServerBlock } from "./configuration.ts";
import type { ErrorLog } from "./error-log.ts";
import { errorPage } from "./pages.ts";
import { type Asked, loggedLine, type Reply, withVariables } from "./variables.ts";

const contentTypes: { readonly [extension: string]: string } = {
  css: "text/css",
  gif: "image/gif",
  htm: "text/html",
  html: "text/html",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "application/javascript",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  xml: "text/xml",
};

interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Bytes;
}

interface CachedFile {
  readonly modifiedMs: number;
  readonly inode: number;
  readonly answer: Answer;
}

/** A request with what the configuration has for it. */
interface Call {
  readonly server: ServerBlock;
  readonly location: Location;
  /** Decoded, without the query. */
  readonly path: string;
  readonly request: HttpRequest;
  readonly peer: HttpPeer;
  readonly responder: HttpResponder;
}

/** Answers that are not finished: a server that ends gracefully waits for them. */
export interface OpenWork {
  answers: number;
}

/** In memory that all workers of a master share. */
export interface SharedCounts {
  requests: number;
}

export interface ServerParts {
  /** `1.27.5` */
  readonly version: string;
  readonly log: ErrorLog;
  /** Its descriptor. */
  readonly accessLog: number;
  readonly counts: SharedCounts;
  readonly work: OpenWork;
}

export class NginxServer {
  readonly #self: Process;
  readonly #product: string;
  readonly #work: OpenWork;
  readonly #log: ErrorLog;
  readonly #accessLog: number;
  readonly #counts: SharedCounts;
  #errorPages: Map<number, Bytes> | undefined;
  #files: Map<string, CachedFile> | undefined;

  constructor(self: Process, { version, log, accessLog, counts, work }: ServerParts) {
    this.#self = self;
    this.#product = `nginx/${version}`;
    this.#log = log;
    this.#accessLog = accessLog;
    this.#counts = counts;
    this.#work = work;
  }

  /** The handler of one port; `servers` are those that listen there, `isSecure` with TLS. */
  handlerFor(servers: readonly ServerBlock[], isSecure: boolean): HttpHandler {
    return (request, peer, responder) => {
      this.#counts.requests += 1;
      if (isSecure && !peer.secure) {
        const server = servers[0] as ServerBlock;
        this.#send(this.#plainToSecure(), { server, location: server.fallback, path: request.target, request, peer, responder });
        return;
      }
      const server = pickServer(servers, request.headers["host"]);
      const query = request.target.indexOf("?");
      const path = decodePath(query < 0 ? request.target : request.target.slice(0, query));
      this.#serve({ server, location: pickLocation(server, path), path, request, peer, responder });
    };
  }

  #serve(call: Call): void {
    const { location, request } = call;
    if (location.returns !== undefined) {
      const { status, text } = location.returns;
      const shown = text.includes("$") ? withVariables(text, this.#asked(call)) : text;
      this.#send(this.#returned({ status, text: shown }, call), call);
    } else if (location.proxyPass !== undefined) this.#proxy(location.proxyPass, call);
    else if (location.stubStatus) this.#send(this.#status(), call);
    else if (request.method !== "GET" && request.method !== "HEAD") this.#send(this.#error(405), call);
    else this.#send(this.#file(call), call);
  }

  #returned({ status, text }: { readonly status: number; readonly text: string }, call: Call): Answer {
    const { location } = call;
    if (status >= 300 && status < 400 && status !== 304) return this.#redirected(status, text, call);
    if (text === "" && status >= 400) return this.#error(status);
    return { status, headers: { "content-type": location.defaultType }, body: encodeUtf8(text) };
  }

  /**
   * A path becomes a whole URL, with the port that is listened on and not the one that was asked (absolute_redirect and port_in_redirect,
   * where nothing else is said).
   */
  #redirected(status: number, target: string, call: Call): Answer {
    const { secure, local } = call.peer;
    const port = local.port === (secure ? 443 : 80) ? "" : `:${local.port}`;
    const origin = `${secure ? "https" : "http"}://${withVariables("$host", this.#asked(call))}${port}`;
    const location = target.startsWith("/") ? `${origin}${target}` : target;
    return { ...this.#error(status), headers: { "content-type": "text/html", location } };
  }

  #status(): Answer {
    const n = this.#counts.requests;
    const text = `Active connections: 1 \nserver accepts handled requests\n ${n} ${n} ${n} \nReading: 0 Writing: 1 Waiting: 0 \n`;
    return { status: 200, headers: { "content-type": "text/plain" }, body: encodeUtf8(text) };
  }

  #error(status: number): Answer {
    let body = this.#errorPages?.get(status);
    if (body === undefined) {
      body = encodeUtf8(errorPage(status, this.#product));
      this.#errorPages ??= new Map();
      this.#errorPages.set(status, body);
    }
    return { status, headers: { "content-type": "text/html" }, body };
  }

  #plainToSecure(): Answer {
    const body = encodeUtf8(errorPage(400, this.#product, "The plain HTTP request was sent to HTTPS port"));
    return { status: 400, headers: { "content-type": "text/html", connection: "close" }, body };
  }

  #file(call: Call): Answer {
    const { location, path } = call;
    const where = (uri: string) =>
      location.alias === undefined ? `${location.root}${uri}` : `${location.alias}${uri.slice(location.prefix.length)}`;
    const tries = location.tryFiles;
    if (tries === undefined) return this.#fileAt(where(path), path, call);
    for (const [index, attempt] of tries.entries()) {
      const uri = attempt.replaceAll("$uri", path);
      if (index < tries.length - 1) {
        const found = this.#read(where(uri.replace(/\/$/, "")), location);
        if (found !== undefined && !uri.endsWith("/")) return found;
        if (uri.endsWith("/") && this.#isDirectory(where(uri))) return this.#fileAt(where(uri), uri, call);
      } else if (attempt.startsWith("=")) return this.#error(Number(attempt.slice(1)));
      else return this.#fileAt(where(uri), uri, call);
    }
    return this.#error(404);
  }

  #fileAt(file: string, uri: string, call: Call): Answer {
    const { location } = call;
    if (file.endsWith("/")) {
      for (const index of location.indexes) {
        const found = this.#read(`${file}${index}`, location);
        if (found !== undefined) return found;
      }
      if (!this.#isDirectory(file)) {
        const first = `${file}${location.indexes[0] ?? ""}`;
        this.#complain(`"${first}" is not found (2: No such file or directory)`, call);
        return this.#error(404);
      }
      if (location.autoindex) return this.#listing(file, uri);
      this.#complain(`directory index of "${file}" is forbidden`, call);
      return this.#error(403);
    }
    const found = this.#read(file, location);
    if (found !== undefined) return found;
    if (this.#isDirectory(file)) return this.#redirected(301, `${uri}/`, call);
    this.#complain(`open() "${file}" failed (2: No such file or directory)`, call);
    return this.#error(404);
  }

  #listing(directory: string, uri: string): Answer {
    const names = this.#self.readdir(directory);
    const lines = names.map((name) => `<a href="${name}">${name}</a>`);
    const title = `Index of ${uri}`;
    const text = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<h1>${title}</h1><hr><pre><a href="../">../</a>\r\n${lines.join("\r\n")}\r\n</pre><hr></body>\r\n</html>\r\n`;
    return { status: 200, headers: { "content-type": "text/html" }, body: encodeUtf8(text) };
  }

  #isDirectory(path: string): boolean {
    try {
      return this.#self.stat(path).type === "directory";
    } catch (error) {
      if (error instanceof SysError) return false;
      throw error;
    }
  }

  /** Undefined when it is not there, or not a file. */
  #read(path: string, location: Location): Answer | undefined {
    try {
      const { type, modifiedMs, sizeBytes, inode } = this.#self.stat(path);
      if (type !== "file") return undefined;
      const cached = this.#files?.get(path);
      if (
        cached !== undefined &&
        cached.modifiedMs === modifiedMs &&
        cached.inode === inode &&
        cached.answer.body.length === sizeBytes
      ) {
        return cached.answer;
      }
      const extension = asciiLowerCase(path.slice(path.lastIndexOf(".") + 1));
      const answer: Answer = {
        status: 200,
        headers: {
          "content-type": contentTypes[extension] ?? location.defaultType,
          "last-modified": httpDate(modifiedMs),
          etag: `"${Math.floor(modifiedMs / 1000).toString(16)}-${sizeBytes.toString(16)}"`,
          "accept-ranges": "bytes",
        },
        body: this.#self.readFile(path),
      };
      this.#files ??= new Map();
      this.#files.set(path, { modifiedMs, inode, answer });
      return answer;
    } catch (error) {
      if (error instanceof SysError) return undefined;
      throw error;
    }
  }

  #proxy(target: string, call: Call): void {
    this.#work.answers += 1;
    this.#self.startThread(() => this.#proxied(target, call));
  }

  *#proxied(target: string, call: Call): Sys<void> {
    const answer = yield* this.#forward(target, call);
    this.#work.answers -= 1;
    this.#send(answer ?? this.#error(502), call);
  }

  *#forward(target: string, { location, request }: Call): Sys<Answer | undefined> {
    const match = /^http(s?):\/\/([^/:]+)(?::(\d+))?(\/.*)?$/.exec(target);
    if (match === null) return undefined;
    const [, secure, host = "", givenPort, path] = match;
    const usualPort = secure === "" ? "80" : "443";
    const port = givenPort ?? usualPort;
    // It asks for the certificate and verifies nothing (proxy_ssl_verify is off).
    const tls = secure === "" ? {} : { tls: { serverName: host } };
    try {
      const [address] = /^[\d.]+$/.test(host) ? [host] : yield* this.#self.resolve(host);
      if (address === undefined) return undefined;
      const rest = path === undefined ? request.target : `${path}${request.target.slice(location.prefix.length)}`;
      const headers = { ...request.headers, host: `${host}${port === usualPort ? "" : `:${port}`}`, connection: "close" };
      const to = { address, port: Number(port), timeoutMs: 60_000, ...tls };
      const reply = yield* this.#self.http({ ...request, target: rest, headers, ...to });
      const pieces: Bytes[] = [];
      for (let piece = yield* this.#self.read(reply.fd); piece.length > 0; piece = yield* this.#self.read(reply.fd))
        pieces.push(piece);
      this.#self.close(reply.fd);
      const { server: _server, date: _date, connection: _connection, ...kept } = reply.headers;
      return { status: reply.status, headers: kept, body: concatBytes(pieces) };
    } catch (error) {
      if (error instanceof SysError) return undefined;
      throw error;
    }
  }

  #asked({ server, location, path, request, peer }: Call, reply?: Reply): Asked {
    const { hostname, nowMs } = this.#self;
    const version = this.#product.slice("nginx/".length);
    const serverName = server.names[0] ?? "";
    return { request, peer, hostname, nowMs, version, serverName, documentRoot: location.root, path, reply };
  }

  #send(answer: Answer, call: Call): void {
    const { location, request, responder } = call;
    const { nowMs } = this.#self;
    const headers: { [name: string]: string } = {
      server: this.#product,
      date: httpDate(nowMs),
      connection: request.headers["connection"] === "close" ? "close" : "keep-alive",
      ...answer.headers,
    };
    for (const [name, value] of location.headers) {
      if (answer.status >= 400) continue;
      headers[asciiLowerCase(name)] = value.includes("$") ? withVariables(value, this.#asked(call)) : value;
    }
    const log = (bodyBytes: number) => this.#logAccess(answer.status, bodyBytes, call);
    if (request.method === "HEAD" || location.bytesPerSecond === 0 || answer.body.length <= location.bytesPerSecond) {
      responder.reply(answer.status, headers, request.method === "HEAD" ? noBytes : answer.body);
      log(request.method === "HEAD" ? 0 : answer.body.length);
      return;
    }
    const writer = responder.stream(answer.status, { ...headers, "content-length": String(answer.body.length) });
    this.#work.answers += 1;
    this.#self.startThread(() => this.#sendSlowly(writer, answer.body, location.bytesPerSecond, log));
  }

  /** `limit_rate`: so many bytes at once, and as many each second (ngx_http_write_filter). */
  *#sendSlowly(writer: BodyWriter, body: Bytes, bytesPerSecond: number, log: (sentBytes: number) => void): Sys<void> {
    let isLeft = false;
    writer.onClose = () => {
      isLeft = true;
    };
    let sent = 0;
    while (sent < body.length && !isLeft) {
      if (sent > 0) yield* this.#second();
      writer.write(body.subarray(sent, sent + bytesPerSecond));
      sent = Math.min(body.length, sent + bytesPerSecond);
    }
    writer.end();
    this.#work.answers -= 1;
    log(sent);
  }

  *#second(): Sys<void> {
    try {
      yield* this.#self.sleep(1000);
    } catch (error) {
      // The signal is the main thread's to take.
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
    }
  }

  #logAccess(status: number, sent: number, call: Call): void {
    const { location, request, peer } = call;
    const { nowMs } = this.#self;
    const { referer = "-", "user-agent": agent = "-", "x-forwarded-for": forwarded = "-" } = request.headers;
    if (location.log === false) return;
    const usual = `${peer.address.address} - - [${commonLogDate(nowMs)}] "${request.method} ${request.target} HTTP/1.1" ${status} ${sent} "${referer}" "${agent}" "${forwarded}"\n`;
    const reply = { status, bodyBytes: sent };
    const line = location.log === undefined ? usual : `${loggedLine(location.log, this.#asked(call, reply))}\n`;
    writeWithoutWaiting(this.#self, this.#accessLog, line);
  }

  #complain(message: string, { server, request, peer }: Call): void {
    const { method, target, headers } = request;
    const name = server.names[0] ?? "";
    const asked = `request: "${method} ${target} HTTP/1.1", host: "${headers["host"] ?? ""}"`;
    const where = `client: ${peer.address.address}, server: ${name}`;
    this.#log.write("error", `*${this.#counts.requests} ${message}, ${where}, ${asked}`);
  }
}

function decodePath(path: string): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A malformed escape stays as it is.
  }
  if (!decoded.includes("..")) return decoded;
  const parts: string[] = [];
  for (const part of decoded.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/").replace(/^(?!\/)/, "/");
}

function pickServer(servers: readonly ServerBlock[], host: string | undefined): ServerBlock {
  const name = (host ?? "").replace(/:\d+$/, "");
  return (servers.length === 1 ? undefined : servers.find((server) => server.names.includes(name))) ?? (servers[0] as ServerBlock);
}

function pickLocation(server: ServerBlock, path: string): Location {
  for (const location of server.locations) {
    if (location.exact ? path === location.prefix : (location.pattern?.test(path) ?? path.startsWith(location.prefix)))
      return location;
  }
  return server.fallback;
}
