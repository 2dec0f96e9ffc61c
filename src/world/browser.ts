// The browser on the learner's machine: fetches one page as any browser there would, by the machine's own names and
// routes. What it fetched is shown outside the world; links, styles and scripts of a page are not followed.

import {
  followLocation,
  hostHeader,
  isAddress,
  readBody,
  readUrl,
  trustedAuthorities,
  type Url,
} from "#shell/toolkit/http-client.ts";
import { type Bytes, concatBytes, decodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpReply } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import { reasonPhrase } from "#sim/network/http-status.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

/** Why there is nothing to show: what a browser's own error page would say. */
export type PageFailure = "address" | "name" | "refused" | "timeout" | "reset" | "certificate" | "redirects";

export type BrowsedPage =
  | {
      readonly kind: "page";
      /** Where redirects led. */
      readonly url: string;
      readonly status: number;
      readonly reason: string;
      readonly contentType: string;
      /** At most `maxPageBytes`; what is behind is cut off. */
      readonly body: string;
      readonly elapsedMs: number;
      /** The name that the server's certificate is made out to; "" without TLS. */
      readonly certificate: string;
    }
  | { readonly kind: "failed"; readonly url: string; readonly failure: PageFailure };

/** How a client asks. */
export interface Manner {
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Goes where a redirect leads; otherwise the redirect is the page. */
  readonly follows: boolean;
  /** Whom it asks for at the URL's address, by whatever certificate; whoever the URL names unless stated. */
  readonly host?: string | undefined;
}

/** A reply, and whose certificate came with it. */
interface Received {
  readonly reply: HttpReply;
  readonly certificate: string;
}

const asBrowser: Manner = { timeoutMs: 30_000, userAgent: "Mozilla/5.0 (X11; Linux x86_64) Pilothouse", follows: true };
const maxPageBytes = 256 * 1024;
const maxRedirects = 20;

class PageError extends Error {
  readonly failure: PageFailure;

  constructor(failure: PageFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** A program that fetches a URL and hands over what a browser has to show; ends with 0. */
export function fetchPage(text: string, done: (page: BrowsedPage) => void, manner = asBrowser): Program {
  return function* (self): Sys<number> {
    try {
      done(yield* fetchFollowing(self, text, manner));
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      done({ kind: "failed", url: text, failure: error.failure });
    }
    return 0;
  };
}

function* fetchFollowing(self: Process, text: string, manner: Manner): Sys<BrowsedPage> {
  const startedMs = self.nowMs;
  let url = readUrl(text.trim());
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (url === undefined || (url.scheme !== "http" && url.scheme !== "https")) throw new PageError("address");
    const received = yield* request(self, url, manner);
    const { reply } = received;
    const location = manner.follows ? reply.headers["location"] : undefined;
    if (location === undefined || reply.status < 300 || reply.status >= 400) return yield* pageOf(self, url, received, startedMs);
    self.close(reply.fd);
    url = followLocation(url, location);
  }
  throw new PageError("redirects");
}

function* request(self: Process, url: Url, { timeoutMs, userAgent, host }: Manner): Sys<Received> {
  const address = yield* addressOf(self, url.host);
  let certificate = "";
  const tls = {
    serverName: host ?? url.host,
    onServer: ({ commonName }: Certificate) => {
      certificate = commonName;
    },
    ...(host === undefined ? { authorities: trustedAuthorities(self, undefined) } : {}),
  };
  const headers = {
    host: host ?? hostHeader(url),
    "user-agent": userAgent,
    accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  };
  try {
    const reply = yield* self.http({
      method: "GET",
      target: url.target,
      headers,
      body: noBytes,
      address,
      port: url.port,
      timeoutMs,
      ...(url.scheme === "https" ? { tls } : {}),
    });
    return { reply, certificate };
  } catch (error) {
    if (error instanceof TlsError) throw new PageError("certificate");
    if (error instanceof SysError) throw new PageError(failureOf(error));
    throw error;
  }
}

function* addressOf(self: Process, host: string): Sys<string> {
  if (isAddress(host)) return host;
  try {
    const [first] = yield* self.resolve(host);
    if (first !== undefined) return first;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  throw new PageError("name");
}

function failureOf({ code }: SysError): PageFailure {
  if (code === "ETIMEDOUT") return "timeout";
  return code === "ECONNRESET" || code === "EPIPE" ? "reset" : "refused";
}

function* pageOf(self: Process, url: Url, { reply, certificate }: Received, startedMs: number): Sys<BrowsedPage> {
  const parts: Bytes[] = [];
  let size = 0;
  try {
    yield* readBody(self, reply.fd, function* (bytes) {
      if (size < maxPageBytes) parts.push(bytes.slice(0, maxPageBytes - size));
      size += bytes.length;
    });
  } catch (error) {
    if (error instanceof SysError) throw new PageError("reset");
    throw error;
  }
  return {
    kind: "page",
    url: `${url.scheme}://${hostHeader(url)}${url.target}`,
    status: reply.status,
    reason: reasonPhrase(reply.status) ?? "",
    contentType: reply.headers["content-type"] ?? "",
    body: decodeUtf8(concatBytes(parts)),
    elapsedMs: self.nowMs - startedMs,
    certificate,
  };
}
