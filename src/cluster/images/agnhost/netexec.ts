// agnhost netexec: tells who asks and who answers, calls others, runs commands, ends as it is told.

import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Endpoint } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type Answer, answerText, listen, logLine } from "../samples/go-server.ts";
import { answerError, formValues, pathOf, redirect, sniffedType } from "./answers.ts";
import { command } from "./command.ts";
import { sctpMissing, serveDatagrams } from "./datagrams.ts";
import { dial } from "./dial.ts";
import { durationText, goJson, goQuoted, goTime, readDuration } from "./go-words.ts";
import { joinHostPort, reasonOf } from "./http-client.ts";
import { type KeyPair, loadKeyPair } from "./key-pair.ts";
import { upload } from "./upload.ts";

interface Exit {
  readonly code: number;
  readonly afterMs: number;
  /** How long connections may take to close; 0: none of it. */
  readonly timeoutMs: number;
}

export const netexec = command({
  flags: {
    "http-port": 8080,
    "tls-cert-file": "",
    "tls-private-key-file": "",
    "udp-port": 8081,
    "sctp-port": -1,
    "http-override": "",
    "udp-listen-addresses": "",
    "delay-shutdown": 0,
  },
  *run(self, { flags }) {
    if (flags["sctp-port"] !== -1) {
      yield* self.write(2, `Error: --sctp-port: ${sctpMissing}\n`);
      return 1;
    }
    const server = new Netexec(self, flags["http-port"], flags["http-override"]);
    const invalid = flags["udp-listen-addresses"].split(",").find((each) => each !== "" && !/^[\d.]+$|:/u.test(each));
    if (invalid !== undefined) {
      logLine(self, `parseAddress: invalid address ${invalid}`);
      return 1;
    }
    const refusal = flags["udp-port"] === -1 ? undefined : server.serveUdp(flags["udp-port"], flags["udp-listen-addresses"]);
    if (refusal !== undefined) {
      logLine(self, refusal);
      return 1;
    }
    const pair = loadKeyPair(self, flags["tls-cert-file"], flags["tls-private-key-file"]);
    logLine(self, `Started HTTP server on port ${flags["http-port"]}`);
    if (typeof pair === "string") {
      logLine(self, pair);
      return 1;
    }
    return yield* server.serve(pair, flags["delay-shutdown"]);
  },
});

class Netexec {
  readonly #self: Process;
  readonly #port: number;
  readonly #override: string;
  readonly #startedMs: number;
  readonly #ends: readonly [number, number];
  #exit: Exit | undefined;
  #isTold = false;
  /** Upstream's is ready once it serves UDP, and never without. */
  #isReady = false;

  constructor(self: Process, port: number, override: string) {
    this.#self = self;
    this.#port = port;
    this.#override = override;
    this.#startedMs = self.nowMs;
    this.#ends = self.pipe();
  }

