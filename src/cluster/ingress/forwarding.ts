// A request that is sent on to an endpoint, and to another one where that does not answer.

import { type Bytes, concatBytes, noBytes } from "#sim/bytes.ts";
import { type Errno, SysError } from "#sim/errors.ts";
import type { HttpHeaders, HttpReply } from "#sim/http.ts";
import { TlsError } from "#sim/network/calls.ts";
import { isIpAddress } from "#sim/network/resolver.ts";
import type { Process, Sys } from "#sim/program.ts";
import { failed, numbered } from "../images/nginx/error-log.ts";
import type { Balancer, Picked } from "./balancer.ts";
import { type Answerer, type Call, type SentOn, secondsBetween } from "./call.ts";
import type { Endpoint, Location } from "./configuration.ts";
import { rewritten } from "./locations.ts";

export interface ForwardingOptions {
  readonly self: Process;
  readonly server: Answerer;
  readonly call: Call;
  readonly location: Location;
  readonly balancer: Balancer;
  /** Of the canary that has it; "" for none. */
  readonly alternative: string;
}

const mostTries = 3;

export class Forwarding {
  readonly #options: ForwardingOptions;
  readonly #addresses: string[] = [];
  readonly #lengths: number[] = [];
  readonly #seconds: string[] = [];
  readonly #statuses: number[] = [];

  constructor(options: ForwardingOptions) {
    this.#options = options;
  }

