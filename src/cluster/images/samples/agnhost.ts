// agnhost, the image of Kubernetes' own tests, as far as the documentation's examples call it (test/images/agnhost).

import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { civilDate } from "#sim/calendar.ts";
import { SysError } from "#sim/errors.ts";
import { failedReply, healthCheckReply, requestedService } from "#sim/grpc.ts";
import type { HttpRequest } from "#sim/http.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { awaitSignals } from "../await-signals.ts";
import { type Answer, answerText, listen, logLine, parametersOf, serve, untilSignalled } from "./go-server.ts";

class UsageError extends Error {}

/** Flags of cobra with their defaults; a default of true or false needs no value. */
type Flags = { readonly [name: string]: string };

interface Command {
  readonly flags: Flags;
  readonly short?: { readonly [letter: string]: string };
  run(self: Process, flags: Flags): Sys<number>;
}

const absent = [
  "audit-proxy",
  "connect",
  "crd-conversion-webhook",
  "dns-server-list",
  "dns-suffix",
  "entrypoint-tester",
  "etc-hosts",
  "fake-gitserver",
  "guestbook",
  "inclusterclient",
  "mounttest",
  "net",
  "nettest",
  "no-snat-test",
  "no-snat-test-proxy",
  "openidmetadata",
  "podcertificatesigner",
  "porter",
  "port-forward-tester",
  "resource-consumer-controller",
  "tcp-reset",
  "vpa",
  "webhook",
];

