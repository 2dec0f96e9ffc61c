// curl.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { type HttpReply, joinedHeader } from "#sim/http.ts";
import type { CallTarget, Certificate } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import { reasonPhrase } from "#sim/network/http-status.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import { isKeyPair, readPrivateKey } from "#x509/keys.ts";
import { followLocation, hostHeader, isAddress, readBody, readUrl, trustedAuthorities, type Url } from "../toolkit/http-client.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";
import { nameProblem, serverLines } from "./curl-certificate.ts";

/** Ends a transfer with one of curl's numbered errors. */
class CurlError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One transfer: what it was begun with, and what has come of it. */
interface Outcome {
  /** Its place among the URLs of the command line. */
  readonly index: number;
  readonly startedMs: number;
  status: number;
  size: number;
  address: string;
  port: number;
  url: string;
  redirects: number;
  connectMs: number;
  totalMs: number;
  contentType: string;
  redirectUrl: string;
}

export const curl: CommandDefinition = {
  name: "curl",
  options:
    "q,disable s,silent S,show-error v,verbose i,include,show-headers I,head o,output= O,remote-name w,write-out= X,request= H,header= d,data,data-ascii= data-raw= data-binary= data-urlencode= json= G,get k,insecure L,location f,fail fail-with-body m,max-time= connect-timeout= resolve= u,user= cacert= E,cert= key= A,user-agent= e,referer= b,cookie= T,upload-file= N,no-buffer retry= retry-delay= retry-connrefused retry-all-errors max-redirs= compressed 4,ipv4 6,ipv6 http1.1 http2 oauth2-bearer= g,globoff p,proxytunnel noproxy= x,proxy= connect-to= url= D,dump-header= j no-progress-meter progress-bar # interface=",
  usage: "curl [options...] <url>",
  usageStatus: 2,
  *run(tool) {
    for (const name of ["x", "connect-to"])
      if (tool.has(name)) throw new ToolFailure(`option ${name.length === 1 ? "-" : "--"}${name}: not supported by this curl`, 2);
    const urls = [...tool.operands, ...tool.values("url")];
    if (urls.length === 0) {
      yield* tool.self.write(2, "curl: (2) no URL specified\ncurl: try 'curl --help' or 'curl --manual' for more information\n");
      return 2;
    }
    let last = 0;
    const retries = Number(tool.value("retry") ?? 0);
    for (const [index, url] of urls.entries()) {
      for (let attempt = 0; ; attempt += 1) {
        last = yield* transfer(tool, url, index);
        const again =
          last === 28 ||
          last === 6 ||
          (last === 7 && tool.has("retry-connrefused")) ||
          (last !== 0 && tool.has("retry-all-errors"));
        if (attempt >= retries || !again) break;
        yield* tool.self.sleep(tool.has("retry-delay") ? Number(tool.value("retry-delay")) * 1000 : 1000 * 2 ** attempt);
      }
    }
    return last;
  },
};

function* transfer(tool: Tool, text: string, index: number): Sys<number> {
  const startedMs = tool.self.nowMs;
  const outcome: Outcome = {
    index,
    startedMs,
    status: 0,
    size: 0,
    address: "",
    port: 0,
    url: text,
    redirects: 0,
    connectMs: 0,
    totalMs: 0,
    contentType: "",
    redirectUrl: "",
  };
  let code = 0;
  let message = "";
  try {
    yield* exchange(tool, text, outcome);
  } catch (error) {
    if (!(error instanceof CurlError)) throw error;
    code = error.code;
    message = error.message;
  }
  outcome.totalMs = tool.self.nowMs - startedMs;
  if (code !== 0 && (!tool.has("s") || tool.has("S"))) {
    yield* tool.flush();
    yield* tool.self.write(2, `curl: (${code}) ${message}\n`);
  }
  const format = tool.value("w");
  if (format !== undefined) yield* tool.print(writeOut(format, outcome, code, message));
  yield* tool.flush();
  return code;
}