  *run(done: () => void): Sys<void> {
    const { server, call, balancer } = this.#options;
    const tried: Endpoint[] = [];
    let status = 502;
    for (let tries = 0; tries < Math.min(mostTries, Math.max(1, balancer.upstream.endpoints.length)); tries += 1) {
      const { nowMs } = this.#options.self;
      const asked = { headers: call.request.headers, path: this.#options.location.ingressPath, isSecure: call.peer.secure, nowMs };
      const picked = balancer.pick(asked, tried);
      if (picked === undefined) break;
      tried.push(picked.endpoint);
      const reply = yield* this.#ask(picked);
      if (typeof reply !== "number") {
        yield* this.#passOn(reply, picked);
        done();
        return;
      }
      status = reply;
      // What changes something is not sent a second time.
      if (!["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].includes(call.request.method) && status === 504) break;
    }
    server.page(status, call, {}, this.#sentOn);
    done();
  }

  get #sentOn(): SentOn {
    const { alternative } = this.#options;
    return { addresses: this.#addresses, lengths: this.#lengths, seconds: this.#seconds, statuses: this.#statuses, alternative };
  }

  /** The reply, or the status of the page that says that there is none. */
  *#ask({ endpoint }: Picked): Sys<HttpReply | number> {
    const { self, server, call, location } = this.#options;
    const { settings } = location;
    const startedMs = self.nowMs;
    const shown = `${endpoint.address}:${endpoint.port}`;
    const target = targetOf(call, location);
    try {
      const address = yield* addressOf(self, endpoint.address);
      if (address === undefined) return 503;
      const { method, body } = call.request;
      return yield* self.http({
        method,
        body,
        target,
        headers: passedOn(call, location),
        address,
        port: endpoint.port,
        timeoutMs: settings.readMs,
        dialMs: settings.connectMs,
        ...(settings.isSecure ? { tls: { serverName: "" } } : {}),
      });
    } catch (error) {
      const isTls = error instanceof TlsError;
      if (!(error instanceof SysError) && !isTls) throw error;
      const status = !isTls && error.code === "ETIMEDOUT" ? 504 : 502;
      this.#note(shown, startedMs, 0, status);
      const where = `${settings.isSecure ? "https" : "http"}://${shown}${target}`;
      server.complain(isTls ? "SSL_do_handshake() failed while SSL handshaking to upstream" : failureOf(error), call, where);
      return status;
    }
  }

  #note(address: string, startedMs: number, length: number, status: number): void {
    this.#addresses.push(address);
    this.#lengths.push(length);
    this.#seconds.push(secondsBetween(startedMs, this.#options.self.nowMs));
    this.#statuses.push(status);
  }

  *#passOn(reply: HttpReply, { endpoint, cookie }: Picked): Sys<void> {
    const { self, server, call } = this.#options;
    const { server: _server, date: _date, connection: _connection, "transfer-encoding": _coding, ...kept } = reply.headers;
    const cookies = [kept["set-cookie"], cookie].filter((each) => each !== undefined).join("\n");
    const headers = server.headersOf({ ...kept, ...(cookies === "" ? {} : { "set-cookie": cookies }) }, call);
    const startedMs = self.nowMs;
    let length = 0;
    if (reply.status === 101) yield* this.#join(reply, headers);
    else if (call.request.method === "HEAD" || reply.status === 204 || reply.status === 304) {
      self.close(reply.fd);
      call.responder.reply(reply.status, headers, noBytes);
    } else length = yield* this.#copy(reply, headers);
    this.#note(`${endpoint.address}:${endpoint.port}`, startedMs, length, reply.status);
    server.log(reply.status, length, call, this.#sentOn);
  }

  /** Piece by piece where its length is not known or large; how many bytes there were. */
  *#copy({ status, fd, headers: given }: HttpReply, headers: HttpHeaders): Sys<number> {
    const { self, call } = this.#options;
    const isShort = Number(given["content-length"] ?? Number.POSITIVE_INFINITY) <= 65_536;
    const parts: Bytes[] = [];
    const writer = isShort ? undefined : call.responder.stream(status, headers);
    let [length, isLeft] = [0, false];
    if (writer !== undefined)
      writer.onClose = () => {
        isLeft = true;
      };
    try {
      for (let part = yield* self.read(fd); part.length > 0 && !isLeft; part = yield* self.read(fd)) {
        length += part.length;
        if (writer === undefined) parts.push(part);
        else writer.write(part);
      }
    } catch (error) {
      // It ended in the middle: so does what is passed on.
      if (!(error instanceof SysError)) throw error;
    }
    self.close(fd);
    if (writer === undefined) call.responder.reply(status, headers, concatBytes(parts));
    else writer.end();
    return length;
  }

  /** After 101: what either side says goes to the other, until one has ended. */
  *#join({ fd }: HttpReply, headers: HttpHeaders): Sys<void> {
    const { self, call } = this.#options;
    const stream = call.responder.upgrade({
      ...headers,
      connection: "upgrade",
      upgrade: call.request.headers["upgrade"] ?? "websocket",
    });
    stream.onData = (bytes) => {
      self.startThread(function* () {
        try {
          yield* self.write(fd, bytes);
        } catch (error) {
          if (!(error instanceof SysError)) throw error;
        }
      });
    };
    stream.onEnd = () => self.endWriting(fd);
    try {
      for (let part = yield* self.read(fd); part.length > 0; part = yield* self.read(fd)) stream.write(part);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    stream.onData = undefined;
    stream.onEnd = undefined;
    stream.end();
    self.close(fd);
  }
}

const callsThatFailed: Partial<{ readonly [code in Errno]: string }> = {
  ECONNREFUSED: "connect()",
  EHOSTUNREACH: "connect()",
  ENETUNREACH: "connect()",
  ECONNRESET: "recv()",
};

function failureOf(error: SysError): string {
  if (error.code === "ETIMEDOUT") return `upstream timed out ${numbered(error)} while connecting to or reading from upstream`;
  const call = callsThatFailed[error.code] ?? "connect()";
  return `${failed(call, error)} while ${call === "recv()" ? "reading response header from" : "connecting to"} upstream`;
}

function* addressOf(self: Process, name: string): Sys<string | undefined> {
  if (isIpAddress(name)) return name;
  return (yield* self.resolve(name))[0];
}

/** Path and query as the endpoint sees them. */
function targetOf({ request, path }: Call, location: Location): string {
  const uri = rewritten(location, path);
  if (uri === path) return request.target;
  const at = request.target.indexOf("?");
  const query = at < 0 ? "" : request.target.slice(at + 1);
  const joint = uri.includes("?") ? "&" : "?";
  return encodeURI(uri) + (query === "" ? "" : `${joint}${query}`);
}

function passedOn({ request, peer, host, requestId }: Call, { settings, ingressPath }: Location): HttpHeaders {
  const { connection, proxy: _proxy, "x-forwarded-for": original, ...kept } = request.headers;
  const scheme = peer.secure ? "https" : "http";
  const isUpgrade = kept["upgrade"] !== undefined;
  const prefix = settings.rewriteTarget !== "" && settings.rewriteTarget !== ingressPath ? settings.forwardedPrefix : "";
  return {
    ...kept,
    host: settings.upstreamHost || host,
    ...(isUpgrade ? { connection: "upgrade" } : {}),
    ...(connection === "close" && !isUpgrade ? { connection: "close" } : {}),
    "x-request-id": requestId,
    "x-real-ip": peer.address.address,
    "x-forwarded-for": peer.address.address,
    "x-forwarded-host": host,
    "x-forwarded-port": peer.secure ? "443" : "80",
    "x-forwarded-proto": scheme,
    "x-forwarded-scheme": scheme,
    "x-scheme": scheme,
    ...(original === undefined ? {} : { "x-original-forwarded-for": original }),
    ...(prefix === "" ? {} : { "x-forwarded-prefix": prefix }),
  };
}