export const agnhost: Program = function* (self) {
  const [name = "", ...words] = self.argv.slice(1);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  self.declareUse({ memoryBytes: 12_582_912 });
  if (command === undefined) {
    if (name === "--version") {
      yield* self.write(1, "app version 2.56\n");
      return 0;
    }
    if (name === "" || name === "help" || name === "--help") {
      const names = Object.keys(commands).sort();
      yield* self.write(1, `Usage:\n  app [command]\n\nAvailable Commands:\n${names.map((each) => `  ${each}\n`).join("")}`);
      return 0;
    }
    const message = absent.includes(name) ? `"${name}" is not supported here` : `unknown command "${name}" for "app"`;
    yield* self.write(2, `Error: ${message}\nRun 'app --help' for usage.\n`);
    return 1;
  }
  let flags: Flags;
  try {
    flags = readFlags(command, words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    yield* self.write(2, `Error: ${error.message}\n`);
    return 1;
  }
  return yield* command.run(self, flags);
};

function readFlags({ flags, short = {} }: Command, words: readonly string[]): Flags {
  const read: { [name: string]: string } = { ...flags };
  const rest = [...words];
  while (rest.length > 0) {
    const word = rest.shift() as string;
    const match = /^--([^=]+)(?:=(.*))?$/u.exec(word) ?? /^-([a-z])=?(.+)?$/u.exec(word);
    if (match === null) throw new UsageError(`unknown command "${word}" for "app"`);
    const given = match[1] as string;
    const name = word.startsWith("--") ? given : short[given];
    const usual = name === undefined ? undefined : flags[name];
    if (name === undefined || usual === undefined)
      throw new UsageError(word.startsWith("--") ? `unknown flag: --${given}` : `unknown shorthand flag: '${given}' in ${word}`);
    const value = match[2] ?? (usual === "true" || usual === "false" ? "true" : rest.shift());
    if (value === undefined) throw new UsageError(`flag needs an argument: --${name}`);
    if (/^-?\d+$/u.test(usual) && !/^-?\d+$/u.test(value))
      throw new UsageError(
        `invalid argument "${value}" for "--${name}" flag: strconv.ParseInt: parsing "${value}": invalid syntax`,
      );
    read[name] = value;
  }
  return read;
}

const commands: { readonly [name: string]: Command } = {
  pause: { flags: {}, run: pause },
  "grpc-health-checking": {
    flags: { port: "5000", "http-port": "8080", "delay-unhealthy-sec": "-1", service: "" },
    run: grpcHealthChecking,
  },
  liveness: { flags: {}, run: liveness },
  netexec: {
    flags: { "http-port": "8080", "udp-port": "8081", "sctp-port": "-1" },
    run: netexec,
  },
  "serve-hostname": { flags: { port: "9376", http: "true", tcp: "false", udp: "false", close: "false" }, run: serveHostname },
  "test-webserver": { flags: { port: "80" }, run: testWebserver },
  "logs-generator": {
    flags: { "log-lines-total": "0", "run-duration": "0s" },
    short: { t: "log-lines-total", d: "run-duration" },
    run: generateLogs,
  },
};

function* pause(self: Process): Sys<number> {
  yield* self.write(1, "Paused\n");
  const [signal] = yield* awaitSignals(self, ["INT", "TERM"]);
  return signal === "INT" ? 1 : 2;
}

const aliveSeconds = 10;

function liveness(self: Process): Sys<number> {
  const startedMs = self.nowMs;
  return serve(self, 8080, (request, _peer, responder) => {
    const seconds = (self.nowMs - startedMs) / 1000;
    const path = request.target.split("?")[0];
    if (path === "/started") answerText(self, responder, 200, `${seconds}s`);
    else if (path === "/healthz")
      answerText(self, responder, seconds > aliveSeconds ? 500 : 200, seconds > aliveSeconds ? `error: ${seconds}` : "ok");
    else if (path === "/redirect") redirect(self, request, responder, parametersOf(request.target).get("loc") ?? "", 302);
    else answerText(self, responder, 404, "404 page not found\n", { "x-content-type-options": "nosniff" });
  });
}

const notFound = 5;

/** Serves gRPC's health protocol, and says what it is told on another port. */
function* grpcHealthChecking(self: Process, flags: Flags): Sys<number> {
  const startedMs = self.nowMs;
  const delaySeconds = Number(flags["delay-unhealthy-sec"]);
  let isHealthy: boolean | undefined;
  const told = (healthy: boolean, responder: Parameters<Answer>[2]): void => {
    logLine(self, `Mark as ${healthy ? "healthy" : "unhealthy"}`);
    isHealthy = healthy;
    answerText(self, responder, 200, durationText(self.nowMs - startedMs));
  };
  logLine(self, `Http server starting to listen on :${flags["http-port"]}`);
  const controlled = listen(self, Number(flags["http-port"]), (request, _peer, responder) => {
    const path = request.target.split("?")[0];
    if (path === "/make-not-serving") told(false, responder);
    else if (path === "/make-serving") told(true, responder);
    else answerText(self, responder, 404, "404 page not found\n", { "x-content-type-options": "nosniff" });
  });
  if (!controlled) return 1;
  logLine(self, `gRPC server starting to listen on :${flags["port"]}`);
  return yield* serve(self, Number(flags["port"]), (request, _peer, responder) => {
    const service = requestedService(request);
    if (service === undefined) {
      answerText(self, responder, 415, "invalid gRPC request content-type\n");
      return;
    }
    logLine(self, `Serving the Check request for health check, started at ${goTime(startedMs, startedMs)}`);
    const isLate = delaySeconds >= 0 && (self.nowMs - startedMs) / 1000 >= delaySeconds;
    const { headers, body } =
      service === flags["service"]
        ? healthCheckReply(isHealthy === false || isLate ? "NOT_SERVING" : "SERVING")
        : failedReply(notFound, "unknown service");
    responder.reply(200, headers, body);
  });
}

/** http.Redirect: with a link in the body for GET. */
function redirect(self: Process, request: HttpRequest, responder: Parameters<Answer>[2], to: string, status: number): void {
  const escaped = to.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&#34;");
  const word = { 301: "Moved Permanently", 302: "Found", 307: "Temporary Redirect", 308: "Permanent Redirect" }[status] ?? "";
  const body = request.method === "GET" ? `<a href="${escaped}">${word}</a>.\n\n` : "";
  answerText(self, responder, status, body, { location: to, "content-type": "text/html; charset=utf-8" });
}

/** `2026-01-01 00:00:00.5 +0000 UTC m=+1.5`, time.Time's own text. */
function goTime(nowMs: number, startedMs: number): string {
  const { year, month, day, hour, minute, second } = civilDate(nowMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const fraction = (nowMs % 1000) / 1000;
  const tail = fraction === 0 ? "" : String(fraction.toFixed(3)).slice(1).replace(/0+$/u, "");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}${tail} +0000 UTC m=+${((nowMs - startedMs) / 1000).toFixed(9)}`;
}

/** Milliseconds of `1h2m3.5s`; undefined when it is none. */
function readDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (!/^(?:\d+(?:\.\d*)?(?:ms|[hms]))+$/u.test(text)) return undefined;
  const factors: { readonly [unit: string]: number } = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d*)?)(ms|[hms])/gu))
    total += Number(amount) * (factors[unit as string] as number);
  return total;
}

/** time.Duration's own text, in seconds and below. */
function durationText(ms: number): string {
  if (ms > 0 && ms < 1000) return `${ms}ms`;
  return `${ms / 1000}s`;
}

function* netexec(self: Process, flags: Flags): Sys<number> {
  if (flags["sctp-port"] !== "-1") {
    yield* self.write(2, "Error: --sctp-port is not supported here\n");
    return 1;
  }
  const startedMs = self.nowMs;
  const port = Number(flags["http-port"]);
  const exits: { code: number; afterMs: number }[] = [];
  logLine(self, `Started HTTP server on port ${port}`);
  const [readEnd, writeEnd] = self.pipe();
  const end = (code: number, afterMs: number): void => {
    exits.push({ code, afterMs });
    self.startThread(() => self.write(writeEnd, "x"));
  };
  const answer: Answer = (request, peer, responder) => {
    const values = parametersOf(request.target);
    const value = (name: string) => values.get(name) ?? "";
    const text = (body: string, status = 200) => answerText(self, responder, status, body);
    switch (request.target.split("?")[0]) {
      case "/clientip":
        logLine(self, "GET /clientip");
        return text(`${peer.address.address}:${peer.address.port}`);
      case "/echo":
        return answerEcho(self, value, text);
      case "/hostname":
      case "/hostName":
        logLine(self, "GET /hostname");
        return text(self.hostname);
      case "/healthz":
        logLine(self, "GET /healthz");
        return text("");
      case "/redirect":
        logLine(self, `GET /redirect?code=${value("code")}&location=${value("location")}`);
        return redirect(self, request, responder, value("location"), Number(value("code")) || 302);
      case "/shutdown":
        logLine(self, "GET /shutdown");
        return end(0, 0);
      case "/exit":
        return answerExit(self, value, text, end);
      case "/shell": {
        const command = value("shellCommand") === "" ? value("cmd") : value("shellCommand");
        logLine(self, `GET /shell?cmd=${command}`);
        self.startThread(() => shell(self, command, (output) => text(JSON.stringify(output))));
        return undefined;
      }
      case "/dial":
      case "/upload":
        return text(`${request.target.split("?")[0]} is not supported here\n`, 501);
      default:
        logLine(self, "GET /");
        return text(`NOW: ${goTime(self.nowMs, startedMs)}`);
    }
  };
  if (!listen(self, port, answer)) return 1;
  return yield* untilSignalled(self, function* () {
    yield* self.read(readEnd);
    const { code, afterMs } = exits[0] as (typeof exits)[number];
    yield* self.sleep(afterMs);
    return code;
  });
}

/** A parameter of the query, or "". */
type Value = (name: string) => string;
type Text = (body: string, status?: number) => void;

function answerEcho(self: Process, value: Value, text: Text): void {
  const code = value("code");
  logLine(self, `GET /echo?msg=${value("msg")}&code=${code}`);
  if (code === "" || /^\d{3}$/u.test(code)) text(value("msg"), Number(code) || 200);
  else text(`argument 'code' must be an integer or empty, got "${code}"\n`);
}

function answerExit(self: Process, value: Value, text: Text, end: (code: number, afterMs: number) => void): void {
  const code = value("code");
  logLine(self, `GET /exit?code=${code}&timeout=${value("timeout")}&wait=${value("wait")}`);
  const [timeoutMs, waitMs] = [value("timeout"), value("wait")].map((each) => (each === "" ? 0 : readDuration(each)));
  if (timeoutMs === undefined || waitMs === undefined) {
    const name = timeoutMs === undefined ? "timeout" : "wait";
    text(`argument '${name}' must be a valid golang duration or empty, got "${value(name)}"\n`);
  } else if (!/^\d*$/u.test(code)) text(`argument 'code' must be an integer [0-127] or empty, got "${code}"\n`);
  else {
    const allowing = `allowing ${durationText(timeoutMs)} for connections to close`;
    logLine(self, `Will begin shutdown in ${durationText(waitMs)}, ${allowing}, then will exit with ${Number(code)}`);
    end(Number(code), waitMs);
  }
}

/** Runs a command line and gives what it printed, on both streams, and how it failed. */
function* shell(self: Process, command: string, done: (output: { output?: string; error?: string }) => void): Sys<void> {
  const [readEnd, writeEnd] = self.pipe();
  let pid: number;
  try {
    const fds = new Map([
      [1, writeEnd],
      [2, writeEnd],
    ]);
    pid = self.spawn({ run: "/bin/sh", argv: ["/bin/sh", "-c", command], fds });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    done({ error: `fork/exec /bin/sh: ${asciiLowerCase(error.message)}` });
    return;
  } finally {
    self.close(writeEnd);
  }
  let output = "";
  for (let bytes = yield* self.read(readEnd); bytes.length > 0; bytes = yield* self.read(readEnd)) output += decodeUtf8(bytes);
  self.close(readEnd);
  const status = yield* self.wait(pid);
  const code = status?.code ?? 0;
  const error =
    code === 0 ? {} : { error: status?.signal === undefined ? `exit status ${code}` : `signal: ${asciiLowerCase(status.signal)}` };
  done({ ...error, ...(output === "" ? {} : { output }) });
}

function* serveHostname(self: Process, flags: Flags): Sys<number> {
  const port = Number(flags["port"]);
  if (flags["udp"] === "true") {
    yield* self.write(2, "Error: --udp is not supported here\n");
    return 1;
  }
  if (flags["http"] === "true" && flags["tcp"] === "true") {
    logLine(self, "Can't server TCP/UDP mode and HTTP mode at the same time");
    return 1;
  }
  if (flags["tcp"] === "true") {
    const listening = self.listen({ port });
    self.startThread(function* () {
      for (;;) {
        const { fd, peer } = yield* self.accept(listening);
        logLine(self, `TCP request from ${peer.address}:${peer.port}`);
        yield* self.write(fd, self.hostname);
        self.close(fd);
      }
    });
  }
  if (flags["http"] === "true") {
    const closing = flags["close"] === "true" ? { connection: "close" } : {};
    const ready = listen(self, port, (_request, peer, responder) => {
      logLine(self, `HTTP request from ${peer.address.address}:${peer.address.port}`);
      answerText(self, responder, 200, self.hostname, closing);
    });
    if (!ready) return 1;
  }
  logLine(self, `Serving on port ${port}.`);
  yield* awaitSignals(self, ["TERM"]);
  logLine(self, "Shutting down after receiving signal: terminated.");
  logLine(self, "Awaiting pod deletion.");
  yield* self.sleep(60_000);
  return 0;
}

const shared = {
  "cache-control": "private",
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "DNT,X-Mx-ReqToken,Keep-Alive,User-Agent,X-Requested-With,Cache-Control,Content-Type",
};

/** Go's file server over the whole file system. */
function testWebserver(self: Process, flags: Flags): Sys<number> {
  return serve(self, Number(flags["port"]), (request, _peer, responder) => {
    const path = decodeURI(request.target.split("?")[0] as string);
    const text = (status: number, body: string, headers: { readonly [name: string]: string } = {}) =>
      answerText(self, responder, status, body, { ...shared, ...headers });
    try {
      const { type } = self.stat(path);
      if (type === "directory" && !path.endsWith("/"))
        return text(301, "", { location: `${path.slice(path.lastIndexOf("/") + 1)}/` });
      if (type === "directory" && !self.exists(`${path}index.html`)) {
        const names = self.readdir(path).map((name) => `${name}${self.lstat(`${path}${name}`).type === "directory" ? "/" : ""}`);
        const lines = names.map((name) => `<a href="${encodeURI(name)}">${name}</a>\n`).join("");
        const page = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines}</pre>\n`;
        return text(200, page, { "content-type": "text/html; charset=utf-8" });
      }
      const file = type === "directory" ? `${path}index.html` : path;
      const kind = file.endsWith(".html") ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
      return text(200, decodeUtf8(self.readFile(file)), { "content-type": kind });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      return error.code === "EACCES" ? text(403, "403 Forbidden\n") : text(404, "404 page not found\n");
    }
  });
}