function writeOut(format: string, outcome: Outcome, code: number, message: string): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(6);
  const values: { readonly [name: string]: string } = {
    http_code: String(outcome.status).padStart(3, "0"),
    response_code: String(outcome.status).padStart(3, "0"),
    size_download: String(outcome.size),
    remote_ip: outcome.address,
    remote_port: String(outcome.port),
    url_effective: outcome.url,
    num_redirects: String(outcome.redirects),
    time_connect: seconds(outcome.connectMs),
    time_total: seconds(outcome.totalMs),
    time_starttransfer: seconds(outcome.totalMs),
    time_namelookup: seconds(0),
    content_type: outcome.contentType,
    redirect_url: outcome.redirectUrl,
    exitcode: String(code),
    errormsg: message,
  };
  return format
    .replace(/\\([nrt\\])/gu, (_all, letter: string) => ({ n: "\n", r: "\r", t: "\t", "\\": "\\" })[letter] ?? letter)
    .replace(/%(?:\{(\w+)\}|%)/gu, (all, name: string | undefined) => (name === undefined ? "%" : (values[name] ?? all)));
}

function requestBody(tool: Tool): { readonly body: Bytes; readonly present: boolean } {
  const parts: Bytes[] = [];
  for (const [name, value] of tool.given) {
    if (!["d", "data-raw", "data-binary", "data-urlencode", "json"].includes(name)) continue;
    let bytes: Bytes;
    if (name === "data-urlencode") {
      const at = value.indexOf("=");
      bytes = encodeUtf8(
        at > 0 ? `${value.slice(0, at)}=${encodeURIComponent(value.slice(at + 1))}` : encodeURIComponent(value.replace(/^=/u, "")),
      );
    } else if (value.startsWith("@") && name !== "data-raw") {
      try {
        const path = value.slice(1);
        bytes = tool.self.readFile(path === "-" ? "/dev/stdin" : path);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        throw new ToolFailure(`Failed to open ${value.slice(1)}`, 26);
      }
      if (name === "d") bytes = bytes.filter((byte) => byte !== 10 && byte !== 13);
    } else bytes = encodeUtf8(value);
    if (parts.length > 0 && name !== "json") parts.push(encodeUtf8("&"));
    parts.push(bytes);
  }
  return { body: parts.length === 0 ? new Uint8Array(0) : concatBytes(parts), present: parts.length > 0 };
}

function requestHeaders(
  tool: Tool,
  url: Url,
  body: { readonly body: Bytes; readonly present: boolean },
): { [name: string]: string } {
  const headers: { [name: string]: string } = {
    host: hostHeader(url),
    "user-agent": tool.value("A") ?? "curl/8.14.1",
    accept: "*/*",
  };
  const user = tool.value("u") ?? url.user;
  if (user !== undefined) headers["authorization"] = `Basic ${encodeBase64(user)}`;
  const bearer = tool.value("oauth2-bearer");
  if (bearer !== undefined) headers["authorization"] = `Bearer ${bearer}`;
  const referer = tool.value("e");
  if (referer !== undefined) headers["referer"] = referer;
  const cookie = tool.value("b");
  if (cookie?.includes("=") === false)
    throw new ToolFailure("option -b: reading cookies from a file: not supported by this curl", 2);
  if (cookie !== undefined) headers["cookie"] = cookie;
  if (body.present) {
    headers["content-length"] = String(body.body.length);
    headers["content-type"] = tool.has("json") ? "application/json" : "application/x-www-form-urlencoded";
    if (tool.has("json")) headers["accept"] = "application/json";
  }
  const given = new Set<string>();
  for (const line of tool.values("H")) {
    const at = line.indexOf(":");
    if (at < 0) {
      if (line.endsWith(";")) headers[asciiLowerCase(line.slice(0, -1))] = "";
      continue;
    }
    const name = asciiLowerCase(line.slice(0, at).trim());
    const value = line.slice(at + 1).trim();
    const before = given.has(name) ? headers[name] : undefined;
    if (value === "") delete headers[name];
    else headers[name] = before === undefined ? value : joinedHeader(name, [before, value]);
    given.add(name);
  }
  return headers;
}

function usualMethod(tool: Tool, hasBody: boolean): string {
  if (tool.has("I")) return "HEAD";
  if (tool.has("T")) return "PUT";
  return hasBody && !tool.has("G") ? "POST" : "GET";
}

