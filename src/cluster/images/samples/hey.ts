// hey (rakyll/hey): sends requests by many workers at once, and tells how long they took.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { followLocation, hostHeader, isAddress, readUrl, type Url } from "#shell/toolkit/http-client.ts";
import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpReply } from "#sim/http.ts";
import { TlsError } from "#sim/network/calls.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { type HeyResult, reportOf } from "./hey-report.ts";
import { heyUsage } from "./hey-usage.ts";

/** A command line that cannot be: what stands before the usage, and the exit code. */
class Misuse extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

const valued = ["n", "c", "q", "z", "o", "m", "H", "t", "A", "d", "D", "T", "U", "a", "x", "host", "cpus", "h"];
const plain = ["h2", "disable-compression", "disable-keepalive", "disable-redirects"];
const absent = ["x", "h2"];
const userAgent = "hey/0.0.1";

interface Words {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly url: string | undefined;
}

/** As Go's flag package reads: one dash or two, flags before the URL. */
function readWords(argv: readonly string[]): Words {
  const values = new Map<string, string[]>();
  const words = argv.slice(1);
  while (words[0]?.startsWith("-") === true && words[0] !== "-") {
    const word = words.shift() as string;
    if (word === "--") break;
    const [, name = "", given] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === "help") throw new Misuse("", 0);
    if (!valued.includes(name) && !plain.includes(name)) throw new Misuse(`flag provided but not defined: -${name}`, 2);
    const value = given ?? (plain.includes(name) ? "true" : words.shift());
    if (value === undefined) throw new Misuse(`flag needs an argument: -${name}`, 2);
    if (absent.includes(name)) throw new Misuse(`-${name} is not supported here\n`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { values, url: words[0] };
}

interface Plan {
  readonly url: Url;
  readonly text: string;
  readonly each: number;
  readonly workers: number;
  /** Between the requests of a worker; 0: none. */
  readonly intervalMs: number;
  readonly durationMs: number;
  readonly timeoutMs: number;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Bytes;
  readonly followsRedirects: boolean;
  readonly isCsv: boolean;
}

const mostRequests = 2_147_483_647;

function planOf(self: Process, { values, url: text }: Words): Plan {
  const last = (name: string) => values.get(name)?.at(-1);
  const whole = (name: string, usual: number): number => {
    const value = last(name);
    if (value === undefined) return usual;
    if (!/^[+-]?\d+$/.test(value)) throw new Misuse(`invalid value ${JSON.stringify(value)} for flag -${name}: parse error`, 2);
    return Number(value);
  };
  if (text === undefined) throw new Misuse("");
  const [workers, count, seconds] = [whole("c", 50), whole("n", 200), whole("t", 20)];
  const durationMs = durationOf(last("z"));
  if (durationMs > 0 && workers <= 0) throw new Misuse("-c cannot be smaller than 1.\n");
  if (durationMs === 0 && (count <= 0 || workers <= 0)) throw new Misuse("-n and -c cannot be smaller than 1.\n");
  if (durationMs === 0 && count < workers) throw new Misuse("-n cannot be less than -c.\n");
  if (last("h") !== undefined) throw new Misuse("Flag '-h' is deprecated, please use '-H' instead.\n");
  const rate = Number(last("q") ?? "0");
  if (Number.isNaN(rate)) throw new Misuse(`invalid value ${JSON.stringify(last("q"))} for flag -q: parse error`, 2);
  const output = last("o") ?? "";
  // Upstream takes any other text as a template of Go.
  if (output !== "" && output !== "csv") throw new Misuse("-o takes only csv here\n");
  const url = readUrl(text);
  if (url === undefined || !/^https?:\/\//.test(text)) throw new Misuse(`parse ${JSON.stringify(text)}: invalid URI for request\n`);
  return {
    url,
    text,
    each: durationMs > 0 ? mostRequests : Math.floor(count / workers),
    workers,
    intervalMs: rate > 0 ? 1000 / rate : 0,
    durationMs,
    timeoutMs: seconds === 0 ? mostRequests : seconds * 1000,
    method: asciiUpperCase(last("m") ?? "GET"),
    headers: headersOf(values, url),
    body: last("D") === undefined ? encodeUtf8(last("d") ?? "") : self.readFile(last("D") ?? ""),
    followsRedirects: last("disable-redirects") === undefined,
    isCsv: output === "csv",
  };
}

function durationOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const parsed = parseGoDuration(text);
  if ("ms" in parsed) return parsed.ms;
  throw new Misuse(`invalid value ${JSON.stringify(text)} for flag -z: parse error`, 2);
}

function headersOf(values: Words["values"], url: Url): { readonly [name: string]: string } {
  const last = (name: string) => values.get(name)?.at(-1);
  const parsed = (input: string, pattern: RegExp): readonly [string, string] => {
    const [, name, rest] = pattern.exec(input) ?? [];
    if (name === undefined || rest === undefined) throw new Misuse(`could not parse the provided input; input = ${input}\n`);
    return [name, rest];
  };
  const headers: { [name: string]: string } = {
    "content-type": last("T") ?? "text/html",
    ...(last("disable-compression") === undefined ? { "accept-encoding": "gzip" } : {}),
  };
  for (const line of values.get("H") ?? []) {
    const [name, value] = parsed(line, /^([\w-]+):\s*(.+)/);
    headers[asciiLowerCase(name)] = value;
  }
  const agent = last("U") ?? headers["user-agent"];
  headers["user-agent"] = agent === undefined ? userAgent : `${agent} ${userAgent}`;
  // Go's client takes no Host from a request's headers.
  headers["host"] = last("host") ?? hostHeader(url);
  const accept = last("A");
  if (accept !== undefined) headers["accept"] = accept;
  const account = last("a");
  if (account !== undefined) headers["authorization"] = `Basic ${encodeBase64(parsed(account, /^(.+):(\S.+)/).join(":"))}`;
  return headers;
}

/** Microseconds of a processor that a request costs its sender; the world's clock is too coarse to show them. */
const unitsPerRequest = 40;
const unitsPerMs = 1000;

export const hey: Program = function* (self) {
  const misuse = function* (error: Misuse): Sys<number> {
    yield* self.write(
      2,
      `${error.message === "" ? "" : `${error.message}\n`}${heyUsage(self.processors)}${error.code === 1 ? "\n" : ""}`,
    );
    return error.code;
  };
  let plan: Plan;
  try {
    plan = planOf(self, readWords(self.argv));
  } catch (error) {
    if (error instanceof SysError) {
      yield* self.write(2, `${error.message}\n`);
      return 1;
    }
    if (!(error instanceof Misuse)) throw error;
    return yield* misuse(error);
  }
  const run = new Run(self, plan);
  yield* run.toItsEnd();
  yield* self.write(1, reportOf(run.results, self.nowMs - run.startMs + unitsPerRequest / unitsPerMs, plan.isCsv));
  return 0;
};

class Run {
  readonly startMs: number;
  readonly results: HeyResult[] = [];
  readonly #self: Process;
  readonly #plan: Plan;
  #isStopped = false;

  constructor(self: Process, plan: Plan) {
    this.#self = self;
    this.#plan = plan;
    this.startMs = self.nowMs;
  }

  /** Until all workers are done; an interrupt lets them end what they have begun. */
  *toItsEnd(): Sys<void> {
    const self = this.#self;
    const { workers, durationMs } = this.#plan;
    self.setSignal("INT", "catch");
    const [reading, writing] = self.pipe();
    const run = this;
    for (let worker = 0; worker < workers; worker += 1) {
      self.startThread(function* () {
        yield* run.#work();
        yield* self.write(writing, ".");
      });
    }
    if (durationMs > 0) {
      self.startThread(function* () {
        yield* run.#sleep(durationMs);
        run.#isStopped = true;
      });
    }
    for (let ended = 0; ended < workers; ) {
      try {
        ended += (yield* self.read(reading)).length;
      } catch (error) {
        if (!(error instanceof SysError && error.code === "EINTR")) throw error;
        self.takeSignals();
        this.#isStopped = true;
      }
    }
  }

  *#sleep(ms: number): Sys<void> {
    const untilMs = this.#self.nowMs + ms;
    while (this.#self.nowMs < untilMs && !this.#isStopped) {
      try {
        yield* this.#self.sleep(untilMs - this.#self.nowMs);
      } catch (error) {
        if (!(error instanceof SysError && error.code === "EINTR")) throw error;
      }
    }
  }

  *#work(): Sys<void> {
    const self = this.#self;
    const { each, intervalMs } = this.#plan;
    let tickMs = self.nowMs;
    for (let count = 0; count < each && !this.#isStopped; count += 1) {
      if (intervalMs > 0) {
        // A tick that nobody waits for is kept; more of them are lost.
        tickMs = Math.max(tickMs + intervalMs, self.nowMs - intervalMs);
        yield* this.#sleep(tickMs - self.nowMs);
      }
      yield* this.#request();
    }
  }

  *#request(): Sys<void> {
    const self = this.#self;
    const startMs = self.nowMs;
    self.spend(unitsPerRequest);
    yield* self.breathe();
    let address = "";
    const lap = { offset: startMs - this.startMs, dns: 0, connection: 0, delay: 0 };
    try {
      let url = this.#plan.url;
      for (let hop = 0; ; hop += 1) {
        address = yield* this.#address(url);
        lap.dns = self.nowMs - startMs;
        lap.connection = lap.dns;
        const askedMs = self.nowMs;
        const reply = yield* this.#ask(url, address);
        lap.delay = self.nowMs - askedMs;
        const next = this.#redirect(url, reply);
        if (next !== undefined && hop < 10) {
          self.close(reply.fd);
          url = next;
          continue;
        }
        const readMs = self.nowMs;
        const size = yield* this.#size(reply.fd);
        const seconds = (ms: number) => ms / 1000;
        const own = unitsPerRequest / unitsPerMs;
        this.results.push({
          status: reply.status,
          size,
          total: seconds(self.nowMs - startMs + own),
          connection: seconds(lap.connection + own / 4),
          dns: seconds(lap.dns),
          write: seconds(own / 4),
          delay: seconds(lap.delay + own / 4),
          read: seconds(self.nowMs - readMs + own / 4),
          offset: seconds(lap.offset),
        });
        return;
      }
    } catch (error) {
      if (!(error instanceof SysError || error instanceof TlsError || error instanceof Unresolved)) throw error;
      if (error instanceof SysError && error.code === "EINTR") return;
      this.results.push({ error: this.#words(error, address) });
    }
  }

  *#address({ host }: Url): Sys<string> {
    if (isAddress(host)) return host;
    const failed = (why: string) => new Unresolved(`dial tcp: lookup ${host}${this.#nameServer}: ${why}`);
    try {
      const [address] = yield* this.#self.resolve(host);
      if (address !== undefined) return address;
    } catch (error) {
      if (error instanceof SysError && error.code === "EAGAIN") throw failed("server misbehaving");
      throw error;
    }
    throw failed("no such host");
  }

  get #nameServer(): string {
    try {
      const [, server] = /^nameserver\s+(\S+)/m.exec(this.#self.readText("/etc/resolv.conf")) ?? [];
      return ` on ${server ?? "127.0.0.1"}:53`;
    } catch (error) {
      if (error instanceof SysError) return "";
      throw error;
    }
  }

  *#ask(url: Url, address: string): Sys<HttpReply> {
    const { method, headers, body, timeoutMs } = this.#plan;
    const length = body.length === 0 ? {} : { "content-length": String(body.length) };
    return yield* this.#self.http({
      method,
      target: url.target,
      headers: { ...headers, ...length },
      body: body.length === 0 ? noBytes : body,
      address,
      port: url.port,
      timeoutMs,
      ...(url.scheme === "https" ? { tls: { serverName: url.host } } : {}),
    });
  }

  #redirect(url: Url, { status, headers }: HttpReply): Url | undefined {
    const { location } = headers;
    const isOne = this.#plan.followsRedirects && status >= 300 && status < 400 && location !== undefined;
    return isOne ? followLocation(url, location) : undefined;
  }

  *#size(fd: number): Sys<number> {
    let size = 0;
    for (;;) {
      const { length } = yield* this.#self.read(fd);
      if (length === 0) break;
      size += length;
    }
    this.#self.close(fd);
    return size;
  }

  /** In the words of Go's net/http. */
  #words(error: SysError | TlsError | Unresolved, address: string): string {
    const { method, text, url } = this.#plan;
    const place = `${address}:${url.port}`;
    const verb = `${method.slice(0, 1)}${asciiLowerCase(method.slice(1))}`;
    let why = error.message;
    if (error instanceof SysError) {
      const dial: { readonly [code: string]: string } = {
        ECONNREFUSED: `dial tcp ${place}: connect: connection refused`,
        EHOSTUNREACH: `dial tcp ${place}: connect: no route to host`,
        ENETUNREACH: `dial tcp ${place}: connect: network is unreachable`,
        ETIMEDOUT: "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
        ECONNRESET: "EOF",
      };
      why = dial[error.code] ?? error.message;
    }
    return `${verb} ${JSON.stringify(text)}: ${why}`;
  }
}

class Unresolved extends Error {}