const methods = ["GET", "POST", "PUT"] as const;
const namespaces = ["kube-system", "default", "ns"] as const;
/** k8s.io/apimachinery's rand.String: without vowels and look-alikes. */
const letters = "bcdfghjklmnpqrstvwxz2456789";

function* generateLogs(self: Process, flags: Flags): Sys<number> {
  const total = Number(flags["log-lines-total"]);
  const duration = readDuration(flags["run-duration"] as string) ?? 0;
  const klog = (level: "I" | "F", where: string, text: string): string => {
    const { month, day, hour, minute, second } = civilDate(self.nowMs);
    const two = (value: number) => String(value).padStart(2, "0");
    const fraction = `${String(self.nowMs % 1000).padStart(3, "0")}000`;
    const pid = String(self.pid).padStart(7);
    return `${level}${two(month)}${two(day)} ${two(hour)}:${two(minute)}:${two(second)}.${fraction} ${pid} ${where}] ${text}\n`;
  };
  if (total <= 0 || duration <= 0) {
    const text = total <= 0 ? `Invalid total number of lines: ${total}` : `Invalid duration: ${durationText(duration)}`;
    yield* self.write(2, klog("F", `logs_generator.go:${total <= 0 ? 67 : 71}`, text));
    return 255;
  }
  const { random } = self;
  for (let id = 0; id < total; id += 1) {
    let name = "";
    for (let left = 3 + random.below(2); left > 0; left -= 1) name += letters[random.below(letters.length)];
    const line = `${id} ${methods[random.below(3)]} /api/v1/namespaces/${namespaces[random.below(3)]}/pods/${name} ${200 + random.below(400)}`;
    yield* self.write(2, encodeUtf8(klog("I", "logs_generator.go:79", line)));
    yield* self.sleep(duration / total);
  }
  return 0;
}
