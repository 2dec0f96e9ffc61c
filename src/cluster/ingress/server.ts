// How the controller's nginx answers: finds the location, sends on to an endpoint or answers by itself, and logs it.

import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpHeaders } from "#sim/http.ts";
import { formatRequest } from "#sim/network/http-text.ts";
import type { Process } from "#sim/program.ts";
import { commonLogDate, httpDate } from "../images/http-dates.ts";
import { logLater } from "../images/log-line.ts";
import { ErrorLog } from "../images/nginx/error-log.ts";
import { errorPage } from "../images/nginx/pages.ts";
import { contains, parseAddress } from "../network/addresses.ts";
import { type Balancer, takesCanary } from "./balancer.ts";
import { type Answerer, type Call, type SentOn, secondsBetween } from "./call.ts";
import { catchAll, defaultUpstream, type Location } from "./configuration.ts";
import { Forwarding } from "./forwarding.ts";
import { pickLocation, pickServer } from "./locations.ts";
import type { Running } from "./running.ts";

/** Titles of nginx's pages that its own image has no use for. */
const strictTransport = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
const nobody: SentOn = { addresses: [], lengths: [], seconds: [], statuses: [], alternative: "" };

export class IngressServer implements Answerer {
  readonly #self: Process;
  readonly #running: Running;
  readonly errors: ErrorLog;
  /** Requests that have not been answered yet. */
  open = 0;
  #count = 0;

  constructor(self: Process, running: Running) {
    this.#self = self;
    this.#running = running;
    this.errors = new ErrorLog(self, 2, "notice");
  }

  readonly handler: HttpHandler = (request, peer, responder) => {
    this.#count += 1;
    const header = request.headers["host"] ?? "";
    const host = asciiLowerCase(header.replace(/:\d+$/, ""));
    const server = pickServer(this.#running.configuration, host === "" ? catchAll : host);
    const path = decodedPath(request.target);
    const requestId = request.headers["x-request-id"] || this.#self.random.hex(32);
    const bare = { request, peer, responder, server, path, requestId, startedMs: this.#self.nowMs };
    const named = { ...bare, host: header === "" ? server.hostname : header };
    const location = pickLocation(server, path);
    this.#answer({ ...named, location });
  };

  #answer(call: Call): void {
    const own = this.#ownAnswer(call);
    if (own !== undefined) {
      this.page(own.status, call, own.location === undefined ? {} : { location: own.location });
      return;
    }
    const { location, peer } = call;
    const primary = location && this.#running.balancer(location.upstream);
    if (location === undefined || primary === undefined) this.page(503, call);
    else if (mayCome(location, peer.address.address)) this.#forward(call, location, primary);
    else {
      this.complain("access forbidden by rule", call);
      this.page(403, call);
    }
  }

  /** What is said before anybody is asked. */
  #ownAnswer(call: Call): { readonly status: number; readonly location?: string } | undefined {
    const { location, request, path, peer, server, host } = call;
    const appRoot = server.locations.find(({ settings }) => settings.appRoot !== "")?.settings.appRoot;
    if (appRoot !== undefined && path === "/")
      return { status: 302, location: `${peer.secure ? "https" : "http"}://${host}${appRoot}` };
    if (location === undefined) return { status: 404 };
    const { denied, maximumBodyBytes, redirect } = location.settings;
    if (denied !== undefined) return { status: 503 };
    if (maximumBodyBytes > 0 && request.body.length > maximumBodyBytes) {
      this.complain(`client intended to send too large body: ${request.body.length} bytes`, call);
      return { status: 413 };
    }
    if (redirect !== undefined) return { status: redirect.code, location: redirect.url };
    return !peer.secure && this.#wantsTls(location, call) ? { status: 308, location: secureUrl(call) } : undefined;
  }