/**
 * What --interface names must be an own address or interface. The answering side sees the address that the route gives all the same.
 * Throws CurlError.
 */
function requireInterface(tool: Tool): void {
  const { self } = tool;
  const wanted = tool.value("interface");
  if (wanted === undefined) return;
  const name = wanted.replace(/^(?:if|host)!/u, "");
  if (self.addresses().includes(name) || self.networkPlace().links.some((link) => link.name === name)) return;
  throw new CurlError(
    45,
    isAddress(name) ? "bind failed with errno 99: Cannot assign requested address" : `Couldn't bind to '${name}'`,
  );
}

function* exchange(tool: Tool, text: string, outcome: Outcome): Sys<void> {
  const { self } = tool;
  const parsed = readUrl(text);
  if (parsed === undefined) throw new CurlError(3, "URL rejected: Malformed input to a URL function");
  let url: Url = parsed;
  requireInterface(tool);
  let data = requestBody(tool);
  const upload = tool.value("T");
  if (upload !== undefined) data = { body: yield* tool.readAll(upload), present: true };
  let method = tool.value("X") ?? usualMethod(tool, data.present);
  if (tool.has("G") && data.present) {
    url = { ...url, target: `${url.target}${url.target.includes("?") ? "&" : "?"}${new TextDecoder().decode(data.body)}` };
    data = { body: new Uint8Array(0), present: false };
  }
  const limit = Number(tool.value("max-redirs") ?? 50);
  for (;;) {
    if (url.scheme !== "http" && url.scheme !== "https") throw new CurlError(1, `Protocol "${url.scheme}" not supported`);
    const reply = yield* send(tool, url, method, data, outcome);
    yield* dumpHead(tool, reply, outcome);
    outcome.status = reply.status;
    outcome.contentType = reply.headers["content-type"] ?? "";
    const location = reply.headers["location"];
    const target = location !== undefined && reply.status >= 300 && reply.status < 400 ? followLocation(url, location) : undefined;
    if (target !== undefined && tool.has("L")) {
      if (tool.has("i") || tool.has("I")) yield* tool.print(headText(reply));
      self.close(reply.fd);
      outcome.redirects += 1;
      if (outcome.redirects > limit) throw new CurlError(47, `Maximum (${limit}) redirects followed`);
      if ((reply.status === 303 || ((reply.status === 301 || reply.status === 302) && method === "POST")) && !tool.has("X")) {
        if (method !== "HEAD") method = "GET";
        data = { body: new Uint8Array(0), present: false };
      }
      url = target;
      outcome.url = `${url.scheme}://${hostHeader(url)}${url.target}`;
      continue;
    }
    if (target !== undefined) outcome.redirectUrl = `${target.scheme}://${hostHeader(target)}${target.target}`;
    if (tool.has("f") && reply.status >= 400) {
      self.close(reply.fd);
      throw new CurlError(22, `The requested URL returned error: ${reply.status}`);
    }
    yield* receive(tool, url, reply, method, outcome);
    if (tool.has("fail-with-body") && reply.status >= 400)
      throw new CurlError(22, `The requested URL returned error: ${reply.status}`);
    return;
  }
}

function seconds(tool: Tool, option: string): number | undefined {
  const value = tool.value(option);
  return value === undefined ? undefined : Number(value) * 1000;
}

/** Says something where `-v` asks for it. */
type Note = (text: () => string) => Sys<void>;

function* findAddress(tool: Tool, url: Url, startedMs: number, note: Note): Sys<string> {
  for (const entry of tool.values("resolve")) {
    const match = /^\+?([^:]+):(\d+):\[?([^\]]+?)\]?$/u.exec(entry);
    if (match !== null && (match[1] === url.host || match[1] === "*") && Number(match[2]) === url.port)
      return (match[3] as string).split(",")[0] as string;
  }
  if (isAddress(url.host)) return url.host;
  const found = yield* resolveInTime(tool, url.host, startedMs);
  const first = found[0];
  if (first === undefined) {
    const message = `Could not resolve host: ${url.host}`;
    yield* note(() => `* ${message}\n`);
    throw new CurlError(6, message);
  }
  yield* note(() => `* Host ${url.host}:${url.port} was resolved.\n* IPv6: (none)\n* IPv4: ${found.join(", ")}\n`);
  return first;
}