  *serve(pair: KeyPair | undefined, delaySeconds: number): Sys<number> {
    const self = this.#self;
    if (!listen(self, this.#port, this.#answer, pair === undefined ? {} : { tls: pair })) return 1;
    const [readEnd] = this.#ends;
    for (;;) {
      const exit = this.#exit;
      try {
        if (exit === undefined) {
          self.setSignal("TERM", "catch");
          yield* self.read(readEnd);
        } else {
          yield* self.sleep(exit.afterMs);
          if (exit.timeoutMs > 0) logLine(self, "Graceful shutdown completed with: <nil>");
          return exit.code;
        }
      } catch (error) {
        if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
        this.#isTold = true;
        if (delaySeconds > 0) {
          logLine(self, `Sleeping ${delaySeconds} seconds before terminating...`);
          self.setSignal("TERM", "ignore");
          yield* self.sleep(delaySeconds * 1000);
        }
        return 0;
      }
    }
  }

  /** A text says why it cannot. */
  serveUdp(port: number, addresses: string): string | undefined {
    const self = this.#self;
    for (const address of [...new Set(addresses.split(","))].sort()) {
      const own = address === "" ? undefined : address;
      const refusal = serveDatagrams(self, port, (bytes, from) => answerDatagram(self, port, decodeUtf8(bytes), from), own);
      if (refusal !== undefined)
        return `Error occurred: failed to create listener for UDP address ${joinHostPort(address, port)}:${refusal}`;
      logLine(self, `Started UDP server on port ${address} ${port}`);
      this.#isReady = true;
    }
    return undefined;
  }

  /** The process ends as it was told, once. */
  #end(exit: Exit): void {
    this.#exit ??= exit;
    const [, writeEnd] = this.#ends;
    const self = this.#self;
    self.startThread(() => self.write(writeEnd, "x"));
  }

  readonly #answer: Answer = (request, peer, responder) => {
    // http.NewRequest has neither headers nor an address of who asks.
    if (this.#override === "") this.#route(request, `${peer.address.address}:${peer.address.port}`, responder);
    else this.#route({ ...request, method: "GET", target: this.#override, headers: {} }, "", responder);
  };

  #route(request: HttpRequest, remote: string, responder: HttpResponder): void {
    const self = this.#self;
    const text: Text = (body, status = 200) => answerText(self, responder, status, body, { "content-type": sniffedType(body) });
    const path = pathOf(request);
    const route = Object.hasOwn(this.#routes, path) ? this.#routes[path] : undefined;
    if (route !== undefined) route({ self, request, remote, value: formValues(request), text, responder });
    else {
      logLine(self, "GET /");
      text(`NOW: ${goTime(self.nowMs, this.#startedMs)}`);
    }
  }

  readonly #routes: { readonly [path: string]: (asked: Asked) => void } = {
    "/clientip": ({ self, remote, text }) => {
      logLine(self, "GET /clientip");
      text(remote);
    },
    "/serverport": ({ self, text }) => {
      logLine(self, "GET /serverport");
      text(String(this.#port));
    },
    "/hostname": answerHostname,
    "/hostName": answerHostname,
    "/header": answerHeader,
    "/echo": answerEcho,
    "/healthz": ({ self, text }) => {
      logLine(self, "GET /healthz");
      text("", this.#isReady ? 200 : 412);
    },
    "/readyz": ({ self, text }) => {
      logLine(self, "GET /readyz");
      if (this.#isTold) text("shutting down", 503);
      else text(this.#isReady ? "ok" : "", this.#isReady ? 200 : 412);
    },
    "/redirect": answerRedirect,
    "/shutdown": ({ self }) => {
      logLine(self, "GET /shutdown");
      this.#end({ code: 0, afterMs: 0, timeoutMs: 0 });
    },
    "/exit": (asked) => answerExit(asked, (exit) => this.#end(exit)),
    "/shell": ({ self, value, text }) => {
      const line = value("shellCommand") === "" ? value("cmd") : value("shellCommand");
      logLine(self, `GET /shell?cmd=${line}`);
      self.startThread(() => shell(self, line, (output) => text(goJson({ ...output }))));
    },
    "/dial": ({ self, request, text, responder }) =>
      self.startThread(() =>
        dial(self, request.target, (status, body) => {
          if (status === 200) text(body);
          else answerError(self, responder, status, body);
        }),
      ),
    "/upload": ({ self, request, text }) => {
      logLine(self, "GET /upload");
      upload(self, request, text);
    },
  };
}

interface Asked {
  readonly self: Process;
  readonly request: HttpRequest;
  /** Who asks, `10.0.0.1:40000`. */
  readonly remote: string;
  /** A parameter of the query or the form, or "". */
  readonly value: (name: string) => string;
  readonly text: Text;
  readonly responder: HttpResponder;
}

type Text = (body: string, status?: number) => void;

/** strconv.Atoi; undefined when it is no number. */
function integerOf(text: string): number | undefined {
  return /^[+-]?\d+$/u.test(text) ? Number(text) : undefined;
}

function answerDatagram(self: Process, port: number, received: string, from: Endpoint): string | undefined {
  const text = asciiLowerCase(received.trim());
  const client = joinHostPort(from.address, from.port);
  if (text === "hostname") {
    logLine(self, "Sending udp hostName response");
    return self.hostname;
  }
  if (text.startsWith("echo ")) {
    const echoed = text.slice("echo ".length);
    logLine(self, `Echoing ${echoed} to UDP client ${client}`);
    return echoed;
  }
  if (text === "clientip") {
    logLine(self, `Sending clientip back to UDP client ${client}`);
    return client;
  }
  if (text === "serverport") {
    logLine(self, `Sending server port to UDP client ${port}`);
    return String(port);
  }
  if (text !== "") logLine(self, `Unknown UDP command received from ${client}: ${text}`);
  return undefined;
}

function answerHostname({ self, request, text }: Asked): void {
  logLine(self, `GET ${pathOf(request)}`);
  text(self.hostname);
}

function answerEcho({ self, value, text }: Asked): void {
  const [message, code] = [value("msg"), value("code")];
  logLine(self, `GET /echo?msg=${message}&code=${code}`);
  const status = code === "" ? 200 : integerOf(code);
  if (status === undefined) text(`argument 'code' must be an integer or empty, got ${goQuoted(code)}\n`);
  // net/http panics for a status that is none, and hangs up.
  else if (status < 100 || status > 999) text("", 500);
  else text(message, status);
}

function answerHeader({ self, request: { headers }, value, text }: Asked): void {
  const key = value("key");
  const canonical = (name: string) =>
    asciiLowerCase(name).replace(
      /(^|-)([a-z])/gu,
      (_found, before: string, letter: string) => `${before}${String.fromCharCode(letter.charCodeAt(0) - 32)}`,
    );
  if (key !== "") {
    logLine(self, `GET /header?key=${key}`);
    text(headers[asciiLowerCase(key)] ?? "");
    return;
  }
  logLine(self, "GET /header");
  // Go keeps Host apart from the other headers.
  const all = Object.entries(headers).filter(([name]) => name !== "host");
  text(goJson(Object.fromEntries(all.map(([name, each]) => [canonical(name), [each]]))));
}

function answerRedirect({ self, request, responder, value, text }: Asked): void {
  const [location, code] = [value("location"), value("code")];
  logLine(self, `${request.method} /redirect?msg=${location}&code=${code}`);
  const status = code === "" ? 302 : integerOf(code);
  if (status === undefined) text(`argument 'code' must be an integer or empty, got ${goQuoted(code)}\n`);
  else redirect(self, request, responder, location, status);
}

function answerExit({ self, value, text }: Asked, end: (exit: Exit) => void): void {
  const code = value("code");
  logLine(self, `GET /exit?code=${code}&timeout=${value("timeout")}&wait=${value("wait")}`);
  const [timeoutMs, waitMs] = [value("timeout"), value("wait")].map((each) => (each === "" ? 0 : readDuration(each)));
  if (timeoutMs === undefined || waitMs === undefined) {
    const name = timeoutMs === undefined ? "timeout" : "wait";
    text(`argument '${name}' must be a valid golang duration or empty, got ${goQuoted(value(name))}\n`);
  } else if (code !== "" && integerOf(code) === undefined)
    text(`argument 'code' must be an integer [0-127] or empty, got ${goQuoted(code)}\n`);
  else {
    const allowing = `allowing ${durationText(timeoutMs)} for connections to close`;
    logLine(self, `Will begin shutdown in ${durationText(waitMs)}, ${allowing}, then will exit with ${Number(code)}`);
    end({ code: Number(code) & 255, afterMs: waitMs, timeoutMs });
    // With a time-out the handler returns once the wait is over; without, the process is gone by then.
    if (timeoutMs > 0)
      self.startThread(function* () {
        yield* self.sleep(waitMs);
        text("");
      });
  }
}

/** Runs a command line and gives what it printed, on both streams, and how it failed. */
function* shell(self: Process, line: string, done: (output: { output?: string; error?: string }) => void): Sys<void> {
  const [readEnd, writeEnd] = self.pipe();
  let pid: number;
  try {
    const fds = new Map([
      [1, writeEnd],
      [2, writeEnd],
    ]);
    pid = self.spawn({ run: "/bin/sh", argv: ["/bin/sh", "-c", line], fds });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    done({ error: `fork/exec /bin/sh: ${reasonOf(error)}` });
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
  const result = { ...(output === "" ? {} : { output }), ...error };
  logLine(
    self,
    `Output: map[${Object.entries(result)
      .sort()
      .map(([name, each]) => `${name}:${each}`)
      .join(" ")}]`,
  );
  done(result);
}
