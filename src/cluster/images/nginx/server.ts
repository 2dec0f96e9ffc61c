// How a running nginx answers: files, redirects, fixed texts and proxied requests, with its logs.

import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, concatBytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { BodyWriter, HttpHandler, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { commonLogDate, httpDate, slashedDate } from "../http-dates.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import type { Location, ServerBlock } from "./configuration.ts";
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

const accessLog = "/var/log/nginx/access.log";
const errorLog = "/var/log/nginx/error.log";
const workerPid = 29;

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

/** Answers that are not finished: a server that ends gracefully waits for them. */
export interface OpenWork {
  answers: number;
}

export class NginxServer {
  readonly #self: Process;
  readonly #product: string;
  readonly #work: OpenWork;
  readonly #errorPages = new Map<number, Bytes>();
  readonly #files = new Map<string, CachedFile>();
  #requests = 0;
  #access: number | undefined;
  #errors: number | undefined;

  /** `version` is `1.27.5`; `work` is shared by all servers of a process. */
  constructor(self: Process, version: string, work: OpenWork) {
    this.#self = self;
    this.#product = `nginx/${version}`;
    this.#work = work;
  }

  /** The handler of one port; `servers` are those that listen there. */
  handlerFor(servers: readonly ServerBlock[]): HttpHandler {
    return (request, peer, responder) => {
      this.#requests += 1;
      const server = pickServer(servers, request.headers["host"]);
      const query = request.target.indexOf("?");
      const path = decodePath(query < 0 ? request.target : request.target.slice(0, query));
      this.#serve(server, pickLocation(server, path), path, request, peer, responder);
    };
  }

  #serve(
    server: ServerBlock,
    location: Location,
    path: string,
    request: HttpRequest,
    peer: HttpPeer,
    responder: HttpResponder,
  ): void {
    const send = (answer: Answer) => this.#send(answer, server, location, path, request, peer, responder);
    if (location.returns !== undefined) {
      const { status, text } = location.returns;
      const shown = text.includes("$") ? withVariables(text, this.#asked(server, location, path, request, peer)) : text;
      send(this.#returned({ status, text: shown }, location));
    } else if (location.proxyPass !== undefined) this.#proxy(location.proxyPass, server, location, path, request, peer, responder);
    else if (location.stubStatus) send(this.#status());
    else if (request.method !== "GET" && request.method !== "HEAD") send(this.#error(405));
    else send(this.#file(server, location, path, request, peer));
  }

  #returned({ status, text }: { readonly status: number; readonly text: string }, location: Location): Answer {
    if (status >= 300 && status < 400 && status !== 304)
      return { ...this.#error(status), headers: { "content-type": "text/html", location: text } };
    if (text === "" && status >= 400) return this.#error(status);
    return { status, headers: { "content-type": location.defaultType }, body: encodeUtf8(text) };
  }

  #status(): Answer {
    const n = this.#requests;
    const text = `Active connections: 1 \nserver accepts handled requests\n ${n} ${n} ${n} \nReading: 0 Writing: 1 Waiting: 0 \n`;
    return { status: 200, headers: { "content-type": "text/plain" }, body: encodeUtf8(text) };
  }

  #error(status: number): Answer {
    let body = this.#errorPages.get(status);
    if (body === undefined) {
      body = encodeUtf8(errorPage(status, this.#product));
      this.#errorPages.set(status, body);
    }
    return { status, headers: { "content-type": "text/html" }, body };
  }

  #file(server: ServerBlock, location: Location, path: string, request: HttpRequest, peer: HttpPeer): Answer {
    const where = (uri: string) =>
      location.alias === undefined ? `${location.root}${uri}` : `${location.alias}${uri.slice(location.prefix.length)}`;
    const tries = location.tryFiles;
    if (tries === undefined) return this.#fileAt(where(path), path, location, server, request, peer);
    for (const [index, attempt] of tries.entries()) {
      const uri = attempt.replaceAll("$uri", path);
      if (index < tries.length - 1) {
        const found = this.#read(where(uri.replace(/\/$/, "")), location);
        if (found !== undefined && !uri.endsWith("/")) return found;
        if (uri.endsWith("/") && this.#isDirectory(where(uri)))
          return this.#fileAt(where(uri), uri, location, server, request, peer);
      } else if (attempt.startsWith("=")) return this.#error(Number(attempt.slice(1)));
      else return this.#fileAt(where(uri), uri, location, server, request, peer);
    }
    return this.#error(404);
  }

  #fileAt(file: string, uri: string, location: Location, server: ServerBlock, request: HttpRequest, peer: HttpPeer): Answer {
    if (file.endsWith("/")) {
      for (const index of location.indexes) {
        const found = this.#read(`${file}${index}`, location);
        if (found !== undefined) return found;
      }
      if (!this.#isDirectory(file)) {
        const first = `${file}${location.indexes[0] ?? ""}`;
        this.#log(`"${first}" is not found (2: No such file or directory)`, server, request, peer);
        return this.#error(404);
      }
      if (location.autoindex) return this.#listing(file, uri);
      this.#log(`directory index of "${file}" is forbidden`, server, request, peer);
      return this.#error(403);
    }
    const found = this.#read(file, location);
    if (found !== undefined) return found;
    if (this.#isDirectory(file)) {
      const host = request.headers["host"] ?? "localhost";
      return { ...this.#error(301), headers: { "content-type": "text/html", location: `http://${host}${uri}/` } };
    }
    this.#log(`open() "${file}" failed (2: No such file or directory)`, server, request, peer);
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
      const cached = this.#files.get(path);
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
      this.#files.set(path, { modifiedMs, inode, answer });
      return answer;
    } catch (error) {
      if (error instanceof SysError) return undefined;
      throw error;
    }
  }

  #proxy(
    target: string,
    server: ServerBlock,
    location: Location,
    path: string,
    request: HttpRequest,
    peer: HttpPeer,
    responder: HttpResponder,
  ): void {
    this.#work.answers += 1;
    this.#self.startThread(() => this.#proxied(target, server, location, path, request, peer, responder));
  }

  *#proxied(
    target: string,
    server: ServerBlock,
    location: Location,
    path: string,
    request: HttpRequest,
    peer: HttpPeer,
    responder: HttpResponder,
  ): Sys<void> {
    const answer = yield* this.#forward(target, location, request);
    this.#work.answers -= 1;
    this.#send(answer ?? this.#error(502), server, location, path, request, peer, responder);
  }

  *#forward(target: string, location: Location, request: HttpRequest): Sys<Answer | undefined> {
    const match = /^https?:\/\/([^/:]+)(?::(\d+))?(\/.*)?$/.exec(target);
    if (match === null) return undefined;
    const [, host = "", port = "80", path] = match;
    try {
      const [address] = /^[\d.]+$/.test(host) ? [host] : yield* this.#self.resolve(host);
      if (address === undefined) return undefined;
      const rest = path === undefined ? request.target : `${path}${request.target.slice(location.prefix.length)}`;
      const headers = { ...request.headers, host: `${host}${port === "80" ? "" : `:${port}`}`, connection: "close" };
      const reply = yield* this.#self.http({ ...request, target: rest, headers, address, port: Number(port), timeoutMs: 60_000 });
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

  #asked(server: ServerBlock, location: Location, path: string, request: HttpRequest, peer: HttpPeer, reply?: Reply): Asked {
    const { hostname, nowMs } = this.#self;
    const version = this.#product.slice("nginx/".length);
    const serverName = server.names[0] ?? "";
    return { request, peer, hostname, nowMs, version, serverName, documentRoot: location.root, path, reply };
  }

  #send(
    answer: Answer,
    server: ServerBlock,
    location: Location,
    path: string,
    request: HttpRequest,
    peer: HttpPeer,
    responder: HttpResponder,
  ): void {
    const { nowMs } = this.#self;
    const headers: { [name: string]: string } = {
      server: this.#product,
      date: httpDate(nowMs),
      ...answer.headers,
      connection: request.headers["connection"] === "close" ? "close" : "keep-alive",
    };
    for (const [name, value] of location.headers) {
      if (answer.status >= 400) continue;
      headers[asciiLowerCase(name)] = value.includes("$")
        ? withVariables(value, this.#asked(server, location, path, request, peer))
        : value;
    }
    const log = (bodyBytes: number) => this.#logAccess(answer.status, bodyBytes, server, location, path, request, peer);
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

  #logAccess(
    status: number,
    sent: number,
    server: ServerBlock,
    location: Location,
    path: string,
    request: HttpRequest,
    peer: HttpPeer,
  ): void {
    const { nowMs } = this.#self;
    const { referer = "-", "user-agent": agent = "-", "x-forwarded-for": forwarded = "-" } = request.headers;
    if (location.log === false) return;
    const usual = `${peer.address.address} - - [${commonLogDate(nowMs)}] "${request.method} ${request.target} HTTP/1.1" ${status} ${sent} "${referer}" "${agent}" "${forwarded}"\n`;
    const reply = { status, bodyBytes: sent };
    const line =
      location.log === undefined
        ? usual
        : `${loggedLine(location.log, this.#asked(server, location, path, request, peer, reply))}\n`;
    this.#access ??= this.#self.open(accessLog, { write: true, append: true, create: true });
    writeWithoutWaiting(this.#self, this.#access, line);
  }

  #log(message: string, server: ServerBlock, request: HttpRequest, peer: HttpPeer): void {
    const { method, target, headers } = request;
    const name = server.names[0] ?? "";
    const line = `${slashedDate(this.#self.nowMs)} [error] ${workerPid}#${workerPid}: *${this.#requests} ${message}, client: ${peer.address.address}, server: ${name}, request: "${method} ${target} HTTP/1.1", host: "${headers["host"] ?? ""}"\n`;
    this.#errors ??= this.#self.open(errorLog, { write: true, append: true, create: true });
    writeWithoutWaiting(this.#self, this.#errors, line);
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