/** As -m and --connect-timeout limit it. Throws CurlError. */
function* resolveInTime(tool: Tool, host: string, startedMs: number): Sys<readonly string[]> {
  const { self } = tool;
  const overall = seconds(tool, "m");
  const left = overall === undefined ? Number.POSITIVE_INFINITY : Math.max(0, overall - (self.nowMs - startedMs));
  const limitMs = Math.min(left, seconds(tool, "connect-timeout") ?? Number.POSITIVE_INFINITY);
  if (limitMs === Number.POSITIVE_INFINITY) return yield* resolved(self, host);
  let found: readonly string[] = [];
  const [readEnd, writeEnd] = self.pipe();
  self.startThread(function* () {
    found = yield* resolved(self, host);
    self.close(writeEnd);
  });
  const before = self.nowMs;
  const ready = yield* self.poll([readEnd], limitMs);
  self.close(readEnd);
  if (ready.length === 0) throw new CurlError(28, `Resolving timed out after ${self.nowMs - before} milliseconds`);
  return found;
}

function* resolved(self: Process, host: string): Sys<readonly string[]> {
  try {
    return yield* self.resolve(host);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return [];
  }
}

/** With a key that fits, which stands in the certificate's file unless another is named. Throws CurlError. */
function clientCertificate(tool: Tool): Certificate | undefined {
  const path = tool.value("E")?.split(":")[0];
  if (path === undefined) return undefined;
  const text = textOf(tool, path);
  const certificate = readCertificates(text ?? "")[0];
  if (certificate === undefined) {
    const reason =
      text === undefined ? "80000002:system library::No such file or directory" : "0480006C:PEM routines::no start line";
    throw new CurlError(
      58,
      `could not load PEM client certificate from ${path}, OpenSSL error error:${reason}, (no key found, wrong pass phrase, or wrong file format?)`,
    );
  }
  const keyPath = tool.value("key") ?? path;
  const key = readPrivateKey(textOf(tool, keyPath) ?? "");
  if (key !== undefined && isKeyPair(certificate.publicKey, key)) return certificate;
  throw new CurlError(58, `unable to set private key file: '${keyPath}' type PEM`);
}