  #wantsTls({ settings }: Location, { host }: Call): boolean {
    if (settings.forceSslRedirect) return true;
    // Who names no host has none to be sent to.
    return settings.sslRedirect && host !== catchAll && this.#running.certificateOf(host.replace(/:\d+$/, "")) !== undefined;
  }

  #forward(call: Call, location: Location, primary: Balancer): void {
    const canary = this.#canaryFor(primary, call.request.headers);
    const balancer = canary ?? primary;
    // nginx's own server for what nobody has a page for.
    if (balancer.name === defaultUpstream && balancer.upstream.endpoints.some(({ address }) => address === "127.0.0.1")) {
      const { length } = errorPage(404, "nginx");
      const sentOn = { addresses: ["127.0.0.1:8181"], lengths: [length], seconds: ["0.000"], statuses: [404], alternative: "" };
      this.page(404, call, {}, sentOn);
      return;
    }
    const forwarding = new Forwarding({
      self: this.#self,
      server: this,
      call,
      location,
      balancer,
      alternative: canary?.name ?? "",
    });
    this.open += 1;
    const done = (): void => {
      this.open -= 1;
    };
    this.#self.startThread(() => forwarding.run(done));
  }

  #canaryFor(primary: Balancer, headers: HttpHeaders): Balancer | undefined {
    const [name] = primary.upstream.alternatives;
    if (name === undefined || primary.hasCookieOf(headers)) return undefined;
    const canary = this.#running.balancer(name);
    const policy = canary?.upstream.canary;
    if (canary === undefined || policy === undefined) return undefined;
    return canary.hasCookieOf(headers) || takesCanary(policy, headers, this.#self.random) ? canary : undefined;
  }

  /** One of nginx's own. */
  page(status: number, call: Call, headers: HttpHeaders = {}, sentOn: SentOn = nobody): void {
    const body = encodeUtf8(errorPage(status, "nginx"));
    this.reply(status, { "content-type": "text/html", ...headers }, body, call);
    this.log(status, call.request.method === "HEAD" ? 0 : body.length, call, sentOn);
  }

  reply(status: number, headers: HttpHeaders, body: Bytes, call: Call): void {
    call.responder.reply(status, this.headersOf(headers, call), body);
  }

  /** Those that nginx adds. */
  headersOf(headers: HttpHeaders, { request, peer }: Call): HttpHeaders {
    return {
      date: httpDate(this.#self.nowMs),
      ...headers,
      connection: request.headers["connection"] === "close" ? "close" : "keep-alive",
      ...(peer.secure ? strictTransport : {}),
    };
  }

  log(status: number, sentBytes: number, call: Call, sentOn: SentOn = nobody): void {
    const { location, request, peer, requestId, startedMs } = call;
    if (location?.logs === false) return;
    const { nowMs } = this.#self;
    const { referer = "-", "user-agent": agent = "-" } = request.headers;
    const list = (values: readonly (string | number)[]): string => (values.length === 0 ? "-" : values.join(", "));
    logLater(this.#self, 1, () =>
      [
        `${peer.address.address} - - [${commonLogDate(nowMs)}] "${request.method} ${request.target} HTTP/1.1" ${status} ${sentBytes}`,
        ` "${referer}" "${agent}" ${formatRequest(request).length} ${secondsBetween(startedMs, nowMs)}`,
        ` [${location?.upstream ?? "-"}] [${sentOn.alternative}] ${list(sentOn.addresses)} ${list(sentOn.lengths)}`,
        ` ${list(sentOn.seconds)} ${list(sentOn.statuses)} ${requestId}\n`,
      ].join(""),
    );
  }

  complain(message: string, { server, request, peer, host }: Call, upstream = ""): void {
    const asked = `request: "${request.method} ${request.target} HTTP/1.1"`;
    const where = `client: ${peer.address.address}, server: ${server.hostname}, ${asked}`;
    this.errors.write(
      "error",
      `*${this.#count} ${message}, ${where}${upstream === "" ? "" : `, upstream: "${upstream}"`}, host: "${host}"`,
    );
  }
}

function secureUrl({ host, request, location }: Call): string {
  const { target } = request;
  const shown = location?.settings.keepsTrailingSlash === false && target.endsWith("/") ? target.slice(0, -1) : target;
  return `https://${host.replace(/:\d+$/, "")}${shown}`;
}

function mayCome({ settings: { allow, deny } }: Location, address: string): boolean {
  const number = parseAddress(address);
  if (deny.some((range) => contains(range, number))) return false;
  return allow === undefined || allow.some((range) => contains(range, number));
}

/** As nginx compares it: decoded, slashes merged, dots resolved. */
function decodedPath(target: string): string {
  const query = target.indexOf("?");
  const written = query < 0 ? target : target.slice(0, query);
  const parts: string[] = [];
  for (const part of unescaped(written).split("/").slice(1)) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return `/${parts.join("/")}${parts.length > 0 && written.endsWith("/") ? "/" : ""}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