function textOf(tool: Tool, path: string): string | undefined {
  try {
    return tool.self.readText(path);
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}

/** Undefined: the certificate of the other side is not looked at. Throws CurlError. */
function authoritiesFor(tool: Tool): readonly Certificate[] | undefined {
  if (tool.has("k")) return undefined;
  try {
    return trustedAuthorities(tool.self, tool.value("cacert"));
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new CurlError(77, `error setting certificate file: ${tool.value("cacert")}`);
  }
}

/**
 * What a TLS handshake begins with. Files are read once the connection stands: where there is none, that is what is told. Throws
 * CurlError, and SysError as `connect` does.
 */
function* readIdentity(
  tool: Tool,
  url: Url,
  target: CallTarget,
): Sys<{ readonly certificate: Certificate | undefined; readonly authorities: readonly Certificate[] | undefined }> {
  if (url.scheme !== "https") return { certificate: undefined, authorities: undefined };
  try {
    return { certificate: clientCertificate(tool), authorities: authoritiesFor(tool) };
  } catch (error) {
    if (error instanceof CurlError) tool.self.close(yield* tool.self.connect(target));
    throw error;
  }
}

/** What `-v` shows of a head, each line behind a sign for its direction. */
function verboseHead(direction: "<" | ">", first: string, headers: { readonly [name: string]: string }): string {
  const lines = Object.entries(headers).map(([name, value]) => `${direction} ${headerCase(name)}: ${value}\n`);
  return `${direction} ${first}\n${lines.join("")}${direction} \n`;
}

function* send(
  tool: Tool,
  url: Url,
  method: string,
  data: { readonly body: Bytes; readonly present: boolean },
  outcome: Outcome,
): Sys<HttpReply> {
  const { self } = tool;
  const { startedMs } = outcome;
  const note: Note = (text) => (tool.has("v") ? self.write(2, text()) : nothing());
  const address = yield* findAddress(tool, url, startedMs, note);
  outcome.address = address;
  outcome.port = url.port;
  const headers = requestHeaders(tool, url, data);
  const overall = seconds(tool, "m");
  const connectLimit = seconds(tool, "connect-timeout");
  const left = overall === undefined ? undefined : overall - (self.nowMs - startedMs);
  const timeoutMs = Math.min(left ?? Number.POSITIVE_INFINITY, connectLimit ?? 300_000);
  yield* note(() => `*   Trying ${address}:${url.port}...\n`);
  const before = self.nowMs;
  let shown: Certificate | undefined;
  const asked = (): string =>
    `* Connected to ${url.host} (${address}) port ${url.port}\n* using HTTP/1.x\n` +
    `${verboseHead(">", `${method} ${url.target} HTTP/1.1`, headers)}* Request completely sent off\n`;
  try {
    const { certificate, authorities } = yield* readIdentity(tool, url, { address, port: url.port, timeoutMs });
    const tls = {
      serverName: url.host,
      asksAuthorityFirst: true,
      onServer: (server: Certificate) => {
        shown = server;
      },
      ...(certificate === undefined ? {} : { certificate }),
      ...(authorities === undefined ? {} : { authorities }),
    };
    const reply = yield* self.http({
      method,
      target: url.target,
      headers,
      body: data.body,
      address,
      port: url.port,
      timeoutMs,
      ...(url.scheme === "https" ? { tls } : {}),
    });
    outcome.connectMs = self.nowMs - before;
    const server = shown;
    if (server !== undefined) yield* note(() => serverLines(server, url.host, authorities));
    yield* note(asked);
    yield* note(() => verboseHead("<", `HTTP/1.1 ${reply.status} ${reasonPhrase(reply.status) ?? ""}`, reply.headers));
    return reply;
  } catch (error) {
    if (error instanceof TlsError) throw tlsFailure(error, shown, url.host);
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    if (error.code === "ECONNRESET" || error.code === "EPIPE") yield* note(asked);
    const isOver = overall !== undefined && self.nowMs - startedMs >= overall;
    const failure = sendFailure(tool, error, url, { elapsed: self.nowMs - before, isOver, connectMs: outcome.connectMs });
    yield* note(() => `* ${failure.message}\n* closing connection #0\n`);
    throw failure;
  }
}

interface Waited {
  /** Milliseconds since the first try to connect. */
  readonly elapsed: number;
  /** The time that `-m` gives is over. */
  readonly isOver: boolean;
  readonly connectMs: number;
}

/** In curl's words. */
function sendFailure(tool: Tool, error: SysError, url: Url, { elapsed, isOver, connectMs }: Waited): CurlError {
  const hasLimit = tool.has("connect-timeout");
  const tried = `Failed to connect to ${url.host} port ${url.port} after ${elapsed} ms`;
  const failed = `${tried}: Could not connect to server`;
  switch (error.code) {
    case "ETIMEDOUT":
      if (isOver && !hasLimit && connectMs !== 0)
        return new CurlError(28, `Operation timed out after ${elapsed} milliseconds with 0 bytes received`);
      if (isOver || hasLimit) return new CurlError(28, `Connection timed out after ${elapsed} milliseconds`);
      return new CurlError(28, failed);
    case "ECONNRESET":
      return new CurlError(56, "Recv failure: Connection reset by peer");
    case "EPIPE":
      return new CurlError(52, "Empty reply from server");
    case "ECONNREFUSED":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return new CurlError(7, failed);
    default:
      return new CurlError(7, `${tried}: ${error.message}`);
  }
}

function* nothing(): Sys<void> {}

function tlsFailure({ message, isSelfSigned }: TlsError, shown: Certificate | undefined, host: string): CurlError {
  if (message.includes("unknown authority")) {
    const problem = isSelfSigned ? "self-signed certificate" : "unable to get local issuer certificate";
    return new CurlError(60, `SSL certificate problem: ${problem}${certificateHelp}`);
  }
  if (message.includes("expired")) return new CurlError(60, `SSL certificate problem: certificate has expired${certificateHelp}`);
  if (message.includes("is valid for") || message.includes("not valid for") || message.includes("IP SANs"))
    return new CurlError(60, `SSL: ${nameProblem(shown, host)}${certificateHelp}`);
  return new CurlError(35, message);
}

const certificateHelp =
  "\nMore details here: https://curl.se/docs/sslcerts.html\n\ncurl failed to verify the legitimacy of the server and therefore could not\nestablish a secure connection to it. To learn more about this situation and\nhow to fix it, please visit the webpage mentioned above.";

function headerCase(name: string): string {
  return name.replace(/(^|-)([a-z])/gu, (_all, dash: string, letter: string) => dash + asciiUpperCase(letter));
}

function headText(reply: HttpReply): string {
  return `HTTP/1.1 ${reply.status} ${reasonPhrase(reply.status) ?? ""}\r\n${Object.entries(reply.headers)
    .map(([name, value]) => `${headerCase(name)}: ${value}\r\n`)
    .join("")}\r\n`;
}

/** -D: the heads of all answers, one after the other. */
function* dumpHead(tool: Tool, reply: HttpReply, { index, redirects }: Outcome): Sys<void> {
  const path = tool.value("D");
  if (path === "-") yield* tool.print(headText(reply));
  if (path === undefined || path === "-") return;
  try {
    tool.self.writeFile(path, headText(reply), { append: index > 0 || redirects > 0 });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new CurlError(23, `Failed to open ${path}`);
  }
}

function* receive(tool: Tool, url: Url, reply: HttpReply, method: string, outcome: Outcome): Sys<void> {
  const { self } = tool;
  const { index, startedMs } = outcome;
  const remoteName = (url.target.split("?")[0] as string).split("/").at(-1) as string;
  if (tool.has("O") && remoteName === "") throw new CurlError(23, "Remote file name has no length");
  const path = tool.has("O") ? remoteName : tool.values("o")[Math.min(index, tool.values("o").length - 1)];
  let out: number | undefined;
  if (path !== undefined && path !== "-") {
    try {
      out = self.open(path, { write: true, create: true, truncate: true }, 0o666);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new CurlError(
        23,
        `client returned ERROR on write, 0 bytes written: ${path}: ${error.message}`.replace(/: \S+: .*$/u, ""),
      );
    }
  }
  const emit = (bytes: Bytes | string) => (out === undefined ? tool.print(bytes) : self.write(out, bytes));
  if (tool.has("i") || tool.has("I")) yield* emit(headText(reply));
  if (method !== "HEAD") {
    const overall = seconds(tool, "m");
    let done = false;
    let expired = false;
    const sizeBefore = outcome.size;
    if (overall !== undefined) {
      self.startThread(function* () {
        yield* self.sleep(Math.max(0, overall - (self.nowMs - startedMs)));
        if (done) return;
        expired = true;
        self.close(reply.fd);
      });
    }
    try {
      if (overall !== undefined) {
        for (;;) {
          const ready = yield* self.poll([reply.fd], Math.max(0, overall - (self.nowMs - startedMs)));
          if (ready.length === 0 || expired)
            throw new CurlError(
              28,
              `Operation timed out after ${self.nowMs - startedMs} milliseconds with ${outcome.size} bytes received`,
            );
          const bytes = yield* self.read(reply.fd);
          if (bytes.length === 0) break;
          outcome.size += bytes.length;
          yield* emit(bytes);
          yield* tool.flush();
        }
      } else {
        yield* readBody(self, reply.fd, function* (bytes) {
          outcome.size += bytes.length;
          yield* emit(bytes);
          yield* tool.flush();
        });
      }
    } catch (error) {
      if (error instanceof SysError && error.code === "ECONNRESET")
        throw new CurlError(18, "transfer closed with outstanding read data remaining");
      throw error;
    } finally {
      done = true;
    }
    const missing = Number(reply.headers["content-length"] ?? 0) - (outcome.size - sizeBefore);
    if (missing > 0 && reply.status !== 304) throw new CurlError(18, `end of response with ${missing} bytes missing`);
  }
  if (out !== undefined) self.close(out);
}
